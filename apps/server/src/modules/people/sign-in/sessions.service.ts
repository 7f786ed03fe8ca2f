import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { deleteInBatches } from '../../../db/delete-in-batches.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { type AccountId, newId, type SessionId, type UserId } from '../../../kernel/ids.ts'
import { policy } from '../../../kernel/policy.ts'
import { type Work, workIn, workOf } from '../../events/work.ts'
import { lockMembership } from '../accounts/people.queries.ts'
import { mailLater } from '../mail/mail-later.ts'
import { newDeviceMail } from '../mail/messages.ts'
import { hasSecondFactor } from '../second-factor/second-factor.ts'
import { readDevice, rememberDevice } from './device-cookie.ts'
import { setSessionCookie } from './session-cookie.ts'
import { idleMs, longestMs } from './session-life.ts'
import {
  deleteSessionsBefore,
  type EndedSession,
  endSessionsOf,
  findUser,
  insertSession,
  isBarredFrom,
  listMemberships,
  moveSession,
} from './sessions.queries.ts'

/** A session that has started. Its token is seen only here: the database holds the hash. */
export interface StartedSession {
  id: SessionId
  accountId: AccountId
  userId: UserId
  token: string
  expiresAt: Date
}

const longestUserAgent = 300

/**
 * Starts a session of a member in the account of the work, always under a new token: one that another person put into the browser is worth nothing.
 * Call it in the transaction in which the person proved who they are, then give the browser its cookie by
 * `giveSession` when that is committed.
 *
 * @param provenAt when the person showed to be there; null when that is not known
 */
export async function startSession(
  { sql, accountId, now, record }: Work,
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
  { userId, provenAt }: { userId: UserId; provenAt: Date | null },
): Promise<StartedSession> {
  const token = randomBytes(32).toString('base64url')
  const id = newId('session', now.getTime())
  const expiresAt = new Date(now.getTime() + longestMs)
  await insertSession(sql, {
    account_id: accountId,
    id,
    user_id: userId,
    token_hash: hashSecret(token),
    ip: request.ip,
    user_agent: userAgentOf(request),
    created_at: now,
    last_seen_at: now,
    expires_at: expiresAt,
    proven_at: provenAt,
  })
  await record({ type: 'session.started', subjectId: id, data: { user_id: userId } })
  return { id, accountId, userId, token, expiresAt }
}

/** Headers may hold any byte; what is kept of one are its visible characters. */
function userAgentOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  return (headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, longestUserAgent)
}

/**
 * Gives the browser the cookies of a session that has started, and answers what a page needs to know of it. A person who was
 * here before is told by mail of a browser that they have not signed in by.
 */
export async function giveSession(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  session: StartedSession,
  { isFirst = false }: { isFirst?: boolean } = {},
) {
  setSessionCookie(context, request, reply, session, context.clock.now())
  const description = await describeSession(context, context.db.sql, session)
  const { email } = description.user
  if (!isFirst && readDevice(context, request, email) === undefined) {
    const device = { ip: request.ip, userAgent: userAgentOf(request), at: context.clock.now() }
    mailLater(context, newDeviceMail(email, device))
  }
  rememberDevice(context, request, reply, email)
  return description
}

/** Answers who is signed in, in which account, and what they may do there. */
export async function describeSession(
  context: Pick<Context, 'version'>,
  sql: Sql,
  session: { id: SessionId; userId: UserId; accountId: AccountId },
) {
  const [user, accounts, totpEnabled] = await Promise.all([
    findUser(sql, session.userId),
    listMemberships(sql, session.userId),
    hasSecondFactor(sql, session.userId),
  ])
  const account = accounts.find(({ id }) => id === session.accountId)
  if (!user || !account) throw new AppError('SESSION_EXPIRED')
  const { scopes, canMakeKeys } = policy[account.role]
  return {
    session_id: session.id,
    user: { id: user.id, name: user.name, email: user.email, language: user.language, totp_enabled: totpEnabled },
    account: { id: account.id, name: account.name, time_zone: account.time_zone },
    member_id: account.member_id,
    role: account.role,
    scopes: [...scopes],
    may_make_keys: canMakeKeys,
    must_add_factor: account.must_add_factor,
    accounts: accounts.map(({ id, name, role }) => ({ id, name, role })),
    version: context.version,
  }
}

type SessionEnd =
  | 'signed_out'
  | 'signed_in_again'
  | 'revoked'
  | 'password_changed'
  | 'password_reset'
  | 'password_removed'
  | 'second_factor_removed'
  | 'second_factor_added'
  | 'signed_out_everywhere'

/**
 * Ends sessions of a person, in whichever account: all, the one (`only`), or all but the one (`except`). It counts for
 * the very next request. Answers how many were ended. Call it in a transaction.
 */
export async function endSessions(
  context: Pick<Context, 'clock'>,
  sql: Sql,
  userId: UserId,
  why: SessionEnd,
  { actor = `user:${userId}`, ...which }: { only?: SessionId; except?: SessionId; actor?: string } = {},
): Promise<number> {
  const now = context.clock.now()
  const ended = await endSessionsOf(sql, userId, which, now)
  const byAccount = new Map<AccountId, EndedSession[]>()
  for (const session of ended) {
    byAccount.set(session.account_id, [...(byAccount.get(session.account_id) ?? []), session])
  }
  for (const [accountId, sessions] of byAccount) {
    await workIn(sql, { accountId, actor, now }).recordAll(
      sessions.map(({ id }) => ({ type: 'session.ended', subjectId: id, data: { user_id: userId, why } })),
    )
  }
  return ended.length
}

/**
 * Ends one of the person's own sessions.
 *
 * @throws AppError `NOT_FOUND` also for a session of another person, and for one that is over
 */
export async function revokeSession(context: Context, person: Person, sessionId: SessionId): Promise<void> {
  const ended = await context.db.beginFor(person.accountId, (sql) =>
    endSessions(context, sql, person.userId, 'revoked', { only: sessionId }),
  )
  if (ended === 0) throw notFound('session')
}

/**
 * Turns a session to another account of its person.
 *
 * @throws AppError `NOT_FOUND` when the person is no member of it, `SESSION_EXPIRED` when those who run it have ended their sessions since
 * this one started
 */
export async function switchAccount(context: Context, person: Person, accountId: AccountId): Promise<void> {
  if (accountId === person.accountId) return
  const accounts = await listMemberships(context.db.sql, person.userId)
  if (!accounts.some(({ id }) => id === accountId)) throw notFound('account of yours')
  await context.db.beginFor(person.accountId, async (sql) => {
    // Sessions there may be ended at this moment: this one is seen by it, or sees it.
    await lockMembership(sql, accountId)
    if (await isBarredFrom(sql, person, accountId)) throw new AppError('SESSION_EXPIRED')
    await moveSession(sql, { account_id: person.accountId, id: person.sessionId }, accountId)
    const event = { subjectId: person.sessionId, data: { user_id: person.userId } }
    const left = workOf(context, person, sql)
    await left.record({ type: 'session.left', ...event })
    await workIn(sql, { ...left, accountId }).record({ type: 'session.entered', ...event })
  })
}

/** Answers when a session must have been used last to be still alive. */
export function seenAfter(now: Date): Date {
  return new Date(now.getTime() - idleMs)
}

/** Forgets sessions that have been over for a while; that they were there still stands in the events. */
export async function removeOldSessions(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - longestMs)
  await deleteInBatches(context, (most) => deleteSessionsBefore(context.db.reports, before, most))
}
