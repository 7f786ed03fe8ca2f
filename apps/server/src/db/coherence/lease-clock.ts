/** Time that memory may be used after the last proof that its notices are current, in ms. */
export const leaseMs = 1_500

/** Interval at which the proof is renewed, in ms: two renewals may be late before memory is left alone. */
export const renewEveryMs = 500

/** Time that those wait longer who need to know that a lease is over: clocks run at slightly different speeds. */
export const marginMs = 150

/** A moment by both clocks of a machine. */
interface Moment {
  /** Never set, but it may stand still while the machine sleeps. */
  steadyMs: number
  /** Goes on while the machine sleeps, but may be set. */
  wallMs: number
}

export const readMoment = (): Moment => ({ steadyMs: performance.now(), wallMs: Date.now() })

/**
 * Clock that tells whether a lease counts at this very moment, asked at each use: a process that was stopped, or was too busy to
 * renew, finds it over by itself. It ends as soon as either clock says so.
 */
export class LeaseClock {
  readonly #read: () => Moment
  #proven: Moment | undefined

  constructor(read: () => Moment = readMoment) {
    this.#read = read
  }

  /** @param askedAt when the proof was asked for, not when it arrived */
  extend(askedAt: Moment): void {
    this.#proven = askedAt
  }

  end(): void {
    this.#proven = undefined
  }

  get isLive(): boolean {
    if (this.#proven === undefined) return false
    const { steadyMs, wallMs } = this.#read()
    const passedMs = wallMs - this.#proven.wallMs
    // A clock that was set back says nothing of how much time has passed.
    return steadyMs - this.#proven.steadyMs < leaseMs && passedMs < leaseMs && passedMs > -leaseMs
  }
}
