import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { type ApiKeyId, readId } from '../../../kernel/ids.ts'
import { shareWithinTurn } from '../../../kernel/share-within-turn.ts'
import { findKeyByHash, findKeyById, noteKeyUse } from '../api-keys/api-keys.queries.ts'
import { type DigestClaim, digestPassword, isDigestRight, readDigest } from './digest-login.ts'

const keyForm = /^printyard_live_[0-9a-f]{64}$/

/** How often the time of last use of one key is written, at most. */
const lastUseIntervalMs = 60_000

/**
 * Who sends this request, by its API key. The key is looked up after the request has arrived, never remembered, so that a
 * revocation counts for the very next one, whichever process revoked. The lookup is by the SHA-256 of 256 random bits:
 * nothing about the key can be learned from its timing.
 */
export function makeAuthenticate(context: Context) {
  const findKey = shareWithinTurn((token) => findKeyByHash(context.db.sql, hashSecret(token)))
  const lastUseWritten = new Map<ApiKeyId, number>()

  function findByToken(header: string) {
    const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? []
    return token !== undefined && keyForm.test(token) ? findKey(token) : undefined
  }

  /** Nothing is looked up for who does not know the password of the ID that they name. */
  async function findByDigest(claim: DigestClaim, request: FastifyRequest) {
    const isRight = isDigestRight(context, claim, request, digestPassword(context, claim.username))
    const keyId = readId('apiKey', claim.username)
    return isRight && keyId ? findKeyById(context.db.sql, keyId) : undefined
  }

  return async function authenticate(request: FastifyRequest): Promise<Actor & { apiKeyId: ApiKeyId }> {
    const header = keyHeaderOf(request)
    if (header === undefined || header === '') throw new AppError('UNAUTHORIZED')
    const digest = request.routeOptions.config.takesDigest ? readDigest(header) : undefined
    const key = digest ? await findByDigest(digest, request) : await findByToken(header)
    if (!key) throw new AppError('TOKEN_INVALID')
    request.namedKeyId = key.id
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

/** The key as `Authorization` says it; slicers have a header of their own for it. */
function keyHeaderOf({ headers, routeOptions }: FastifyRequest): string | undefined {
  const { keyHeader } = routeOptions.config
  const key = keyHeader === undefined ? undefined : headers[keyHeader]
  return typeof key === 'string' && key !== '' ? `Bearer ${key.trim()}` : headers.authorization
}
