export type RequestBudget = {
  /** Takes the right to send one request, or says that there is none now. */
  tryTake(): boolean
}

/**
 * A bucket of `burst` requests that refills so slowly that no 60 seconds, wherever they begin, hold more than
 * `perMinute` requests: the service counts in windows of its own that we cannot see.
 */
export function createRequestBudget(options: { perMinute: number; burst: number; now: () => number }): RequestBudget {
  const { perMinute, burst, now } = options
  const refillPerMs = (perMinute - burst) / 60_000
  let available = burst
  let countedAtMs = now()

  return {
    tryTake() {
      const nowMs = now()
      // A clock set back gives nothing and takes nothing.
      available = Math.min(burst, available + Math.max(0, nowMs - countedAtMs) * refillPerMs)
      countedAtMs = nowMs
      if (available < 1) return false
      available -= 1
      return true
    },
  }
}
