import type { SkuId } from '../../../kernel/ids.ts'
import { packMixed } from './pack-mixed.ts'
import { packOneSku } from './pack-one-sku.ts'
import { type Pattern, type PatternBook, patternsFor, unitsOf } from './patterns.ts'

/** Plates to print, by pattern. */
export type PlateCounts = ReadonlyMap<Pattern, number>

/** SKUs that share plates, with the patterns that make them. */
interface Cluster {
  skuIds: SkuId[]
  patterns: Pattern[]
}

/**
 * The plates for units of several SKUs: for each that shares no plate with another the best there are, and for those that do,
 * what the bounded search of `packMixed` finds.
 */
export function packPlates(needs: ReadonlyMap<SkuId, number>, book: PatternBook): Map<Pattern, number> {
  const counts = new Map<Pattern, number>()
  for (const cluster of clustersOf(needs, patternsFor(needs.keys(), book))) {
    for (const [pattern, count] of packCluster(needs, cluster)) counts.set(pattern, count)
  }
  return counts
}

function packCluster(needs: ReadonlyMap<SkuId, number>, { skuIds, patterns }: Cluster): PlateCounts {
  const [skuId] = skuIds
  if (skuIds.length > 1 || patterns.some(({ outputs }) => outputs.length > 1)) {
    return packMixed(new Map(skuIds.map((id) => [id, needs.get(id) ?? 0])), patterns)
  }
  const batches = patterns.map((pattern) => ({ ...pattern, pattern, units: unitsOf(pattern, skuId!) }))
  const { plates } = packOneSku(needs.get(skuId!) ?? 0, batches)
  return new Map(plates.map(({ batch, count }) => [batch.pattern, count]))
}

function clustersOf(needs: ReadonlyMap<SkuId, number>, patterns: readonly Pattern[]): Cluster[] {
  const clusterOf = new Map<SkuId, Cluster>()
  for (const skuId of needs.keys()) clusterOf.set(skuId, { skuIds: [skuId], patterns: [] })
  for (const pattern of patterns) {
    const touched = new Set(pattern.outputs.flatMap(({ skuId }) => clusterOf.get(skuId) ?? []))
    const [first, ...others] = touched
    if (!first) continue
    for (const other of others) {
      first.skuIds.push(...other.skuIds)
      first.patterns.push(...other.patterns)
      for (const skuId of other.skuIds) clusterOf.set(skuId, first)
    }
    first.patterns.push(pattern)
  }
  return [...new Set(clusterOf.values())]
}
