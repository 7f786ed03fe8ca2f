import type { Json } from '../../../../db/database.ts'
import type { ConnectedShop, Listing, StockLevel } from '../contract/connector.ts'
import { objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'
import { callWoo, callWooIfThere, listIn } from './api.ts'

/** Finds a product or variation by the code of its seller, or else by its IDs. */
export async function findStock(
  client: ShopClient,
  shop: ConnectedShop,
  { seller_sku, listing_id, variation }: Listing,
): Promise<StockLevel | undefined> {
  if (seller_sku !== '') {
    const rows = listIn(await callWoo(client, shop, { path: 'wc/v3/products', query: { sku: seller_sku } }), 'products')
    // The shop takes a comma in a code for a list of codes.
    const found = rows.map(objectOf).find((row) => textOf(row.sku, 100) === seller_sku)
    return found && levelOf(found, textOf(found.parent_id, 20))
  }
  // A listing of a file may be known by its title.
  if (!/^\d+$/.test(listing_id) || !/^\d*$/.test(variation)) return undefined
  const path =
    variation === '' ? `wc/v3/products/${listing_id}` : `wc/v3/products/${listing_id}/variations/${variation}`
  const found = await callWooIfThere(client, shop, { path })
  return found === undefined ? undefined : levelOf(objectOf(found), variation === '' ? '' : listing_id)
}

/** A variation may have the stock of its product, and a product none that is counted. */
function levelOf(row: Record<string, unknown>, parent: string): StockLevel {
  const isVariation = parent !== '' && parent !== '0' && (row.type === undefined || row.type === 'variation')
  const id = textOf(row.id, 20)
  const isOfParent = row.manage_stock === 'parent'
  const place = !isVariation || isOfParent ? { product: isOfParent ? parent : id } : { product: parent, variation: id }
  const isCounted = row.manage_stock === true || isOfParent
  return { place, level: isCounted && typeof row.stock_quantity === 'number' ? row.stock_quantity : null }
}

export async function setStock(client: ShopClient, shop: ConnectedShop, place: Json, level: number): Promise<'set'> {
  const { product, variation } = objectOf(place)
  const path =
    variation === undefined
      ? `wc/v3/products/${textOf(product, 20)}`
      : `wc/v3/products/${textOf(product, 20)}/variations/${textOf(variation, 20)}`
  const changed = objectOf(await callWoo(client, shop, { method: 'PUT', path, body: { stock_quantity: level } }))
  if (changed.stock_quantity !== level) {
    throw new ShopProblem('refused', `The shop was told of ${level}, and has ${String(changed.stock_quantity)}.`)
  }
  return 'set'
}
