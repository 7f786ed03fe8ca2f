/** Nothing that was awaited arrived in time. */
export class WaitTimeoutError extends Error {
  constructor(awaited: string, ms: number) {
    super(`waited ${ms} ms for ${awaited}`)
    this.name = 'WaitTimeoutError'
  }
}

interface WaitOptions {
  /** Names what is awaited, for the message of a time-out. */
  awaited: string
  timeoutMs: number
  signal?: AbortSignal
}

export interface Waiter<T> {
  /** Shows the latest value to all that wait. */
  show(value: T): void
  /**
   * Resolves with the first value, the present one included, that matches. Rejects with a `WaitTimeoutError`, or with
   * the signal's reason.
   */
  until(matches: (value: T) => boolean, options: WaitOptions): Promise<T>
}

/** Waits for a value that changes over time to match. */
export function createWaiter<T>(): Waiter<T> {
  const waiting = new Set<(value: T) => void>()
  let latest: { value: T } | undefined
  return {
    show(value) {
      latest = { value }
      for (const look of [...waiting]) look(value)
    },
    until(matches, { awaited, timeoutMs, signal }) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (latest && matches(latest.value)) return resolve(latest.value)
        const leave = () => {
          clearTimeout(timer)
          waiting.delete(look)
          signal?.removeEventListener('abort', onAbort)
        }
        const look = (value: T) => {
          if (!matches(value)) return
          leave()
          resolve(value)
        }
        const onAbort = () => {
          leave()
          reject(signal?.reason)
        }
        const timer = setTimeout(() => {
          leave()
          reject(new WaitTimeoutError(awaited, timeoutMs))
        }, timeoutMs)
        waiting.add(look)
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
  }
}
