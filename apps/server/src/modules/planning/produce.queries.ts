import type { Sql } from '../../db/database.ts'
import type { AccountId, OrderId, SkuId } from '../../kernel/ids.ts'

/** Which orders are meant: all that are open and fit. */
export interface OrderScope {
  /** Only orders that have to leave before then. */
  dueBefore?: Date
  orderIds?: readonly OrderId[]
  /** Lines of these SKUs alone. */
  skuIds?: readonly SkuId[]
}

export async function isOrder(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<boolean> {
  const rows = await sql`select id from orders where account_id = ${accountId} and id = ${orderId}`
  return rows.length > 0
}

export async function findShipBy(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<Date | null> {
  const [order] = await sql<{ ship_by: Date | null }[]>`
    select ship_by from orders where account_id = ${accountId} and id = ${orderId}`
  return order?.ship_by ?? null
}

/** Answers where in lists of IDs one stands that is of no order, or of no SKU, of the account. */
export async function listUnknown(
  sql: Sql,
  accountId: AccountId,
  { orderIds, skuIds }: { orderIds: readonly OrderId[]; skuIds: readonly SkuId[] },
): Promise<{ field: 'order_ids' | 'sku_ids'; position: number }[]> {
  if (orderIds.length + skuIds.length === 0) return []
  return sql<{ field: 'order_ids' | 'sku_ids'; position: number }[]>`
    select 'order_ids' as field, (w.number - 1)::int4 as position
    from unnest(${[...orderIds]}::text[]) with ordinality as w (id, number)
    where not exists (select from orders o where o.account_id = ${accountId} and o.id = w.id)
    union all
    select 'sku_ids', (w.number - 1)::int4
    from unnest(${[...skuIds]}::text[]) with ordinality as w (id, number)
    where not exists (select from skus s where s.account_id = ${accountId} and s.id = w.id)`
}

export async function listOpenOrders(sql: Sql, accountId: AccountId, scope: OrderScope): Promise<OrderId[]> {
  const { dueBefore, orderIds, skuIds } = scope
  const rows = await sql<{ id: OrderId }[]>`
    select o.id from orders o
    where o.account_id = ${accountId} and o.status in ('pending', 'processing', 'printed', 'assembled')
      ${dueBefore === undefined ? sql`` : sql`and o.ship_by < ${dueBefore}`}
      ${orderIds === undefined ? sql`` : sql`and o.id = any(${[...orderIds]})`}
      ${
        skuIds === undefined
          ? sql``
          : sql`and exists (
              select from order_items i where i.account_id = o.account_id and i.order_id = o.id
                and i.product_sku_id = any(${[...skuIds]}))`
      }`
  return rows.map((row) => row.id)
}

/** The SKUs of which some are to be on the shelf, by the index `skus_restocked`. */
export async function listRestockedSkus(sql: Sql, accountId: AccountId): Promise<SkuId[]> {
  const rows = await sql<{ id: SkuId }[]>`
    select id from skus where account_id = ${accountId} and restock_to is not null and is_active`
  return rows.map((row) => row.id)
}

/** Orders and SKUs that are produced without being asked for, of those that were planned. */
export async function readAutoProduce(
  sql: Sql,
  accountId: AccountId,
  scope: readonly SkuId[] | 'all',
): Promise<{ orderIds: OrderId[]; skuIds: SkuId[] }> {
  const inScope = scope === 'all' ? sql`` : sql`and s.id = any(${[...scope]})`
  const skus = await sql<{ id: SkuId }[]>`
    select s.id from skus s
    where s.account_id = ${accountId} and s.auto_produce and s.restock_to is not null and s.is_active ${inScope}`
  const orders = await sql<{ id: OrderId }[]>`
    select o.id from orders o
    join order_settings a on a.account_id = o.account_id
    where o.account_id = ${accountId} and o.status in ('pending', 'processing', 'printed', 'assembled')
      and (a.auto_produce = 'always' or a.auto_produce = 'paid' and o.is_paid
        and not exists (
          select from order_items i where i.account_id = o.account_id and i.order_id = o.id
            and i.product_sku_id is null and i.fulfillment_status in ('pending', 'partial')))
      ${
        scope === 'all'
          ? sql``
          : sql`and exists (
              select from order_items i where i.account_id = o.account_id and i.order_id = o.id
                and i.product_sku_id = any(${[...scope]}) and i.fulfillment_status in ('pending', 'partial'))`
      }`
  return { orderIds: orders.map((row) => row.id), skuIds: skus.map((row) => row.id) }
}
