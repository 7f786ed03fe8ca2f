import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { failures, page, pageEnvelope } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { listNotifications } from './notifications.queries.ts'
import { Notification, NotificationsQuery, presentNotification } from './notifications.schema.ts'

/** Routes for what people were told, for those who run the account. */
export function notificationRoutes(routes: App, context: Context): void {
  routes.get(
    '/notifications',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List what people were told, the newest first',
        description: 'Kept for 30 days, with what the other side answered and how long it took.',
        querystring: NotificationsQuery,
        response: { 200: pageEnvelope(Notification), ...failures('FORBIDDEN') },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listNotifications(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentNotification), meta)
    },
  )
}
