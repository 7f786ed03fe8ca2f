import type { Context } from '../../context/context.ts'
import { readPage } from '../../http/cursor.ts'
import { failures, page, pageEnvelope } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { mapActorNames } from './actor-names.queries.ts'
import { listEventsBack } from './event-feed.queries.ts'
import { AuditQuery, NamedEvent, presentNamedEvent } from './events.schema.ts'

/** The events as those who run an account look back at them. */
export function auditRoutes(app: App, context: Context): void {
  app.get(
    '/audit',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the events of the account with their actors, the newest first',
        querystring: AuditQuery,
        response: { 200: pageEnvelope(NamedEvent), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, ({ limit, offset, after, ...filter }) =>
        listEventsBack(context.db.sql, request.actor.accountId, filter, { limit, offset, ...(after && { after }) }),
      )
      const labels = rows.map(({ actor }) => actor)
      const names = await mapActorNames(context.db.sql, request.actor, labels)
      return page(
        rows.map((row) => presentNamedEvent(row, names)),
        meta,
      )
    },
  )
}
