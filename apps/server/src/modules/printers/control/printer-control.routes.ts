import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answerOnceOutside } from '../../../http/idempotency.ts'
import {
  request as body,
  envelope,
  failures,
  idParams,
  nullable,
  ok,
  oneOf,
  postFailures,
  resource,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { failureTypes } from '../../failures/failure-type.ts'
import { rejectedOutputs } from '../../worklist/worklist.schema.ts'
import { printerStatuses } from '../effective-status.ts'
import { PendingCommand } from './pending-command.ts'
import { controlActions, controlPrinter } from './printer-control.service.ts'

const ControlBody = body({
  action: oneOf(controlActions, {
    description: '`clear_bed` confirms that a person took the print off; the others act on the running print',
  }),
  quantity_rejected: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description:
        'Bad units of the plate, with `clear_bed`. They leave the stock again, and are reprinted when the account is set so',
    }),
  ),
  rejected: Type.Optional(rejectedOutputs),
  failure_type: Type.Optional(
    oneOf(failureTypes, {
      description:
        'Type of the failure: with `stop` of a job that of the print, default `cancelled_by_person`; with `clear_bed` that of the bad units, under which the report of yield counts them',
    }),
  ),
  seen_over: Type.Optional(
    Type.Boolean({
      description:
        'The words "I looked: it is over" of a person who stood at a printer that does not answer, with `stop` and `clear_bed`: its print is cancelled without it. `clear_bed` then also works while the printer reports an error',
    }),
  ),
})

const ControlAnswer = resource('ControlAnswer', 'Outcome of the command', {
  printer_id: Type.String({ description: 'ID of the printer' }),
  action: oneOf(controlActions, { description: 'Action that was requested' }),
  status: oneOf(printerStatuses, { description: 'Current status of the printer' }),
  command_id: nullable(
    Type.String({ description: 'The command sent to the printer; null for clear_bed, which sends none' }),
  ),
  pending: PendingCommand,
})

export function printerControlRoutes(app: App, context: Context): void {
  app.post(
    '/printers/:id/control',
    {
      config: { scope: 'control' },
      schema: {
        tags: ['Printers'],
        summary: 'Pause, resume or stop a print, or confirm that the plate is clear',
        description:
          'Works on whatever runs at the printer, also on a print that was started at its own screen. Clearing the plate works while the printer is seen idle, and while it is off.',
        params: idParams('printer'),
        body: ControlBody,
        response: {
          200: envelope(ControlAnswer),
          ...failures(
            ...postFailures,
            'NOT_FOUND',
            'INVALID_STATE',
            'JOB_STATE_CHANGED',
            'PRINTER_OUT_OF_REACH',
            'NO_HUB_ASSIGNED',
            'NO_PRINTER_ASSIGNED',
            'HUB_OFFLINE',
            'COMMAND_NOT_SUPPORTED',
            'HUB_COMMAND_FAILED',
          ),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () =>
        ok(
          await controlPrinter(context, request.actor, request.params.id, request.body.action, {
            rejected: { quantity: request.body.quantity_rejected ?? 0, outputs: request.body.rejected ?? [] },
            seenOver: request.body.seen_over === true,
            failureType: request.body.failure_type ?? null,
          }),
        ),
      ),
  )
}
