import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { failures, page, pageEnvelope } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { listRuns } from './runs.queries.ts'
import { presentRun, Run, RunsQuery } from './runs.schema.ts'

/** Routes for what the farm did by itself, for those who run the account. */
export function automationRunRoutes(routes: App, context: Context): void {
  routes.get(
    '/automation-runs',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List what automation rules did, the newest first',
        description: 'Kept for 30 days.',
        querystring: RunsQuery,
        response: { 200: pageEnvelope(Run), ...failures('FORBIDDEN') },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listRuns(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentRun), meta)
    },
  )
}
