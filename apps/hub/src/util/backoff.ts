interface BackoffOptions {
  firstMs: number
  maxMs: number
  /** 0 ≤ x < 1; passed in for tests. */
  random?: () => number
}

interface Backoff {
  /** Answers how long to wait before the next try. */
  next(): number
  /** To be called once a try has lasted. */
  reset(): void
}

/**
 * Exponential back-off with full jitter: each wait is a random share of a ceiling that doubles. When a thousand hubs
 * lose one service at the same moment, their returns spread over the whole ceiling instead of coming in waves.
 */
export function createBackoff({ firstMs, maxMs, random = Math.random }: BackoffOptions): Backoff {
  let tries = 0
  return {
    next() {
      const ceilingMs = Math.min(maxMs, firstMs * 2 ** Math.min(tries, 30))
      tries += 1
      return Math.round(random() * ceilingMs)
    },
    reset() {
      tries = 0
    },
  }
}
