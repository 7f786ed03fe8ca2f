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
import { listOf, objectOf, readHookBody, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { callWoo, callWooIfThere, listIn } from './api.ts'
import { cursorAt, follow, queryOf, readCursor, startMsOf } from './order-pages.ts'
import { pushParcel } from './push-parcel.ts'
import { readOrder, withoutRefunded } from './read-order.ts'
import { findStock, setStock } from './stock.ts'

/** WooCommerce by its REST API v3, with the keys of a user of the shop. */
export const wooCommerce: Connector = {
  settings: ['consumer_key', 'consumer_secret'],
  findProblem({ consumer_key, consumer_secret }) {
    if (consumer_key !== undefined && consumer_secret !== undefined) return undefined
    return { [consumer_key === undefined ? 'consumer_key' : 'consumer_secret']: 'is needed for a shop of WooCommerce' }
  },
  firstCursor: (since) => ({ ...cursorAt(since) }),
  isAfter: (cursor, at) => startMsOf(readCursor(cursor)) > at.getTime(),
  async test(client, shop) {
    const site = objectOf(await callWoo(client, shop, { path: '' }))
    listIn(await callWoo(client, shop, { path: 'wc/v3/orders', query: { per_page: 1 } }), 'orders')
    return textOf(site.name, 200)
  },
  async readPage(client, shop, stored) {
    const cursor = readCursor(stored)
    const rows = listIn(await callWoo(client, shop, { path: 'wc/v3/orders', query: queryOf(cursor) }), 'orders')
    const page = follow(cursor, rows)
    const orders: (ShopOrder | UnreadableOrder)[] = []
    for (const row of page.rows) orders.push(await readWhole(client, shop, row))
    return { orders, cursor: { ...page.cursor }, isLast: page.isLast }
  },
  async readOrder(client, shop, externalId) {
    const path = `wc/v3/orders/${encodeURIComponent(externalId)}`
    const found = await callWooIfThere(client, shop, { path })
    return found === undefined ? undefined : readWhole(client, shop, found)
  },
  pushParcel,
  findStock,
  setStock,
  readHook,
}

/** An order with what its refunds took off its lines: the order itself tells only what they cost. */
async function readWhole(client: ShopClient, shop: ConnectedShop, row: unknown): Promise<ShopOrder | UnreadableOrder> {
  const order = readOrder(row, shop)
  if ('problem' in order || listOf(objectOf(row).refunds).length === 0) return order
  const path = `wc/v3/orders/${encodeURIComponent(order.external_id)}/refunds`
  return withoutRefunded(order, await callWooIfThere(client, shop, { path, query: { per_page: 100 } }))
}

function readHook({ settings }: { settings: ShopSettings }, { headers, body }: ReceivedHook): Hook {
  const given = headers['x-wc-webhook-signature']
  // What it sends when it is set up has no signature, and says nothing.
  if (given === undefined && /^webhook_id=\d+$/.test(body.toString('latin1').trim())) return { kind: 'ping' }
  const wanted = createHmac('sha256', settings.webhook_secret).update(body).digest()
  const signature = Buffer.from(typeof given === 'string' ? given : '', 'base64')
  if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return { kind: 'refused' }
  const topic = headers['x-wc-webhook-topic']
  if (typeof topic !== 'string' || !topic.startsWith('order.')) return { kind: 'ping' }
  const id = textOf(readHookBody(body).id, 200)
  return { kind: 'changed', externalId: id === '' ? undefined : id }
}
