import { createHash, randomBytes } from 'node:crypto'

/** What a server asks for in `WWW-Authenticate: Digest …` (RFC 7616). */
export interface DigestChallenge {
  realm: string
  nonce: string
  algorithm: 'MD5' | 'SHA-256'
  opaque: string | undefined
  hasQop: boolean
  isStale: boolean
}

/** The Digest challenge of an answer; undefined when there is none that we can meet. */
export function readChallenge(header: string | undefined): DigestChallenge | undefined {
  const found = /(?:^|,\s*)Digest\s+(.*)$/is.exec(header ?? '')
  if (!found) return undefined
  const values = new Map<string, string>()
  for (const [, name, quoted, bare] of (found[1] ?? '').matchAll(
    /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/gi,
  )) {
    if (name) values.set(name.toLowerCase(), quoted ?? bare ?? '')
  }
  const nonce = values.get('nonce')
  const algorithm = (values.get('algorithm') ?? 'MD5').toUpperCase()
  const qop = values.get('qop')
  if (nonce === undefined || (algorithm !== 'MD5' && algorithm !== 'SHA-256')) return undefined
  if (qop !== undefined && !qop.split(/\s*,\s*/).includes('auth')) return undefined
  return {
    realm: values.get('realm') ?? '',
    nonce,
    algorithm,
    opaque: values.get('opaque'),
    hasQop: qop !== undefined,
    isStale: values.get('stale')?.toLowerCase() === 'true',
  }
}

interface DigestAnswer {
  username: string
  password: string
  method: string
  /** Path and query as they stand in the request. */
  uri: string
  /** Counts the requests made with this nonce, from 1. */
  count: number
  clientNonce?: string
}

/** The `Authorization` header that answers a challenge. */
export function answerChallenge(challenge: DigestChallenge, answer: DigestAnswer): string {
  const { realm, nonce, algorithm, opaque, hasQop } = challenge
  const { username, password, method, uri, count, clientNonce = randomBytes(8).toString('hex') } = answer
  const hash = (text: string) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const secret = hash(`${username}:${realm}:${password}`)
  const asked = hash(`${method}:${uri}`)
  const counted = count.toString(16).padStart(8, '0')
  const response = hasQop
    ? hash(`${secret}:${nonce}:${counted}:${clientNonce}:auth:${asked}`)
    : hash(`${secret}:${nonce}:${asked}`)
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
  const parts = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    ...(hasQop ? ['qop=auth', `nc=${counted}`, `cnonce="${clientNonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ]
  return `Digest ${parts.join(', ')}`
}
