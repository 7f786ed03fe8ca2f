import type { PrintFacts } from '../print-file.ts'

/** Fills in what the print covers of the plate, from the outlines of its objects, where every object has one. */
export function addExtent(facts: PrintFacts): void {
  if (facts.widthMm !== null || facts.depthMm !== null || facts.objects.length === 0) return
  let [left, right, front, back] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { polygon } of facts.objects) {
    if (polygon === undefined || polygon.length === 0) return
    for (const [x, y] of polygon) {
      left = Math.min(left, x)
      right = Math.max(right, x)
      front = Math.min(front, y)
      back = Math.max(back, y)
    }
  }
  facts.widthMm = extent(left, right)
  facts.depthMm = extent(front, back)
}

/** Null for bounds that no printer has: a slicer that writes none leaves the ends of its numbers there. */
export function extent(from: number, to: number): number | null {
  const length = Math.round((to - from) * 1_000) / 1_000
  return length > 0 && length < 100_000 ? length : null
}
