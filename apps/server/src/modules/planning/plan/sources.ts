import type { SkuId } from '../../../kernel/ids.ts'
import type { BomTree } from './bom-tree.ts'
import type { BlockReason, Facts, Output } from './facts.ts'

/** Source of units of a SKU that nothing covers. */
export type Source =
  | { kind: 'print' }
  | { kind: 'assemble'; children: readonly Output[] }
  | { kind: 'blocked'; reason: BlockReason }

export interface Sources {
  sourceOf(skuId: SkuId): Source
}

/**
 * Creates the sources. What is made of other SKUs is put together, recipes or not; so is what is made of components and has no
 * recipe. Everything else is printed.
 */
export function createSources({ recipes, blockedSkus }: Facts, tree: BomTree): Sources {
  const blocked = firstReasons(blockedSkus)
  const known = new Set<SkuId>()
  const fitting = new Set<SkuId>()
  for (const { outputs, unfitBecause } of recipes) {
    for (const { skuId, units } of outputs) {
      if (units < 1) continue
      known.add(skuId)
      if (unfitBecause === null) fitting.add(skuId)
    }
  }

  function decide(skuId: SkuId): Source {
    const reason = blocked.get(skuId)
    if (reason) return { kind: 'blocked', reason }
    if (tree.hasCycle(skuId)) return { kind: 'blocked', reason: 'bom_cycle' }
    const children = tree.childrenOf(skuId)
    if (children.length > 0) return { kind: 'assemble', children }
    if (fitting.has(skuId)) return { kind: 'print' }
    if (known.has(skuId)) return { kind: 'blocked', reason: 'recipe_fits_no_printer' }
    const isBought = tree.materialsOf(skuId).some(({ kind }) => kind === 'component')
    return isBought ? { kind: 'assemble', children } : { kind: 'blocked', reason: 'no_recipe' }
  }

  const decided = new Map<SkuId, Source>()
  return {
    sourceOf(skuId) {
      const source = decided.get(skuId) ?? decide(skuId)
      decided.set(skuId, source)
      return source
    },
  }
}

/** One reason for each SKU, whatever the order of the list. */
function firstReasons(blockedSkus: Facts['blockedSkus']): Map<SkuId, BlockReason> {
  const reasons = new Map<SkuId, BlockReason>()
  for (const { skuId, reason } of blockedSkus) {
    const known = reasons.get(skuId)
    if (known === undefined || reason < known) reasons.set(skuId, reason)
  }
  return reasons
}
