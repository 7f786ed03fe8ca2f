import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Sql, Transaction } from '../../../db/database.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, validationError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { workOfUser } from '../../events/work.ts'
import { findPasswordProblem, hashPassword, unmatchableHash, verifyPassword } from '../accounts/password.ts'
import { dropResets } from '../accounts/password-resets.queries.ts'
import { listNamesAround, lockProfile, setPasswordHash, updateProfile } from '../accounts/people.queries.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { mailLater } from '../mail/mail-later.ts'
import { securityMail } from '../mail/messages.ts'
import { checkAssertion, spendChallenge } from '../passkeys/passkeys.service.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { requireProof } from '../proof/proof.ts'
import { checkSecondFactor } from '../second-factor/second-factor.ts'
import { countGuess } from './count-guess.ts'
import { readDevice } from './device-cookie.ts'
import { readSessionToken } from './session-cookie.ts'
import {
  findLastAccount,
  findSessionByHash,
  findUserForSignIn,
  findUserWithPassword,
  type SignedInUser,
} from './sessions.queries.ts'
import { endSessions, type StartedSession, startSession } from './sessions.service.ts'
import type { Language } from './sign-in.schema.ts'

interface Credentials {
  email: string
  password: string
  /** Code of an authenticator app, or a backup code. */
  code?: string | undefined
}

/**
 * Begins a session for the one who has this e-mail address and password, in the account that they looked at last. A person
 * who is not there is refused after the same work as a person whose password is wrong.
 *
 * @param check what is asked of a person whose password is right
 * @throws AppError `RATE_LIMITED`, `INVALID_CREDENTIALS`, `CODE_REQUIRED`, `CODE_INVALID`, `FORBIDDEN` for a member of nothing
 */
export async function signIn(
  context: Context,
  request: FastifyRequest,
  { email, password, code }: Credentials,
  check = checkSecondFactor,
): Promise<StartedSession> {
  const guesser = { email, address: request.ip, deviceId: readDevice(context, request, email) }
  return countGuess(context, guesser, async ({ reservedFor, isOf }) => {
    const user = await findUserForSignIn(context.db.sql, email.trim())
    if (user) isOf(user.id)
    const isRight = await verifyPassword(password, user?.password_hash ?? unmatchableHash, reservedFor)
    if (!user || !isRight) throw new AppError('INVALID_CREDENTIALS')
    return context.db.begin(async (sql) => {
      await check(context, sql, user.id, code)
      return enter(context, sql, request, user.id)
    })
  })
}

/**
 * Begins a session for the person whose passkey has answered.
 *
 * @throws AppError `PASSKEY_INVALID`, `FORBIDDEN` for a member of nothing
 */
export async function enterByPasskey(
  context: Context,
  request: FastifyRequest,
  party: RelyingParty,
  response: AuthenticationResponseJSON,
): Promise<StartedSession> {
  await spendChallenge(context, context.db.sql, response, 'sign_in', null)
  return context.db.begin(async (sql) => {
    const userId = await checkAssertion(context, sql, party, null, response)
    return enter(context, sql, request, userId)
  })
}

/** Begins a session of a person who has just shown to be there. */
async function enter(
  context: Context,
  sql: Transaction,
  request: FastifyRequest,
  userId: UserId,
): Promise<StartedSession> {
  const accountId = await findLastAccount(sql, userId)
  if (accountId === undefined) throw new AppError('FORBIDDEN', { action: 'sign in: you are a member of no account' })
  await endFormerSession(context, sql, request, userId)
  const work = workOfUser(context, sql, accountId, userId)
  return startSession(work, request, { userId, provenAt: work.now })
}

/** Anyone who signs in where they are signed in already starts over; the cookie of before is worth nothing from then on. */
async function endFormerSession(context: Context, sql: Sql, request: FastifyRequest, userId: UserId): Promise<void> {
  const token = readSessionToken(context, request)
  const former = token === undefined ? undefined : await findSessionByHash(sql, hashSecret(token))
  if (former?.user_id === userId) await endSessions(context, sql, userId, 'signed_in_again', { only: former.id })
}

/**
 * Lets a person go on who is signed in and types their password again. Guesses count as those at sign-in do.
 *
 * @param field of the request in which the password stands
 * @throws AppError `VALIDATION_ERROR` for a wrong one, `RATE_LIMITED`
 */
export async function confirmPassword(
  context: Context,
  request: FastifyRequest,
  person: Person,
  password: string | undefined,
  field = 'password',
): Promise<void> {
  const user = await findUserWithPassword(context.db.sql, person.userId)
  // A person who signs in by another service has none to type.
  if (user?.password_hash == null) return
  if (password === undefined) throw validationError({ [field]: ['is required'] })
  const { email, password_hash: stored } = user
  const guesser = { email, address: request.ip, deviceId: person.sessionId }
  await countGuess(context, guesser, async ({ reservedFor }) => {
    const isRight = await verifyPassword(password, stored, reservedFor)
    if (!isRight) throw validationError({ [field]: ['is not your password'] })
  })
}

/**
 * Gives a person another password, or one who signs in by other means a first one, and ends their sessions everywhere else.
 *
 * @throws AppError `VALIDATION_ERROR`, `RATE_LIMITED`, `PROOF_REQUIRED` for a first one
 */
export async function changePassword(
  context: Context,
  request: FastifyRequest,
  person: Person,
  input: { current_password?: string; new_password: string },
): Promise<void> {
  const problem = await findPasswordProblem(input.new_password, await listNamesAround(context.db.sql, person.userId))
  if (problem !== undefined) throw validationError({ new_password: [problem] })
  await confirmPassword(context, request, person, input.current_password, 'current_password')
  const former = await findUserWithPassword(context.db.sql, person.userId)
  if (former?.password_hash == null) await requireProof(context, context.db.sql, person)
  const passwordHash = await hashPassword(input.new_password)
  await context.db.begin(async (sql) => {
    await setPasswordHash(sql, person.userId, passwordHash, context.clock.now())
    await dropResets(sql, person.userId)
    const endedSessions = await endSessions(context, sql, person.userId, 'password_changed', {
      except: person.sessionId,
    })
    await recordUserEvent(sql, person.userId, {
      type: 'user.password_changed',
      data: { ended_sessions: endedSessions },
      actor: person.label,
    })
  })
  if (former) mailLater(context, securityMail(former.email, 'password_changed', context.clock.now()))
}

/** Gives a person another name, as all their accounts see it. */
export async function changeProfile(
  context: Context,
  person: Person,
  profile: { name: string; language?: Language | null },
): Promise<SignedInUser> {
  return context.db.begin(async (sql) => {
    const user = await lockProfile(sql, person.userId)
    if (!user) throw new AppError('SESSION_EXPIRED')
    const wanted = {
      name: profile.name.trim(),
      language: profile.language === undefined ? user.language : profile.language,
    }
    const fields = (['name', 'language'] as const).filter((field) => user[field] !== wanted[field])
    if (fields.length === 0) return user
    await updateProfile(sql, person.userId, wanted, context.clock.now())
    await recordUserEvent(sql, person.userId, { type: 'user.updated', data: { fields }, actor: person.label })
    return { ...user, ...wanted }
  })
}
