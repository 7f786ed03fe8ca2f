import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { LeasedMemory } from '../../../db/coherence/leased-memory.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { policy } from '../../../kernel/policy.ts'
import { provenUntil } from '../proof/proof.ts'
import { readSessionToken } from '../sign-in/session-cookie.ts'
import { isAlive, recordUseEveryMs } from '../sign-in/session-life.ts'
import { findSessionByHash, recordSessionUse, type SessionForRequest } from '../sign-in/sessions.queries.ts'
import { shareWithinTurn } from './authentication.ts'

/** Sessions that are remembered, some 500 bytes each. */
const mostSessions = 5_000

/**
 * Which person sends this request, by the cookie of their session. As with keys, session and role are looked up after the
 * request has arrived, or proven to be as they are remembered: anyone who was signed out, removed or given another role is so for the very next one.
 *
 * @throws AppError `UNAUTHORIZED` without a cookie, `SESSION_EXPIRED` with one that opens nothing (any more),
 * `SECOND_FACTOR_REQUIRED`
 */
export function makeSessionAuthenticate(context: Context) {
  const sessions = new LeasedMemory<SessionForRequest>(context.db.coherence, mostSessions)
  const lookUp = shareWithinTurn((tokenHash) =>
    sessions.read(tokenHash, async () => {
      const session = await findSessionByHash(context.db.sql, Buffer.from(tokenHash, 'base64'))
      return session && { value: session, ids: [session.account_id, session.id, session.user_id] }
    }),
  )
  const recording = new Set<string>()

  function recordUse(session: SessionForRequest, now: Date): void {
    const recordedBefore = new Date(now.getTime() - recordUseEveryMs)
    if (session.last_seen_at > recordedBefore || recording.has(session.id)) return
    recording.add(session.id)
    recordSessionUse(context.db.sql, session, now, recordedBefore)
      .then(() => {
        // Remembered, it is asked for the time of its last use again.
        session.last_seen_at = now
      })
      .catch((error: unknown) => {
        context.log.warn({ err: error, session_id: session.id }, 'the time of last use of a session was not written')
      })
      .finally(() => recording.delete(session.id))
  }

  return async function authenticate(request: FastifyRequest): Promise<Actor> {
    const token = readSessionToken(context, request)
    if (token === undefined) throw new AppError('UNAUTHORIZED')
    const tokenHash = hashSecret(token).toString('base64')
    const session = sessions.get(tokenHash) ?? (await lookUp(tokenHash))
    const now = context.clock.now()
    if (!session || !isAlive(session, now)) throw new AppError('SESSION_EXPIRED')
    recordUse(session, now)
    if (session.must_add_factor && request.route.beforeSecondFactor !== true) {
      throw new AppError('SECOND_FACTOR_REQUIRED')
    }
    const until = provenUntil(session.proven_at, now)
    return {
      accountId: session.account_id,
      label: `user:${session.user_id}`,
      scopes: policy[session.role].scopes,
      userId: session.user_id,
      memberId: session.member_id,
      role: session.role,
      sessionId: session.id,
      isProven: until !== undefined,
      provenUntil: until,
      printerMark: session.printer_mark,
    }
  }
}
