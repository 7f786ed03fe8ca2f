/** Something that cost units, and how many. */
interface Loss {
  reason: string
  /** Number of times that it happened. */
  count: number
  units_lost: number
}

interface ParetoRow extends Loss {
  /** Share of all units that were lost, in %. */
  share: number
  /** The same with all reasons that cost more. */
  cumulative_share: number
}

/** Answers what costs most first; what never happened is left out. */
export function paretoOf(losses: readonly Loss[]): ParetoRow[] {
  const sorted = losses
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.units_lost - a.units_lost || b.count - a.count || (a.reason < b.reason ? -1 : 1))
  const all = sorted.reduce((sum, { units_lost }) => sum + units_lost, 0)
  let before = 0
  return sorted.map((loss) => {
    before += loss.units_lost
    return { ...loss, share: percentOf(loss.units_lost, all), cumulative_share: percentOf(before, all) }
  })
}

/** To a tenth; 0 of nothing. */
export const percentOf = (part: number, all: number) => (all === 0 ? 0 : Math.round((part / all) * 1_000) / 10)
