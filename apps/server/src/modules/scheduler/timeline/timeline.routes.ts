import type { Context } from '../../../context/context.ts'
import { envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { presentTimeline, QueueTimeline } from './timeline.schema.ts'
import { readTimeline } from './timeline.service.ts'

/** The queue as people look ahead in it. */
export function queueTimelineRoutes(app: App, context: Context): void {
  app.get(
    '/jobs/queue/timeline',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Get the start and end of jobs by printer, from the last forecast',
        description:
          'A forecast and no plan: each job goes, in the order of the queue, to the printer that fits and ends it first, and plates are cleared ' +
          'at once. It is made within seconds after a job moved, and every five minutes.',
        response: { 200: envelope(QueueTimeline), ...failures() },
      },
    },
    async ({ actor }) => ok(presentTimeline(await readTimeline(context, actor.accountId))),
  )
}
