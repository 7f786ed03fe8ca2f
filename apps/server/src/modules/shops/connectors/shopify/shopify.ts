import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ShopOrder } from '../../../orders/from-shop/shop-order.ts'
import type {
  ConnectedShop,
  Connector,
  Hook,
  ReceivedHook,
  ShopSettings,
  UnreadableOrder,
} from '../contract/connector.ts'
import { objectOf, readHookBody, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { askShopify, nodesOf, numberOf } from './admin-api.ts'
import { cursorAt, follow, readCursor, variablesOf } from './order-pages.ts'
import { pushParcel } from './push-parcel.ts'
import { linesQuery, orderQuery, ordersQuery, shopQuery } from './queries.ts'
import { readOrder } from './read-order.ts'
import { findStock, setStock } from './stock.ts'

/** Pages of lines of one order: far more than the lines that an order may have here. */
const mostLinePages = 20

/** Shopify by its GraphQL Admin API, with an app of the shop's own. */
export const shopify: Connector = {
  settings: ['access_token', 'client_id', 'client_secret'],
  findProblem({ access_token, client_id, client_secret }, url) {
    // The keys would else be sent to anyone who has the address.
    if (!/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(new URL(url).host)) {
      return { url: 'must be the address that ends in .myshopify.com' }
    }
    if (access_token !== undefined || (client_id !== undefined && client_secret !== undefined)) return undefined
    return { client_id: 'is needed with client_secret, unless there is an access_token' }
  },
  firstCursor: (since) => ({ ...cursorAt(since) }),
  isAfter: (cursor, at) => Date.parse(readCursor(cursor).at) > at.getTime(),
  async test(client, shop) {
    const answer = await askShopify(client, shop, shopQuery, {})
    nodesOf(answer.orders)
    return textOf(objectOf(answer.shop).name, 200)
  },
  async readPage(client, shop, stored) {
    const cursor = readCursor(stored)
    const { orders } = await askShopify(client, shop, ordersQuery, variablesOf(cursor))
    const nodes = nodesOf(orders)
    const read: (ShopOrder | UnreadableOrder)[] = []
    for (const node of nodes) read.push(await readWhole(client, shop, node))
    const next = follow(cursor, nodes, objectOf(objectOf(orders).pageInfo))
    return { orders: read, cursor: { ...next.cursor }, isLast: next.isLast }
  },
  async readOrder(client, shop, externalId) {
    const { order } = await askShopify(client, shop, orderQuery, { id: `gid://shopify/Order/${externalId}` })
    return order === null || order === undefined ? undefined : readWhole(client, shop, objectOf(order))
  },
  pushParcel,
  findStock,
  setStock,
  readHook,
}

/** An order with all of its lines. */
async function readWhole(
  client: ShopClient,
  shop: ConnectedShop,
  node: Record<string, unknown>,
): Promise<ShopOrder | UnreadableOrder> {
  const lines = [...nodesOf(node.lineItems)]
  let { hasNextPage, endCursor } = objectOf(objectOf(node.lineItems).pageInfo)
  for (let page = 0; hasNextPage === true; page += 1) {
    if (page >= mostLinePages) return { external_id: numberOf(node.id), problem: 'has too many lines' }
    const { order } = await askShopify(client, shop, linesQuery, { id: node.id, after: endCursor })
    const more = objectOf(order).lineItems
    lines.push(...nodesOf(more))
    ;({ hasNextPage, endCursor } = objectOf(objectOf(more).pageInfo))
  }
  return readOrder({ ...node, lineItems: { nodes: lines } }, shop)
}

/** Shopify signs with the secret of the app; those of orders, refunds and edits name the order each in its own way. */
function readHook({ settings }: { settings: ShopSettings }, { headers, body }: ReceivedHook): Hook {
  const { client_secret: secret } = settings
  const given = headers['x-shopify-hmac-sha256']
  if (secret === undefined || typeof given !== 'string') return { kind: 'refused' }
  const wanted = createHmac('sha256', secret).update(body).digest()
  const signature = Buffer.from(given, 'base64')
  if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return { kind: 'refused' }
  const topic = headers['x-shopify-topic']
  if (typeof topic !== 'string' || !/^(orders|refunds|fulfillments|fulfillment_orders)\//.test(topic))
    return { kind: 'ping' }
  const told = readHookBody(body)
  const id = topic.startsWith('orders/') ? (told.id ?? objectOf(told.order_edit).order_id) : told.order_id
  const externalId = textOf(id, 200)
  return { kind: 'changed', externalId: externalId === '' ? undefined : externalId }
}
