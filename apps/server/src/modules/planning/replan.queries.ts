import type { Sql } from '../../db/database.ts'
import type { OrderItemStateRow, OrderProgressRow, PegRow, PlanGapRow } from '../../db/rows.generated.ts'
import type { AccountId, MaterialId, OrderId, SkuId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { OrderStatus } from '../orders/order-status.ts'

/** Plans of an account are written one after another. Anyone who also locks rows of orders or stock asks for this first. */
export async function waitForPlan(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plan ' || ${accountId}::text, 0))`
}

/** Accounts that asked for a plan. */
export async function listAccountsToPlan(sql: Sql): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    /* every account: the planner works for all of them */
    select distinct account_id from replan_requests`
  return rows.map((row) => row.account_id)
}

/** Whether an account asked for a plan: most of what happens changes no unit. */
export async function isAsked(sql: Sql, accountId: AccountId): Promise<boolean> {
  const rows = await sql`select position from replan_requests where account_id = ${accountId} limit 1`
  return rows.length > 0
}

/**
 * The SKUs to plan again, those first that were asked for first; where all were asked for, whatever is wanted or held anywhere. The
 * requests are gone: who does not plan them all gives the rest back in the same transaction.
 */
export async function takeRequests(sql: Sql, accountId: AccountId): Promise<SkuId[]> {
  const rows = await sql<{ product_sku_id: SkuId | null }[]>`
    with taken as (delete from replan_requests where account_id = ${accountId} returning product_sku_id, position)
    select product_sku_id from taken group by product_sku_id order by min(position)`
  const skuIds = rows.flatMap((row) => row.product_sku_id ?? [])
  if (skuIds.length === rows.length) return skuIds
  return [...new Set([...skuIds, ...(await listSkusOfPlan(sql, accountId))])]
}

/** Every SKU of which a plan says anything, or whose pegs an earlier plan wrote. */
async function listSkusOfPlan(sql: Sql, accountId: AccountId): Promise<SkuId[]> {
  const rows = await sql<{ id: SkuId }[]>`
    select product_sku_id as id from order_items
      where account_id = ${accountId} and product_sku_id is not null and fulfillment_status in ('pending', 'partial')
    union
    select i.product_sku_id from order_item_states s
      join order_items i on i.account_id = s.account_id and i.id = s.order_item_id
      where s.account_id = ${accountId} and i.product_sku_id is not null
    union select product_sku_id from pegs where account_id = ${accountId}
    union select id from skus where account_id = ${accountId} and restock_to is not null
    order by id`
  return rows.map(({ id }) => id)
}

/** Asks again for a plan of these. */
export async function giveBackRequests({ sql, accountId }: Work, skuIds: readonly SkuId[]): Promise<void> {
  if (skuIds.length === 0) return
  await sql`
    insert into replan_requests (account_id, product_sku_id)
    select ${accountId}, w.id from unnest(${[...skuIds]}::text[]) with ordinality as w (id, position) order by w.position`
}

export type StoredPeg = Pick<
  PegRow,
  'demand_kind' | 'demand_id' | 'product_sku_id' | 'supply_kind' | 'supply_id' | 'units'
>

/** Makes the pegs of these SKUs, or of all, just those. What stays as it is is not written. */
export async function writePegs(
  { sql, accountId }: Work,
  scope: readonly SkuId[] | 'all',
  pegs: readonly StoredPeg[],
): Promise<void> {
  const wanted = sql`
    select * from unnest(
      ${pegs.map((peg) => peg.demand_kind)}::text[], ${pegs.map((peg) => peg.demand_id)}::text[],
      ${pegs.map((peg) => peg.product_sku_id)}::text[], ${pegs.map((peg) => peg.supply_kind)}::text[],
      ${pegs.map((peg) => peg.supply_id)}::text[], ${pegs.map((peg) => peg.units)}::bigint[]
    ) as wanted (demand_kind, demand_id, product_sku_id, supply_kind, supply_id, units)`
  await sql`
    delete from pegs p where p.account_id = ${accountId}
      ${scope === 'all' ? sql`` : sql`and p.product_sku_id = any(${[...scope]})`}
      and not exists (
        select from (${wanted}) w
        where (w.demand_id, w.product_sku_id, w.supply_kind, w.supply_id)
            = (p.demand_id, p.product_sku_id, p.supply_kind, p.supply_id))`
  if (pegs.length === 0) return
  await sql`
    insert into pegs (account_id, demand_kind, demand_id, product_sku_id, supply_kind, supply_id, units)
    select ${accountId}, w.demand_kind, w.demand_id, w.product_sku_id, w.supply_kind, w.supply_id, w.units
    from (${wanted}) w
    on conflict (account_id, demand_id, product_sku_id, supply_kind, supply_id) do update set units = excluded.units
      where pegs.units <> excluded.units`
}

export type StoredState = Pick<
  OrderItemStateRow,
  'order_item_id' | 'state' | 'position' | 'units' | 'expected_at' | 'blockers'
>

/** Makes the states of these items just those. Items that want nothing any more have none. What stays as it is is not written. */
export async function writeStates(
  { sql, accountId }: Work,
  scope: readonly SkuId[] | 'all',
  states: readonly StoredState[],
): Promise<void> {
  await sql`
    delete from order_item_states s using order_items i
    where s.account_id = ${accountId} and i.account_id = s.account_id and i.id = s.order_item_id
      ${scope === 'all' ? sql`` : sql`and i.product_sku_id = any(${[...scope]})`}
      and not exists (
        select from unnest(
          ${states.map((row) => row.order_item_id)}::text[], ${states.map((row) => row.position)}::integer[]
        ) as w (order_item_id, position)
        where (w.order_item_id, w.position) = (s.order_item_id, s.position))`
  if (states.length === 0) return
  await sql`
    insert into order_item_states as s (account_id, order_item_id, state, position, units, expected_at, blockers)
    select ${accountId}, w.* from unnest(
      ${states.map((row) => row.order_item_id)}::text[], ${states.map((row) => row.state)}::text[],
      ${states.map((row) => row.position)}::integer[], ${states.map((row) => row.units)}::bigint[],
      ${states.map((row) => row.expected_at)}::timestamptz[],
      ${states.map((row) => JSON.stringify(row.blockers))}::jsonb[]
    ) as w (order_item_id, state, position, units, expected_at, blockers)
    on conflict (account_id, order_item_id, position) do update
      set state = excluded.state, units = excluded.units, expected_at = excluded.expected_at, blockers = excluded.blockers
      where (s.state, s.units, s.expected_at, s.blockers)
        is distinct from (excluded.state, excluded.units, excluded.expected_at, excluded.blockers)`
}

export type StoredGap = Pick<PlanGapRow, 'order_item_id' | 'product_sku_id' | 'units'>

/** Makes what is to be printed of these SKUs, or of all, just that. What stays as it is is not written. */
export async function writeGaps(
  { sql, accountId }: Work,
  scope: readonly SkuId[] | 'all',
  gaps: readonly StoredGap[],
): Promise<void> {
  await sql`
    delete from plan_gaps g where g.account_id = ${accountId}
      ${scope === 'all' ? sql`` : sql`and g.product_sku_id = any(${[...scope]})`}
      and not exists (
        select from unnest(
          ${gaps.map((gap) => gap.order_item_id)}::text[], ${gaps.map((gap) => gap.product_sku_id)}::text[]
        ) as w (order_item_id, product_sku_id)
        where (w.order_item_id, w.product_sku_id) = (g.order_item_id, g.product_sku_id))`
  if (gaps.length === 0) return
  await sql`
    insert into plan_gaps as g (account_id, order_item_id, product_sku_id, units)
    select ${accountId}, w.* from unnest(
      ${gaps.map((gap) => gap.order_item_id)}::text[], ${gaps.map((gap) => gap.product_sku_id)}::text[],
      ${gaps.map((gap) => gap.units)}::bigint[]
    ) as w (order_item_id, product_sku_id, units)
    on conflict (account_id, order_item_id, product_sku_id) do update set units = excluded.units
      where g.units <> excluded.units`
}

/** Of these materials the last plan had too few, and of no others that it looked at. */
export async function writeScarce(
  { sql, accountId }: Work,
  { seen, scarce }: { seen: readonly MaterialId[]; scarce: readonly MaterialId[] },
): Promise<void> {
  await sql`
    delete from scarce_materials
    where account_id = ${accountId} and material_id = any(${[...seen]}) and material_id <> all(${[...scarce]})`
  if (scarce.length === 0) return
  await sql`
    insert into scarce_materials (account_id, material_id)
    select ${accountId}, unnest(${[...scarce]}::text[]) on conflict do nothing`
}

/** Where the units of an order are: of each of its lines, and what was said of it last. */
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
  /** Whether a person puts any of it together. */
  is_assembled: boolean
}

/** Of the orders that have lines of these SKUs, or of all open ones. */
export async function listOrderUnits(
  sql: Sql,
  accountId: AccountId,
  scope: readonly SkuId[] | 'all',
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
      ${
        scope === 'all'
          ? sql``
          : sql`and o.id in (
              select order_id from order_items where account_id = ${accountId} and product_sku_id = any(${[...scope]})
                and fulfillment_status in ('pending', 'partial', 'fulfilled'))`
      }
    group by o.account_id, o.id, o.status, told.status`
}

/** What is made again for an order starts from nothing: its status follows its units as that of a new one. */
export async function forgetProgress({ sql, accountId }: Work, orderId: OrderId): Promise<void> {
  await sql`delete from order_progress where account_id = ${accountId} and order_id = ${orderId}`
}

export async function writeProgress(
  { sql, accountId }: Work,
  orderId: OrderId,
  status: OrderProgressRow['status'],
): Promise<void> {
  await sql`
    insert into order_progress (account_id, order_id, status) values (${accountId}, ${orderId}, ${status})
    on conflict (account_id, order_id) do update set status = excluded.status`
}
