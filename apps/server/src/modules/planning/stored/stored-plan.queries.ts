import type { Sql } from '../../../db/database.ts'
import type { OrderItemStateRow, PegRow, PlanGapRow } from '../../../db/rows.generated.ts'
import type { AccountId, MaterialId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { inScope, type SkuScope } from './sku-scope.ts'

export type StoredPeg = Pick<
  PegRow,
  'demand_kind' | 'demand_id' | 'product_sku_id' | 'supply_kind' | 'supply_id' | 'units'
>

export async function listPegs(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<StoredPeg[]> {
  return sql<StoredPeg[]>`
    select demand_kind, demand_id, product_sku_id, supply_kind, supply_id, units from pegs
    where account_id = ${accountId} ${inScope(sql, sql`product_sku_id`, scope)}`
}

export async function deletePegs({ sql, accountId }: Work, pegs: readonly StoredPeg[]): Promise<void> {
  if (pegs.length === 0) return
  await sql`
    delete from pegs p using unnest(
      ${pegs.map((peg) => peg.demand_id)}::text[], ${pegs.map((peg) => peg.product_sku_id)}::text[],
      ${pegs.map((peg) => peg.supply_kind)}::text[], ${pegs.map((peg) => peg.supply_id)}::text[]
    ) as w (demand_id, product_sku_id, supply_kind, supply_id)
    where p.account_id = ${accountId} and p.demand_id = w.demand_id and p.product_sku_id = w.product_sku_id
      and p.supply_kind = w.supply_kind and p.supply_id = w.supply_id`
}

export async function upsertPegs({ sql, accountId }: Work, pegs: readonly StoredPeg[]): Promise<void> {
  if (pegs.length === 0) return
  await sql`
    insert into pegs (account_id, demand_kind, demand_id, product_sku_id, supply_kind, supply_id, units)
    select ${accountId}, w.* from unnest(
      ${pegs.map((peg) => peg.demand_kind)}::text[], ${pegs.map((peg) => peg.demand_id)}::text[],
      ${pegs.map((peg) => peg.product_sku_id)}::text[], ${pegs.map((peg) => peg.supply_kind)}::text[],
      ${pegs.map((peg) => peg.supply_id)}::text[], ${pegs.map((peg) => peg.units)}::bigint[]
    ) as w (demand_kind, demand_id, product_sku_id, supply_kind, supply_id, units)
    on conflict (account_id, demand_id, product_sku_id, supply_kind, supply_id) do update set units = excluded.units`
}

export type StoredState = Pick<
  OrderItemStateRow,
  'order_item_id' | 'product_sku_id' | 'state' | 'position' | 'units' | 'blockers'
>

export async function listStates(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<StoredState[]> {
  return sql<StoredState[]>`
    select order_item_id, product_sku_id, state, position, units, blockers from order_item_states
    where account_id = ${accountId} ${inScope(sql, sql`product_sku_id`, scope)}`
}

/** Only as long as they are of this SKU: the item may have another one now, whose plan has written its states already. */
export async function deleteStates({ sql, accountId }: Work, states: readonly StoredState[]): Promise<void> {
  if (states.length === 0) return
  await sql`
    delete from order_item_states s using unnest(
      ${states.map((row) => row.order_item_id)}::text[], ${states.map((row) => row.position)}::integer[],
      ${states.map((row) => row.product_sku_id)}::text[]
    ) as w (order_item_id, position, product_sku_id)
    where s.account_id = ${accountId} and s.order_item_id = w.order_item_id and s.position = w.position
      and s.product_sku_id = w.product_sku_id`
}

export async function upsertStates({ sql, accountId }: Work, states: readonly StoredState[]): Promise<void> {
  if (states.length === 0) return
  await sql`
    insert into order_item_states (account_id, order_item_id, product_sku_id, state, position, units, blockers)
    select ${accountId}, w.* from unnest(
      ${states.map((row) => row.order_item_id)}::text[], ${states.map((row) => row.product_sku_id)}::text[],
      ${states.map((row) => row.state)}::text[], ${states.map((row) => row.position)}::integer[],
      ${states.map((row) => row.units)}::bigint[], ${states.map((row) => JSON.stringify(row.blockers))}::jsonb[]
    ) as w (order_item_id, product_sku_id, state, position, units, blockers)
    on conflict (account_id, order_item_id, position) do update
      set product_sku_id = excluded.product_sku_id, state = excluded.state, units = excluded.units, blockers = excluded.blockers`
}

export type StoredGap = Pick<PlanGapRow, 'order_item_id' | 'product_sku_id' | 'units'>

export async function listGaps(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<StoredGap[]> {
  return sql<StoredGap[]>`
    select order_item_id, product_sku_id, units from plan_gaps
    where account_id = ${accountId} ${inScope(sql, sql`product_sku_id`, scope)}`
}

export async function deleteGaps({ sql, accountId }: Work, gaps: readonly StoredGap[]): Promise<void> {
  if (gaps.length === 0) return
  await sql`
    delete from plan_gaps g using unnest(
      ${gaps.map((gap) => gap.order_item_id)}::text[], ${gaps.map((gap) => gap.product_sku_id)}::text[]
    ) as w (order_item_id, product_sku_id)
    where g.account_id = ${accountId} and g.order_item_id = w.order_item_id and g.product_sku_id = w.product_sku_id`
}

export async function upsertGaps({ sql, accountId }: Work, gaps: readonly StoredGap[]): Promise<void> {
  if (gaps.length === 0) return
  await sql`
    insert into plan_gaps (account_id, order_item_id, product_sku_id, units)
    select ${accountId}, w.* from unnest(
      ${gaps.map((gap) => gap.order_item_id)}::text[], ${gaps.map((gap) => gap.product_sku_id)}::text[],
      ${gaps.map((gap) => gap.units)}::bigint[]
    ) as w (order_item_id, product_sku_id, units)
    on conflict (account_id, order_item_id, product_sku_id) do update set units = excluded.units`
}

/** Writes of which materials the last plan had too few, and of no others that it looked at. */
export async function writeScarce(
  { sql, accountId }: Work,
  { seen, scarce }: { seen: readonly MaterialId[]; scarce: readonly MaterialId[] },
): Promise<void> {
  if (seen.length === 0) return
  await sql`
    delete from scarce_materials
    where account_id = ${accountId} and material_id = any(${[...seen]}) and material_id <> all(${[...scarce]})`
  if (scarce.length === 0) return
  await sql`
    insert into scarce_materials (account_id, material_id)
    select ${accountId}, unnest(${[...scarce]}::text[]) on conflict do nothing`
}
