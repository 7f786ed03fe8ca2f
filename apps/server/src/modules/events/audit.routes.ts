import type { Context } from '../../context/context.ts'
import { readPage } from '../../http/cursor.ts'
import { failures, page, pageEnvelope } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { listEventsBack } from './event-feed.queries.ts'
import { AuditQuery, Event, presentEvent } from './events.schema.ts'

/** The events as those who run an account look back at them. */
export function auditRoutes(app: App, context: Context): void {
  app.get(
    '/audit',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'What happened in the account and who did it, the newest first',
        querystring: AuditQuery,
        response: { 200: pageEnvelope(Event), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, ({ limit, offset, after, ...filter }) =>
        listEventsBack(context.db.sql, request.actor.accountId, filter, { limit, offset, ...(after && { after }) }),
      )
      return page(rows.map(presentEvent), meta)
    },
  )
}
