import type { Sql } from '../../../db/database.ts'
import type { ShopStockRow } from '../../../db/rows.generated.ts'
import type { AccountId, ShopId } from '../../../kernel/ids.ts'
import type { Shop } from '../../orders/listings/listing-maps.queries.ts'
import { reservedUnits } from '../../planning/pegs/reserved.queries.ts'
import type { Listing } from '../connectors/contract/connector.ts'

/** A listing with what can be promised of its SKU, and what the shop was told. */
export interface ListedStock extends Listing {
  pack_size: number
  available: number
  told: number | null
  seen: number | null
  checked_at: Date | null
}

export const keyOf = ({ seller_sku, listing_id, variation }: Listing) =>
  JSON.stringify(seller_sku === '' ? ['', listing_id, variation] : [seller_sku])

/** True when a plan is still to be made: until then no one knows what is available. */
export async function isPlanBehind(sql: Sql, accountId: AccountId): Promise<boolean> {
  const [row] = await sql<{ is_behind: boolean }[]>`
    select exists (select from replan_requests where account_id = ${accountId}) as is_behind`
  return row?.is_behind === true
}

/** Answers what a shop may sell: listings that were mapped, and active SKUs by their code where no mapping says otherwise. */
export async function listStock(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  { platform, shop }: Shop,
): Promise<ListedStock[]> {
  const rows = await sql<Omit<ListedStock, 'told' | 'seen' | 'checked_at'>[]>`
    with listings as (
      select m.seller_sku, m.listing_id, m.variation, m.product_sku_id, m.pack_size
      from listing_maps m where m.account_id = ${accountId} and m.platform = ${platform} and m.shop = ${shop}
      union all
      select k.sku, '', '', k.id, 1 from skus k
      where k.account_id = ${accountId} and k.is_active and not exists (
        select from listing_maps m
        where m.account_id = k.account_id and m.platform = ${platform} and m.shop = ${shop} and m.seller_sku = k.sku)
    )
    select l.seller_sku, l.listing_id, l.variation, l.pack_size,
      greatest(0, i.ready_stock - ${reservedUnits(sql, sql`i.account_id`, sql`i.product_sku_id`)})::int4 as available
    from listings l
    join inventory_items i on i.account_id = ${accountId} and i.product_sku_id = l.product_sku_id and i.is_active`
  const told = await sql<Pick<ShopStockRow, 'listing' | 'told' | 'seen' | 'updated_at'>[]>`
    select listing, told, seen, updated_at from shop_stock where account_id = ${accountId} and shop_id = ${shopId}`
  const known = new Map(told.map((row) => [row.listing, row]))
  return rows.map((row) => {
    const before = known.get(keyOf(row))
    return { ...row, told: before?.told ?? null, seen: before?.seen ?? null, checked_at: before?.updated_at ?? null }
  })
}

export async function saveStock(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  row: Pick<ShopStockRow, 'listing' | 'told' | 'seen' | 'problem' | 'updated_at'>,
): Promise<void> {
  const { listing: _listing, ...changed } = row
  await sql`
    insert into shop_stock ${sql({ account_id: accountId, shop_id: shopId, ...row })}
    on conflict (account_id, shop_id, listing) do update set ${sql(changed)}`
}
