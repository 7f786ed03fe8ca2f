import type { Connector } from '../contract/connector.ts'
import { objectOf, textOf } from '../contract/read-text.ts'
import { callEtsy, callEtsyIfThere, etsyUrl, resultsOf, shopIdOf } from './api.ts'
import { pushParcel } from './push-parcel.ts'
import { keyOfSecret, readHook } from './read-hook.ts'
import { readReceipt } from './read-receipt.ts'
import { cursorAt, follow, queryOf, readCursor } from './receipt-pages.ts'
import { findStock, setStock } from './stock.ts'

/** Etsy by its Open API v3, with an app of the seller's own that the seller lets in. */
export const etsy: Connector = {
  settings: ['keystring', 'shared_secret', 'signing_secret'],
  findProblem({ keystring, shared_secret, signing_secret }, url) {
    // The keys would else be sent to anyone who has the address.
    if (url !== etsyUrl) return { url: `must be ${etsyUrl}` }
    if (keystring === undefined) return { keystring: 'is needed for a shop at Etsy' }
    if (shared_secret === undefined) return { shared_secret: 'is needed for a shop at Etsy' }
    return signing_secret === undefined || keyOfSecret(signing_secret) !== undefined
      ? undefined
      : { signing_secret: 'must be what Etsy shows: whsec_ and a text in Base64' }
  },
  firstCursor: (since) => ({ ...cursorAt(since) }),
  isAfter: (cursor, at) => readCursor(cursor).at * 1_000 > at.getTime(),
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
