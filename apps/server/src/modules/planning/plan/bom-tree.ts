import type { SkuId } from '../../../kernel/ids.ts'
import type { BomFact, Output } from './facts.ts'
import { compareText } from './order-of-service.ts'

type Materials = BomFact['materials']

/** What SKUs are made of. */
export interface BomTree {
  childrenOf(skuId: SkuId): readonly Output[]
  materialsOf(skuId: SkuId): Materials
  /** True when it cannot be put together because somewhere below it a SKU is made of itself. */
  hasCycle(skuId: SkuId): boolean
  /** The SKU and everything below it, each once and after all that it is a part of. */
  partsOf(skuId: SkuId): readonly SkuId[]
  /** The smaller, the higher: a SKU has a smaller place than its parts. */
  placeOf(skuId: SkuId): number
}

export function createBomTree(boms: readonly BomFact[]): BomTree {
  const children = mergeChildren(boms)
  const materials = mergeMaterials(boms)
  const heights = heightsOf(children)
  const partsBySku = new Map<SkuId, readonly SkuId[]>()
  const childrenOf = (skuId: SkuId) => children.get(skuId) ?? []
  const hasCycle = (skuId: SkuId) => children.has(skuId) && !heights.has(skuId)
  const placeOf = (skuId: SkuId) => (hasCycle(skuId) ? Number.MIN_SAFE_INTEGER : -(heights.get(skuId) ?? 0))

  function partsOf(skuId: SkuId): readonly SkuId[] {
    if (!children.has(skuId) || hasCycle(skuId)) return [skuId]
    const known = partsBySku.get(skuId)
    if (known) return known
    // A set is walked to its end, what is added on the way included.
    const found = new Set([skuId])
    for (const part of found) {
      for (const child of childrenOf(part)) found.add(child.skuId)
    }
    const parts = [...found].sort((a, b) => placeOf(a) - placeOf(b) || compareText(a, b))
    partsBySku.set(skuId, parts)
    return parts
  }

  return { childrenOf, materialsOf: (skuId) => materials.get(skuId) ?? [], hasCycle, partsOf, placeOf }
}

function mergeChildren(boms: readonly BomFact[]): Map<SkuId, Output[]> {
  const merged = new Map<SkuId, Map<SkuId, number>>()
  for (const { skuId, children } of boms) {
    if (children.length === 0) continue
    const units = merged.get(skuId) ?? new Map<SkuId, number>()
    for (const child of children) units.set(child.skuId, (units.get(child.skuId) ?? 0) + child.units)
    merged.set(skuId, units)
  }
  const sorted = (units: Map<SkuId, number>) =>
    [...units].map(([skuId, units]) => ({ skuId, units })).sort((a, b) => compareText(a.skuId, b.skuId))
  return new Map([...merged].map(([skuId, units]) => [skuId, sorted(units)]))
}

function mergeMaterials(boms: readonly BomFact[]): Map<SkuId, Materials> {
  const merged = new Map<SkuId, Materials>()
  for (const { skuId, materials } of boms) {
    const all = [...(merged.get(skuId) ?? []), ...materials]
    merged.set(
      skuId,
      all.sort((a, b) => compareText(a.materialId, b.materialId)),
    )
  }
  return merged
}

/** Answers how many levels are below each SKU. What is part of a cycle, or stands above one, gets none. */
function heightsOf(children: ReadonlyMap<SkuId, readonly Output[]>): Map<SkuId, number> {
  const parents = new Map<SkuId, SkuId[]>()
  const waitsFor = new Map<SkuId, number>()
  for (const [skuId, parts] of children) {
    waitsFor.set(skuId, parts.length)
    for (const part of parts) {
      const known = parents.get(part.skuId)
      if (known) known.push(skuId)
      else parents.set(part.skuId, [skuId])
    }
  }
  const heights = new Map<SkuId, number>()
  const next = [...parents.keys()].filter((skuId) => !children.has(skuId))
  for (const leaf of next) heights.set(leaf, 0)
  // The list grows while it is walked: what has all its parts behind it comes after them.
  for (const skuId of next) {
    for (const parent of parents.get(skuId) ?? []) {
      const left = waitsFor.get(parent)! - 1
      waitsFor.set(parent, left)
      heights.set(parent, Math.max(heights.get(parent) ?? 0, heights.get(skuId)! + 1))
      if (left === 0) next.push(parent)
    }
  }
  for (const [skuId, left] of waitsFor) if (left > 0) heights.delete(skuId)
  return heights
}
