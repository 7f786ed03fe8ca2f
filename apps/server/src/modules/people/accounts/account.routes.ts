import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { Account, AccountBody } from './account.schema.ts'
import { changeAccount, getAccount } from './account.service.ts'
import { holdMembership } from './people.queries.ts'

/** What the account is called and has set. Working hours and heating are settings of the scheduler. */
export function accountRoutes(routes: App, context: Context): void {
  routes.get(
    '/account',
    {
      config: { scope: 'read', tagged: true },
      schema: { summary: 'The account and what it has set', response: { 200: envelope(Account), ...failures() } },
    },
    async ({ actor }) => ok(await getAccount(context.db.sql, actor.accountId)),
  )

  routes.patch(
    '/account',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change what the account is called or has set',
        description: 'Fields that are left out stay as they are.',
        body: AccountBody,
        response: { 200: envelope(Account), ...failures('FORBIDDEN', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (incoming, reply) => {
      const { actor, body } = incoming
      const begin = beginIfMatch(context, incoming, reply, async (sql) => {
        await holdMembership(sql, actor.accountId)
        return getAccount(sql, actor.accountId)
      })
      return ok(await begin((sql) => changeAccount(workOf(context, actor, sql), body)))
    },
  )
}
