import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Sql, Transaction } from '../../../db/database.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { type Work, workOfUser } from '../../events/work.ts'
import { insertUserUnlessKnown, setFirstPassword } from '../accounts/accounts.queries.ts'
import { namesInEmail } from '../accounts/email.ts'
import { hashPassword, unmatchableHash, verifyPassword } from '../accounts/password.ts'
import { dropResets } from '../accounts/password-resets.queries.ts'
import {
  findPerson,
  findPersonByEmail,
  insertMemberUnlessThere,
  type KnownPerson,
  lockMembership,
  recordPasswordByShownLink,
} from '../accounts/people.queries.ts'
import { checkSecondFactor } from '../second-factor/second-factor.ts'
import { countGuess } from '../sign-in/count-guess.ts'
import { readDevice } from '../sign-in/device-cookie.ts'
import { type StartedSession, startSession } from '../sign-in/sessions.service.ts'
import { acceptInvitationRow, findInvitationByToken, type GivenInvitation } from './invitations.queries.ts'
import { getInvitationByToken } from './invitations.service.ts'

interface Acceptance {
  token: string
  /** Name of a person who is new here. */
  name?: string | undefined
  /** The present one of a person who has one, else the one that they choose. */
  password: string
  /** The second factor of a person who has one. */
  code?: string | undefined
}

/**
 * Makes the invited person a member and signs them in. Who is known here shows that by the present password, so that the
 * link alone opens no one's other accounts. `isFirst`: they were not signed in by a password before.
 *
 * @throws AppError `INVITATION_INVALID`, `INVALID_CREDENTIALS`, `CODE_REQUIRED`, `CODE_INVALID`, `VALIDATION_ERROR`
 */
export async function acceptInvitation(
  context: Context,
  request: Pick<FastifyRequest, 'ip' | 'headers' | 'protocol'>,
  { token, name, password, code }: Acceptance,
): Promise<{ session: StartedSession; isFirst: boolean }> {
  const invitation = await getInvitationByToken(context, token)
  const known = await findPersonByEmail(context.db.sql, invitation.email)
  const enter = async (sql: Transaction, userId: UserId) => {
    const work = workOfUser(context, sql, invitation.account_id, userId)
    await joinByInvitation(work, invitation, userId)
    return await startSession(work, request, { userId, provenAt: work.now })
  }
  if (canChoosePassword(known, invitation)) {
    const { account_name: farm, email } = invitation
    const passwordHash = await hashPassword(password, [farm, name ?? '', ...namesInEmail(email)])
    return await context.db.begin(async (sql) => {
      const person = { token, email: invitation.email, name: name?.trim() ?? '', passwordHash }
      const userId = await givePassword(context, sql, known?.id, person)
      if (invitation.mailed_at === null) await recordPasswordByShownLink(sql, userId)
      return { session: await enter(sql, userId), isFirst: true }
    })
  }
  if (!known) throw new AppError('INVALID_CREDENTIALS')
  const { email } = invitation
  const guesser = { email, address: request.ip, deviceId: readDevice(context, request, email) }
  return countGuess(context, guesser, async ({ reservedFor, isOf }) => {
    isOf(known.id)
    if (!(await verifyPassword(password, known.password_hash ?? unmatchableHash, reservedFor))) {
      throw new AppError('INVALID_CREDENTIALS')
    }
    return context.db.begin(async (sql) => {
      await checkSecondFactor(context, sql, known.id, code)
      const session = await enter(sql, known.id)
      // Set by a link since it was looked up: what was typed is the password no more.
      const present = await findPerson(sql, known.id)
      if (present?.password_hash !== known.password_hash) throw new AppError('INVALID_CREDENTIALS')
      return { session, isFirst: false }
    })
  })
}

/** Adds a person with this password, or gives it to one who is known and has none. Answers who it is. */
async function givePassword(
  context: Pick<Context, 'clock'>,
  sql: Sql,
  knownId: UserId | undefined,
  { token, email, name, passwordHash }: { token: string; email: string; name: string; passwordHash: string },
): Promise<UserId> {
  const now = context.clock.now()
  const id = knownId ?? newId('user', now.getTime())
  // A person else may have made them known meanwhile, or given them one: that one is asked for at the next try.
  const isGiven =
    knownId === undefined
      ? await insertUserUnlessKnown(sql, { id, email, name, password_hash: passwordHash })
      : await setFirstPassword(sql, id, passwordHash, now)
  if (!isGiven) {
    const isOpen = await findInvitationByToken(sql, hashSecret(token), now)
    throw new AppError(isOpen ? 'INVALID_CREDENTIALS' : 'INVITATION_INVALID')
  }
  await dropResets(sql, id)
  return id
}

/**
 * True when the link lets its holder choose the password. Of a person known without one only when it has nothing to open,
 * or when the link was seen by no one but their mailbox: else anyone who made the link could take over their other accounts.
 */
export function canChoosePassword(
  known: Pick<KnownPerson, 'password_hash' | 'accounts'> | undefined,
  invitation: Pick<GivenInvitation, 'mailed_at'>,
): boolean {
  if (!known) return true
  return known.password_hash === null && (known.accounts === 0 || invitation.mailed_at !== null)
}

/**
 * Makes a person a member of the account that invites them, anyone who they were shown to be.
 *
 * @throws AppError `INVITATION_INVALID` when it was accepted or withdrawn meanwhile
 */
export async function joinByInvitation(
  work: Work,
  { id, role }: Pick<GivenInvitation, 'id' | 'role'>,
  userId: UserId,
): Promise<void> {
  await lockMembership(work.sql, work.accountId)
  if (!(await acceptInvitationRow(work, id, userId))) throw new AppError('INVITATION_INVALID')
  const memberId = newId('member', work.now.getTime())
  if (!(await insertMemberUnlessThere(work, { id: memberId, user_id: userId, role }))) {
    await work.record({
      type: 'invitation.accepted',
      subjectId: id,
      data: { user_id: userId, was_member: true },
    })
    return
  }
  await work.record({
    type: 'member.joined',
    subjectId: memberId,
    data: { user_id: userId, role, invitation_id: id },
  })
}
