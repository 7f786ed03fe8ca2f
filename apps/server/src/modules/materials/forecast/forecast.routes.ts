import type { Context } from '../../../context/context.ts'
import { orCsv, sendCsv, wantsCsv } from '../../../http/csv.ts'
import { envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { ForecastQuery, MaterialForecast, presentForecast, purchaseList } from './forecast.schema.ts'
import { readForecast } from './forecast.service.ts'

export function forecastRoutes(app: App, context: Context): void {
  app.get(
    '/materials/forecast',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Materials'],
        summary: 'Forecast which materials run out, and what must be bought',
        description:
          'Filament for jobs that are not over, by material and colour and by loaded spool, and components and packaging for open assembly tasks ' +
          'and parcels, against the stock at this moment.',
        querystring: ForecastQuery,
        response: { 200: orCsv(envelope(MaterialForecast)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'purchase', format } = request.query
      const forecast = presentForecast(await readForecast(context, request.actor.accountId))
      if (!wantsCsv(request, format)) return ok(forecast)
      if (by === 'filament') {
        return sendCsv(
          reply,
          'filament-forecast',
          [
            'type',
            'color',
            'any_color',
            'plates',
            'plates_without_weight',
            'needed_grams',
            'on_hand_grams',
            'available_grams',
            'to_buy_grams',
            'daily_use_grams',
            'days_left',
          ],
          forecast.filament,
        )
      }
      if (by === 'printer') {
        const rows = forecast.printers.flatMap(({ printer_name, spools }) =>
          spools.map((spool) => ({ printer_name, ...spool })),
        )
        return sendCsv(
          reply,
          'spool-forecast',
          [
            'printer_name',
            'slot',
            'type',
            'color',
            'remaining_grams',
            'reserved_grams',
            'queued_grams',
            'missing_grams',
            'runs_out_in',
          ],
          rows,
        )
      }
      const columns = ['kind', 'type', 'color', 'name', 'needed', 'on_hand', 'to_buy', 'unit'] as const
      return sendCsv(reply, 'purchase-list', columns, purchaseList(forecast))
    },
  )
}
