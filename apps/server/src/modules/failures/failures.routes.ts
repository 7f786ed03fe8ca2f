import type { Context } from '../../context/context.ts'
import { lockRow } from '../../db/lock-row.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { orCsv, sendCsv, wantsCsv } from '../../http/csv.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { workOf } from '../events/work.ts'
import { FailureAnalytics, FailureChangesBody, FailuresQuery, PrintFailure, presentFailure } from './failures.schema.ts'
import { changeFailure, getFailure, readFailures } from './failures.service.ts'

const tags = ['Analytics']

export function failureRoutes(app: App, context: Context): void {
  const { db, clock } = context

  app.get(
    '/analytics/failures',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Count prints that failed or were stopped',
        description: 'By the days of the account, at most 366 of them; without from and to the last 30.',
        querystring: FailuresQuery,
        response: { 200: orCsv(envelope(FailureAnalytics)), ...failures() },
      },
    },
    async (request, reply) => {
      const { by = 'day', format } = request.query
      const report = await readFailures(
        db.reportsFor(request.actor.accountId),
        request.actor.accountId,
        request.query,
        clock.now(),
      )
      if (!wantsCsv(request, format)) return ok(report)
      const name = `failures-by-${by}`
      if (by === 'type') return sendCsv(reply, name, ['type', 'count'], report.by_type)
      if (by === 'printer') return sendCsv(reply, name, ['printer_name', 'count'], report.by_printer)
      return sendCsv(reply, name, ['date', 'count'], report.daily_trend)
    },
  )

  app.patch(
    '/analytics/failures/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Say what went wrong with a print, or that it was dealt with',
        description:
          'Fields that are left out stay as they are. `reason` and `reason_code`, which the printer or the service gave, do not change.',
        params: idParams('printFailure'),
        body: FailureChangesBody,
        response: { 200: envelope(PrintFailure), ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'print_failures', actor.accountId, params.id)
        return presentFailure(await getFailure(sql, actor.accountId, params.id))
      })
      return ok(presentFailure(await begin((sql) => changeFailure(workOf(context, actor, sql), params.id, body))))
    },
  )
}
