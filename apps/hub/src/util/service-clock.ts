import type { Clock } from './clock.ts'

/** The service's clock as the last welcome told it, carried on by a clock that is never set. */
export class ServiceClock {
  readonly #own: Clock
  #told: { serverMs: number; atMs: number } | undefined

  /** `own` counts until the service has told its time. */
  constructor(own: Clock) {
    this.#own = own
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#told ? this.#told.serverMs + performance.now() - this.#told.atMs : this.#own()
  }

  /** A time that cannot be read changes nothing. */
  set(serverTime: string): void {
    const serverMs = Date.parse(serverTime)
    if (Number.isFinite(serverMs)) this.#told = { serverMs, atMs: performance.now() }
  }
}
