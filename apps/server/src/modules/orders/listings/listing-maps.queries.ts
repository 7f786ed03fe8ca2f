import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageFilter, PageRow } from '../../../db/page-bounds.ts'
import type { ListingMapRow as ListingMapTableRow } from '../../../db/rows.generated.ts'
import type { AccountId, ListingMapId, OrderId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { Platform } from './platforms.ts'

const columns = columnsOf<ListingMapTableRow>('m')(
  'id',
  'platform',
  'shop',
  'seller_sku',
  'listing_id',
  'variation',
  'product_sku_id',
  'pack_size',
  'created_at',
  'updated_at',
)
export type ListingMapRow = RowOf<typeof columns> & { sku: string; product_name: string }

/** A shop of a platform, as an account tells its shops apart. */
export interface Shop {
  platform: Platform
  shop: string
}

/** What a line is known by in its shop: the seller's code, or listing and variation. */
export type ListingKey = Pick<ListingMapTableRow, 'seller_sku' | 'listing_id' | 'variation'>

const withSku = (sql: Sql) => sql`
  select ${columns(sql)}, s.sku, p.name as product_name
  from listing_maps m
  join skus s on s.account_id = m.account_id and s.id = m.product_sku_id
  join products p on p.account_id = s.account_id and p.id = s.product_id`

export async function findListingMap(
  sql: Sql,
  accountId: AccountId,
  mapId: ListingMapId,
): Promise<ListingMapRow | undefined> {
  const [row] = await sql<ListingMapRow[]>`${withSku(sql)} where m.account_id = ${accountId} and m.id = ${mapId}`
  return row
}

/** The mapping, locked until the transaction ends. */
export async function lockListingMap(
  sql: Sql,
  accountId: AccountId,
  mapId: ListingMapId,
): Promise<ListingMapRow | undefined> {
  const [row] = await sql<ListingMapRow[]>`
    ${withSku(sql)} where m.account_id = ${accountId} and m.id = ${mapId} for update of m`
  return row
}

export async function findMapOfListing(
  sql: Sql,
  accountId: AccountId,
  { platform, shop, seller_sku, listing_id, variation }: Shop & ListingKey,
): Promise<ListingMapRow | undefined> {
  const [row] = await sql<ListingMapRow[]>`
    ${withSku(sql)}
    where m.account_id = ${accountId} and m.platform = ${platform} and m.shop = ${shop} and m.seller_sku = ${seller_sku}
      and m.listing_id = ${listing_id} and m.variation = ${variation}`
  return row
}

interface ListingMapConditions {
  platform?: Platform | undefined
  shop?: string | undefined
  product_sku_id?: SkuId | undefined
}

/** The newest first. */
export async function listListingMaps(
  sql: Sql,
  accountId: AccountId,
  filter: PageFilter<ListingMapConditions>,
): Promise<PageRow<ListingMapRow>[]> {
  const { platform, shop, product_sku_id: skuId, after } = filter
  return sql<PageRow<ListingMapRow>[]>`
    select ${columns(sql)}, s.sku, p.name as product_name, m.created_at::text as page_key
    from listing_maps m
    join skus s on s.account_id = m.account_id and s.id = m.product_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where m.account_id = ${accountId}
      ${platform === undefined ? sql`` : sql`and m.platform = ${platform}`}
      ${shop === undefined ? sql`` : sql`and m.shop = ${shop}`}
      ${skuId === undefined ? sql`` : sql`and m.product_sku_id = ${skuId}`}
      ${after ? sql`and (m.created_at, m.id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by m.created_at desc, m.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** Mappings of a shop for lines that are known by one of these codes or listings. */
export async function listMapsOf(
  sql: Sql,
  accountId: AccountId,
  { platform, shop }: Shop,
  { sellerSkus, listingIds }: { sellerSkus: string[]; listingIds: string[] },
): Promise<ListingMapRow[]> {
  return sql<ListingMapRow[]>`
    ${withSku(sql)}
    where m.account_id = ${accountId} and m.platform = ${platform} and m.shop = ${shop}
      and ((m.seller_sku <> '' and m.seller_sku = any(${sellerSkus}))
        or (m.listing_id <> '' and m.listing_id = any(${listingIds})))`
}

/** False when the shop has a mapping for it already, and then nothing is written. */
export async function insertListingMap(
  { sql, accountId, now }: Work,
  map: Shop & ListingKey & { id: ListingMapId; product_sku_id: SkuId; pack_size: number },
): Promise<boolean> {
  const row = { account_id: accountId, ...map, created_at: now, updated_at: now }
  const rows = await sql`
    insert into listing_maps ${sql(row)} on conflict on constraint listing_maps_key do nothing returning id`
  return rows.length > 0
}

export async function updateListingMap(
  { sql, accountId, now }: Work,
  mapId: ListingMapId,
  change: { product_sku_id?: SkuId; pack_size?: number },
): Promise<void> {
  await sql`
    update listing_maps set ${sql({ ...change, updated_at: now })} where account_id = ${accountId} and id = ${mapId}`
}

/** Lines that it mapped stay mapped. */
export async function deleteListingMap({ sql, accountId }: Work, mapId: ListingMapId): Promise<void> {
  await sql`update order_items set mapped_by = null where account_id = ${accountId} and mapped_by = ${mapId}`
  await sql`delete from listing_maps where account_id = ${accountId} and id = ${mapId}`
}

const lockName = (accountId: AccountId) => `listing maps of ${accountId}`

/**
 * What listings stand for stays as it is until the transaction ends. Without it an order that arrives while its listing is being
 * mapped would see the mapping as little as the mapping sees the order.
 */
export async function holdListingMaps(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${lockName(accountId)}, 0))`
}

/** One change of what listings stand for at a time, and no order that arrives meanwhile; before any row is locked. */
export async function lockListingMaps(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${lockName(accountId)}, 0))`
}

/** A SKU of the account that lines can be mapped to. */
export interface MappableSku {
  id: SkuId
  sku: string
  product_name: string
}

export async function listSkus(
  sql: Sql,
  accountId: AccountId,
  { ids, codes }: { ids: SkuId[]; codes: string[] },
): Promise<MappableSku[]> {
  return sql<MappableSku[]>`
    select s.id, s.sku, p.name as product_name
    from skus s
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and (s.id = any(${ids}) or s.sku = any(${codes}))`
}

/**
 * Lines of which nothing was picked or left yet and that a mapping is for: those it mapped, and those like it that nothing mapped. What left
 * and is to be made again is open, and did leave.
 */
const untouchedLinesOf = (sql: Sql, map: ListingMapRow) => sql`
  i.fulfillment_status = 'pending' and i.quantity_fulfilled = 0
  and not exists (
    select from shipment_items s
    where s.account_id = i.account_id and s.order_id = i.order_id and s.order_item_id = i.id)
  and not exists (select from order_picks p where p.account_id = i.account_id and p.order_item_id = i.id)
  and (i.mapped_by = ${map.id} or (i.product_sku_id is null and ${
    map.seller_sku === ''
      ? sql`i.listing_id = ${map.listing_id} and i.variation = ${map.variation}`
      : sql`i.seller_sku = ${map.seller_sku}`
  }))`

/** Orders of its shop with lines that a mapping is for, and one more, locked in the order of their IDs. */
export async function lockOrdersToMap(
  { sql, accountId }: Work,
  map: ListingMapRow,
  also: OrderId | undefined,
): Promise<OrderId[]> {
  const orders = await sql<{ id: OrderId }[]>`
    select o.id from orders o
    where o.account_id = ${accountId}
      and (o.platform = ${map.platform} and o.shop = ${map.shop}
        and o.id in (select i.order_id from order_items i where i.account_id = ${accountId} and ${untouchedLinesOf(sql, map)})
        ${also === undefined ? sql`` : sql`or o.id = ${also}`})
    order by o.id for update`
  return orders.map(({ id }) => id)
}

/** Maps these lines of locked orders, where they are not mapped so already; answers of which orders, one for each line. */
export async function mapLines(
  { sql, accountId, now }: Work,
  orderIds: readonly OrderId[],
  map: ListingMapRow,
): Promise<OrderId[]> {
  const lines = await sql<{ order_id: OrderId }[]>`
    update order_items i set product_sku_id = ${map.product_sku_id}, sku = ${map.sku}, pack_size = ${map.pack_size},
      product_name = case when i.product_name = '' then ${map.product_name} else i.product_name end,
      mapped_by = ${map.id}, updated_at = ${now}
    where i.account_id = ${accountId} and i.order_id = any(${[...orderIds]}) and ${untouchedLinesOf(sql, map)}
      and (i.product_sku_id, i.pack_size, i.mapped_by)
        is distinct from (${map.product_sku_id}::text, ${map.pack_size}::integer, ${map.id}::text)
    returning i.order_id`
  return lines.map((line) => line.order_id)
}

/** Maps one line, whatever others like it are. */
export async function mapLine(
  { sql, accountId, now }: Work,
  itemId: OrderItemId,
  to: MappableSku & { pack_size: number; mapped_by: ListingMapId | null },
): Promise<void> {
  await sql`
    update order_items set product_sku_id = ${to.id}, sku = ${to.sku}, pack_size = ${to.pack_size},
      product_name = case when product_name = '' then ${to.product_name} else product_name end,
      mapped_by = ${to.mapped_by}, updated_at = ${now}
    where account_id = ${accountId} and id = ${itemId}`
}

export async function touchOrders({ sql, accountId, now }: Work, orderIds: readonly OrderId[]): Promise<void> {
  await sql`update orders set updated_at = ${now} where account_id = ${accountId} and id = any(${[...orderIds]})`
}
