export type Poller = {
  /** Loads now instead of at the end of the pause; does nothing while a load runs or after `stop`. */
  wake(): void
  /** No further load; the running one is aborted and its outcome dropped. */
  stop(): void
}

export type PollingOptions<Value> = {
  load: (signal: AbortSignal) => Promise<Value>
  onValue: (value: Value) => void
  onError: (error: unknown) => void
  /** Pause between the end of one load and the start of the next. */
  intervalMs: number
  /** True while nobody looks: the turn is skipped. */
  isAsleep: () => boolean
}

/** Loads at once and then again and again, one load at a time. An error that names `retryAfterMs` is waited for. */
export function startPolling<Value>(options: PollingOptions<Value>): Poller {
  const { load, onValue, onError, intervalMs, isAsleep } = options
  const stopped = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLoading = false
  let notBeforeMs = 0

  async function turn() {
    clearTimeout(timer)
    if (isLoading || stopped.signal.aborted) return
    let pauseMs = intervalMs
    const heldBackMs = notBeforeMs - Date.now()
    if (heldBackMs > 0) {
      pauseMs = heldBackMs
    } else if (!isAsleep()) {
      isLoading = true
      try {
        const value = await load(stopped.signal)
        if (!stopped.signal.aborted) onValue(value)
      } catch (error) {
        if (!stopped.signal.aborted) {
          const retryAfterMs = getRetryAfterMs(error)
          notBeforeMs = Date.now() + retryAfterMs
          pauseMs = Math.max(intervalMs, retryAfterMs)
          onError(error)
        }
      }
      isLoading = false
    }
    if (!stopped.signal.aborted) timer = setTimeout(() => void turn(), pauseMs)
  }

  void turn()
  return {
    wake: () => void turn(),
    stop() {
      clearTimeout(timer)
      stopped.abort()
    },
  }
}

function getRetryAfterMs(error: unknown): number {
  const hasTime = typeof error === 'object' && error !== null && 'retryAfterMs' in error
  return hasTime && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 0
}
