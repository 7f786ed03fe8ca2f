const firstWaitMs = 500

/**
 * Milliseconds before the next try after a failure; `failures` counts those before it. They double from half a second up to
 * `longestMs`. Up to half of them is left to chance, so that many clients do not come back in the same moment.
 */
export function backoffMs(failures: number, longestMs: number, random: () => number = Math.random): number {
  return Math.min(longestMs, firstWaitMs * 2 ** failures) * (0.5 + random() / 2)
}

/** Seconds of `Retry-After`, which is a number of them or a date. */
export function readRetryAfter(text: string | null, now = Date.now()): number | null {
  if (text === null || text.trim() === '') return null
  if (/^\d+$/.test(text.trim())) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000))
}

/** Waits, unless the signal ends it. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
