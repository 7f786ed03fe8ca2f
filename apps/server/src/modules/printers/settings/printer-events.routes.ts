import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { failures, idParams, page, pageEnvelope, pageQuery, request } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { mapActorNames } from '../../events/actor-names.queries.ts'
import { listEventsBack } from '../../events/event-feed.queries.ts'
import { NamedEvent, presentNamedEvent } from '../../events/events.schema.ts'
import { getPrinter } from '../get-printer.ts'

/** Routes for what happened to one printer, for those who use it. */
export function printerEventRoutes(app: App, context: Context): void {
  app.get(
    '/printers/:id/events',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'List the events of a printer with their actors, the newest first',
        params: idParams('printer'),
        querystring: request(pageQuery),
        response: { 200: pageEnvelope(NamedEvent), ...failures('NOT_FOUND') },
      },
    },
    async (asked) => {
      const { sql } = context.db
      const { accountId } = asked.actor
      const { id: subject } = asked.params
      await getPrinter(sql, accountId, subject)
      const { rows, meta } = await readPage(context, asked, ({ limit, offset, after }) =>
        listEventsBack(sql, accountId, { subject }, { limit, offset, ...(after && { after }) }),
      )
      const labels = rows.map(({ actor }) => actor)
      const names = await mapActorNames(sql, asked.actor, labels)
      return page(
        rows.map((row) => presentNamedEvent(row, names)),
        meta,
      )
    },
  )
}
