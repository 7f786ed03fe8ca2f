import type { MaterialId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { followProduction } from '../../orders/state/follow-production.ts'
import { askForForecast } from '../../promises/state/ask-for-forecast.ts'
import type { Plan } from '../plan/plan.ts'
import { changedRows } from './changed-rows.ts'
import { type ComponentUse, writeUses } from './component-uses.queries.ts'
import { progressOf } from './order-progress.ts'
import { listOrderUnits, writeProgress } from './order-units.queries.ts'
import type { SkuScope } from './sku-scope.ts'
import {
  deleteGaps,
  deletePegs,
  deleteStates,
  listGaps,
  listPegs,
  listStates,
  type StoredGap,
  type StoredPeg,
  type StoredState,
  upsertGaps,
  upsertPegs,
  upsertStates,
  writeScarce,
} from './stored-plan.queries.ts'

/** A plan as it is written. */
interface PlanToWrite {
  plan: Plan
  /** What it is the whole plan of. */
  scope: SkuScope
  /** Those of it that changed themselves; the others are connected with them, or planned with all of the account. */
  changed: readonly SkuId[]
  /** What it gives of components. */
  uses: readonly ComponentUse[]
  /** Components and packaging that it looked at. */
  materialIds: readonly MaterialId[]
}

/** Makes what is stored of these SKUs just the plan. What stays as it is is not written, nor are orders looked at whose units stay. */
export async function writePlan(work: Work, { plan, scope, changed, uses, materialIds }: PlanToWrite): Promise<void> {
  await writePegs(work, scope, plan.pegs.map(storedPeg(plan)))
  await writeGaps(work, scope, storedGaps(plan))
  const itemIds = await writeStates(work, scope, plan.demands.flatMap(storedStates))
  const short = new Set(plan.materials.flatMap(({ materialId, short }) => (short > 0 ? [materialId] : [])))
  await writeUses(work, scope, uses)
  await writeScarce(work, { seen: materialIds, scarce: materialIds.filter((materialId) => short.has(materialId)) })
  await moveOrders(work, { itemIds, skuIds: changed })
  await askForForecast(work)
}

async function writePegs(work: Work, scope: SkuScope, wanted: readonly StoredPeg[]): Promise<void> {
  const { gone, written } = changedRows(await listPegs(work.sql, work.accountId, scope), wanted, {
    groupOf: (peg) => peg.demand_id,
    isSameKey: (a, b) =>
      a.product_sku_id === b.product_sku_id && a.supply_kind === b.supply_kind && a.supply_id === b.supply_id,
    isSame: (a, b) => a.units === b.units,
  })
  await deletePegs(work, gone)
  await upsertPegs(work, written)
}

async function writeGaps(work: Work, scope: SkuScope, wanted: readonly StoredGap[]): Promise<void> {
  const { gone, written } = changedRows(await listGaps(work.sql, work.accountId, scope), wanted, {
    groupOf: (gap) => gap.order_item_id,
    isSameKey: (a, b) => a.product_sku_id === b.product_sku_id,
    isSame: (a, b) => a.units === b.units,
  })
  await deleteGaps(work, gone)
  await upsertGaps(work, written)
}

/** Answers the items whose units moved. */
async function writeStates(work: Work, scope: SkuScope, wanted: readonly StoredState[]): Promise<OrderItemId[]> {
  const { gone, written } = changedRows(await listStates(work.sql, work.accountId, scope), wanted, {
    groupOf: (row) => row.order_item_id,
    isSameKey: (a, b) => a.position === b.position && a.product_sku_id === b.product_sku_id,
    isSame: (a, b) => a.state === b.state && a.units === b.units && blockersOf(a) === blockersOf(b),
  })
  await deleteStates(work, gone)
  await upsertStates(work, written)
  return [...new Set([...gone, ...written].map((row) => row.order_item_id))]
}

/** The database keeps the fields of an object in an order of its own. */
function blockersOf({ blockers }: StoredState): string {
  const fields = (blocker: object) => Object.entries(blocker).sort(([a], [b]) => (a < b ? -1 : 1))
  return Array.isArray(blockers) && blockers.length > 0 ? JSON.stringify((blockers as object[]).map(fields)) : ''
}

/** Orders stand where their units are, once these have moved. */
async function moveOrders(
  work: Work,
  moved: { itemIds: readonly OrderItemId[]; skuIds: readonly SkuId[] },
): Promise<void> {
  if (moved.itemIds.length + moved.skuIds.length === 0) return
  const orders = await listOrderUnits(work.sql, work.accountId, moved)
  const news = orders.flatMap((order) => {
    const status = progressOf(order)
    return status === (order.told ?? 'pending') ? [] : [{ order_id: order.order_id, status }]
  })
  if (news.length === 0) return
  await writeProgress(work, news)
  await followProduction(work, news)
}

/** Gaps of orders: what is to be on the shelf is made after them. */
function storedGaps({ demands, gaps }: Plan): StoredGap[] {
  const items = new Map(
    demands.flatMap(({ demand }) => (demand.kind === 'order_item' ? [[demand.id as string, demand.id] as const] : [])),
  )
  return gaps.flatMap(({ demandId, skuId, make, units }) => {
    const itemId = items.get(demandId)
    return make === 'print' && itemId !== undefined ? [{ order_item_id: itemId, product_sku_id: skuId, units }] : []
  })
}

function storedPeg({ demands }: Plan): (peg: Plan['pegs'][number]) => StoredPeg {
  const kinds = new Map(demands.map(({ demand }) => [demand.id, demand.kind]))
  return ({ demandId, skuId, supply, units }) => ({
    demand_kind: kinds.get(demandId) ?? 'order_item',
    demand_id: demandId,
    product_sku_id: skuId,
    supply_kind: supply.kind,
    supply_id: supply.id,
    units,
  })
}

function storedStates({ demand, groups }: Plan['demands'][number]): StoredState[] {
  const { skuId } = demand
  if (demand.kind !== 'order_item' || skuId === null) return []
  return groups.map((group, position) => ({
    order_item_id: demand.id,
    product_sku_id: skuId,
    state: group.state,
    position,
    units: group.units,
    blockers: group.state === 'blocked' ? group.blockers.map((blocker) => ({ ...blocker })) : [],
  }))
}
