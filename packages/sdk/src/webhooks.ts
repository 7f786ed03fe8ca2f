import { WebhookVerificationError } from './errors.ts'
import type * as api from './generated/api.generated.ts'

/** Message to a webhook. */
export interface WebhookMessage {
  /** ID of the event, the same at every attempt: remember it, and ignore what you have had. */
  id: string
  type: string
  /** Time when the event was recorded. */
  timestamp: string
  data: api.Event
}

export interface WebhookOptions {
  /** How far the time of the message may be from now. Default: 300. */
  toleranceSeconds?: number
  /** Default: now. */
  now?: Date
}

/** The platform's own type has another name in Node's types than in those of browsers. */
type HmacKey = Parameters<typeof globalThis.crypto.subtle.verify>[1]

type HeaderFields = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Verifies a message by the scheme of Standard Webhooks and reads it.
 *
 * @param body As it arrived, before anything parsed it.
 * @param secret `whsec_…`; several while one is rotated.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderFields,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: WebhookOptions = {},
): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The timestamp of the webhook is no number.')
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('The webhook is too old, or from the future: is the clock right?')
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'))
  let isSigned = false
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await importKey(one)
    for (const signature of given) if (await isSignatureOf(key, signature.slice(3), signed)) isSigned = true
  }
  if (!isSigned) throw new WebhookVerificationError('No signature of the webhook is by this secret.')
  // Signed by the service, so it has the form that the service sends.
  const message = JSON.parse(new TextDecoder().decode(bytes)) as Omit<WebhookMessage, 'id'>
  return { id, ...message }
}

function headerOf(headers: HeaderFields, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : fieldOf(headers, name)
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The webhook has no ${name}.`)
  return value
}

function fieldOf(headers: Exclude<HeaderFields, Headers>, name: string): unknown {
  return Object.entries(headers).find(([field]) => field.toLowerCase() === name)?.[1]
}

async function importKey(secret: string): Promise<HmacKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookVerificationError('The secret of the webhook is not whsec_ and base64.')
  }
  return globalThis.crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** In constant time, as the platform does it. */
async function isSignatureOf(key: HmacKey, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = decodeBase64(signature)
  return bytes !== undefined && globalThis.crypto.subtle.verify('HMAC', key, bytes, signed)
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(one.length + other.length)
  whole.set(one)
  whole.set(other, one.length)
  return whole
}
