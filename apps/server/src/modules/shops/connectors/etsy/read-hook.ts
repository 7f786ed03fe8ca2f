import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Hook, ReceivedHook, ShopSettings } from '../contract/connector.ts'
import { objectOf, textOf } from '../contract/read-text.ts'

/** Difference allowed between the time of a webhook and ours, in either direction. */
const toleranceSeconds = 5 * 60
/** What Standard Webhooks asks of a secret. */
const fewestKeyBytes = 16

/** The key in a signing secret, `whsec_` and Base64; undefined for a text that is none. */
export function keyOfSecret(secret: string): Buffer | undefined {
  const [, text = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = Buffer.from(text, 'base64')
  return key.length < fewestKeyBytes ? undefined : key
}

/**
 * Webhooks of Etsy, which apps with commercial access have, are signed as Standard Webhooks are, with a secret that Etsy gives. They name the
 * receipt by its address. Where the secret was not entered none is taken.
 */
export function readHook({ settings }: { settings: ShopSettings }, { headers, body }: ReceivedHook): Hook {
  const key = settings.signing_secret === undefined ? undefined : keyOfSecret(settings.signing_secret)
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (key === undefined || typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') {
    return { kind: 'refused' }
  }
  // A text that is no number is no time either: it is not near ours.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) return { kind: 'refused' }
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  if (!given.split(' ').some((part) => isSignature(part, wanted))) return { kind: 'refused' }
  return { kind: 'changed', externalId: receiptOf(body) }
}

/** True when one of the signatures, as `v1,` and Base64, is the wanted one; other versions are passed over. */
function isSignature(part: string, wanted: Buffer): boolean {
  if (!part.startsWith('v1,')) return false
  const signature = Buffer.from(part.slice('v1,'.length), 'base64')
  return signature.length === wanted.length && timingSafeEqual(signature, wanted)
}

function receiptOf(body: Buffer): string | undefined {
  try {
    const { resource_url } = objectOf(JSON.parse(body.toString('utf8')))
    return /\/receipts\/(\d+)/.exec(textOf(resource_url, 500))?.[1]
  } catch {
    // The signature is right, so something has changed, whatever it is.
    return undefined
  }
}
