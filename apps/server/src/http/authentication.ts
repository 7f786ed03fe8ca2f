import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { findKeyByHash, noteKeyUse } from '../modules/api-keys/api-keys.queries.ts'

const keyForm = /^printyard_live_[0-9a-f]{64}$/

/** How often the time of last use of one key is written, at most. */
const lastUseIntervalMs = 60_000

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Who sends this request, by its API key. The key is looked up for each request, so that a revocation counts for the very
 * next one. The lookup is by the SHA-256 of 256 random bits: nothing about the key can be learned from its timing.
 */
export function makeAuthenticate(context: Context) {
  const lastUseWritten = new Map<string, number>()

  return async function authenticate(request: FastifyRequest): Promise<Actor> {
    const header = request.headers.authorization
    if (header === undefined || header === '') throw new AppError('UNAUTHORIZED')
    const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? []
    if (token === undefined || !keyForm.test(token)) throw new AppError('TOKEN_INVALID')

    const key = await findKeyByHash(context.db.sql, hashSecret(token))
    if (!key) throw new AppError('TOKEN_INVALID')
    if (key.revoked_at) throw new AppError('TOKEN_REVOKED')
    const now = context.clock.now()
    if (key.expires_at && key.expires_at <= now) throw new AppError('TOKEN_EXPIRED')

    if (now.getTime() - (lastUseWritten.get(key.id) ?? 0) >= lastUseIntervalMs) {
      lastUseWritten.set(key.id, now.getTime())
      noteKeyUse(context.db.sql, key.account_id, key.id, now).catch((error: unknown) => {
        context.log.warn({ err: error, api_key_id: key.id }, 'the time of last use of an API key was not written')
      })
    }
    return { accountId: key.account_id, label: `key:${key.id}`, scopes: key.scopes, apiKeyId: key.id }
  }
}
