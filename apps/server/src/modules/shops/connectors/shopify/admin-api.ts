import type { ConnectedShop } from '../contract/connector.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'

/** Each version is kept for a year at least; a call to one that is gone is served by the oldest that is there. */
const version = '2026-07'

/** Name of the token that a shop gives for the keys of an app; it says how long it counts. */
const tokenKey = 'shopify access token'

/** A shop that says that we ask too much, but not how much. */
const throttledMs = 5_000

/**
 * Asks the GraphQL Admin API. An answer with status 200 may be a refusal: throttled calls wait for as long as the shop needs to restore what
 * they cost.
 *
 * @throws ShopProblem
 */
export async function askShopify(
  client: ShopClient,
  shop: ConnectedShop,
  query: string,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const answer = objectOf(
    await withToken(client, shop, (token) =>
      client.call({
        url: `${shop.url}/admin/api/${version}/graphql.json`,
        method: 'POST',
        headers: { 'x-shopify-access-token': token },
        body: { query, variables },
      }),
    ),
  )
  refuseErrors(answer)
  return objectOf(answer.data)
}

/** A token of an app lasts a day, and may end earlier: a new one is asked for once. */
async function withToken(
  client: ShopClient,
  shop: ConnectedShop,
  call: (token: string) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await call(await tokenOf(client, shop))
  } catch (error) {
    const isOld = error instanceof ShopProblem && error.kind === 'credentials' && client.kept.delete(tokenKey)
    if (!isOld) throw error
    return call(await tokenOf(client, shop))
  }
}

/** The permanent token of a custom app that was made in the admin, or else one that is asked for by the keys of an app. */
async function tokenOf(client: ShopClient, { url, settings }: ConnectedShop): Promise<string> {
  if (settings.access_token !== undefined) return settings.access_token
  const kept = client.kept.get(tokenKey)
  if (kept !== undefined) return kept
  const { client_id, client_secret } = settings
  const answer = objectOf(
    await client.call({
      url: `${url}/admin/oauth/access_token`,
      method: 'POST',
      headers: {},
      body: { client_id, client_secret, grant_type: 'client_credentials' },
    }),
  )
  const token = textOf(answer.access_token, 500)
  if (token === '') throw new ShopProblem('credentials', 'The shop gives no token for these keys.')
  client.kept.set(tokenKey, token)
  return token
}

function refuseErrors(answer: Record<string, unknown>): void {
  const [first] = listOf(answer.errors).map(objectOf)
  if (first === undefined) return
  const words = textOf(first.message, 200)
  const code = objectOf(first.extensions).code
  if (code === 'THROTTLED') throw new ShopProblem('busy', words, { retryAfterMs: restoreMs(answer) })
  if (code === 'ACCESS_DENIED') throw new ShopProblem('credentials', words)
  throw new ShopProblem(code === 'INTERNAL_SERVER_ERROR' ? 'away' : 'refused', words)
}

function restoreMs(answer: Record<string, unknown>): number {
  const cost = objectOf(objectOf(answer.extensions).cost)
  const { currentlyAvailable, restoreRate } = objectOf(cost.throttleStatus)
  const missing = Number(cost.requestedQueryCost) - Number(currentlyAvailable)
  const ms = Math.ceil((missing / Number(restoreRate)) * 1_000)
  return Number.isFinite(ms) && ms > 0 ? ms : throttledMs
}

/** @throws ShopProblem for what a mutation says that it did not do; it answers 200 as well */
export function refuseUserErrors(payload: unknown): Record<string, unknown> {
  const [first] = listOf(objectOf(payload).userErrors).map(objectOf)
  if (first !== undefined) throw new ShopProblem('refused', textOf(first.message, 200) || textOf(first.code, 100))
  return objectOf(payload)
}

/** The nodes of a connection. @throws ShopProblem when it is none */
export function nodesOf(connection: unknown): Record<string, unknown>[] {
  const { nodes } = objectOf(connection)
  if (!Array.isArray(nodes)) throw new ShopProblem('unlike', 'The shop answered something else than a list.')
  return nodes.map(objectOf)
}

/** `123` of `gid://shopify/Order/123`. */
export function numberOf(gid: unknown): string {
  return textOf(gid, 200).replace(/^.*\//, '').replace(/\?.*$/, '')
}
