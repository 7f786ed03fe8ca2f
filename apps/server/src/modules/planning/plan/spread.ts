import type { MaterialId, SkuId } from '../../../kernel/ids.ts'
import type { BomTree } from './bom-tree.ts'
import type { Demand } from './facts.ts'
import type { Ledger } from './ledger.ts'
import type { Source, Sources } from './sources.ts'
import { beyond, oneEach, plus, type Steps, times, valueAt } from './steps.ts'
import { type SupplyPool, sumOf, type Take } from './supply.ts'

/** What a demand needs of one SKU, and what it would get. Nothing is taken yet. */
export interface PartNeed {
  skuId: SkuId
  /** Units that the first n units of the demand need. */
  need: Steps
  /** Nearest first. */
  takes: Take[]
  covered: number
  /** Source of units beyond the covered ones. */
  source: Source
}

interface ComponentNeed {
  materialId: MaterialId
  /** A SKU that it goes into, to name it to people. */
  skuId: SkuId
  need: Steps
  /** Units that are left for this demand. */
  left: number
}

/** A demand with all that it is made of, level by level. */
export interface Spread {
  demand: Demand
  parts: PartNeed[]
  components: ComponentNeed[]
}

/** More units of one part than a farm will ever print; far beyond it sums are no longer exact. */
const mostOfPart = 1e12
const tooMany: Source = { kind: 'blocked', reason: 'too_many_parts' }

/**
 * Spreads units of a demand over its BOM. A SKU comes after all that it is a part of, so that its need is known when it is met
 * from supply; what is used at several places is met once, and handed out in the order of the demand's units. The first unit
 * is therefore complete as early as can be.
 */
export function spreadOver(
  { tree, sources, supply, ledger }: { tree: BomTree; sources: Sources; supply: SupplyPool; ledger: Ledger },
  demand: Demand,
  root: SkuId,
  units: number,
): Spread {
  const needs = new Map<SkuId, Steps>([[root, oneEach]])
  const components = new Map<MaterialId, ComponentNeed>()
  const parts: PartNeed[] = []
  for (const skuId of tree.partsOf(root)) {
    const need = needs.get(skuId)
    const total = need ? valueAt(need, units) : 0
    if (!need || total <= 0) continue
    const takes = supply.offer(demand, skuId, total)
    const covered = sumOf(takes)
    const source = total > mostOfPart ? tooMany : sources.sourceOf(skuId)
    parts.push({ skuId, need, takes, covered, source })
    if (source.kind === 'assemble' && covered < total) {
      const missing = beyond(need, covered)
      for (const child of source.children) addNeed(needs, child.skuId, times(missing, child.units))
    }
    addComponents(components, tree, ledger, skuId, beyond(need, readyIn(takes)))
  }
  return { demand, parts, components: [...components.values()] }
}

function addNeed(needs: Map<SkuId, Steps>, skuId: SkuId, need: Steps): void {
  const known = needs.get(skuId)
  needs.set(skuId, known ? plus(known, need) : need)
}

/** Whatever is not ready yet takes its components when it is put together, printed already or not. */
function addComponents(
  components: Map<MaterialId, ComponentNeed>,
  tree: BomTree,
  ledger: Ledger,
  skuId: SkuId,
  unready: Steps,
): void {
  for (const { materialId, kind, units } of tree.materialsOf(skuId)) {
    if (kind !== 'component') continue
    const need = times(unready, units)
    const known = components.get(materialId)
    if (known) known.need = plus(known.need, need)
    else components.set(materialId, { materialId, skuId, need, left: ledger.leftOf(materialId) })
  }
}

function readyIn(takes: readonly Take[]): number {
  return sumOf(takes.filter(({ lot }) => lot.state === 'reserved'))
}
