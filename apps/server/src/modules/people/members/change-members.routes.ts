import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { type Actor, personOf } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { MemberId } from '../../../kernel/ids.ts'
import { workOf } from '../../events/work.ts'
import { findListedMember } from '../accounts/members.queries.ts'
import { lockMembership } from '../accounts/people.queries.ts'
import { Removed } from '../accounts/removed.schema.ts'
import { changeRole, endSessionsOfMember, removeMember } from './change-member.ts'
import { EndedSessions, RoleBody } from './change-members.schema.ts'
import { Member, presentMember } from './members.schema.ts'

/** Routes that change who belongs to the account, and as what. */
export function memberChangeRoutes(routes: App, context: Context): void {
  routes.patch(
    '/members/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change the role of a member',
        description: 'Their sessions in the account end. Only an owner makes or changes an owner.',
        params: idParams('member'),
        body: RoleBody,
        response: {
          200: envelope(Member),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (incoming, reply) => {
      const { actor, params, body } = incoming
      const begin = beginIfMatch(context, incoming, reply, async (sql) => {
        await lockMembership(sql, actor.accountId)
        return getPresented(sql, actor, params.id)
      })
      return ok(
        await begin(async (sql) => {
          await changeRole(context, workOf(context, actor, sql), personOf(actor), params.id, body.role)
          return getPresented(sql, actor, params.id)
        }),
      )
    },
  )

  routes.delete(
    '/members/:id',
    {
      // Anybody may leave; the rule itself says who may remove whom.
      config: { scope: 'read', role: 'viewer' },
      schema: {
        summary: 'Remove a member, or leave the account',
        description: 'Their sessions in the account end, and their open invitations. API keys that they made stay.',
        params: idParams('member'),
        response: {
          200: envelope(Removed),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER', 'PROOF_REQUIRED', 'ORIGIN_REFUSED'),
        },
      },
    },
    async ({ actor, params }) => {
      await removeMember(context, personOf(actor), params.id)
      return ok({ id: params.id, deleted: true })
    },
  )

  routes.delete(
    '/members/:id/sessions',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'End the sessions of a member',
        description:
          'They are signed out of the account everywhere, and sessions in which they look at another account do not come in again. Only an owner ends those of an owner.',
        params: idParams('member'),
        response: {
          200: envelope(EndedSessions),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED'),
        },
      },
    },
    async ({ actor, params }) => ok({ ended_sessions: await endSessionsOfMember(context, personOf(actor), params.id) }),
  )
}

async function getPresented(sql: Sql, actor: Actor, memberId: MemberId) {
  const member = await findListedMember(sql, actor.accountId, memberId)
  if (!member) throw notFound('member')
  return presentMember(member, actor)
}
