import type { AssemblyTaskId, MaterialId, SkuId } from '../../../kernel/ids.ts'
import type { Demand, DemandId, Facts, OpenAssembly } from './facts.ts'
import { compareText } from './order-of-service.ts'
import type { Gap, MaterialPeg, MaterialPlan, Peg, Plan, SkuPlan } from './plan.ts'
import type { Take } from './supply.ts'

/** What demands have taken so far, and what is left of tasks and materials. */
export interface Ledger {
  /** Takes units of a lot. */
  peg(demandId: DemandId, take: Take): void
  queue(gap: Gap): void
  /** Units that open assembly tasks would put together for the demand, at most so many. */
  offerTasks(demand: Demand, skuId: SkuId, units: number): number
  takeTasks(demand: Demand, skuId: SkuId, units: number): number
  leftOf(materialId: MaterialId): number
  takeMaterial(demandId: DemandId, materialId: MaterialId, units: number): void
  close(): Omit<Plan, 'demands'>
}

interface TaskLot {
  id: AssemblyTaskId
  skuId: SkuId
  left: number
  /** True when kits that its order item wants no more are for others. */
  isShared: boolean
}

export function createLedger(facts: Facts): Ledger {
  const pegs: Peg[] = []
  const gaps: Gap[] = []
  const materialPegs = new Map<DemandId, Map<MaterialId, number>>()
  const materials = createMaterials(facts)
  const tasks = kitTasksOf(facts.assemblyTasks)
  const tasksFor = (demand: Demand, skuId: SkuId) => tasks.get(taskKey(taskOwner(demand), skuId)) ?? []

  return {
    peg(demandId, { lot, units }) {
      lot.left -= units
      pegs.push({ demandId, skuId: lot.skuId, supply: lot.supply, units })
    },
    queue(gap) {
      if (gap.units > 0) gaps.push(gap)
    },
    offerTasks(demand, skuId, units) {
      return Math.min(
        units,
        tasksFor(demand, skuId).reduce((sum, { left }) => sum + left, 0),
      )
    },
    takeTasks(demand, skuId, units) {
      let missing = units
      for (const task of tasksFor(demand, skuId)) {
        const taken = Math.min(task.left, missing)
        if (taken === 0) continue
        task.left -= taken
        missing -= taken
        pegs.push({ demandId: demand.id, skuId, supply: { kind: 'assembly_task', id: task.id }, units: taken })
      }
      return units - missing
    },
    leftOf: (materialId) => materials.get(materialId)?.left ?? 0,
    takeMaterial(demandId, materialId, units) {
      if (units <= 0) return
      const taken = takeFromMaterial(materials, materialId, units)
      if (taken === 0) return
      const its = materialPegs.get(demandId) ?? new Map<MaterialId, number>()
      its.set(materialId, (its.get(materialId) ?? 0) + taken)
      materialPegs.set(demandId, its)
    },
    close() {
      const open = shareTasks(facts, [...tasks.values()].flat(), gaps, pegs)
      const merged = mergePegs(pegs)
      return {
        pegs: merged,
        materialPegs: listMaterialPegs(materialPegs),
        gaps: open,
        skus: sumSkus(facts, merged, open),
        materials: sumMaterials(materials),
      }
    },
  }
}

/** Tasks for the shelf are one for all restocks: a kit and its sub-kits may be restocked, too. */
function taskOwner(demand: Demand): DemandId | null {
  return demand.kind === 'order_item' ? demand.id : null
}

function taskKey(owner: DemandId | null, skuId: SkuId): string {
  return `${owner}\n${skuId}`
}

function kitTasksOf(assemblyTasks: readonly OpenAssembly[]): Map<string, TaskLot[]> {
  const kits = assemblyTasks.filter(({ kind, unitsLeft }) => kind === 'kit_assembly' && unitsLeft > 0)
  kits.sort((a, b) => compareText(a.id, b.id))
  const lots = new Map<string, TaskLot[]>()
  for (const { id, skuId, unitsLeft, orderItemId, isDedicated } of kits) {
    const key = taskKey(orderItemId, skuId)
    const known = lots.get(key) ?? []
    known.push({ id, skuId, left: unitsLeft, isShared: orderItemId !== null && !isDedicated })
    lots.set(key, known)
  }
  return lots
}

/**
 * Gives the kits that the tasks of other order items will put together to those that have none asked for: a more pressing order
 * that took finished kits leaves its own task to the order that they were meant for. Answers the gaps that are left.
 */
function shareTasks({ demands }: Facts, tasks: readonly TaskLot[], gaps: readonly Gap[], pegs: Peg[]): Gap[] {
  const sharing = new Set<DemandId>(
    demands.flatMap((demand) => (demand.kind === 'order_item' && !demand.isDedicated ? [demand.id] : [])),
  )
  const free = Map.groupBy(
    tasks.filter(({ left, isShared }) => left > 0 && isShared).sort((a, b) => compareText(a.id, b.id)),
    ({ skuId }) => skuId,
  )
  return gaps.flatMap((gap) => {
    if (gap.make !== 'assemble' || !sharing.has(gap.demandId)) return [gap]
    let missing = gap.units
    for (const task of free.get(gap.skuId) ?? []) {
      const taken = Math.min(task.left, missing)
      if (taken === 0) continue
      task.left -= taken
      missing -= taken
      const supply = { kind: 'assembly_task', id: task.id } as const
      pegs.push({ demandId: gap.demandId, skuId: gap.skuId, supply, units: taken })
    }
    return missing > 0 ? [{ ...gap, units: missing }] : []
  })
}

interface MaterialLot {
  stock: number
  left: number
  needed: number
}

function createMaterials(facts: Facts): Map<MaterialId, MaterialLot> {
  const lots = new Map<MaterialId, MaterialLot>()
  for (const { materialId, units } of facts.materials) {
    const stock = (lots.get(materialId)?.stock ?? 0) + Math.max(0, units)
    lots.set(materialId, { stock, left: stock, needed: 0 })
  }
  return lots
}

function takeFromMaterial(lots: Map<MaterialId, MaterialLot>, materialId: MaterialId, units: number): number {
  const lot = lots.get(materialId) ?? { stock: 0, left: 0, needed: 0 }
  lots.set(materialId, lot)
  const taken = Math.min(lot.left, units)
  lot.left -= taken
  lot.needed += units
  return taken
}

/** One peg for each demand, supply and SKU, in the order in which they were first taken. A demand has few. */
function mergePegs(pegs: readonly Peg[]): Peg[] {
  const merged: Peg[] = []
  const its = new Map<DemandId, Peg[]>()
  for (const peg of pegs) {
    const known = its.get(peg.demandId) ?? []
    its.set(peg.demandId, known)
    const same = known.find((each) => isSameClaim(each, peg))
    if (same) {
      same.units += peg.units
      continue
    }
    const first = { ...peg }
    known.push(first)
    merged.push(first)
  }
  return merged
}

function isSameClaim(a: Peg, b: Peg): boolean {
  return a.skuId === b.skuId && a.supply.kind === b.supply.kind && a.supply.id === b.supply.id
}

function listMaterialPegs(pegs: ReadonlyMap<DemandId, ReadonlyMap<MaterialId, number>>): MaterialPeg[] {
  return [...pegs].flatMap(([demandId, its]) =>
    [...its].map(([materialId, units]) => ({ demandId, materialId, units })),
  )
}

function sumSkus(facts: Facts, pegs: readonly Peg[], gaps: readonly Gap[]): SkuPlan[] {
  const sums = new Map<SkuId, SkuPlan>()
  const sumOf = (skuId: SkuId): SkuPlan => {
    const sum = sums.get(skuId) ?? { skuId, ready: 0, reserved: 0, available: 0, toPrint: 0, toAssemble: 0 }
    sums.set(skuId, sum)
    return sum
  }
  const ofOrders = new Set<DemandId>(facts.demands.filter(({ kind }) => kind === 'order_item').map(({ id }) => id))
  for (const { skuId, ready } of facts.stock) sumOf(skuId).ready += ready
  for (const { demandId, skuId, supply, units } of pegs) {
    if (supply.kind === 'ready_stock' && ofOrders.has(demandId)) sumOf(skuId).reserved += units
  }
  for (const { skuId, make, units } of gaps) {
    if (make === 'print') sumOf(skuId).toPrint += units
    else sumOf(skuId).toAssemble += units
  }
  for (const sum of sums.values()) sum.available = sum.ready - sum.reserved
  return [...sums.values()].sort((a, b) => compareText(a.skuId, b.skuId))
}

function sumMaterials(lots: ReadonlyMap<MaterialId, MaterialLot>): MaterialPlan[] {
  return [...lots]
    .map(([materialId, { stock, left, needed }]) => ({
      materialId,
      stock,
      needed,
      pegged: stock - left,
      short: Math.max(0, needed - stock),
    }))
    .sort((a, b) => compareText(a.materialId, b.materialId))
}
