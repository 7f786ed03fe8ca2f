import type { Context } from '../../../context/context.ts'
import { orCsv, sendCsv, wantsCsv } from '../../../http/csv.ts'
import { envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { PromisesQuery, PromisesReport, YieldQuery, YieldReport } from './quality.schema.ts'
import { readPromises, readYield } from './quality.service.ts'

const tags = ['Analytics']
const days = 'By the days of the account, at most 366 of them; without from and to the last 30.'

const yielded = [
  'plates_done',
  'plates_failed',
  'plates_stopped',
  'units_good',
  'units_rejected',
  'plate_yield',
  'unit_yield',
] as const
const promised = [
  'orders',
  'within',
  'late',
  'late_open',
  'changed',
  'within_percent',
  'late_days_average',
  'late_days_worst',
] as const

export function qualityRoutes(app: App, context: Context): void {
  app.get(
    '/analytics/yield',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the yield of the plates that were printed',
        description: `Plates that ended, their units, and the main causes of lost ones: failures by their type, and units that were found bad. ${days}`,
        querystring: YieldQuery,
        response: { 200: orCsv(envelope(YieldReport)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'file', format } = request.query
      const report = await readYield(context, request.actor.accountId, request.query)
      if (!wantsCsv(request, format)) return ok(report)
      const name = `yield-by-${by}`
      if (by === 'printer') return sendCsv(reply, name, ['printer_name', ...yielded], report.by_printer)
      if (by === 'material') return sendCsv(reply, name, ['material', ...yielded], report.by_material)
      if (by === 'reason') {
        const columns = ['reason', 'count', 'units_lost', 'share', 'cumulative_share'] as const
        return sendCsv(reply, name, columns, report.reasons)
      }
      return sendCsv(reply, name, ['file_name', ...yielded], report.by_file)
    },
  )

  app.get(
    '/analytics/promises',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the kept and missed promises of orders',
        description:
          'Orders by the day for which they were promised first, against when they left. Cancelled and refunded ones are left out, ' +
          `and so are those whose day is still to come. ${days}`,
        querystring: PromisesQuery,
        response: { 200: orCsv(envelope(PromisesReport)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'week', format } = request.query
      const report = await readPromises(context, request.actor.accountId, request.query)
      if (!wantsCsv(request, format)) return ok(report)
      const name = `promises-by-${by}`
      if (by === 'platform') return sendCsv(reply, name, ['platform', ...promised], report.by_platform)
      if (by === 'order') {
        const columns = ['order_number', 'platform', 'promised_at', 'shipped_at', 'late_days'] as const
        return sendCsv(reply, name, columns, report.late_orders)
      }
      return sendCsv(reply, name, ['week', ...promised], report.by_week)
    },
  )
}
