import type { Context } from '../../context/context.ts'
import { envelope, failures, ok } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { Overview } from './analytics.schema.ts'
import { readOverview } from './analytics.service.ts'

const tags = ['Analytics']

export function analyticsRoutes(app: App, context: Context): void {
  app.get(
    '/analytics/overview',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the current counts of the farm',
        description:
          'Printers and hubs are counted as they are at this moment. A day begins at midnight in the time zone of the ' +
          'account.',
        response: { 200: envelope(Overview), ...failures() },
      },
    },
    async ({ actor }) => ok(await readOverview(context, actor.accountId)),
  )
}
