import type { ConnectedShop } from '../contract/connector.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'
import { signedUrl } from './oauth.ts'

interface WooCall {
  method?: 'GET' | 'POST' | 'PUT'
  /** Below `/wp-json/`. */
  path: string
  query?: Record<string, string | number>
  body?: object
}

/** Calls the REST API of a shop. @throws ShopProblem */
export function callWoo(
  client: ShopClient,
  { url, settings }: ConnectedShop,
  { method = 'GET', path, query = {}, body }: WooCall,
): Promise<unknown> {
  const address = new URL(`${url}/wp-json/${path}`)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
  const { consumer_key = '', consumer_secret = '' } = settings
  const keys = { consumer_key, consumer_secret }
  // Without TLS a shop takes signatures alone.
  const isEncrypted = address.protocol === 'https:'
  const basic = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')
  return client.call({
    url: isEncrypted ? address.href : signedUrl(address, method, keys, { nowMs: client.now().getTime() }),
    method,
    headers: isEncrypted ? { authorization: `Basic ${basic}` } : {},
    ...(body && { body }),
  })
}

/** The same for what may not be there: undefined then. */
export async function callWooIfThere(client: ShopClient, shop: ConnectedShop, call: WooCall): Promise<unknown> {
  try {
    return await callWoo(client, shop, call)
  } catch (error) {
    if (error instanceof ShopProblem && error.kind === 'missing') return undefined
    throw error
  }
}

/** @throws ShopProblem when it is none */
export function listIn(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new ShopProblem('unlike', `The shop answered something else than a list of ${what}.`)
}
