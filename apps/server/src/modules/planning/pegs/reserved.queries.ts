import type { Sql } from '../../../db/database.ts'
import type { Fragment } from '../../../db/driver/statement.ts'
import type { AccountId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/** An expression: ready units of a SKU that order items hold. By the index `pegs_by_sku`. */
export const reservedUnits = (sql: Sql, accountId: Fragment, skuId: Fragment) => sql`
  coalesce((
    select sum(p.units) from pegs p
    where p.account_id = ${accountId} and p.product_sku_id = ${skuId} and p.supply_kind = 'ready_stock'
      and p.demand_kind = 'order_item'), 0)::bigint`

/** Ready units of their own SKU that these order items hold. */
export async function listHeldByItems(
  sql: Sql,
  accountId: AccountId,
  itemIds: readonly OrderItemId[],
): Promise<Map<OrderItemId, number>> {
  const rows = await sql<{ order_item_id: OrderItemId; units: number }[]>`
    select i.id as order_item_id, p.units from order_items i
    join pegs p on p.account_id = i.account_id and p.demand_id = i.id and p.product_sku_id = i.product_sku_id
      and p.supply_kind = 'ready_stock'
    where i.account_id = ${accountId} and i.id = any(${[...itemIds]})`
  return new Map(rows.map((row) => [row.order_item_id, row.units]))
}

/** Ready units that order items hold, by SKU. */
export async function listReserved(
  sql: Sql,
  accountId: AccountId,
  skuIds: readonly SkuId[],
): Promise<Map<SkuId, number>> {
  if (skuIds.length === 0) return new Map()
  const rows = await sql<{ product_sku_id: SkuId; units: number }[]>`
    select product_sku_id, sum(units)::bigint as units from pegs
    where account_id = ${accountId} and product_sku_id = any(${[...skuIds]}) and supply_kind = 'ready_stock'
      and demand_kind = 'order_item'
    group by product_sku_id`
  return new Map(rows.map((row) => [row.product_sku_id, row.units]))
}

/** Units that left the shelf are reserved no more: until the next plan, they would be missing from it. */
export async function takeFromReserved(
  { sql, accountId }: Work,
  taken: readonly { order_item_id: OrderItemId; product_sku_id: SkuId; units: number }[],
): Promise<void> {
  if (taken.length === 0) return
  const rows = sql`jsonb_to_recordset(${sql.json(taken)}::jsonb) as t (order_item_id text, product_sku_id text, units int8)
    where p.account_id = ${accountId} and p.demand_id = t.order_item_id and p.product_sku_id = t.product_sku_id
      and p.supply_kind = 'ready_stock'`
  await sql`delete from pegs p using ${rows} and p.units <= t.units`
  await sql`update pegs p set units = p.units - t.units from ${rows} and p.units > t.units`
}

/**
 * Ready units of these SKUs that assembling another SKU must leave alone, by SKU: what order items hold that want none of it. Items that
 * want it, as it is or as a part, get what is put together, whatever task that is of; one that is personalised gets that of its own alone.
 */
export async function listHeldFromAssembly(
  sql: Sql,
  accountId: AccountId,
  {
    skuIds,
    assembledSkuId,
    orderItemId,
  }: { skuIds: readonly SkuId[]; assembledSkuId: SkuId; orderItemId: OrderItemId | null },
): Promise<Map<SkuId, number>> {
  if (skuIds.length === 0) return new Map()
  const rows = await sql<{ product_sku_id: SkuId; units: number }[]>`
    with recursive above as (
      select ${assembledSkuId}::text as sku_id
      union
      select b.sku_id from above join bom_children b on b.account_id = ${accountId} and b.child_sku_id = above.sku_id
    )
    select p.product_sku_id, sum(p.units)::bigint as units
    from pegs p
    join order_items i on i.account_id = p.account_id and i.id = p.demand_id
    where p.account_id = ${accountId} and p.product_sku_id = any(${[...skuIds]}) and p.supply_kind = 'ready_stock'
      and p.demand_kind = 'order_item' and i.id is distinct from ${orderItemId}
      and (i.personalisation <> '[]'::jsonb or i.product_sku_id not in (select sku_id from above))
    group by p.product_sku_id`
  return new Map(rows.map((row) => [row.product_sku_id, row.units]))
}
