import { createHmac, randomBytes } from 'node:crypto'

interface Keys {
  consumer_key: string
  consumer_secret: string
}

/**
 * The address of a request that is signed by OAuth 1.0a, as WooCommerce asks for where a shop is reached without TLS: the secret itself
 * never crosses the network.
 */
export function signedUrl(
  url: URL,
  method: string,
  { consumer_key, consumer_secret }: Keys,
  { nowMs, nonce = randomBytes(16).toString('hex') }: { nowMs: number; nonce?: string },
): string {
  const signed = new URL(url)
  const parameters: [string, string][] = [
    ...signed.searchParams.entries(),
    ['oauth_consumer_key', consumer_key],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'HMAC-SHA256'],
    ['oauth_timestamp', String(Math.floor(nowMs / 1_000))],
  ]
  const sorted = parameters
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const base = [method.toUpperCase(), encoded(`${signed.origin}${signed.pathname}`), encoded(sorted)].join('&')
  const signature = createHmac('sha256', `${encoded(consumer_secret)}&`)
    .update(base)
    .digest('base64')
  signed.search = `${sorted}&oauth_signature=${encoded(signature)}`
  return signed.href
}

/** By RFC 3986, which leaves fewer characters alone than `encodeURIComponent`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
