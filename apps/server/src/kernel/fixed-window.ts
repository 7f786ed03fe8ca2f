/** The state of one caller in its window. */
interface Window {
  /** Calls since the window began, this one included; or whatever else is counted. */
  calls: number
  /** Time when the next window may begin, in ms by `Date.now()`. */
  endsAt: number
}

/** Windows that are kept before those that are over are looked for. */
const sweepFrom = 1_000

/**
 * Counts the calls of each caller in windows of a fixed length, which begin with the caller's first call. In the memory of this process, and
 * without waiting: it is asked at every request.
 */
export class FixedWindow {
  readonly #lengthMs: number
  readonly #windows = new Map<string, Window>()
  #sweepAt = sweepFrom

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
  }

  /** Counts a call, or so many. The answer changes with the next one. */
  count(caller: string, nowMs: number = Date.now(), many = 1): Readonly<Window> {
    const known = this.#windows.get(caller)
    // A clock that was set back would make a window last.
    if (known !== undefined && nowMs < known.endsAt && nowMs >= known.endsAt - this.#lengthMs) {
      known.calls += many
      return known
    }
    const window = { calls: many, endsAt: nowMs + this.#lengthMs }
    this.#windows.set(caller, window)
    if (this.#windows.size >= this.#sweepAt) this.#sweep(nowMs)
    return window
  }

  /** Callers that are remembered. */
  get size(): number {
    return this.#windows.size
  }

  #sweep(nowMs: number): void {
    for (const [caller, { endsAt }] of this.#windows) if (endsAt <= nowMs) this.#windows.delete(caller)
    this.#sweepAt = Math.max(sweepFrom, 2 * this.#windows.size)
  }
}
