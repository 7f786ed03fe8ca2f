import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { AccountId, MemberId } from '../../../kernel/ids.ts'
import { canManage, isAtLeast, type Role, roles } from '../../../kernel/policy.ts'
import { type Work, workOf } from '../../events/work.ts'
import {
  barFormerSessions,
  countOwners,
  deleteMember,
  findMember,
  lockMembership,
  type MemberRow,
  setRole,
} from '../accounts/people.queries.ts'
import { withdrawInvitationsBy } from '../invitations/invitations.queries.ts'
import { recordWithdrawn } from '../invitations/invitations.service.ts'
import { requireProof } from '../proof/proof.ts'
import { requireCanManage } from '../roles/can-manage.ts'
import { endSessionsIn } from '../sign-in/sessions.queries.ts'

/**
 * Gives a member another role. Their sessions in the account end: what a page of theirs still shows was made for the role
 * of before. A role that may do more takes a proof.
 *
 * @throws AppError `NOT_FOUND`, `FORBIDDEN`, `LAST_OWNER`, `PROOF_REQUIRED`
 */
export async function changeRole(
  context: Pick<Context, 'config'>,
  work: Work,
  person: Person,
  memberId: MemberId,
  role: Role,
): Promise<void> {
  const { sql, accountId } = work
  const member = await holdMember(sql, accountId, memberId)
  await requireCanManage(context, sql, person, member.role, 'change the role of an owner')
  await requireCanManage(context, sql, person, role, 'make a member an owner')
  if (member.role === role) return
  // What a session could give away for longer than it lasts.
  if (!isAtLeast(member.role, role)) await requireProof(context, sql, person)
  if (member.role === 'owner') await requireAnotherOwner(sql, accountId)
  await setRole(work, member, role)
  const withdrawn = await withdrawInvitationsBy(work, member.user_id, rolesBeyond(role))
  await recordWithdrawn(work, withdrawn, 'inviter_may_not')
  await endTheirSessions(work, member, 'role_changed')
  await work.record({
    type: 'member.role_changed',
    subjectId: memberId,
    data: { user_id: member.user_id, from: member.role, to: role },
  })
}

/**
 * Removes a member, or lets one leave: anybody may take themselves out. Their sessions in the account end, and open
 * invitations of theirs are withdrawn. API keys that they made belong to the account and stay.
 *
 * @throws AppError `NOT_FOUND`, `FORBIDDEN`, `LAST_OWNER`
 */
export async function removeMember(context: Context, person: Person, memberId: MemberId): Promise<void> {
  const { accountId } = person
  await context.db.beginFor(person.accountId, async (sql) => {
    const work = workOf(context, person, sql)
    const member = await holdMember(sql, accountId, memberId)
    const isLeaving = member.user_id === person.userId
    if (!isLeaving) await requireCanManage(context, sql, person, member.role, 'remove this member')
    if (member.role === 'owner') await requireAnotherOwner(sql, accountId)
    const withdrawn = await withdrawInvitationsBy(work, member.user_id, roles)
    await recordWithdrawn(work, withdrawn, 'inviter_may_not')
    await endTheirSessions(work, member, isLeaving ? 'left' : 'removed')
    await deleteMember(work, member)
    await work.record({
      type: isLeaving ? 'member.left' : 'member.removed',
      subjectId: memberId,
      data: { user_id: member.user_id, role: member.role },
    })
  })
}

/**
 * Ends the sessions of a member in the account, for those who run it: a computer that was lost, a session that is not theirs. What
 * started before and looks at another account does not come in again. Answers how many were ended.
 *
 * @throws AppError `NOT_FOUND`, `FORBIDDEN`, `PROOF_REQUIRED` for the sessions of an owner
 */
export async function endSessionsOfMember(context: Context, person: Person, memberId: MemberId): Promise<number> {
  return context.db.beginFor(person.accountId, async (sql) => {
    const work = workOf(context, person, sql)
    const member = await holdMember(sql, person.accountId, memberId)
    await requireCanManage(context, sql, person, member.role, 'end the sessions of this member')
    await barFormerSessions(work, member)
    const ended = await endTheirSessions(work, member, 'ended_by_others')
    await work.record({
      type: 'user.sessions_ended',
      subjectId: member.user_id,
      data: { ended_sessions: ended },
    })
    return ended
  })
}

/** The member as they are until the transaction ends. */
async function holdMember(sql: Sql, accountId: AccountId, memberId: MemberId): Promise<MemberRow> {
  await lockMembership(sql, accountId)
  const member = await findMember(sql, accountId, memberId)
  if (!member) throw notFound('member')
  return member
}

/** Call it while membership is held: of two owners who leave at once, the second one counts after the first has left. */
async function requireAnotherOwner(sql: Sql, accountId: AccountId): Promise<void> {
  if ((await countOwners(sql, accountId)) < 2) throw new AppError('LAST_OWNER')
}

/** The roles that a member of this role may not give. */
function rolesBeyond(role: Role): Role[] {
  return roles.filter((each) => !canManage(role, each))
}

async function endTheirSessions(
  work: Work,
  member: MemberRow,
  why: 'role_changed' | 'removed' | 'left' | 'ended_by_others',
): Promise<number> {
  const ended = await endSessionsIn(work, member.user_id)
  await work.recordAll(
    ended.map(({ id }) => ({ type: 'session.ended', subjectId: id, data: { user_id: member.user_id, why } })),
  )
  return ended.length
}
