/** Wall clock in milliseconds since 1970; passed in so that tests need not wait. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Resolves after the time, rejects with the signal's reason as soon as it aborts. Keeps no process alive by itself. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
