import { createHash, createHmac } from 'node:crypto'

/** Key that signs, and the store it is for. */
export interface S3Credentials {
  accessKey: string
  secretAccessKey: string
  region: string
}

/** What is signed of a request: all of it, so that no part can be exchanged on the way. */
interface SignedRequest {
  method: string
  /** Path as it is sent, each segment escaped once. */
  path: string
  query: Record<string, string>
  /** Names in lower case; `host` among them. */
  headers: Record<string, string>
  /** SHA-256 of the body, in hex. */
  payloadSha256: string
}

export const sha256Hex = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Escapes as the signature demands, which is stricter than `encodeURIComponent`. */
export function escapeUri(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The query as it is signed, and sent: by name, each part escaped. */
export function queryText(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${escapeUri(name)}=${escapeUri(value)}`)
    .sort()
    .join('&')
}

/** The header `authorization` of a request to an S3 store: AWS Signature Version 4, over all of its headers. */
export function authorizationOf(request: SignedRequest, credentials: S3Credentials, now: Date): string {
  const time = amzDate(now)
  const signedHeaders = namesOf(request.headers).join(';')
  const credential = `${credentials.accessKey}/${scopeOf(credentials, time)}`
  return `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${signedHeaders},Signature=${signatureOf(request, credentials, time)}`
}

/** An address that opens an object by GET, without any other credential. */
interface SignedAddress {
  host: string
  /** As it is sent, each segment escaped once. */
  path: string
  /** What the store is asked to answer in its headers. */
  query: Record<string, string>
  seconds: number
}

/** The query of such an address, with its signature. Ranges may be asked for. */
export function signedQuery(
  { host, path, query, seconds }: SignedAddress,
  credentials: S3Credentials,
  now: Date,
): string {
  const time = amzDate(now)
  const whole = {
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${credentials.accessKey}/${scopeOf(credentials, time)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
  }
  const request = { method: 'GET', path, query: whole, headers: { host }, payloadSha256: 'UNSIGNED-PAYLOAD' }
  return `${queryText(whole)}&X-Amz-Signature=${signatureOf(request, credentials, time)}`
}

const namesOf = (headers: Record<string, string>) => Object.keys(headers).sort()

const scopeOf = ({ region }: S3Credentials, time: string) => `${time.slice(0, 8)}/${region}/s3/aws4_request`

function signatureOf(request: SignedRequest, credentials: S3Credentials, time: string): string {
  const names = namesOf(request.headers)
  const canonical = [
    request.method,
    request.path,
    queryText(request.query),
    ...names.map((name) => `${name}:${request.headers[name]?.trim()}`),
    '',
    names.join(';'),
    request.payloadSha256,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scopeOf(credentials, time), sha256Hex(canonical)].join('\n')
  const dateKey = hmac(`AWS4${credentials.secretAccessKey}`, time.slice(0, 8))
  const signingKey = hmac(hmac(hmac(dateKey, credentials.region), 's3'), 'aws4_request')
  return hmac(signingKey, text).toString('hex')
}

/** A moment as the header `x-amz-date` has it: `20130524T000000Z`. */
export function amzDate(now: Date): string {
  return now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
}
