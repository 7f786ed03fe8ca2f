import type { Sql } from '../../db/database.ts'
import type { AccountId, MaterialId, OrderId, SkuId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { followProduction } from '../orders/state/follow-production.ts'
import { askForForecast } from '../promises/state/ask-for-forecast.ts'
import { listScarceMaterials } from './facts.queries.ts'
import { connectedSkus, type FarmLinks, loadFacts, loadLinks } from './load-facts.ts'
import { progressOf } from './order-progress.ts'
import { removeEndedPins } from './pegs/pins.queries.ts'
import type { Facts } from './plan/facts.ts'
import { planInTurns } from './plan/net.ts'
import type { Plan } from './plan/plan.ts'
import { listSkusOfOrders } from './produce.queries.ts'
import {
  giveBackRequests,
  listOrderUnits,
  type StoredGap,
  type StoredPeg,
  type StoredState,
  takeRequests,
  waitForPlan,
  writeGaps,
  writePegs,
  writeProgress,
  writeScarce,
  writeStates,
} from './replan.queries.ts'

/** Where plans are read from. */
export interface PlanReader {
  sql: Sql
  accountId: AccountId
  now: Date
}

/** What was planned, and of which SKUs it is the whole plan. */
export interface Planned {
  scope: readonly SkuId[] | 'all'
  facts: Facts
  plan: Plan
}

/** SKUs that are planned at once, with all that is connected with them: more would hold up what else the process does. */
const mostAtOnce = 100

/** How often a plan is made again because components turned out to be scarce. Each round knows of more of them. */
const mostRounds = 5

/**
 * Plans again what was asked for, with all that is connected with it, and writes the pegs. In the transaction of the caller, which
 * holds no lock of orders or stock before it: what it changed itself is in the plan. Of very many SKUs some are planned, and the
 * others are still asked for: those of `orderId` are among the first, for callers that need just them. Nothing to plan: undefined.
 */
export async function replan(work: Work, orderId?: OrderId): Promise<Planned | undefined> {
  const { sql, accountId } = work
  await waitForPlan(sql, accountId)
  await removeEndedPins(sql, accountId)
  const asked = await takeRequests(sql, accountId)
  if (asked.length === 0) return undefined
  const planned = await planFor(work, await chooseFirst(work, asked, orderId))
  await writePlan(work, planned)
  const done = new Set(planned.scope)
  await giveBackRequests(work, planned.scope === 'all' ? [] : asked.filter((skuId) => !done.has(skuId)))
  return planned
}

async function chooseFirst(
  { sql, accountId }: PlanReader,
  asked: readonly SkuId[],
  orderId: OrderId | undefined,
): Promise<readonly SkuId[]> {
  if (asked.length <= mostAtOnce) return asked
  return orderId === undefined ? asked.slice(0, mostAtOnce) : listSkusOfOrders(sql, accountId, [orderId])
}

/** The plan of these SKUs, or of all, with what is connected with them. It writes nothing. */
export async function planFor(
  { sql, accountId, now }: PlanReader,
  asked: readonly SkuId[] | 'all',
  options: { unmappedOf?: OrderId } = {},
): Promise<Planned> {
  const links = await loadLinks(sql, accountId)
  const scarce = new Set(asked === 'all' ? [] : await listScarceMaterials(sql, accountId))
  for (let round = 1; ; round += 1) {
    const scope = asked === 'all' ? ('all' as const) : connectedSkus(asked, links, scarce)
    const facts = await loadFacts(sql, accountId, scope, { links, now, ...options })
    const plan = await planInTurns(facts)
    const found = scarceIn(plan, links).filter((materialId) => !scarce.has(materialId))
    if (scope === 'all' || found.length === 0) return { scope, facts, plan }
    // More rounds than that are a chain of shortages through the whole farm.
    if (round === mostRounds) return planFor({ sql, accountId, now }, 'all', options)
    for (const materialId of found) scarce.add(materialId)
  }
}

function scarceIn({ materials }: Plan, links: FarmLinks): MaterialId[] {
  const packaging = new Set(links.materials.flatMap((row) => (row.kind === 'packaging' ? [row.material_id] : [])))
  return materials.flatMap(({ materialId, short }) => (short > 0 && !packaging.has(materialId) ? [materialId] : []))
}

async function writePlan(work: Work, { scope, plan, facts }: Planned): Promise<void> {
  await writePegs(work, scope, plan.pegs.map(storedPeg(plan)))
  await writeStates(work, scope, plan.demands.flatMap(storedStates))
  await writeGaps(work, scope, storedGaps(plan))
  const seen = facts.materials.map(({ materialId }) => materialId)
  const short = new Set(plan.materials.flatMap(({ materialId, short }) => (short > 0 ? [materialId] : [])))
  await writeScarce(work, { seen, scarce: seen.filter((materialId) => short.has(materialId)) })
  for (const order of await listOrderUnits(work.sql, work.accountId, scope)) {
    const status = progressOf(order)
    if (status === (order.told ?? 'pending')) continue
    await writeProgress(work, order.order_id, status)
    await followProduction(work, order.order_id, status)
  }
  await askForForecast(work)
}

/** Of orders: what is to be on the shelf is made after them. */
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
  if (demand.kind !== 'order_item') return []
  return groups.map((group, position) => ({
    order_item_id: demand.id,
    state: group.state,
    position,
    units: group.units,
    expected_at: group.expectedAtMs === null ? null : new Date(group.expectedAtMs),
    blockers: group.state === 'blocked' ? group.blockers.map((blocker) => ({ ...blocker })) : [],
  }))
}
