import type { Context } from '../../../context/context.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { type InvitationId, newId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import { type Work, workIn, workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { findAccount } from '../accounts/accounts.queries.ts'
import { findEmailProblem } from '../accounts/email.ts'
import { findMemberByEmail, lockMembership } from '../accounts/people.queries.ts'
import { invitationLifetimeMs, invitationUrl, makeLinkToken } from '../mail/links.ts'
import { invitationMail } from '../mail/messages.ts'
import { sendMail } from '../mail/send-mail.ts'
import { requireCanManage } from '../roles/can-manage.ts'
import {
  findInvitationByToken,
  findOpenInvitationHeld,
  type GivenInvitation,
  type InvitationRow,
  insertInvitation,
  recordInvitationMailed,
  type WithdrawnInvitation,
  withdrawInvitation,
  withdrawInvitationTo,
} from './invitations.queries.ts'

/** An invitation that was just made. `url` is there when no mail could bring it: anyone who made it passes it on. */
export interface MadeInvitation {
  invitation: InvitationRow
  url?: string
}

/**
 * Invites an address, and sends the link there when mail is configured. Inviting it again replaces the link of before.
 *
 * @param publicUrl where the link leads
 * @throws AppError `VALIDATION_ERROR`, `FORBIDDEN`, `QUOTA_EXCEEDED`, `ALREADY_EXISTS` when a member has this address
 */
export async function makeInvitation(
  context: Context,
  person: Person,
  input: { email: string; role: Role },
  publicUrl: string,
): Promise<MadeInvitation> {
  const { accountId, userId } = person
  const email = input.email.trim()
  const problem = findEmailProblem(email)
  if (problem !== undefined) throw validationError({ email: [problem] })
  const now = context.clock.now()
  const { token, hash } = makeLinkToken()
  const invitation: InvitationRow = {
    id: newId('invitation', now.getTime()),
    email,
    role: input.role,
    invited_by: userId,
    mailed_at: null,
    expires_at: new Date(now.getTime() + invitationLifetimeMs),
    created_at: now,
  }
  const accountName = await context.db.beginFor(accountId, async (sql) => {
    const work = workIn(sql, { accountId, actor: person.label, now })
    await lockMembership(sql, accountId)
    await requireCanManage(context, sql, person, input.role, `invite a person as ${input.role}`)
    if (await findMemberByEmail(sql, accountId, email)) {
      throw new AppError('ALREADY_EXISTS', { resource: 'member with this e-mail address' })
    }
    await requireRoom(context, sql, accountId, 'members')
    const replaced = await withdrawInvitationTo(work, email)
    await recordWithdrawn(work, replaced, 'invited_again')
    await insertInvitation(work, { ...invitation, token_hash: hash })
    await work.record({ type: 'invitation.created', subjectId: invitation.id, data: { role: input.role } })
    return (await findAccount(sql, accountId))?.name ?? ''
  })
  const url = invitationUrl(publicUrl, token)
  if ((await sendMail(context, invitationMail(email, accountName, url))) !== 'sent') return { invitation, url }
  await recordInvitationMailed(context.db.sql, accountId, invitation.id, now)
  return { invitation: { ...invitation, mailed_at: now } }
}

/** @throws AppError `NOT_FOUND` also for one that was accepted or withdrawn, `FORBIDDEN` */
export async function withdraw(context: Context, person: Person, invitationId: InvitationId): Promise<void> {
  const { accountId } = person
  await context.db.beginFor(person.accountId, async (sql) => {
    const work = workOf(context, person, sql)
    await lockMembership(sql, accountId)
    const invitation = await findOpenInvitationHeld(sql, accountId, invitationId)
    if (!invitation) throw notFound('invitation')
    await requireCanManage(context, sql, person, invitation.role, 'withdraw the invitation of an owner')
    await withdrawInvitation(work, invitationId)
    await recordWithdrawn(work, [invitation], 'withdrawn')
  })
}

/** Says of invitations why they are good for nothing any more. */
export async function recordWithdrawn(
  work: Work,
  invitations: readonly WithdrawnInvitation[],
  why: 'withdrawn' | 'invited_again' | 'inviter_may_not',
): Promise<void> {
  await work.recordAll(
    invitations.map(({ id, role }) => ({ type: 'invitation.withdrawn', subjectId: id, data: { role, why } })),
  )
}

/** @throws AppError `INVITATION_INVALID` */
export async function getInvitationByToken(context: Context, token: string): Promise<GivenInvitation> {
  const invitation = await findInvitationByToken(context.db.sql, hashSecret(token), context.clock.now())
  if (!invitation) throw new AppError('INVITATION_INVALID')
  return invitation
}
