import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SkuId } from '../../../kernel/ids.ts'
import { type BomTree, createBomTree } from './bom-tree.ts'
import type { Demand, DemandId, Facts } from './facts.ts'
import { groupUnits } from './group-units.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { inOrderOfService } from './order-of-service.ts'
import type { DemandPlan, Plan } from './plan.ts'
import { createSources, type Sources } from './sources.ts'
import { type PartNeed, type Spread, spreadOver } from './spread.ts'
import { valueAt } from './steps.ts'
import { createSupply, type SupplyPool, sumOf } from './supply.ts'

interface Farm {
  tree: BomTree
  sources: Sources
  supply: SupplyPool
  ledger: Ledger
}

/** Demands that are served in one turn of the event loop. */
const servedInATurn = 100

/**
 * The plan: each demand in the order of service takes what is pinned or made for it, then ready stock, then units that need
 * assembly, then outputs of live jobs, those first that are ready soonest; what is left is a gap. The gap of a kit is put
 * together of parts that are taken by the same rules, level by level, in the place of their demand. Pure: no clock, no
 * database, no chance.
 */
export function planUnits(facts: Facts): Plan {
  const turns = planInSteps(facts)
  for (;;) {
    const turn = turns.next()
    if (turn.done) return turn.value
  }
}

/** The same plan; between demands others have their turn, because that of a whole account takes long. */
export async function planInTurns(facts: Facts): Promise<Plan> {
  const turns = planInSteps(facts)
  for (;;) {
    const turn = turns.next()
    if (turn.done) return turn.value
    await nextTurn()
  }
}

function* planInSteps(facts: Facts): Generator<undefined, Plan> {
  const tree = createBomTree(facts.boms)
  const demands = inOrderOfService(facts.demands, ({ skuId }) => tree.placeOf(skuId))
  const supply = createSupply(facts, demands, (demand, skuId) => mostOf(tree, demand, skuId))
  const farm: Farm = { tree, sources: createSources(facts, tree), supply, ledger: createLedger(facts) }

  const blocked: { demand: Demand; units: number }[] = []
  const plans: DemandPlan[] = []
  for (const demand of demands) {
    const plan = serve(farm, demand)
    plans.push(plan)
    const units = sumOf(plan.groups.filter(({ state }) => state === 'blocked'))
    if (units > 0) blocked.push({ demand, units })
    if (plans.length % servedInATurn === 0) yield
  }
  // After all that can be made: what is printed for a later order must not go to one that cannot be finished.
  for (const { demand, units } of blocked) hold(farm, demand, units)
  for (const { demandId, lot } of supply.leftPinned()) farm.ledger.peg(demandId, { lot, units: lot.left })
  return { demands: plans, ...farm.ledger.close() }
}

function serve(farm: Farm, demand: Demand): DemandPlan {
  if (demand.skuId === null) {
    const blockers = [{ reason: 'unmapped' as const, skuId: null, materialId: null }]
    const groups = [{ state: 'blocked' as const, units: demand.units, expectedAtMs: null, blockers }]
    return { demand, groups: demand.units > 0 ? groups : [], notWanted: 0 }
  }
  const wanted = wantedUnits(farm, demand, demand.skuId)
  const spread = spreadOver(farm, demand, demand.skuId, wanted)
  const { groups, makeable } = groupUnits(spread, wanted)
  takePackaging(farm, demand, demand.skuId)
  takeParts(farm, demand.id, spread, makeable, true)
  return { demand, groups, notWanted: demand.units - wanted }
}

/** Pegs what is there for units that cannot be made; nothing is queued for them. */
function hold(farm: Farm, demand: Demand, units: number): void {
  if (demand.skuId === null) return
  takeParts(farm, demand.id, spreadOver(farm, demand, demand.skuId, units), units, false)
}

/** All units of an order. A restock waits until what is there and on its way is down to its restock point. */
function wantedUnits({ supply, sources, ledger }: Farm, demand: Demand, skuId: SkuId): number {
  if (demand.kind === 'order_item') return demand.units
  const covered = sumOf(supply.offer(demand, skuId, demand.units))
  const isKit = sources.sourceOf(skuId).kind === 'assemble'
  const tasks = isKit ? ledger.offerTasks(demand, skuId, demand.units - covered) : 0
  return covered + tasks > demand.restockPoint ? covered + tasks : demand.units
}

/** Takes what the first units of a spread need. */
function takeParts(farm: Farm, demandId: DemandId, spread: Spread, units: number, canQueue: boolean): void {
  for (const part of spread.parts) {
    const needed = valueAt(part.need, units)
    takeNearest(farm.ledger, demandId, part, needed)
    const missing = needed - part.covered
    if (missing <= 0 || part.source.kind === 'blocked') continue
    if (part.source.kind === 'print') {
      if (canQueue) farm.ledger.queue({ demandId, skuId: part.skuId, make: 'print', units: missing })
      continue
    }
    const untasked = missing - farm.ledger.takeTasks(spread.demand, part.skuId, missing)
    if (canQueue) farm.ledger.queue({ demandId, skuId: part.skuId, make: 'assemble', units: untasked })
  }
  for (const { materialId, need } of spread.components)
    farm.ledger.takeMaterial(demandId, materialId, valueAt(need, units))
}

function takeNearest(ledger: Ledger, demandId: DemandId, part: PartNeed, needed: number): void {
  let missing = needed
  for (const take of part.takes) {
    if (missing <= 0) return
    const units = Math.min(take.units, missing)
    ledger.peg(demandId, { lot: take.lot, units })
    missing -= units
  }
}

/** Packaging goes with the shipment: that of the SKU that was ordered, not that of its parts. Its lack blocks nothing. */
function takePackaging({ tree, ledger }: Farm, demand: Demand, skuId: SkuId): void {
  if (demand.kind !== 'order_item') return
  for (const { materialId, kind, units } of tree.materialsOf(skuId)) {
    if (kind === 'packaging') ledger.takeMaterial(demand.id, materialId, units * demand.units)
  }
}

/** Answers how many units of a SKU the demand could need if nothing above it in the BOM were there. */
function mostOf(tree: BomTree, demand: Demand, skuId: SkuId): number {
  if (demand.skuId === null) return 0
  const most = new Map<SkuId, number>([[demand.skuId, demand.units]])
  for (const part of tree.partsOf(demand.skuId)) {
    if (part === skuId) break
    if (tree.hasCycle(part)) continue
    for (const child of tree.childrenOf(part)) {
      most.set(child.skuId, (most.get(child.skuId) ?? 0) + most.get(part)! * child.units)
    }
  }
  return most.get(skuId) ?? 0
}
