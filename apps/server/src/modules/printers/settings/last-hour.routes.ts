import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answer, envelope, failures, idParams, nullable, ok, resource, timestamp } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { getPrinter } from '../get-printer.ts'

const celsius = (what: string) => nullable(Type.Number({ description: `${what} in °C; null when it was not known` }))

const LastHour = resource('LastHour', 'The temperatures of a printer in the last hour', {
  samples: Type.Array(
    answer(
      {
        at: timestamp('Time of the value'),
        nozzle: celsius('Nozzle temperature'),
        bed: celsius('Bed temperature'),
        chamber: celsius('Chamber temperature'),
        nozzle_target: celsius('Nozzle temperature aimed at'),
        bed_target: celsius('Bed temperature aimed at'),
      },
      { description: 'One moment' },
    ),
    { description: 'The oldest first; a value that did not change is told at the ends of its time' },
  ),
})

/** Routes for what a chart of a printer begins with; from there on it follows the stream of events. */
export function lastHourRoutes(app: App, context: Context): void {
  app.get(
    '/printers/:id/last-hour',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'List the temperatures of a printer in the last hour',
        description: 'Temperatures that its hub reported to this process; none of before its start.',
        params: idParams('printer'),
        response: { 200: envelope(LastHour), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor: { accountId }, params: { id } }) => {
      await getPrinter(context.db.sql, accountId, id)
      const samples = context.temperatures.read(accountId, id, context.clock.now())
      return ok({
        samples: samples.map(({ at, nozzle, bed, chamber, nozzleTarget, bedTarget }) => ({
          at: at.toISOString(),
          ...{ nozzle, bed, chamber, nozzle_target: nozzleTarget, bed_target: bedTarget },
        })),
      })
    },
  )
}
