import { useEffect, useState } from 'react'
import { startPolling } from './polling.ts'

export type Polled<Value> = {
  /** The last good answer; kept while later ones fail. */
  value: Value | undefined
  /** Milliseconds since 1970. */
  readAtMs: number | undefined
  /** The trouble of the latest try; gone with the next good answer. */
  error: unknown
}

/**
 * Polls while the component is mounted and the page is in sight. A new `load` begins anew and forgets the old answer,
 * so it must keep its identity between renders.
 */
export function usePolling<Value>(load: (signal: AbortSignal) => Promise<Value>, intervalMs: number): Polled<Value> {
  const [polled, setPolled] = useState<Polled<Value>>(nothingYet)

  useEffect(() => {
    setPolled(nothingYet)
    return pollWhileVisible({
      load,
      intervalMs,
      onValue: (value) => setPolled({ value, readAtMs: Date.now(), error: undefined }),
      onError: (error) => setPolled((before) => ({ ...before, error })),
    })
  }, [load, intervalMs])

  return polled
}

const nothingYet = { value: undefined, readAtMs: undefined, error: undefined }

/** `startPolling` that sleeps while the page is hidden and wakes when it is seen again. Returns the way to end it. */
export function pollWhileVisible<Value>(options: {
  load: (signal: AbortSignal) => Promise<Value>
  intervalMs: number
  onValue: (value: Value) => void
  onError: (error: unknown) => void
}): () => void {
  const poller = startPolling({ ...options, isAsleep: () => document.hidden })
  const wake = () => {
    if (!document.hidden) poller.wake()
  }
  document.addEventListener('visibilitychange', wake)
  return () => {
    document.removeEventListener('visibilitychange', wake)
    poller.stop()
  }
}
