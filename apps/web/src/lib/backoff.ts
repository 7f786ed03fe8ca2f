/**
 * Milliseconds before attempt number `attempt` (0 is the first repetition): doubling from one second up to thirty, of
 * which up to half is left to chance so that all pages of a farm do not return at once.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(30_000, 1000 * 2 ** Math.min(attempt, 10))
  return full / 2 + (full / 2) * random()
}
