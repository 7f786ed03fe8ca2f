import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { LeasedMemory } from '../../../db/coherence/leased-memory.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import { type ApiKeyId, readId } from '../../../kernel/ids.ts'
import { findKeyByHash, findKeyById, type KeyForRequest, recordKeyUse } from '../api-keys/api-keys.queries.ts'
import { type DigestClaim, digestPassword, isDigestRight, readDigest } from './digest-login.ts'

export type KeyActor = Actor & { apiKeyId: ApiKeyId }

const keyForm = /^printyard_live_[0-9a-f]{64}$/

/** Interval at which the time of last use of one key is written, at most. */
const lastUseIntervalMs = 60_000

/** Keys that are remembered, some 500 bytes each. */
const mostKeys = 10_000

/** A key as it is in the database, and who asks by it. */
interface KnownKey {
  key: KeyForRequest
  actor: KeyActor
}

/** Made once for all requests of a key: nothing changes an actor. */
function withActor(key: KeyForRequest): KnownKey {
  const { account_id: accountId, id: apiKeyId, scopes, printer_mark: printerMark } = key
  return { key, actor: Object.freeze({ accountId, label: `key:${apiKeyId}`, scopes, apiKeyId, printerMark }) }
}

/**
 * The hash by which a key is looked up; undefined for what is no key. A connection mostly brings the same one again and again: the last
 * one is remembered, for as long as the connection is there.
 */
export function rememberLastHash() {
  const lastSent = new WeakMap<object, { header: string; keyHash: string }>()

  return function hashOf(header: string, socket: object): string | undefined {
    const last = lastSent.get(socket)
    if (last?.header === header) return last.keyHash
    const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? []
    if (token === undefined || !keyForm.test(token)) return undefined
    const keyHash = hashSecret(token).toString('base64')
    lastSent.set(socket, { header, keyHash })
    return keyHash
  }
}

/**
 * Finds who sends this request, by its API key. The key is looked up after the request has arrived, or remembered as long as it is proven
 * to be the same in the database, so that a revocation counts for the very next request, whichever process revoked. It is found
 * by the SHA-256 of 256 random bits: nothing about the key can be learned from the timing.
 */
export function makeAuthenticate(context: Context) {
  const keys = new LeasedMemory<KnownKey>(context.db.coherence, mostKeys)
  const lookUp = shareWithinTurn((keyHash) =>
    keys.read(keyHash, async () => {
      const key = await findKeyByHash(context.db.sql, Buffer.from(keyHash, 'base64'))
      return key && { value: withActor(key), ids: [key.account_id, key.id] }
    }),
  )
  const hashOf = rememberLastHash()
  const lastUseWritten = new Map<ApiKeyId, number>()

  function findByToken(header: string, socket: object): KnownKey | Promise<KnownKey | undefined> | undefined {
    const keyHash = hashOf(header, socket)
    return keyHash === undefined ? undefined : (keys.get(keyHash) ?? lookUp(keyHash))
  }

  /** Nothing is looked up for who does not know the password of the ID that they name. */
  async function findByDigest(claim: DigestClaim, request: FastifyRequest) {
    const isRight = isDigestRight(context, claim, request, digestPassword(context, claim.username))
    const keyId = readId('apiKey', claim.username)
    const key = isRight && keyId ? await findKeyById(context.db.sql, keyId) : undefined
    return key && withActor(key)
  }

  function open(known: KnownKey | undefined, request: FastifyRequest): KeyActor {
    if (!known) throw new AppError('TOKEN_INVALID')
    const { key, actor } = known
    request.namedKeyId = key.id
    if (key.revoked_at) throw new AppError('TOKEN_REVOKED')
    const now = context.clock.now()
    if (key.expires_at && key.expires_at <= now) throw new AppError('TOKEN_EXPIRED')

    if (now.getTime() - (lastUseWritten.get(key.id) ?? 0) >= lastUseIntervalMs) {
      lastUseWritten.set(key.id, now.getTime())
      recordKeyUse(context.db.sql, key.account_id, key.id, now).catch((error: unknown) => {
        context.log.warn({ err: error, api_key_id: key.id }, 'the time of last use of an API key was not written')
      })
    }
    return actor
  }

  /** Answers without waiting where the key is remembered. */
  return function authenticate(request: FastifyRequest): KeyActor | Promise<KeyActor> {
    const header = keyHeaderOf(request)
    if (header === undefined || header === '') throw new AppError('UNAUTHORIZED')
    const digest = request.route.takesDigest ? readDigest(header) : undefined
    const found = digest ? findByDigest(digest, request) : findByToken(header, request.raw.socket)
    return found instanceof Promise ? found.then((key) => open(key, request)) : open(found, request)
  }
}

/** The key as `Authorization` says it; slicers have a header of their own for it. */
function keyHeaderOf({ raw: { headers }, route }: FastifyRequest): string | undefined {
  const { keyHeader } = route
  const key = keyHeader === undefined ? undefined : headers[keyHeader]
  return typeof key === 'string' && key !== '' ? `Bearer ${key.trim()}` : headers.authorization
}

/**
 * Requests with the same credential that arrive in the same turn of the event loop share one lookup, sent when the turn is over.
 * Under load that is one statement for many requests; each still gets an answer that was read after it arrived.
 */
export function shareWithinTurn<T>(
  find: (token: string) => Promise<T | undefined>,
): (token: string) => Promise<T | undefined> {
  const arriving = new Map<string, Promise<T | undefined>>()

  return (token) => {
    const shared = arriving.get(token)
    if (shared) return shared
    const lookup = new Promise<T | undefined>((resolve, reject) => {
      setImmediate(() => {
        // Before the statement is sent: anyone who comes later must not be answered by it.
        arriving.delete(token)
        find(token).then(resolve, reject)
      })
    })
    arriving.set(token, lookup)
    return lookup
  }
}
