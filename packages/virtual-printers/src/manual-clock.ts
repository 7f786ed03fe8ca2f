/** Runs a callback once after a delay; the answer takes it back. */
export type Schedule = (callback: () => void, delayMs: number) => () => void

/** A clock for tests that only moves when told to, with timers that fire on the way. */
export interface ManualClock {
  now(): number
  schedule: Schedule
  /** Moves on, firing each timer that falls due at its own moment. */
  advance(ms: number): void
  /** Timers that wait; 0 when everything was freed. */
  readonly pendingTimers: number
}

/** @param startMs where the clock stands at first, in milliseconds since 1970 */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs
  const timers = new Set<{ dueMs: number; callback: () => void }>()

  function takeDue(untilMs: number) {
    let first: { dueMs: number; callback: () => void } | null = null
    for (const timer of timers) {
      if (timer.dueMs <= untilMs && (first === null || timer.dueMs < first.dueMs)) first = timer
    }
    if (first) timers.delete(first)
    return first
  }

  return {
    now: () => nowMs,
    schedule(callback, delayMs) {
      const timer = { dueMs: nowMs + Math.max(1, delayMs), callback }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },
    advance(ms) {
      const untilMs = nowMs + ms
      for (let timer = takeDue(untilMs); timer; timer = takeDue(untilMs)) {
        nowMs = Math.max(nowMs, timer.dueMs)
        timer.callback()
      }
      nowMs = untilMs
    },
    get pendingTimers() {
      return timers.size
    },
  }
}
