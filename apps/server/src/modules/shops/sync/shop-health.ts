import type { ShopProblem, ShopProblemKind } from '../connectors/contract/shop-problem.ts'

/** Time after its orders were read to the end before a shop is read again, unless a webhook wakes it. */
export const pollMs = 60_000

/** Interval at which the stock of a shop is compared; what changes in between is told once. */
export const stockMs = 60_000

const shortestWaitMs = 10_000
const longestWaitMs = 15 * 60_000

/** What failed together does not come back together. */
const jitter = 0.1

/** The longest wait after a failure of a shop that asks for none. */
export const longestBackOffMs = longestWaitMs * (1 + jitter)

/** A shop that asks for time without saying how much. */
const busyWaitMs = 30_000
const longestAskedMs = 24 * 60 * 60_000

/** Failures in a row that people are told of. */
const reportAfterFailures = 3

/** A shop that asks for time has not failed; one that does not let us in has, for good, until someone looks at it. */
export function failureOf({ failures }: { failures: number }, kind: ShopProblemKind): { failures: number } {
  if (kind === 'busy') return { failures }
  return { failures: Math.max(failures + 1, kind === 'credentials' ? reportAfterFailures : 0) }
}

export function isToldOf(failures: number): boolean {
  return failures >= reportAfterFailures
}

/** Answers how long nothing is asked of a shop after a call that came to nothing. */
export function waitAfter(
  { kind, retryAfterMs }: Pick<ShopProblem, 'kind' | 'retryAfterMs'>,
  failures: number,
  random: number,
): number {
  const asked = Math.min(retryAfterMs, longestAskedMs)
  if (kind === 'busy') return asked > 0 ? asked : busyWaitMs
  const backOff = Math.min(longestWaitMs, shortestWaitMs * 2 ** Math.max(0, failures - 1))
  return Math.max(asked, Math.round(backOff * (1 - jitter + 2 * jitter * random)))
}
