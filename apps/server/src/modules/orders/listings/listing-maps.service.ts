import type { Sql } from '../../../db/database.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, type ListingMapId, newId, type OrderId, type SkuId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { addSearchWords } from '../search/search-words.queries.ts'
import {
  deleteListingMap,
  findListingMap,
  findMapOfListing,
  insertListingMap,
  type ListingKey,
  type ListingMapRow,
  listSkus,
  lockListingMap,
  lockListingMaps,
  lockOrdersToMap,
  type MappableSku,
  mapLines,
  type Shop,
  touchOrders,
  updateListingMap,
} from './listing-maps.queries.ts'
import type { ListingMapChanges, NewListingMap } from './listing-maps.schema.ts'

/** A mapping after a change, and how many lines it mapped. */
export interface ChangedListingMap {
  map: ListingMapRow
  mappedItems: number
}

export async function getListingMap(sql: Sql, accountId: AccountId, mapId: ListingMapId): Promise<ListingMapRow> {
  const map = await findListingMap(sql, accountId, mapId)
  if (!map) throw notFound('listing map')
  return map
}

export async function getListingMapLocked(sql: Sql, accountId: AccountId, mapId: ListingMapId): Promise<ListingMapRow> {
  const map = await lockListingMap(sql, accountId, mapId)
  if (!map) throw notFound('listing map')
  return map
}

/** Remembers what a listing stands for, and maps the open lines that it is for. */
export async function createListingMap(work: Work, body: NewListingMap, also?: OrderId): Promise<ChangedListingMap> {
  const { sql, accountId } = work
  await lockListingMaps(sql, accountId)
  const { platform, shop = '', seller_sku = '', listing_id = '', variation = '', product_sku_id, pack_size } = body
  if (seller_sku !== '' && listing_id !== '') throw validationError({ listing_id: ['excludes seller_sku'] })
  if (seller_sku !== '' && variation !== '') throw validationError({ variation: ['excludes seller_sku'] })
  await getMappableSku(sql, accountId, product_sku_id)
  const key = { platform, shop, seller_sku, listing_id, variation }
  const id = newId('listingMap', work.now.getTime())
  if (!(await insertListingMap(work, { ...key, id, product_sku_id, pack_size }))) {
    const other = await findMapOfListing(sql, accountId, key)
    throw new AppError(
      'ALREADY_EXISTS',
      { resource: 'mapping of this listing' },
      { details: { listing_map_id: other?.id } },
    )
  }
  await work.record({ type: 'listing_map.created', subjectId: id, data: { platform, product_sku_id, pack_size } })
  return applyMap(work, id, also)
}

/** Changes what a listing stands for. Open lines that it mapped follow, where nothing was taken for them. */
export async function changeListingMap(
  work: Work,
  mapId: ListingMapId,
  changes: ListingMapChanges,
  also?: OrderId,
): Promise<ChangedListingMap> {
  const { sql, accountId } = work
  await lockListingMaps(sql, accountId)
  const before = await getListingMapLocked(sql, accountId, mapId)
  const fields = changedFields(before, changes)
  if (fields.length === 0) return also === undefined ? { map: before, mappedItems: 0 } : applyMap(work, mapId, also)
  if (changes.product_sku_id !== undefined) await getMappableSku(sql, accountId, changes.product_sku_id)
  await updateListingMap(work, mapId, changes)
  await work.record({ type: 'listing_map.updated', subjectId: mapId, data: { fields } })
  return applyMap(work, mapId, also)
}

/** Forgets what a listing stands for. Lines that it mapped stay mapped. */
export async function removeListingMap(work: Work, mapId: ListingMapId): Promise<ListingMapRow> {
  await lockListingMaps(work.sql, work.accountId)
  const map = await getListingMapLocked(work.sql, work.accountId, mapId)
  await deleteListingMap(work, mapId)
  const { platform, product_sku_id } = map
  await work.record({ type: 'listing_map.deleted', subjectId: mapId, data: { platform, product_sku_id } })
  return map
}

/** Remembers what a line of an order stands for, in the place of what was known of its listing. The order is locked after it. */
export async function rememberListing(
  work: Work,
  orderId: OrderId,
  listing: Shop & ListingKey,
  { product_sku_id, pack_size }: { product_sku_id: SkuId; pack_size: number },
): Promise<ChangedListingMap> {
  await lockListingMaps(work.sql, work.accountId)
  const known = await findMapOfListing(work.sql, work.accountId, listing)
  if (known) return changeListingMap(work, known.id, { product_sku_id, pack_size }, orderId)
  return createListingMap(work, { ...withoutEmpty(listing), product_sku_id, pack_size }, orderId)
}

function withoutEmpty({ platform, shop, seller_sku, listing_id, variation }: Shop & ListingKey) {
  return seller_sku === '' ? { platform, shop, listing_id, variation } : { platform, shop, seller_sku }
}

/** @throws AppError `SKU_NOT_FOUND` */
export async function getMappableSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<MappableSku> {
  const [sku] = await listSkus(sql, accountId, { ids: [skuId], codes: [] })
  if (!sku) throw new AppError('SKU_NOT_FOUND')
  return sku
}

/** Maps the lines that a mapping is for. The orders are locked first, always in the same order. */
async function applyMap(work: Work, mapId: ListingMapId, also?: OrderId): Promise<ChangedListingMap> {
  const { sql, accountId } = work
  const map = await getListingMap(sql, accountId, mapId)
  const orderIds = await lockOrdersToMap(work, map, also)
  const mapped = orderIds.length === 0 ? [] : await mapLines(work, orderIds, map)
  await recordMapped(work, mapped, map)
  return { map, mappedItems: mapped.length }
}

/** What follows from lines that were mapped: one order for each of them. */
async function recordMapped(work: Work, orderOfLine: readonly OrderId[], map: ListingMapRow): Promise<void> {
  const byOrder = Map.groupBy(orderOfLine, (orderId) => orderId)
  if (byOrder.size === 0) return
  const orderIds = [...byOrder.keys()]
  await addSearchWords(work.sql, work.accountId, orderIds, [map.sku])
  await touchOrders(work, orderIds)
  await work.recordAll(
    [...byOrder].map(([orderId, lines]) => ({
      type: 'order.items_mapped' as const,
      subjectId: orderId,
      data: { product_sku_id: map.product_sku_id, items: lines.length, listing_map_id: map.id },
    })),
  )
}
