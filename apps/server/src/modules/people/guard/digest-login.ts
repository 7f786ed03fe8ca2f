import { hash, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../context/context.ts'

const realm = 'Printyard'

/** Time that an answer to a challenge counts. A client that comes later is told that only its nonce is too old. */
const nonceLifeMs = 5 * 60_000

/** What a client says in `Authorization: Digest …` (RFC 7616), as far as it is checked. */
export interface DigestClaim {
  username: string
  nonce: string
  uri: string
  response: string
  nc: string
  cnonce: string
}

/** Undefined for what is no digest, or one without `qop=auth`. */
export function readDigest(header: string | undefined): DigestClaim | undefined {
  const [, fields] = /^Digest +(.+)$/is.exec(header ?? '') ?? []
  if (fields === undefined) return undefined
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of fields.matchAll(/(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]*))/g)) {
    found.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain)
  }
  const text = (name: string) => found.get(name) ?? ''
  if (text('qop') !== 'auth' || !/^MD5$/i.test(found.get('algorithm') ?? 'MD5')) return undefined
  return {
    username: text('username'),
    nonce: text('nonce'),
    uri: text('uri'),
    response: text('response'),
    nc: text('nc'),
    cnonce: text('cnonce'),
  }
}

/**
 * The password that belongs to a key where a program knows no other way to sign in than a digest: made of the secret key of
 * the service and the ID of the API key, so that nothing is stored for it, and void with the key.
 */
export function digestPassword({ secrets }: Pick<Context, 'secrets'>, user: string): string {
  return secrets.sign(`digest password of ${user}`).slice(0, 32)
}

/** The value of `WWW-Authenticate` that asks for a digest. */
export function digestChallenge(context: Pick<Context, 'secrets' | 'clock'>, header: string | undefined): string {
  const claim = readDigest(header)
  const madeAt = context.clock.now().getTime().toString(36)
  const parts = [`realm="${realm}"`, 'qop="auth"', 'algorithm=MD5', `nonce="${madeAt}-${signNonce(context, madeAt)}"`]
  if (claim && ageOf(context, claim.nonce) !== undefined && !isFresh(context, claim.nonce)) parts.push('stale=true')
  return `Digest ${parts.join(', ')}`
}

/** True when the claim answers a challenge of ours for this request, by a caller who has the password. */
export function isDigestRight(
  context: Pick<Context, 'secrets' | 'clock'>,
  claim: DigestClaim,
  request: { method: string; url: string },
  password: string,
): boolean {
  // A proxy may have taken a prefix off the address.
  if (!isFresh(context, claim.nonce) || !claim.uri.endsWith(request.url)) return false
  const secret = md5(`${claim.username}:${realm}:${password}`)
  const asked = md5(`${request.method}:${claim.uri}`)
  const right = md5(`${secret}:${claim.nonce}:${claim.nc}:${claim.cnonce}:auth:${asked}`)
  return right.length === claim.response.length && timingSafeEqual(Buffer.from(right), Buffer.from(claim.response))
}

const md5 = (text: string) => hash('md5', text, 'hex')

function signNonce({ secrets }: Pick<Context, 'secrets'>, madeAt: string): string {
  return secrets.sign(`digest nonce of ${madeAt}`)
}

/** In ms; undefined for what we did not make. */
function ageOf(context: Pick<Context, 'secrets' | 'clock'>, nonce: string): number | undefined {
  const [madeAt = '', ...signature] = nonce.split('-')
  if (signature.join('-') !== signNonce(context, madeAt)) return undefined
  return context.clock.now().getTime() - Number.parseInt(madeAt, 36)
}

function isFresh(context: Pick<Context, 'secrets' | 'clock'>, nonce: string): boolean {
  const ageMs = ageOf(context, nonce)
  return ageMs !== undefined && ageMs <= nonceLifeMs
}
