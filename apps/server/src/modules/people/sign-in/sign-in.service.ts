import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, validationError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { findPasswordProblem, hashPassword, unmatchableHash, verifyPassword } from '../accounts/password.ts'
import { dropResets } from '../accounts/password-resets.queries.ts'
import { listNamesAround, renameUser, setPasswordHash } from '../accounts/people.queries.ts'
import { recordUserEvent } from '../accounts/user-events.ts'
import { checkSecondFactor } from '../second-factor/second-factor.ts'
import { countGuess } from './count-guess.ts'
import { readSessionToken } from './session-cookie.ts'
import {
  findLastAccount,
  findSessionByHash,
  findUserForSignIn,
  findUserWithPassword,
  type SignedInUser,
} from './sessions.queries.ts'
import { endSessions, type StartedSession, startSession } from './sessions.service.ts'

export interface Credentials {
  email: string
  password: string
  /** Of an authenticator app, or a backup code. */
  code?: string | undefined
}

/**
 * Begins a session for whoever has this e-mail address and password, in the account that they looked at last. Somebody
 * who is not there is refused after the same work as somebody whose password is wrong.
 *
 * @param check what is asked of somebody whose password is right
 * @throws AppError `RATE_LIMITED`, `INVALID_CREDENTIALS`, `CODE_REQUIRED`, `CODE_INVALID`, `FORBIDDEN` for a member of nothing
 */
export async function signIn(
  context: Context,
  request: FastifyRequest,
  { email, password, code }: Credentials,
  check = checkSecondFactor,
): Promise<StartedSession> {
  const user = await findUserForSignIn(context.db.sql, email.trim())
  return countGuess(context, { email, userId: user?.id }, request.ip, async () => {
    const isRight = await verifyPassword(password, user?.password_hash ?? unmatchableHash)
    if (!user || !isRight) throw new AppError('INVALID_CREDENTIALS')
    return context.db.begin(async (sql) => {
      await check(context, sql, user.id, code)
      const accountId = await findLastAccount(sql, user.id)
      if (accountId === undefined)
        throw new AppError('FORBIDDEN', { action: 'sign in: you are a member of no account' })
      await endFormerSession(context, sql, request, user.id)
      return startSession(context, sql, request, { userId: user.id, accountId })
    })
  })
}

/** Whoever signs in where they are signed in already begins anew; the cookie of before is worth nothing from then on. */
async function endFormerSession(
  context: Context,
  sql: Parameters<typeof endSessions>[1],
  request: FastifyRequest,
  userId: UserId,
): Promise<void> {
  const token = readSessionToken(context, request)
  const former = token === undefined ? undefined : await findSessionByHash(sql, hashSecret(token))
  if (former?.user_id === userId) await endSessions(context, sql, userId, 'signed_in_again', { only: former.id })
}

/**
 * Lets somebody go on who is signed in and types their password again. Guesses count as those at sign-in do.
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
  // Somebody who signs in by another service has none to type.
  if (user?.password_hash == null) return
  if (password === undefined) throw validationError({ [field]: ['is required'] })
  const { email, password_hash: stored } = user
  await countGuess(context, { email, userId: person.userId }, request.ip, async () => {
    if (!(await verifyPassword(password, stored))) throw validationError({ [field]: ['is not your password'] })
  })
}

/**
 * Gives a person another password, and ends their sessions everywhere else.
 *
 * @throws AppError `VALIDATION_ERROR`, `RATE_LIMITED`
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
}

/** Gives a person another name, as all their accounts see it. */
export async function changeName(context: Context, person: Person, name: string): Promise<SignedInUser> {
  return context.db.begin(async (sql) => {
    const user = await renameUser(sql, person.userId, name.trim(), context.clock.now())
    if (!user) throw new AppError('SESSION_EXPIRED')
    await recordUserEvent(sql, person.userId, { type: 'user.renamed', data: {}, actor: person.label })
    return user
  })
}
