import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import { recordEvent, recordEvents } from '../../events/events.queries.ts'
import { findAccount } from '../accounts/accounts.queries.ts'
import { findEmailProblem } from '../accounts/email.ts'
import { findMemberByEmail, holdMembership } from '../accounts/people.queries.ts'
import { invitationLifetimeMs, invitationUrl, makeLinkToken } from '../mail/links.ts'
import { invitationMail } from '../mail/messages.ts'
import { sendMail } from '../mail/send-mail.ts'
import { requireMayManage } from '../roles/may-manage.ts'
import {
  findInvitationByToken,
  findOpenInvitationHeld,
  type GivenInvitation,
  type InvitationRow,
  insertInvitation,
  noteInvitationMailed,
  type WithdrawnInvitation,
  withdrawInvitation,
  withdrawInvitationTo,
} from './invitations.queries.ts'

/** An invitation that was just made. `url` is there when no mail could bring it: whoever made it passes it on. */
export interface MadeInvitation {
  invitation: InvitationRow
  url?: string
}

/**
 * Invites an address, and sends the link there when mail is configured. Inviting it again replaces the link of before.
 *
 * @param publicUrl where the link leads
 * @throws AppError `VALIDATION_ERROR`, `FORBIDDEN`, `ALREADY_EXISTS` when a member has this address
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
  const accountName = await context.db.begin(async (sql) => {
    await holdMembership(sql, accountId)
    await requireMayManage(context, sql, person, input.role, `invite somebody as ${input.role}`)
    if (await findMemberByEmail(sql, accountId, email)) {
      throw new AppError('ALREADY_EXISTS', { resource: 'member with this e-mail address' })
    }
    const replaced = await withdrawInvitationTo(sql, accountId, email, now)
    await recordWithdrawn(sql, accountId, replaced, 'invited_again', person.label)
    await insertInvitation(sql, accountId, { ...invitation, token_hash: hash })
    await recordEvent(sql, accountId, {
      type: 'invitation.created',
      subjectId: invitation.id,
      data: { role: input.role },
      actor: person.label,
    })
    return (await findAccount(sql, accountId))?.name ?? ''
  })
  const url = invitationUrl(publicUrl, token)
  if ((await sendMail(context, invitationMail(email, accountName, url))) !== 'sent') return { invitation, url }
  await noteInvitationMailed(context.db.sql, accountId, invitation.id, now)
  return { invitation: { ...invitation, mailed_at: now } }
}

/** @throws AppError `NOT_FOUND` also for one that was accepted or withdrawn, `FORBIDDEN` */
export async function withdraw(context: Context, person: Person, invitationId: string): Promise<void> {
  const { accountId, label } = person
  await context.db.begin(async (sql) => {
    await holdMembership(sql, accountId)
    const invitation = await findOpenInvitationHeld(sql, accountId, invitationId)
    if (!invitation) throw notFound('invitation')
    await requireMayManage(context, sql, person, invitation.role, 'withdraw the invitation of an owner')
    await withdrawInvitation(sql, accountId, invitationId, context.clock.now())
    await recordWithdrawn(sql, accountId, [invitation], 'withdrawn', label)
  })
}

/** Says of invitations why they are good for nothing any more. */
export async function recordWithdrawn(
  sql: Sql,
  accountId: string,
  invitations: readonly WithdrawnInvitation[],
  why: 'withdrawn' | 'invited_again' | 'inviter_may_not',
  actor: string,
): Promise<void> {
  await recordEvents(
    sql,
    accountId,
    invitations.map(({ id, role }) => ({
      type: 'invitation.withdrawn',
      subjectId: id,
      data: { role, why },
      actor,
    })),
  )
}

/** @throws AppError `INVITATION_INVALID` */
export async function getInvitationByToken(context: Context, token: string): Promise<GivenInvitation> {
  const invitation = await findInvitationByToken(context.db.sql, hashSecret(token), context.clock.now())
  if (!invitation) throw new AppError('INVITATION_INVALID')
  return invitation
}
