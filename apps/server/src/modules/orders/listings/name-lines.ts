import type { Sql } from '../../../db/database.ts'
import type { AccountId, ListingMapId, SkuId } from '../../../kernel/ids.ts'
import {
  type ListingKey,
  type ListingMapRow,
  listMapsOf,
  listSkus,
  type MappableSku,
  type Shop,
} from './listing-maps.queries.ts'

/** What a line of a new order says of what was ordered. */
interface LineToName {
  product_sku_id?: SkuId | undefined
  sku?: string | undefined
  product_name?: string | undefined
  listing_id?: string | undefined
  variation?: string | undefined
}

/** What is stored of it. Without a SKU the line is unmapped: `sku` is the seller's text then. */
export interface NamedLine extends ListingKey {
  product_sku_id: SkuId | null
  sku: string
  product_name: string
  pack_size: number
  mapped_by: ListingMapId | null
}

/** Finds what lines of orders of one shop mean, with two statements however many they are. */
export async function nameLines(
  sql: Sql,
  accountId: AccountId,
  shop: Shop,
  lines: readonly LineToName[],
): Promise<NamedLine[]> {
  const ids = new Set(lines.flatMap((line) => line.product_sku_id ?? []))
  const codes = new Set(lines.flatMap((line) => (line.product_sku_id === undefined ? (line.sku ?? []) : [])))
  const listingIds = new Set(lines.flatMap((line) => line.listing_id ?? []))
  const skus = await listSkus(sql, accountId, { ids: [...ids], codes: [...codes] })
  const maps = await listMapsOf(sql, accountId, shop, { sellerSkus: [...codes], listingIds: [...listingIds] })
  return lines.map(makeNamer(skus, maps))
}

/**
 * A line that names its SKU by ID is of that SKU. Else what a person mapped decides, by the seller's code before the listing;
 * then a code that is one of ours.
 */
function makeNamer(skus: readonly MappableSku[], maps: readonly ListingMapRow[]) {
  const byId = new Map(skus.map((sku) => [sku.id, sku]))
  const byCode = new Map(skus.map((sku) => [sku.sku, sku]))
  const bySellerSku = new Map(maps.filter((map) => map.seller_sku !== '').map((map) => [map.seller_sku, map]))
  const byListing = new Map(maps.filter((map) => map.listing_id !== '').map((map) => [keyOfListing(map), map]))

  return (line: LineToName): NamedLine => {
    const { product_sku_id: skuId, sku: code = '', listing_id = '', variation = '' } = line
    const seller_sku = skuId === undefined ? code : ''
    const key = { seller_sku, listing_id, variation }
    const map =
      skuId === undefined
        ? (bySellerSku.get(seller_sku) ?? byListing.get(keyOfListing({ listing_id, variation })))
        : undefined
    const sku = skuId === undefined ? byCode.get(code) : byId.get(skuId)
    const product_name = line.product_name ?? map?.product_name ?? sku?.product_name ?? ''
    if (map) {
      const { product_sku_id, pack_size, id: mapped_by } = map
      return { ...key, product_sku_id, sku: map.sku, product_name, pack_size, mapped_by }
    }
    return {
      ...key,
      product_sku_id: sku?.id ?? null,
      sku: sku?.sku ?? code,
      product_name,
      pack_size: 1,
      mapped_by: null,
    }
  }
}

const keyOfListing = ({ listing_id, variation }: Pick<ListingKey, 'listing_id' | 'variation'>) =>
  JSON.stringify([listing_id, variation])
