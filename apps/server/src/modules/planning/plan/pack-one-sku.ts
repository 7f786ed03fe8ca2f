/** A batch size of a SKU. */
export interface Batch {
  units: number
  plateSeconds: number
  rank: number
}

/** What is least, in this order: units that nothing makes, plates, surplus, time of printing, rank. */
export interface PackingCost {
  uncovered: number
  plates: number
  surplus: number
  seconds: number
  rank: number
}

interface Packing<B extends Batch> {
  plates: { batch: B; count: number }[]
  cost: PackingCost
}

/** Steps of the table below; with two batch sizes it is enough for batches of 500 units. */
const mostCells = 250_000

/**
 * The best plates for units of one SKU. Plates of the largest batch alone are the fewest there can be; what the last of them
 * yields too much, the slack, is less than one batch. So the best is found by swapping plates of the largest batch for smaller
 * ones until as much of the slack as possible is gone: a table over slack and swapped plates, whose size does not depend on
 * the units. That is exact. Where plates times slack would pass `mostCells`, only one plate is swapped.
 */
export function packOneSku<B extends Batch>(units: number, batches: readonly B[]): Packing<B> {
  const [largest, ...smaller] = [...batches].sort((a, b) => b.units - a.units)
  if (!largest || units <= 0) {
    return { plates: [], cost: { uncovered: Math.max(0, units), plates: 0, surplus: 0, seconds: 0, rank: 0 } }
  }
  const total = Math.ceil(units / largest.units)
  const slack = total * largest.units - units
  const mostSwaps = Math.min(total, slack)
  const swaps = swapsOf(largest, smaller)
  const isExact = mostSwaps * (slack + 1) <= mostCells
  const swapped = isExact ? bestSwaps(swaps, slack, mostSwaps) : bestSwap(swaps, slack)
  const counts = Map.groupBy(swapped, ({ batch }) => batch)
  const plates = [{ batch: largest, count: total - swapped.length }]
  for (const batch of smaller) plates.push({ batch, count: counts.get(batch)?.length ?? 0 })
  const used = plates.filter(({ count }) => count > 0)
  return { plates: used, cost: costOf(used, units) }
}

export function compareCosts(a: PackingCost, b: PackingCost): number {
  return (
    a.uncovered - b.uncovered ||
    a.plates - b.plates ||
    a.surplus - b.surplus ||
    a.seconds - b.seconds ||
    a.rank - b.rank
  )
}

function costOf(plates: readonly { batch: Batch; count: number }[], units: number): PackingCost {
  const cost = { uncovered: 0, plates: 0, surplus: -units, seconds: 0, rank: 0 }
  for (const { batch, count } of plates) {
    cost.plates += count
    cost.surplus += count * batch.units
    cost.seconds += count * batch.plateSeconds
    cost.rank += count * batch.rank
  }
  return cost
}

/** One plate of the largest batch less, one of this batch more. */
interface Swap<B> {
  batch: B
  saved: number
  seconds: number
  rank: number
}

function swapsOf<B extends Batch>(largest: B, smaller: readonly B[]): Swap<B>[] {
  return smaller.map((batch) => ({
    batch,
    saved: largest.units - batch.units,
    seconds: batch.plateSeconds - largest.plateSeconds,
    rank: batch.rank - largest.rank,
  }))
}

interface Cell<B> {
  seconds: number
  rank: number
  last: Swap<B> | null
}

/** The swaps that save most of the slack, of these the fastest, then those of the least rank. */
function bestSwaps<B>(swaps: readonly Swap<B>[], slack: number, mostSwaps: number): Swap<B>[] {
  const rows: (Cell<B> | undefined)[][] = [[{ seconds: 0, rank: 0, last: null }]]
  for (let count = 1; count <= mostSwaps; count += 1) rows.push(nextRow(rows[count - 1]!, swaps, slack))
  let best = { count: 0, saved: 0 }
  for (const [count, row] of rows.entries()) {
    row.forEach((cell, saved) => {
      const known = rows[best.count]![best.saved]!
      if (saved > best.saved || (saved === best.saved && cell && isFaster(cell, known))) best = { count, saved }
    })
  }
  const chosen: Swap<B>[] = []
  for (let { count, saved } = best; count > 0; count -= 1) {
    const { last } = rows[count]![saved]!
    chosen.push(last!)
    saved -= last!.saved
  }
  return chosen
}

function nextRow<B>(row: readonly (Cell<B> | undefined)[], swaps: readonly Swap<B>[], slack: number) {
  const next: (Cell<B> | undefined)[] = []
  row.forEach((cell, saved) => {
    for (const swap of cell ? swaps : []) {
      const sum = saved + swap.saved
      if (sum > slack) continue
      const found = { seconds: cell!.seconds + swap.seconds, rank: cell!.rank + swap.rank, last: swap }
      const known = next[sum]
      if (!known || isFaster(found, known)) next[sum] = found
    }
  })
  return next
}

function isFaster(a: { seconds: number; rank: number }, b: { seconds: number; rank: number }): boolean {
  return a.seconds < b.seconds || (a.seconds === b.seconds && a.rank < b.rank)
}

/** The one swap that saves most of the slack. */
function bestSwap<B>(swaps: readonly Swap<B>[], slack: number): Swap<B>[] {
  const fitting = swaps.filter(({ saved }) => saved <= slack)
  fitting.sort((a, b) => b.saved - a.saved || a.seconds - b.seconds || a.rank - b.rank)
  return fitting.slice(0, 1)
}
