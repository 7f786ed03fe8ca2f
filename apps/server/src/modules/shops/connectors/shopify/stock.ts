import { randomUUID } from 'node:crypto'
import type { Json } from '../../../../db/database.ts'
import type { ConnectedShop, Listing, StockLevel } from '../contract/connector.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'
import { askShopify, nodesOf, refuseUserErrors } from './admin-api.ts'
import { stockMutation, variantQuery, variantsBySkuQuery } from './queries.ts'

/** Finds a variant by the code of its seller, or else by its ID. */
export async function findStock(
  client: ShopClient,
  shop: ConnectedShop,
  { seller_sku, variation }: Listing,
): Promise<StockLevel | undefined> {
  if (seller_sku !== '') {
    const query = `sku:"${seller_sku.replaceAll(/["\\]/g, '\\$&')}"`
    const { productVariants } = await askShopify(client, shop, variantsBySkuQuery, { query })
    // The search of the shop also finds codes that only begin so.
    const found = nodesOf(productVariants).find((variant) => textOf(variant.sku, 100) === seller_sku)
    return found && levelOf(found)
  }
  if (!/^\d+$/.test(variation)) return undefined
  const { productVariant } = await askShopify(client, shop, variantQuery, {
    id: `gid://shopify/ProductVariant/${variation}`,
  })
  return productVariant === null ? undefined : levelOf(objectOf(productVariant))
}

/** What is stocked at several locations has no level of which it could be said where it is. */
function levelOf(variant: Record<string, unknown>): StockLevel {
  const item = objectOf(variant.inventoryItem)
  const [level, ...others] = nodesOf(item.inventoryLevels)
  if (item.tracked !== true || level === undefined || others.length > 0) return { place: {}, level: null }
  const available = objectOf(listOf(level.quantities)[0]).quantity
  if (typeof available !== 'number') throw new ShopProblem('unlike', 'The shop does not tell the available quantity.')
  const place = { item: textOf(item.id, 200), location: textOf(objectOf(level.location).id, 200), from: available }
  return { place, level: available }
}

/** Sets it only over the level that was seen: what the shop sells in between is not lost. */
export async function setStock(
  client: ShopClient,
  shop: ConnectedShop,
  place: Json,
  level: number,
): Promise<'set' | 'moved'> {
  const { item, location, from } = objectOf(place)
  const { inventorySetQuantities } = await askShopify(client, shop, stockMutation, {
    input: {
      name: 'available',
      reason: 'correction',
      quantities: [{ inventoryItemId: item, locationId: location, quantity: level, changeFromQuantity: from }],
    },
    // Sent again it is another change, which the level that was seen keeps from being made twice.
    key: randomUUID(),
  })
  const codes = listOf(objectOf(inventorySetQuantities).userErrors).map((error) => objectOf(error).code)
  if (codes.includes('CHANGE_FROM_QUANTITY_STALE')) return 'moved'
  refuseUserErrors(inventorySetQuantities)
  return 'set'
}
