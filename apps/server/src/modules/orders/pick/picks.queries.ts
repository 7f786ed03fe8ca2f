import type { Sql } from '../../../db/database.ts'
import type { Fragment } from '../../../db/driver/statement.ts'
import type { AccountId, InventoryItemId, OrderId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/** An open line of an order, with where its units lie and how many of them were picked. */
export interface PickLine {
  order_item_id: OrderItemId
  product_sku_id: SkuId | null
  sku: string
  product_name: string
  color: string
  bin: string
  inventory_item_id: InventoryItemId | null
  /** Units that are to leave. */
  open: number
  picked: number
  /** Ready stock that the line may have: what no other order holds and, of a personalised line, what was made for it alone. */
  on_shelf: number
  /** True when it leaves with the next parcel: always, but where lines ship alone only once all of it is there or some of it was picked. */
  is_due: boolean
  personalisation: { name: string; value: string }[]
}

/** An expression: the line is made for its customer alone, and nothing else will do. */
const isPersonalised = (sql: Sql, line: Fragment) => sql`(${line}.personalisation <> '[]'::jsonb)`

/** The open lines of an order by bin; those that lie in none last. */
export async function listPickLines(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<PickLine[]> {
  return sql<PickLine[]>`
    select i.id as order_item_id, i.product_sku_id, i.sku, i.product_name, coalesce(s.color, '') as color,
           coalesce(v.bin, '') as bin, v.id as inventory_item_id, ((i.quantity - i.quantity_fulfilled) * i.pack_size)::int8 as open,
           coalesce(p.units, 0)::int8 as picked,
           (case when ${isPersonalised(sql, sql`i`)} then coalesce((
             select sum(its.units) from pegs its
             where its.account_id = i.account_id and its.demand_id = i.id and its.product_sku_id = i.product_sku_id
               and its.supply_kind = 'ready_stock'), 0)
           else greatest(0, coalesce(v.ready_stock - coalesce((
             select sum(held.units) from pegs held
             where held.account_id = i.account_id and held.product_sku_id = i.product_sku_id
               and held.supply_kind = 'ready_stock' and held.demand_kind = 'order_item'
               and held.demand_id not in (
                 select own.id from order_items own
                 where own.account_id = i.account_id and own.order_id = i.order_id
                   and not ${isPersonalised(sql, sql`own`)})), 0), 0)) end)::int8 as on_shelf,
           (not coalesce(o.ship_lines_alone, false) or p.units > 0
             or coalesce((
               select sum(units) from order_item_states st
               where st.account_id = i.account_id and st.order_item_id = i.id and st.state = 'reserved'
             ), 0) >= (i.quantity - i.quantity_fulfilled) * i.pack_size) as is_due,
           i.personalisation
    from order_items i
    left join order_settings o on o.account_id = i.account_id
    left join skus s on s.account_id = i.account_id and s.id = i.product_sku_id
    left join inventory_items v on v.account_id = i.account_id and v.product_sku_id = i.product_sku_id
    left join order_picks p on p.account_id = i.account_id and p.order_item_id = i.id
    where i.account_id = ${accountId} and i.order_id = ${orderId} and i.fulfillment_status in ('pending', 'partial')
    order by coalesce(v.bin, '') = '', v.bin, i.sku, i.id`
}

/** So many units of a line were picked, all told; with 0 none. */
export async function writePick(
  { sql, accountId, actor, now }: Work,
  pick: { order_id: OrderId; order_item_id: OrderItemId; units: number },
): Promise<void> {
  if (pick.units <= 0) {
    await sql`delete from order_picks where account_id = ${accountId} and order_item_id = ${pick.order_item_id}`
    return
  }
  await sql`
    insert into order_picks ${sql({ account_id: accountId, ...pick, actor, picked_at: now })}
    on conflict (account_id, order_item_id)
      do update set units = excluded.units, actor = excluded.actor, picked_at = excluded.picked_at`
}

/** What was picked leaves first: of lines of which units left, so many less are picked. */
export async function takeFromPicks(
  { sql, accountId }: Work,
  left: readonly { order_item_id: OrderItemId; units: number }[],
): Promise<void> {
  if (left.length === 0) return
  const rows = sql`jsonb_to_recordset(${sql.json(left)}::jsonb) as l (order_item_id text, units int8)
    where p.account_id = ${accountId} and p.order_item_id = l.order_item_id`
  await sql`delete from order_picks p using ${rows} and p.units <= l.units`
  await sql`update order_picks p set units = p.units - l.units from ${rows} and p.units > l.units`
}

/** Answers what was picked for lines of an order, also for those that are not open any more. */
export async function listPicks(
  sql: Sql,
  accountId: AccountId,
  orderId: OrderId,
): Promise<{ order_item_id: OrderItemId; units: number }[]> {
  return sql<{ order_item_id: OrderItemId; units: number }[]>`
    select order_item_id, units from order_picks where account_id = ${accountId} and order_id = ${orderId}`
}

/** An order of which something can be picked: its lines that are due, and their units. */
interface ReadyOrder {
  order_id: OrderId
  lines: number
  units: number
}

/**
 * Orders for which the plan holds ready stock for all that is open; where lines ship alone, for all of a line. Looked through order by
 * order by `order_items_by_order`: right after a file of thousands of orders the database takes its tables for small, and would compare
 * each order with each open line by another index. That one is for lines known by their status alone, hence `coalesce`.
 */
export async function listReadyOrders(sql: Sql, accountId: AccountId): Promise<ReadyOrder[]> {
  return sql<ReadyOrder[]>`
    select i.order_id, count(*)::int8 as lines, sum(i.open)::int8 as units
    from (
      select o.id as order_id, l.open, l.held, l.picked, coalesce(s.ship_lines_alone, false) as is_alone
      from orders o
      left join order_settings s on s.account_id = o.account_id
      cross join lateral (
        select (i.quantity - i.quantity_fulfilled) * i.pack_size as open,
          coalesce((
            select sum(h.units) from order_item_states h
            where h.account_id = i.account_id and h.order_item_id = i.id and h.state = 'reserved'), 0) as held,
          coalesce((
            select p.units from order_picks p
            where p.account_id = i.account_id and p.order_item_id = i.id), 0) as picked
        from order_items i
        where i.account_id = o.account_id and i.order_id = o.id
          and coalesce(i.fulfillment_status, '') in ('pending', 'partial')
      ) l
      where o.account_id = ${accountId} and o.status in ('pending', 'processing', 'printed', 'assembled')
    ) i
    where not i.is_alone or i.held >= i.open or i.picked > 0
    group by i.order_id, i.is_alone
    having bool_and(i.held >= i.open) or (i.is_alone and bool_or(i.held >= i.open))`
}

/** Ready units of a SKU that are held for a line, and for no other whatever comes. */
export async function findHeldUnits(
  sql: Sql,
  accountId: AccountId,
  { order_item_id, product_sku_id }: { order_item_id: OrderItemId; product_sku_id: SkuId },
): Promise<number> {
  const [row] = await sql<{ units: number }[]>`
    select coalesce(sum(units), 0)::int8 as units from pinned_pegs
    where account_id = ${accountId} and order_item_id = ${order_item_id} and product_sku_id = ${product_sku_id}
      and supply_kind = 'ready_stock'`
  return row?.units ?? 0
}

/** Accounts that have orders of which something is still to leave. */
export async function listAccountsWithOrders(sql: Sql): Promise<AccountId[]> {
  const rows = await sql<{ id: AccountId }[]>`
    select a.id from accounts a
    where exists (
      select from orders o
      where o.account_id = a.id and o.status in ('pending', 'processing', 'printed', 'assembled'))`
  return rows.map(({ id }) => id)
}
