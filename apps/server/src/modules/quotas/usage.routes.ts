import type { Context } from '../../context/context.ts'
import { envelope, failures, ok } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { readUsage } from './quotas.service.ts'
import { Usage } from './usage.schema.ts'

/** Routes for what of its quotas an account uses. */
export function usageRoutes(routes: App, context: Context, countStreams: (accountId: AccountId) => number): void {
  routes.get(
    '/account/usage',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get the usage of each quota by the account',
        response: { 200: envelope(Usage), ...failures() },
      },
    },
    async ({ actor: { accountId } }) => ok({ quotas: await readUsage(context, accountId, countStreams(accountId)) }),
  )
}
