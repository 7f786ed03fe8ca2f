const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Waits after the first, second, … failed attempt: ten attempts in some three days, as Standard Webhooks advises. */
const waitsMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Attempts to deliver one event. */
export const mostAttempts = waitsMs.length + 1

/** Share of a wait by which it may be shorter or longer, so that what failed together does not come back together. */
const jitter = 0.1

/** A receiver may ask for more time, up to this. */
const longestRetryAfterMs = 24 * hour

/** Failures in a row, whatever was sent, after which an endpoint counts as failing: it is tried with one event at a time. */
const failuresInARow = 5

/** Between two attempts at a failing endpoint. */
const probe = { shortestMs: 5 * second, longestMs: 15 * minute, shareOfOutage: 0.25 }

/** The longest wait between two attempts at an endpoint that asks for none. */
export const longestProbeMs = Math.round(probe.longestMs * (1 + jitter))

/** An endpoint that has failed for so long is paused. */
const deadAfterMs = 72 * hour

/**
 * Answers how long to wait before an event is sent again.
 *
 * @param attempts that failed so far
 * @param retryAfterMs what the receiver asked for
 * @param random from 0 to 1
 * @returns undefined after the last attempt
 */
export function retryWaitMs(attempts: number, retryAfterMs: number, random: number): number | undefined {
  const wait = waitsMs[attempts - 1]
  if (wait === undefined) return undefined
  return Math.max(jittered(wait, random), Math.min(retryAfterMs, longestRetryAfterMs))
}

/** Health of an endpoint. All null and 0 while the last attempt succeeded. */
export interface EndpointHealth {
  /** Failed attempts in a row. */
  failures: number
  failing_since: Date | null
  /** Before this nothing is sent to a failing endpoint. */
  retry_at: Date | null
}

export const healthy: EndpointHealth = { failures: 0, failing_since: null, retry_at: null }

/** The health after one more failure. */
export function afterFailure(health: EndpointHealth, now: Date, retryAfterMs: number, random: number): EndpointHealth {
  const failures = health.failures + 1
  const failing_since = health.failing_since ?? now
  const outageMs = now.getTime() - failing_since.getTime()
  const probeMs = Math.min(probe.longestMs, Math.max(probe.shortestMs, outageMs * probe.shareOfOutage))
  const waitMs = Math.max(
    isFailing({ failures }) ? jittered(probeMs, random) : 0,
    Math.min(retryAfterMs, longestRetryAfterMs),
  )
  return { failures, failing_since, retry_at: waitMs === 0 ? null : new Date(now.getTime() + waitMs) }
}

/** True when an endpoint is tried with one event at a time. */
export function isFailing({ failures }: Pick<EndpointHealth, 'failures'>): boolean {
  return failures >= failuresInARow
}

/** True when an endpoint has failed for so long that it is paused. Time alone does not tell: a clock that was set may be ahead. */
export function isDead({ failures, failing_since }: EndpointHealth, now: Date): boolean {
  return isFailing({ failures }) && failing_since !== null && now.getTime() - failing_since.getTime() >= deadAfterMs
}

function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 - jitter + 2 * jitter * random))
}
