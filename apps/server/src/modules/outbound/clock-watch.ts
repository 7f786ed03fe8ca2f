/** The clocks of right machines differ by less. */
const apartMs = 60_000

/** The latest time that a right clock has written for something that waits for so long. What is later was written by one that was ahead. */
export function latestOf(now: Date, waitMs = 0): Date {
  return new Date(now.getTime() + waitMs + apartMs)
}

/**
 * Notices that the clock was set back. What was written before would else wait until that time comes again, hours later or years. At the
 * first look it may have been, while nothing ran.
 */
export class ClockWatch {
  #latestMs = Number.POSITIVE_INFINITY
  #isSetBack = false

  /**
   * Calls `bringBack` when the clock was set back since the last look: what waits is to be looked through for times that no right clock would
   * have written. When that fails, the next look calls it again.
   */
  async look(now: Date, bringBack: () => Promise<void>): Promise<void> {
    const nowMs = now.getTime()
    const isBack = nowMs < this.#latestMs - apartMs
    this.#latestMs = isBack ? nowMs : Math.max(nowMs, this.#latestMs)
    this.#isSetBack ||= isBack
    if (!this.#isSetBack) return
    await bringBack()
    this.#isSetBack = false
  }
}
