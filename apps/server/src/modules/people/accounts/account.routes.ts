import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { AppError } from '../../../kernel/errors.ts'
import { workOf } from '../../events/work.ts'
import { requireProof } from '../proof/proof.ts'
import { Account, AccountBody } from './account.schema.ts'
import { changeAccount, readAccount } from './account.service.ts'
import { lockMembership } from './people.queries.ts'

/** Routes for what the account is called and has set. Working hours and heating are settings of the scheduler. */
export function accountRoutes(routes: App, context: Context): void {
  routes.get(
    '/account',
    {
      config: { scope: 'read', tagged: true },
      schema: { summary: 'Get the account and its settings', response: { 200: envelope(Account), ...failures() } },
    },
    async ({ actor }) => ok(await readAccount(context, context.db.sql, actor.accountId)),
  )

  routes.patch(
    '/account',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change what the account is called or has set',
        description:
          'Fields that are left out stay as they are. Owners alone change `require_second_factor`, with a proof.',
        body: AccountBody,
        response: {
          200: envelope(Account),
          ...failures('FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (incoming, reply) => {
      const { actor, body } = incoming
      if (body.require_second_factor !== undefined) {
        if (actor.role !== 'owner') throw new AppError('FORBIDDEN', { action: 'change who needs a second factor' })
        await requireProof(context, context.db.sql, actor)
      }
      const begin = beginIfMatch(context, incoming, reply, async (sql) => {
        await lockMembership(sql, actor.accountId)
        return readAccount(context, sql, actor.accountId)
      })
      return begin(async (sql) => {
        await changeAccount(workOf(context, actor, sql), body)
        return ok(await readAccount(context, sql, actor.accountId))
      })
    },
  )
}
