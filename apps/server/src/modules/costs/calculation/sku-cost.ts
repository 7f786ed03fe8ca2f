import type { MaterialId, SkuId } from '../../../kernel/ids.ts'
import { addCosts, type Cost, noCost, scaleCost, unknownPrinting, withoutPart } from './cost.ts'
import { type PlannedPlate, type PrintedPlates, plannedPlateCost, printedPlatesCost } from './plate-cost.ts'
import { labourCost, materialCost, type PricedKind, type Rates } from './rates.ts'

/** What is known of how a SKU comes to be. */
export interface SkuFacts {
  id: SkuId
  /** Its code, for people. */
  name: string
  children: readonly { skuId: SkuId; quantity: number }[]
  materials: readonly { id: MaterialId; name: string; kind: PricedKind; quantity: number }[]
  /** The preferred recipe, with all units that a plate of it yields. */
  recipe: { plate: PlannedPlate; units: number } | null
  requiresAssembly: boolean
  /** Seconds to put one unit together, as the article of its product says; null where it does not. */
  assemblySeconds: number | null
  /** What its latest jobs took, with the good units that came of them. */
  printed: (PrintedPlates & { goodUnits: number }) | null
  /** Seconds that people recorded for putting units together; null where none was recorded. */
  assembled: { seconds: number; units: number } | null
}

/** What one unit costs, packaging included: as it is planned, and by what was printed of it. */
export interface UnitCost {
  estimate: Cost
  actual: Cost
}

/** Answers what a unit of a SKU costs. Each SKU is worked out once, however many kits it goes into. */
export type UnitCostOf = (skuId: SkuId) => UnitCost

export function createUnitCosts(rates: Rates, skus: ReadonlyMap<SkuId, SkuFacts>): UnitCostOf {
  const known = new Map<SkuId, UnitCost>()
  const open = new Set<SkuId>()

  function unitCostOf(skuId: SkuId): UnitCost {
    const cost = known.get(skuId)
    if (cost) return cost
    const facts = skus.get(skuId)
    // Bills that go in a circle are refused when they are written.
    if (!facts || open.has(skuId)) return unknowable(skuId, facts?.name ?? skuId)
    open.add(skuId)
    const worked = unitCost(rates, facts, unitCostOf)
    open.delete(skuId)
    known.set(skuId, worked)
    return worked
  }
  return unitCostOf
}

function unknowable(id: SkuId, name: string): UnitCost {
  const missing = unknownPrinting('recipe', { kind: 'sku', id, name })
  return { estimate: missing, actual: missing }
}

/**
 * Answers the cost of one unit. What is made of other SKUs is put together from them; so is what is made of components alone.
 * Everything else is printed. What a child is shipped in is not taken when it goes into a kit.
 */
function unitCost(rates: Rates, facts: SkuFacts, unitCostOf: UnitCostOf): UnitCost {
  const { children, materials, recipe, printed } = facts
  const bill = materials.map((material) => materialCost(rates, material, material.quantity))
  const subject = { kind: 'sku', id: facts.id, name: facts.name } as const
  if (children.length > 0) {
    const ofChildren = (way: keyof UnitCost) =>
      children.map(({ skuId, quantity }) => scaleCost(withoutPart(unitCostOf(skuId)[way], 'packaging'), quantity))
    return {
      estimate: addCosts([...ofChildren('estimate'), ...bill, plannedAssembly(rates, facts)]),
      actual: addCosts([...ofChildren('actual'), ...bill, recordedAssembly(rates, facts)]),
    }
  }
  if (recipe === null && printed === null && materials.some(({ kind }) => kind === 'components')) {
    return {
      estimate: addCosts([...bill, plannedAssembly(rates, facts)]),
      actual: addCosts([...bill, recordedAssembly(rates, facts)]),
    }
  }
  const planned = recipe
    ? scaleCost(plannedPlateCost(rates, recipe.plate), 1, recipe.units)
    : unknownPrinting('recipe', subject)
  const taken =
    printed !== null && printed.goodUnits > 0
      ? scaleCost(printedPlatesCost(rates, printed, subject), 1, printed.goodUnits)
      : unknownPrinting('prints', subject)
  const isAssembled = facts.requiresAssembly
  return {
    estimate: addCosts([planned, ...bill, isAssembled ? plannedAssembly(rates, facts) : noCost]),
    actual: addCosts([taken, ...bill, isAssembled ? recordedAssembly(rates, facts) : noCost]),
  }
}

function plannedAssembly(rates: Rates, { assemblySeconds }: SkuFacts): Cost {
  return labourCost(rates, assemblySeconds ?? rates.assemblyLabourSeconds, 'assembly_labour_seconds')
}

/** By the time that people recorded; without any by the planned one. */
function recordedAssembly(rates: Rates, facts: SkuFacts): Cost {
  if (facts.assembled === null) return plannedAssembly(rates, facts)
  const { seconds, units } = facts.assembled
  return scaleCost(labourCost(rates, seconds, 'assembly_labour_seconds'), 1, units)
}
