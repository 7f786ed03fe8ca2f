/** Since when something is in trouble, and when it last came out of one; null for never. */
export interface Recovery {
  troubledSince: Date | null
  recoveredAt: Date | null
}

/** Answers what is known of a trouble after one more look. One that lasted for less than `leastMs` is none that anybody recovers from. */
export function followTrouble(before: Recovery | undefined, isTroubled: boolean, at: Date, leastMs = 0): Recovery {
  const { troubledSince, recoveredAt } = before ?? { troubledSince: null, recoveredAt: null }
  if (before && isTroubled === (troubledSince !== null)) return before
  if (isTroubled) return { troubledSince: troubledSince ?? at, recoveredAt }
  const hasRecovered = troubledSince !== null && at.getTime() - troubledSince.getTime() >= leastMs
  return { troubledSince: null, recoveredAt: hasRecovered ? at : recoveredAt }
}
