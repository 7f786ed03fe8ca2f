import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Sql, Transaction } from '../../../db/database.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { type InvitationId, newId, type UserId } from '../../../kernel/ids.ts'
import { workOfUser } from '../../events/work.ts'
import { insertUserUnlessKnown } from '../accounts/accounts.queries.ts'
import { dropResets } from '../accounts/password-resets.queries.ts'
import { dropPasswordByShownLink, findPersonByEmail } from '../accounts/people.queries.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { joinByInvitation } from '../invitations/accept-invitation.ts'
import { findInvitationByToken, type GivenInvitation, listInvitationsTo } from '../invitations/invitations.queries.ts'
import { deletePasskeysOf } from '../passkeys/passkeys.queries.ts'
import { deleteFactor } from '../second-factor/second-factors.queries.ts'
import { findLastAccount } from '../sign-in/sessions.queries.ts'
import { endSessions, type StartedSession, startSession } from '../sign-in/sessions.service.ts'
import { findIdentity, linkIdentity } from './oidc.queries.ts'
import { OidcProblem } from './oidc-problem.ts'
import { freshSignIn } from './prove-by-provider.ts'
import type { ProvenPerson } from './provider.ts'

/**
 * Signs in whom the provider has proven to be there: who is linked to that person of the provider, or else who has the
 * address that the provider has checked. Those are linked from then on. `invited`: a member of nothing, who has invitations
 * and is to be asked which one to accept.
 *
 * @param token of an invitation that the person has said yes to
 * @throws OidcProblem
 */
export async function signInByProvider(
  context: Context,
  request: Entering,
  proven: ProvenPerson,
  token: string | undefined,
): Promise<StartedSession | 'invited'> {
  return orProblem(() =>
    context.db.begin(async (sql) => {
      const invitation = token === undefined ? undefined : await findByToken(context, sql, proven, token)
      if (invitation) return enter(context, sql, request, proven, invitation)
      const isInvited = proven.verifiedEmail !== undefined && !(await isMember(sql, proven))
      if (isInvited && (await findInvitations(context, sql, proven)).length > 0) return 'invited'
      return enter(context, sql, request, proven, undefined)
    }),
  )
}

/**
 * Accepts one of the invitations to the address that the provider has checked.
 *
 * @throws OidcProblem when it is none of them
 */
export async function acceptByProvider(
  context: Context,
  request: Entering,
  proven: ProvenPerson,
  invitationId: InvitationId,
): Promise<StartedSession> {
  return orProblem(() =>
    context.db.begin(async (sql) => {
      const invitation = (await findInvitations(context, sql, proven)).find(({ id }) => id === invitationId)
      if (!invitation) throw new OidcProblem('oidc_unknown_person')
      return enter(context, sql, request, proven, invitation)
    }),
  )
}

/** Answers what the address that the provider has checked is invited to, the newest first. */
export async function listInvitationsOf(
  context: Context,
  proven: ProvenPerson,
): Promise<{ email: string | null; invitations: GivenInvitation[] }> {
  const invitations = await findInvitations(context, context.db.sql, proven)
  return { email: proven.verifiedEmail ?? null, invitations }
}

type Entering = Pick<FastifyRequest, 'ip' | 'headers'>

async function enter(
  context: Context,
  sql: Transaction,
  request: Entering,
  proven: ProvenPerson,
  invitation: GivenInvitation | undefined,
): Promise<StartedSession> {
  const linked = await findIdentity(sql, proven.issuer, proven.subject)
  const userId = linked ?? (await getOrAddPerson(context, sql, proven, invitation))
  if (invitation) await joinByInvitation(workOfUser(context, sql, invitation.account_id, userId), invitation, userId)
  if (!linked) await link(context, sql, proven, userId)
  // What a link opened that was seen in one account must not open another.
  if (!linked || invitation) await dropWaysOfOthers(context, sql, userId)
  const accountId = invitation?.account_id ?? (await findLastAccount(sql, userId))
  if (accountId === undefined) throw new OidcProblem('oidc_unknown_person')
  const work = workOfUser(context, sql, accountId, userId)
  return startSession(work, request, { userId, provenAt: freshSignIn(context, proven) })
}

async function orProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Accepted or withdrawn between being looked up and being taken.
    if (error instanceof AppError && error.code === 'INVITATION_INVALID') {
      throw new OidcProblem('oidc_unknown_person', { cause: error })
    }
    throw error
  }
}

/** The invitation whose link was followed, as long as it can be accepted. */
async function findByToken(
  context: Context,
  sql: Sql,
  { verifiedEmail }: ProvenPerson,
  token: string,
): Promise<GivenInvitation | undefined> {
  const invitation = await findInvitationByToken(sql, hashSecret(token), context.clock.now())
  if (!invitation) return undefined
  if (verifiedEmail === undefined) throw new OidcProblem('oidc_email_unverified')
  if (invitation.email.toLowerCase() !== verifiedEmail.toLowerCase()) throw new OidcProblem('oidc_other_address')
  return invitation
}

async function findInvitations(
  { clock }: Pick<Context, 'clock'>,
  sql: Sql,
  { verifiedEmail }: ProvenPerson,
): Promise<GivenInvitation[]> {
  return verifiedEmail === undefined ? [] : listInvitationsTo(sql, verifiedEmail, clock.now())
}

/** True when this person of the provider, or who has the address that it has checked, works in any account. */
async function isMember(sql: Sql, { issuer, subject, verifiedEmail }: ProvenPerson): Promise<boolean> {
  const linked = await findIdentity(sql, issuer, subject)
  const userId = linked ?? (verifiedEmail === undefined ? undefined : (await findPersonByEmail(sql, verifiedEmail))?.id)
  return userId !== undefined && (await findLastAccount(sql, userId)) !== undefined
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
 * password, its second factor, passkeys and sessions open nothing any more.
 */
async function dropWaysOfOthers(context: Context, sql: Sql, userId: UserId): Promise<void> {
  if (!(await dropPasswordByShownLink(sql, userId, context.clock.now()))) return
  await deleteFactor(sql, userId)
  await deletePasskeysOf(sql, userId)
  await dropResets(sql, userId)
  await endSessions(context, sql, userId, 'password_removed')
  await recordUserEvent(sql, userId, { type: 'user.password_removed', data: {}, actor: `user:${userId}` })
}
