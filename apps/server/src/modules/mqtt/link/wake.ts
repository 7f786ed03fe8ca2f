/** Lets one loop sleep until a moment, or until it is called. */
export class Wake {
  #isCalled = false
  #resolve: (() => void) | undefined

  call(): void {
    this.#isCalled = true
    this.#resolve?.()
  }

  /**
   * Sleeps until `untilMs` by `performance.now()`, a call or the end of the signal; a call is heard at the earliest `atLeastMs` from now,
   * so that what happens together is looked at together.
   */
  async wait(untilMs: number, { atLeastMs, signal }: { atLeastMs: number; signal: AbortSignal }): Promise<void> {
    await this.#sleep(atLeastMs, signal, false)
    const leftMs = Math.min(untilMs - performance.now(), 2 ** 30)
    if (!this.#isCalled && leftMs > 0) await this.#sleep(leftMs, signal, true)
    this.#isCalled = false
  }

  #sleep(ms: number, signal: AbortSignal, hears: boolean): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#resolve = undefined
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end, { once: true })
      if (hears) this.#resolve = end
    })
  }
}
