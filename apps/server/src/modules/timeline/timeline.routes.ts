import type { Context } from '../../context/context.ts'
import { envelope, failures, idParams, ok } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { HoursOfDay, IdleQuery, IdleTime, Timeline, TimelineQuery } from './timeline.schema.ts'
import { readHours, readIdleTime, readTimeline } from './timeline.service.ts'

export function timelineRoutes(app: App, context: Context): void {
  app.get(
    '/printers/:id/timeline',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Printers'],
        summary: 'Get the time of a printer, by cause',
        description:
          'At any moment a printer is in one period with one cause, so the causes sum to the time that passed. Time ' +
          'that no one watched, because the hub or the service was away, is `offline`. At most 31 days at once.',
        params: idParams('printer'),
        querystring: TimelineQuery,
        response: { 200: envelope(Timeline), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params, query }) => ok(await readTimeline(context, actor.accountId, params.id, query)),
  )

  app.get(
    '/analytics/idle',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Analytics'],
        summary: 'Get the time of all printers, by cause',
        description:
          'Minutes by cause; the causes sum to the time of all printers together. At most 92 days at once, by default the ' +
          'last 30.',
        querystring: IdleQuery,
        response: { 200: envelope(IdleTime), ...failures() },
      },
    },
    async ({ actor, query }) => ok(await readIdleTime(context, actor.accountId, query)),
  )

  app.get(
    '/analytics/hours',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Analytics'],
        summary: 'Get the printing time of printers, by hour of the day',
        description:
          'Each printer with the 24 hours of the day of the account, all days together. At most 92 days at once, by default the last 30.',
        querystring: IdleQuery,
        response: { 200: envelope(HoursOfDay), ...failures() },
      },
    },
    async ({ actor, query }) => ok(await readHours(context, actor.accountId, query)),
  )
}
