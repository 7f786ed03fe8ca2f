import type { MaterialId, SkuId } from '../../../kernel/ids.ts'
import type { Facts } from './facts.ts'

/** What connects SKUs: bills of materials, and plates that yield several. */
interface Links {
  boms: Facts['boms']
  plates: readonly (readonly SkuId[])[]
}

/**
 * The SKUs that a change of some may concern, themselves included: those above and below them in BOMs, those that share a mixed
 * plate of a recipe or of a live job, and so on from these. Their facts alone (`factsOf`) give the same plan for them as all
 * facts do. Components connect SKUs only where there are too few: give those of which the last plan was short, and plan again
 * with those of which the new one is short.
 */
export function relatedSkus(
  skuIds: Iterable<SkuId>,
  links: Links,
  scarceMaterials: ReadonlySet<MaterialId> = new Set(),
): Set<SkuId> {
  const neighbours = neighboursOf(links, scarceMaterials)
  const found = new Set(skuIds)
  // A set is walked to its end, what is added on the way included.
  for (const skuId of found) {
    for (const group of neighbours.get(skuId) ?? []) {
      if (group.length === 0) continue
      for (const neighbour of group.splice(0)) found.add(neighbour)
    }
  }
  return found
}

/** For each SKU the groups that it belongs to. A group is emptied when it has been walked, so that none is walked twice. */
function neighboursOf({ boms, plates }: Links, scarceMaterials: ReadonlySet<MaterialId>): Map<SkuId, SkuId[][]> {
  const groups = boms.map(({ skuId, children }) => [skuId, ...children.map((child) => child.skuId)])
  groups.push(...plates.map((plate) => [...plate]))
  for (const materialId of scarceMaterials) {
    groups.push(boms.filter(takes(materialId)).map(({ skuId }) => skuId))
  }
  const neighbours = new Map<SkuId, SkuId[][]>()
  for (const group of groups) {
    for (const skuId of group.length > 1 ? group : []) {
      const known = neighbours.get(skuId)
      if (known) known.push(group)
      else neighbours.set(skuId, [group])
    }
  }
  return neighbours
}

function takes(materialId: MaterialId): (bom: Facts['boms'][number]) => boolean {
  return ({ materials }) => materials.some((material) => material.materialId === materialId)
}

/** The facts that concern some SKUs. What is connected must be there whole: take `relatedSkus`. */
export function factsOf(facts: Facts, skuIds: ReadonlySet<SkuId>): Facts {
  const has = ({ skuId }: { skuId: SkuId }) => skuIds.has(skuId)
  return {
    demands: facts.demands.filter(({ skuId }) => skuId !== null && skuIds.has(skuId)),
    stock: facts.stock.filter(has),
    outputs: facts.outputs.filter(has),
    assemblyTasks: facts.assemblyTasks.filter(has),
    recipes: facts.recipes.filter(({ outputs }) => outputs.some(has)),
    boms: facts.boms.filter(has),
    materials: facts.materials,
    pins: facts.pins.filter(has),
    blockedSkus: facts.blockedSkus.filter(has),
  }
}
