import type { Sql } from '../../../db/database.ts'
import type { OrderProgressRow } from '../../../db/rows.generated.ts'
import type { AccountId, OrderId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { OrderStatus } from '../../orders/state/order-status.ts'

/** Places of the units of an order: of each of its lines, and what was said of it last. */
export interface OrderUnits {
  order_id: OrderId
  status: OrderStatus
  told: OrderProgressRow['status'] | null
  /** Units that nothing is wanted of any more: taken for the customer. */
  fulfilled: number
  reserved: number
  to_assemble: number
  on_live_job: number
  to_print: number
  /** Blocked, or of a line that is not mapped. */
  blocked: number
  /** True when a person puts any of it together. */
  is_assembled: boolean
}

/** Units of open orders that have one of these items, or open lines of these SKUs. */
export async function listOrderUnits(
  sql: Sql,
  accountId: AccountId,
  { itemIds, skuIds }: { itemIds: readonly OrderItemId[]; skuIds: readonly SkuId[] },
): Promise<OrderUnits[]> {
  return sql<OrderUnits[]>`
    select o.id as order_id, o.status, told.status as told,
           sum(i.quantity_fulfilled * i.pack_size)::bigint as fulfilled,
           coalesce(sum(s.reserved), 0)::bigint as reserved, coalesce(sum(s.to_assemble), 0)::bigint as to_assemble,
           coalesce(sum(s.on_live_job), 0)::bigint as on_live_job, coalesce(sum(s.to_print), 0)::bigint as to_print,
           (coalesce(sum(s.blocked), 0)
             + coalesce(sum((i.quantity - i.quantity_fulfilled) * i.pack_size) filter (where i.product_sku_id is null), 0)
           )::bigint as blocked,
           bool_or(coalesce(p.requires_assembly, false)
             or exists (select from bom_children b where b.account_id = i.account_id and b.sku_id = i.product_sku_id)
           ) as is_assembled
    from orders o
    join order_items i on i.account_id = o.account_id and i.order_id = o.id and i.fulfillment_status <> 'cancelled'
    left join skus k on k.account_id = i.account_id and k.id = i.product_sku_id
    left join products p on p.account_id = k.account_id and p.id = k.product_id
    left join order_progress told on told.account_id = o.account_id and told.order_id = o.id
    left join lateral (
      select sum(units) filter (where state = 'reserved') as reserved,
             sum(units) filter (where state = 'to_assemble') as to_assemble,
             sum(units) filter (where state = 'on_live_job') as on_live_job,
             sum(units) filter (where state = 'to_print') as to_print,
             sum(units) filter (where state = 'blocked') as blocked
      from order_item_states s where s.account_id = i.account_id and s.order_item_id = i.id
    ) s on true
    where o.account_id = ${accountId} and o.status in ('pending', 'processing', 'printed', 'assembled')
      and o.id in (
        select order_id from order_items where account_id = ${accountId} and id = any(${[...itemIds]})
        union
        select order_id from order_items where account_id = ${accountId} and product_sku_id = any(${[...skuIds]})
          and fulfillment_status in ('pending', 'partial'))
    group by o.account_id, o.id, o.status, told.status`
}

/** What is made again for an order starts from nothing: its status follows its units as that of a new one. */
export async function forgetProgress({ sql, accountId }: Work, orderId: OrderId): Promise<void> {
  await sql`delete from order_progress where account_id = ${accountId} and order_id = ${orderId}`
}

/** What the units of these orders say of their status now. */
export async function writeProgress(
  { sql, accountId }: Work,
  orders: readonly Pick<OrderProgressRow, 'order_id' | 'status'>[],
): Promise<void> {
  await sql`
    insert into order_progress (account_id, order_id, status)
    select ${accountId}, w.* from unnest(
      ${orders.map((order) => order.order_id)}::text[], ${orders.map(({ status }) => status)}::text[]
    ) as w (order_id, status)
    on conflict (account_id, order_id) do update set status = excluded.status`
}
