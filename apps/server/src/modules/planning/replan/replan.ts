import type { Sql } from '../../../db/database.ts'
import type { AccountId, MaterialId, OrderId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { removeEndedPins } from '../pegs/pins.queries.ts'
import type { Facts } from '../plan/facts.ts'
import { planInTurns } from '../plan/net.ts'
import type { Plan } from '../plan/plan.ts'
import { type ComponentUse, sumOtherUses } from '../stored/component-uses.queries.ts'
import { endRequests, listAsked, waitForPlan } from '../stored/requests.queries.ts'
import type { SkuScope } from '../stored/sku-scope.ts'
import { writePlan } from '../stored/write-plan.ts'
import { listScarceMaterials, listSkusOfOrders } from './facts.queries.ts'
import { connectedSkus, isIn, loadFacts, loadLinks } from './load-facts.ts'

/** Source from which plans are read. */
export interface PlanReader {
  sql: Sql
  accountId: AccountId
  now: Date
}

/** What was planned, and of which SKUs it is the whole plan. */
export interface Planned {
  scope: SkuScope
  facts: Facts
  plan: Plan
}

/** SKUs that are planned at once, with all that is connected with them: more would hold up what else the process does. */
const mostAtOnce = 100

/** Number of times that a plan is made again because components turned out to be scarce. Each round knows of more of them. */
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
  const asked = await listAsked(work)
  if (asked.length === 0) return undefined
  const first = await chooseFirst(
    work,
    asked.map(({ skuId }) => skuId),
    orderId,
  )
  const planned = await planFor(work, first)
  const { plan, scope, facts } = planned
  const isPlanned = isIn(scope)
  const done = asked.filter(({ skuId }) => isPlanned(skuId))
  await endRequests(
    work,
    done.flatMap(({ positions }) => positions),
  )
  await writePlan(work, {
    plan,
    scope,
    uses: usesOf(plan, facts),
    changed: done.filter(({ isOwn }) => isOwn).map(({ skuId }) => skuId),
    materialIds: facts.materials.map(({ materialId }) => materialId),
  })
  return planned
}

async function chooseFirst(
  { sql, accountId }: Work,
  asked: readonly SkuId[],
  orderId: OrderId | undefined,
): Promise<readonly SkuId[]> {
  if (asked.length <= mostAtOnce) return asked
  return orderId === undefined ? asked.slice(0, mostAtOnce) : listSkusOfOrders(sql, accountId, [orderId])
}

/** The plan of these SKUs, or of all, with what is connected with them. It writes nothing. */
export async function planFor(
  { sql, accountId, now }: PlanReader,
  asked: SkuScope,
  options: { unmappedOf?: OrderId } = {},
): Promise<Planned> {
  const links = await loadLinks(sql, accountId)
  const scarce = new Set(asked === 'all' ? [] : await listScarceMaterials(sql, accountId))
  for (let round = 1; ; round += 1) {
    const scope = asked === 'all' ? ('all' as const) : connectedSkus(asked, links, scarce)
    const facts = await loadFacts(sql, accountId, scope, { links, now, ...options })
    const plan = await planInTurns(facts)
    if (scope === 'all') return { scope, facts, plan }
    const components = componentsOf(plan, facts)
    const others = await sumOtherUses(sql, accountId, components, scope)
    const found = scarceIn(plan, components, others).filter((materialId) => !scarce.has(materialId))
    if (found.length === 0) return { scope, facts, plan }
    // More rounds than that are a chain of shortages through the whole farm.
    if (round === mostRounds) return planFor({ sql, accountId, now }, 'all', options)
    for (const materialId of found) scarce.add(materialId)
  }
}

/** Components of which there are too few for the plan and for what the last plans of other SKUs take of them. */
function scarceIn(
  { materials }: Plan,
  components: readonly MaterialId[],
  others: ReadonlyMap<MaterialId, number>,
): MaterialId[] {
  return materials.flatMap(({ materialId, needed, stock }) =>
    components.includes(materialId) && needed + (others.get(materialId) ?? 0) > stock ? [materialId] : [],
  )
}

/** The materials that the plan needs and whose lack holds something up: the lack of packaging does not. */
function componentsOf({ materials }: Plan, { boms }: Facts): MaterialId[] {
  const packaging = new Set(
    boms.flatMap((bom) => bom.materials.flatMap(({ kind, materialId }) => (kind === 'packaging' ? [materialId] : []))),
  )
  return materials.flatMap(({ materialId, needed }) => (needed > 0 && !packaging.has(materialId) ? [materialId] : []))
}

/** What the plan gives of components to those who want each SKU. */
function usesOf(plan: Plan, facts: Facts): ComponentUse[] {
  const components = new Set(componentsOf(plan, facts))
  const skus = new Map(plan.demands.map(({ demand }) => [demand.id, demand.skuId]))
  const uses = new Map<string, ComponentUse>()
  for (const { demandId, materialId, units } of plan.materialPegs) {
    const skuId = skus.get(demandId)
    if (!skuId || !components.has(materialId)) continue
    const key = `${skuId} ${materialId}`
    const known = uses.get(key)
    if (known) known.units += units
    else uses.set(key, { product_sku_id: skuId, material_id: materialId, units })
  }
  return [...uses.values()]
}
