import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Connector, Hook, ReceivedHook, ShopSettings } from '../contract/connector.ts'
import { objectOf, textOf } from '../contract/read-text.ts'
import { callEtsy, callEtsyIfThere, etsyUrl, resultsOf, shopIdOf } from './api.ts'
import { pushParcel } from './push-parcel.ts'
import { readReceipt } from './read-receipt.ts'
import { cursorAt, follow, queryOf, readCursor } from './receipt-pages.ts'
import { findStock, setStock } from './stock.ts'

/** How old a webhook may be. */
const toleranceSeconds = 5 * 60

/** Etsy by its Open API v3, with an app of the seller's own that the seller lets in. */
export const etsy: Connector = {
  settings: ['keystring', 'shared_secret'],
  findProblem({ keystring, shared_secret }, url) {
    // The keys would else be sent to anyone who has the address.
    if (url !== etsyUrl) return { url: `must be ${etsyUrl}` }
    if (keystring === undefined) return { keystring: 'is needed for a shop at Etsy' }
    return shared_secret === undefined ? { shared_secret: 'is needed for a shop at Etsy' } : undefined
  },
  firstCursor: (since) => ({ ...cursorAt(since) }),
  async test(client, shop) {
    const id = await shopIdOf(client, shop)
    const found = objectOf(await callEtsy(client, shop, { path: `shops/${id}` }))
    resultsOf(await callEtsy(client, shop, { path: `shops/${id}/receipts`, query: { limit: 1 } }))
    return textOf(found.shop_name, 200)
  },
  async readPage(client, shop, stored) {
    const cursor = readCursor(stored)
    const path = `shops/${await shopIdOf(client, shop)}/receipts`
    const page = follow(cursor, resultsOf(await callEtsy(client, shop, { path, query: queryOf(cursor) })))
    const orders = page.rows.map((row) => readReceipt(row, shop.personalisationNames))
    return { orders, cursor: { ...page.cursor }, isLast: page.isLast }
  },
  async readOrder(client, shop, externalId) {
    const path = `shops/${await shopIdOf(client, shop)}/receipts/${encodeURIComponent(externalId)}`
    const found = await callEtsyIfThere(client, shop, { path })
    return found === undefined ? undefined : readReceipt(found, shop.personalisationNames)
  },
  pushParcel,
  findStock,
  setStock,
  readHook,
}

/** Webhooks of Etsy, which apps with commercial access have, are signed as Standard Webhooks are. They name the receipt by its address. */
function readHook({ settings }: { settings: ShopSettings }, { headers, body }: ReceivedHook): Hook {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name])
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return { kind: 'refused' }
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceSeconds) return { kind: 'refused' }
  const wanted = createHmac('sha256', settings.webhook_secret).update(`${id}.${timestamp}.`).update(body).digest()
  const isSigned = given.split(' ').some((part) => {
    const signature = Buffer.from(part.replace(/^v1,/, ''), 'base64')
    return signature.length === wanted.length && timingSafeEqual(signature, wanted)
  })
  if (!isSigned) return { kind: 'refused' }
  try {
    const { resource_url } = objectOf(JSON.parse(body.toString('utf8')))
    const [, receipt] = /\/receipts\/(\d+)/.exec(textOf(resource_url, 500)) ?? []
    return { kind: 'changed', externalId: receipt }
  } catch {
    return { kind: 'changed', externalId: undefined }
  }
}
