/** A signal for one question, and the end of its watch. */
interface BoundedSignal {
  readonly signal: AbortSignal
  /** The question is over: nothing of it is held any more. */
  release(): void
}

/**
 * A signal that aborts as `parent` does, and with a `TimeoutError` after the time. `AbortSignal.any` says the same more shortly, but
 * each call of it leaves some bytes behind for as long as `parent` lives, and a printer that is polled each second calls it
 * a hundred thousand times a day.
 */
export function boundedSignal(parent: AbortSignal, timeoutMs: number): BoundedSignal {
  const ending = new AbortController()
  const onParent = () => ending.abort(parent.reason)
  const timer = setTimeout(
    () => ending.abort(new DOMException(`no end within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  )
  if (parent.aborted) onParent()
  else parent.addEventListener('abort', onParent, { once: true })
  return {
    signal: ending.signal,
    release() {
      clearTimeout(timer)
      parent.removeEventListener('abort', onParent)
    },
  }
}
