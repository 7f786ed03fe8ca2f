import type { Sql } from '../../db/database.ts'
import type { Fragment } from '../../db/driver/statement.ts'
import type { MaterialRow, OrderItemRow, OrderRow } from '../../db/rows.generated.ts'
import type { AccountId, OrderId } from '../../kernel/ids.ts'
import { fallbackCurrency } from '../orders/settings/currencies.ts'

/** Which orders are looked at: the `where` of a statement over `orders o`. */
type OrderScope = (sql: Sql) => Fragment

export const oneOrder =
  (id: OrderId): OrderScope =>
  (sql) =>
    sql`o.id = ${id}`

/** Orders of some days, without those that were cancelled or refunded; by the index `orders_by_date`. */
export const ordersOfDays =
  ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date }): OrderScope =>
  (sql) =>
    sql`
    o.status not in ('cancelled', 'refunded') and o.order_date >= ${starts_at} and o.order_date < ${ends_at}`

const chosen = (sql: Sql, accountId: AccountId, scope: OrderScope) => sql`
  (select o.id from orders o where o.account_id = ${accountId} and ${scope(sql)})`

export type OrderToCost = Pick<
  OrderRow,
  'id' | 'order_number' | 'platform' | 'status' | 'total_revenue' | 'tax_amount' | 'shipping_cost'
> & {
  currency: string
  /** By the calendar of the account. */
  date: string
}

/** The latest first. */
export async function listOrdersToCost(sql: Sql, accountId: AccountId, scope: OrderScope): Promise<OrderToCost[]> {
  return sql<OrderToCost[]>`
    select o.id, o.order_number, o.platform, o.status, o.total_revenue, o.tax_amount, o.shipping_cost,
           coalesce(o.currency, settings.currency, ${fallbackCurrency}::text) as currency,
           (o.order_date at time zone a.time_zone)::date as date
    from orders o
    join accounts a on a.id = o.account_id
    left join order_settings settings on settings.account_id = o.account_id
    where o.account_id = ${accountId} and ${scope(sql)}
    order by o.order_date desc, o.id desc`
}

export type LineToCost = Pick<
  OrderItemRow,
  | 'id'
  | 'order_id'
  | 'product_sku_id'
  | 'sku'
  | 'product_name'
  | 'quantity'
  | 'pack_size'
  | 'total_price'
  | 'quantity_fulfilled'
  | 'fulfillment_status'
> & { shipped: number; restocked: number }

/** Lines that were not cancelled, with the units that left and those that came back into stock. */
export async function listLinesToCost(sql: Sql, accountId: AccountId, scope: OrderScope): Promise<LineToCost[]> {
  return sql<LineToCost[]>`
    with shipped as (
      select s.order_item_id, sum(s.units)::int8 as units from shipment_items s
      where s.account_id = ${accountId} and s.order_id in ${chosen(sql, accountId, scope)}
      group by s.order_item_id
    ), restocked as (
      select r.order_item_id, sum(r.units)::int8 as units from order_returns r
      where r.account_id = ${accountId} and r.disposition = 'restock' and r.order_id in ${chosen(sql, accountId, scope)}
      group by r.order_item_id
    )
    select i.id, i.order_id, i.product_sku_id, i.sku, i.product_name, i.quantity, i.pack_size, i.total_price,
           i.quantity_fulfilled, i.fulfillment_status, coalesce(shipped.units, 0) as shipped,
           coalesce(restocked.units, 0) as restocked
    from order_items i
    left join shipped on shipped.order_item_id = i.id
    left join restocked on restocked.order_item_id = i.id
    where i.account_id = ${accountId} and i.fulfillment_status <> 'cancelled'
      and i.order_id in ${chosen(sql, accountId, scope)}
    order by i.order_id, i.id`
}

type PackagingRow = Pick<MaterialRow, 'id' | 'name'> & { order_id: OrderId; pieces: number }

/** Packaging that was booked for parcels. */
export async function listPackagingUsed(sql: Sql, accountId: AccountId, scope: OrderScope): Promise<PackagingRow[]> {
  return sql<PackagingRow[]>`
    select s.order_id, k.id, k.name, sum(m.shortage - m.change)::int8 as pieces
    from shipments s
    join material_movements m on m.account_id = s.account_id and m.shipment_id = s.id
    join materials k on k.account_id = m.account_id and k.id = m.material_id
    where s.account_id = ${accountId} and s.order_id in ${chosen(sql, accountId, scope)}
    group by s.order_id, k.id, k.name
    order by s.order_id, k.id`
}

/** Time that people recorded for picking and packing; null where a task that was completed has none. */
export async function listOrderLabour(
  sql: Sql,
  accountId: AccountId,
  scope: OrderScope,
): Promise<{ order_id: OrderId; seconds: number | null }[]> {
  return sql<{ order_id: OrderId; seconds: number | null }[]>`
    select w.subject_id as order_id,
           case when bool_and(w.actual_time_minutes is not null) then sum(w.actual_time_minutes)::int8 * 60 end as seconds
    from worklist_tasks w
    where w.account_id = ${accountId} and w.source in ('pick', 'pack') and w.status = 'completed'
      and w.subject_id in ${chosen(sql, accountId, scope)}
    group by w.subject_id`
}
