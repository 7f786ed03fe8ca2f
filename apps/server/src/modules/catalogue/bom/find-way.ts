import type { BomStep } from './bom.queries.ts'

/** The shortest way over these steps from one SKU to another; undefined when there is none. */
export function findWay(steps: readonly BomStep[], from: string, to: string): BomStep[] | undefined {
  const stepsFrom = Map.groupBy(steps, (step): string => step.sku_id)
  const reached = new Set([from])
  let ways: BomStep[][] = [[]]
  while (ways.length > 0) {
    const longer: BomStep[][] = []
    for (const way of ways) {
      for (const step of stepsFrom.get(way.at(-1)?.child_sku_id ?? from) ?? []) {
        if (step.child_sku_id === to) return [...way, step]
        if (reached.has(step.child_sku_id)) continue
        reached.add(step.child_sku_id)
        longer.push([...way, step])
      }
    }
    ways = longer
  }
  return undefined
}
