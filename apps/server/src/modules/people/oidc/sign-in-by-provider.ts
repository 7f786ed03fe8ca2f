import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { insertUserUnlessKnown } from '../accounts/accounts.queries.ts'
import { dropResets } from '../accounts/password-resets.queries.ts'
import { dropPasswordByShownLink, findPersonByEmail } from '../accounts/people.queries.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { joinByInvitation } from '../invitations/accept-invitation.ts'
import { findInvitationByToken, findInvitationTo, type GivenInvitation } from '../invitations/invitations.queries.ts'
import { deleteFactor } from '../second-factor/second-factors.queries.ts'
import { findLastAccount } from '../sign-in/sessions.queries.ts'
import { endSessions, type StartedSession, startSession } from '../sign-in/sessions.service.ts'
import { findIdentity, linkIdentity } from './oidc.queries.ts'
import { OidcProblem } from './oidc-problem.ts'
import type { ProvenPerson } from './provider.ts'

/**
 * Signs in whom the provider has proven to be there: who is linked to that person of the provider, or else who has the
 * address that the provider has checked, here or by an invitation. Those are linked from then on.
 *
 * @param token of an invitation that is accepted by it
 * @throws OidcProblem
 */
export async function signInByProvider(
  context: Context,
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
  proven: ProvenPerson,
  token: string | undefined,
): Promise<StartedSession> {
  try {
    return await context.db.begin(async (sql) => {
      const linked = await findIdentity(sql, proven.issuer, proven.subject)
      const invitation = await findTheirInvitation(context, sql, proven, linked, token)
      const userId = linked ?? (await getOrAddPerson(context, sql, proven, invitation))
      if (invitation) await joinByInvitation(context, sql, invitation, userId)
      if (!linked) await link(context, sql, proven, userId)
      // What a link opened that was seen in one account must not open another.
      if (!linked || invitation) await dropWaysOfOthers(context, sql, userId)
      const accountId = invitation?.account_id ?? (await findLastAccount(sql, userId))
      if (accountId === undefined) throw new OidcProblem('oidc_unknown_person')
      return await startSession(context, sql, request, { userId, accountId })
    })
  } catch (error) {
    // Accepted or withdrawn between being looked up and being taken.
    if (error instanceof AppError && error.code === 'INVITATION_INVALID') {
      throw new OidcProblem('oidc_unknown_person', { cause: error })
    }
    throw error
  }
}

/** The invitation whose link was followed, or else one to whoever could not come in without. */
async function findTheirInvitation(
  context: Context,
  sql: Sql,
  { verifiedEmail }: ProvenPerson,
  linked: UserId | undefined,
  token: string | undefined,
): Promise<GivenInvitation | undefined> {
  const now = context.clock.now()
  if (token !== undefined) {
    const invitation = await findInvitationByToken(sql, hashSecret(token), now)
    if (!invitation) return undefined
    if (verifiedEmail === undefined) throw new OidcProblem('oidc_email_unverified')
    if (invitation.email.toLowerCase() !== verifiedEmail.toLowerCase()) throw new OidcProblem('oidc_other_address')
    return invitation
  }
  if (verifiedEmail === undefined) return undefined
  const userId = linked ?? (await findPersonByEmail(sql, verifiedEmail))?.id
  if (userId !== undefined && (await findLastAccount(sql, userId)) !== undefined) return undefined
  return findInvitationTo(sql, verifiedEmail, now)
}

async function getOrAddPerson(
  context: Context,
  sql: Sql,
  { verifiedEmail, name }: ProvenPerson,
  invitation: GivenInvitation | undefined,
): Promise<UserId> {
  if (verifiedEmail === undefined) throw new OidcProblem('oidc_email_unverified')
  if (invitation) {
    const id = newId('user', context.clock.now().getTime())
    await insertUserUnlessKnown(sql, { id, email: invitation.email, name, password_hash: null })
  }
  const person = await findPersonByEmail(sql, verifiedEmail)
  if (!person) throw new OidcProblem('oidc_unknown_person')
  return person.id
}

async function link(context: Context, sql: Sql, { issuer, subject }: ProvenPerson, userId: UserId): Promise<void> {
  const isLinked = await linkIdentity(sql, { issuer, subject, user_id: userId }, context.clock.now())
  if (!isLinked) throw new OidcProblem('oidc_other_person')
  await recordUserEvent(sql, userId, { type: 'user.provider_linked', data: { issuer }, actor: `user:${userId}` })
}

/**
 * A password that was set by a link which others have seen may be theirs. Once the person is shown to be there, that
 * password, its second factor and its sessions open nothing any more.
 */
async function dropWaysOfOthers(context: Context, sql: Sql, userId: UserId): Promise<void> {
  if (!(await dropPasswordByShownLink(sql, userId, context.clock.now()))) return
  await deleteFactor(sql, userId)
  await dropResets(sql, userId)
  await endSessions(context, sql, userId, 'password_removed')
  await recordUserEvent(sql, userId, { type: 'user.password_removed', data: {}, actor: `user:${userId}` })
}
