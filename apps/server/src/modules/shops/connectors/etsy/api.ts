import type { ConnectedShop } from '../contract/connector.ts'
import { objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient, ShopTokens } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'

/** Address of the API of Etsy; keys and tokens are sent nowhere else. */
export const etsyUrl = 'https://openapi.etsy.com'

/** A token counts for an hour; it is renewed so long before its end. */
const earlyMs = 5 * 60_000

const shopIdKey = 'etsy shop'
const shopTokenKey = 'etsy shop of token'

interface EtsyCall {
  method?: 'GET' | 'POST' | 'PUT'
  /** Below `/v3/application/`. */
  path: string
  query?: Record<string, string | number>
  body?: object
}

/** Calls the Open API v3. A token that is refused is renewed once. @throws ShopProblem */
export async function callEtsy(client: ShopClient, shop: ConnectedShop, call: EtsyCall): Promise<unknown> {
  const tokens = await freshTokens(client, shop)
  try {
    return await send(client, shop, tokens, call)
  } catch (error) {
    if (!(error instanceof ShopProblem) || error.kind !== 'credentials') throw error
    return send(client, shop, await renew(client, shop, tokens), call)
  }
}

/** The same; undefined when Etsy has no such thing. */
export async function callEtsyIfThere(client: ShopClient, shop: ConnectedShop, call: EtsyCall): Promise<unknown> {
  return callEtsy(client, shop, call).catch((error: unknown) => {
    if (error instanceof ShopProblem && error.kind === 'missing') return undefined
    throw error
  })
}

/** The ID of the shop of the person who let us in. Another person may have done so since, whose tokens tell of another shop. */
export async function shopIdOf(client: ShopClient, shop: ConnectedShop): Promise<string> {
  const { access_token } = await freshTokens(client, shop)
  const kept = client.kept.get(shopIdKey)
  if (kept !== undefined && client.kept.get(shopTokenKey) === access_token) return kept
  const me = objectOf(await callEtsy(client, shop, { path: 'users/me' }))
  const id = textOf(me.shop_id, 40)
  if (!/^\d+$/.test(id) || id === '0')
    throw new ShopProblem('credentials', 'The person who let us in has no shop at Etsy.')
  // Listings are of one shop.
  if (kept !== undefined && kept !== id) client.kept.clear()
  client.kept.set(shopIdKey, id)
  client.kept.set(shopTokenKey, access_token)
  return id
}

function send(client: ShopClient, shop: ConnectedShop, tokens: ShopTokens, call: EtsyCall): Promise<unknown> {
  const { method = 'GET', path, query = {}, body } = call
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return client.call({
    url: `${shop.url}/v3/application/${path}${search.size > 0 ? `?${search}` : ''}`,
    method,
    headers: { 'x-api-key': apiKeyOf(shop), authorization: `Bearer ${tokens.access_token}` },
    ...(body && { body }),
  })
}

/** The key with its secret: without it Etsy refuses calls since 2026. */
const apiKeyOf = ({ settings }: ConnectedShop) => `${settings.keystring ?? ''}:${settings.shared_secret ?? ''}`

async function freshTokens(client: ShopClient, shop: ConnectedShop): Promise<ShopTokens> {
  const tokens = await client.tokens.find()
  if (!tokens)
    throw new ShopProblem('credentials', 'Etsy was not told yet that it may let us in: authorise the connection.')
  return Date.parse(tokens.expires_at) - earlyMs > client.now().getTime() ? tokens : renew(client, shop, tokens)
}

function renew(client: ShopClient, shop: ConnectedShop, tokens: ShopTokens): Promise<ShopTokens> {
  return client.tokens.renew(tokens, ({ refresh_token }) =>
    askTokens(client, shop, { grant_type: 'refresh_token', refresh_token }),
  )
}

/** Asks for tokens by a code of the person, or by those that are there. @throws ShopProblem */
export async function askTokens(
  client: Pick<ShopClient, 'call' | 'now'>,
  shop: ConnectedShop,
  grant: { grant_type: 'refresh_token'; refresh_token: string } | CodeGrant,
): Promise<ShopTokens> {
  const askedAt = client.now().getTime()
  const answer = objectOf(
    await client
      .call({
        url: `${shop.url}/v3/public/oauth/token`,
        method: 'POST',
        headers: { 'x-api-key': apiKeyOf(shop) },
        body: { client_id: shop.settings.keystring, ...grant },
      })
      .catch((error: unknown) => {
        // A token that was used before, or is too old: only the person can give another.
        if (!(error instanceof ShopProblem) || error.kind !== 'refused') throw error
        throw new ShopProblem('credentials', `${error.message}: authorise the connection again.`)
      }),
  )
  const access_token = textOf(answer.access_token, 2_000)
  const refresh_token = textOf(answer.refresh_token, 2_000)
  const seconds = Number(answer.expires_in)
  if (access_token === '' || refresh_token === '' || !(seconds > 0)) {
    throw new ShopProblem('unlike', 'Etsy answered something else than tokens.')
  }
  return { access_token, refresh_token, expires_at: new Date(askedAt + seconds * 1_000).toISOString() }
}

interface CodeGrant {
  grant_type: 'authorization_code'
  code: string
  code_verifier: string
  redirect_uri: string
}

/** The list in an answer. @throws ShopProblem when there is none */
export function resultsOf(answer: unknown): Record<string, unknown>[] {
  const { results } = objectOf(answer)
  if (!Array.isArray(results)) throw new ShopProblem('unlike', 'Etsy answered something else than a list.')
  return results.map(objectOf)
}
