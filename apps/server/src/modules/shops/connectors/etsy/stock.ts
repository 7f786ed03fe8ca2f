import type { Json } from '../../../../db/database.ts'
import type { ConnectedShop, Listing, StockLevel } from '../contract/connector.ts'
import { listOf, objectOf, textOf } from '../contract/read-text.ts'
import type { ShopClient } from '../contract/shop-client.ts'
import { ShopProblem } from '../contract/shop-problem.ts'
import { callEtsy, callEtsyIfThere, resultsOf, shopIdOf } from './api.ts'

/** Active listings that are looked through for a code: Etsy cannot be asked for one. */
const mostListings = 2_000
const listingsInPage = 100

/**
 * Finds the product of a listing by the code of its seller, or else a listing without variations by its ID. Which listing has a
 * code is kept; where that one has it no more, the code may have moved to another, and is looked for again.
 */
export async function findStock(
  client: ShopClient,
  shop: ConnectedShop,
  { seller_sku, listing_id, variation }: Listing,
): Promise<StockLevel | undefined> {
  if (/^\d+$/.test(listing_id)) return findStockIn(client, shop, listing_id, seller_sku, variation)
  if (seller_sku === '') return undefined
  const shopId = await shopIdOf(client, shop)
  const key = keyOfCode(seller_sku)
  const kept = client.kept.get(key)
  if (kept !== undefined) {
    const stock = await findStockIn(client, shop, kept, seller_sku, variation)
    if (stock) return stock
    client.kept.delete(key)
  }
  const listing = await lookForListing(client, shop, shopId, seller_sku)
  return listing === undefined || listing === kept
    ? undefined
    : findStockIn(client, shop, listing, seller_sku, variation)
}

async function findStockIn(
  client: ShopClient,
  shop: ConnectedShop,
  listing: string,
  code: string,
  variation: string,
): Promise<StockLevel | undefined> {
  const inventory = await callEtsyIfThere(client, shop, { path: `listings/${listing}/inventory` })
  if (inventory === undefined) return undefined
  const products = productsOf(inventory)
  const product = code === '' ? onlyOf(products, variation) : products.find(({ sku }) => sku === code)
  if (!product) return undefined
  return { place: { listing, product: keyOf(product), level: levelOf(product) }, level: levelOf(product) }
}

const onlyOf = (products: Record<string, unknown>[], variation: string) =>
  variation === '' && products.length === 1 ? products[0] : undefined

const keyOfCode = (code: string) => `etsy listing ${code}`

async function lookForListing(
  client: ShopClient,
  shop: ConnectedShop,
  shopId: string,
  code: string,
): Promise<string | undefined> {
  const key = keyOfCode(code)
  const path = `shops/${shopId}/listings/active`
  for (let offset = 0; offset < mostListings; offset += listingsInPage) {
    const rows = resultsOf(await callEtsy(client, shop, { path, query: { limit: listingsInPage, offset } }))
    for (const row of rows) {
      for (const each of listOf(row.skus)) client.kept.set(keyOfCode(textOf(each, 100)), textOf(row.listing_id, 40))
    }
    if (client.kept.has(key) || rows.length < listingsInPage) return client.kept.get(key)
  }
  return undefined
}

/**
 * Sets the quantity of one product. Etsy takes the inventory of a listing only as a whole, so it is read, changed and written; where the
 * quantity is another than the one that was found, it is left alone.
 */
export async function setStock(
  client: ShopClient,
  shop: ConnectedShop,
  place: Json,
  level: number,
): Promise<'set' | 'moved'> {
  const { listing, product, level: found } = objectOf(place)
  const path = `listings/${textOf(listing, 40)}/inventory`
  const inventory = objectOf(await callEtsy(client, shop, { path }))
  const products = productsOf(inventory)
  const wanted = products.find((each) => keyOf(each) === product)
  if (!wanted) throw new ShopProblem('missing', 'The listing has no such product any more.')
  if (levelOf(wanted) !== found) return 'moved'
  const changed = products.map((each) => writable(each, each === wanted ? level : undefined))
  const onProperty = Object.fromEntries(
    ['price_on_property', 'quantity_on_property', 'sku_on_property', 'readiness_state_on_property'].flatMap((name) =>
      Array.isArray(inventory[name]) ? [[name, inventory[name]]] : [],
    ),
  )
  const answer = await callEtsy(client, shop, { method: 'PUT', path, body: { products: changed, ...onProperty } })
  const written = productsOf(answer).find((each) => keyOf(each) === product)
  if (!written || levelOf(written) !== level) throw new ShopProblem('refused', 'Etsy did not take the quantity.')
  return 'set'
}

function productsOf(inventory: unknown): Record<string, unknown>[] {
  const { products } = objectOf(inventory)
  if (!Array.isArray(products)) throw new ShopProblem('unlike', 'Etsy answered something else than an inventory.')
  return products.map(objectOf).filter(({ is_deleted }) => is_deleted !== true)
}

/** By what a product is found again: its code and its options; its ID changes whenever the listing is written. */
function keyOf(product: Record<string, unknown>): string {
  const options = listOf(product.property_values)
    .map(objectOf)
    .map(({ property_id, value_ids }) => `${textOf(property_id, 40)}=${listOf(value_ids).join('+')}`)
  return [textOf(product.sku, 100), ...options].join(' ')
}

/** What the offerings that are sold have together. */
function levelOf(product: Record<string, unknown>): number {
  return listOf(product.offerings)
    .map(objectOf)
    .filter(({ is_deleted }) => is_deleted !== true)
    .reduce<number>((sum, { quantity }) => sum + (Number(quantity) || 0), 0)
}

/** A product as it may be written: without what Etsy makes itself, and with prices as numbers. */
function writable(product: Record<string, unknown>, level: number | undefined): object {
  const offerings = listOf(product.offerings)
    .map(objectOf)
    .filter(({ is_deleted }) => is_deleted !== true)
  return {
    sku: product.sku,
    property_values: listOf(product.property_values)
      .map(objectOf)
      .map(({ scale_name: _, ...values }) => values),
    offerings: offerings.map((offering, index) => {
      const { amount, divisor } = objectOf(offering.price)
      return {
        price: Number(amount) / Number(divisor),
        quantity: level === undefined ? offering.quantity : index === 0 ? level : 0,
        is_enabled: offering.is_enabled,
        ...(offering.readiness_state_id !== undefined && { readiness_state_id: offering.readiness_state_id }),
      }
    }),
  }
}
