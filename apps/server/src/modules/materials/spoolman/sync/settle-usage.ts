/** What was about to be told of a spool: what it had been used by then, and what was to come on top, in milligrams. */
interface Sending {
  from: number
  milligrams: number
}

/**
 * Answers whether usage came in, by what the spool has been used now, when no answer said so. `took`: it has exactly that much more. `missed`:
 * it is as it was. `unclear`: something else changed it meanwhile, so that either may be true, and telling it again could count it twice.
 */
export function settleUsage({ from, milligrams }: Sending, usedNow: number): 'took' | 'missed' | 'unclear' {
  if (usedNow === from + milligrams) return 'took'
  return usedNow === from ? 'missed' : 'unclear'
}

/**
 * A request whose answer was lost may still be on its way, to be carried out later: before this much time nothing is concluded from what
 * the spool says.
 */
export const concludeAfterMs = 60_000
