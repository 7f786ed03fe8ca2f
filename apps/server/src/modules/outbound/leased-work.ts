import type { Context } from '../../context/context.ts'
import { isConnectionError } from '../../db/database-errors.ts'
import { ClockWatch } from './clock-watch.ts'

/** Time that calls under way may still take when the service stops. */
const graceMs = 3_000

/** A lease as it is written: who holds it, from when, and until when unless it is held for longer. */
export interface Lease {
  id: string
  now: Date
  until: Date
}

/** What one process at a time works on. */
interface LeasedWorkOptions<Leased extends { id: string }> {
  /** By which this process holds its leases. */
  leaseId: string
  /** Longer than any one step takes: a step holds the lease for so long from its start. */
  leaseMs: number
  /** Interval at which it is looked for what has become due. */
  sweepMs: number
  /** Number of things that one process works on at once. */
  atOnce: number
  /** Makes due what was written by a clock that was ahead, and was set back. */
  bringBack: (lease: Lease) => Promise<void>
  /** Takes the leases of what is due, at most so many. */
  take: (lease: Lease, most: number) => Promise<Leased[]>
  /** Works on one thing until nothing more is due, or the work `isStopped`; it gives the lease back, and does not fail. */
  serve: (leased: Leased) => Promise<void>
  /** What the log says when the database cannot be asked; the next sweep tries again. */
  failure: string
}

/**
 * Work on things outside of the service that one process does at a time, beside all others: each is served by the process that holds
 * its lease. Any number of processes may run on one database, and of one that dies the leases end by themselves.
 */
export class LeasedWork<Leased extends { id: string }> {
  readonly #context: Pick<Context, 'clock' | 'log' | 'isDraining'>
  readonly #options: LeasedWorkOptions<Leased>
  readonly #serving = new Map<string, Promise<void>>()
  readonly #ending = new AbortController()
  readonly #clockWatch = new ClockWatch()
  readonly #timer: NodeJS.Timeout
  #sweeping: Promise<void> | undefined
  #isStopped = false

  constructor(context: Pick<Context, 'clock' | 'log' | 'isDraining'>, options: LeasedWorkOptions<Leased>) {
    this.#context = context
    this.#options = options
    this.#timer = setInterval(() => this.sweep(), options.sweepMs)
  }

  /** No further step is to start. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Ends the call under way when the service has waited for it long enough. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** A lease from now on. */
  lease(): Lease {
    const { leaseId, leaseMs } = this.#options
    const now = this.#context.clock.now()
    return { id: leaseId, now, until: new Date(now.getTime() + leaseMs) }
  }

  /** Looks for what is due, now. */
  sweep(): void {
    if (this.#isStopped || this.#context.isDraining()) return
    this.#sweeping ??= this.#take().finally(() => {
      this.#sweeping = undefined
    })
  }

  /** Ends calls under way that take too long, and leaves the rest to other processes. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    const patience = setTimeout(() => this.#ending.abort(), graceMs)
    await this.#sweeping
    await Promise.all(this.#serving.values())
    clearTimeout(patience)
  }

  /** Says what went wrong, as a fault of ours unless the database is away. */
  logFailure(error: unknown, about: object = {}): void {
    const { log } = this.#context
    if (isConnectionError(error)) log.warn({ err: error, ...about }, this.#options.failure)
    else log.error({ err: error, ...about }, this.#options.failure)
  }

  async #take(): Promise<void> {
    const { atOnce, bringBack, take, serve } = this.#options
    const room = atOnce - this.#serving.size
    try {
      await this.#clockWatch.look(this.#context.clock.now(), () => bringBack(this.lease()))
      if (room <= 0) return
      for (const leased of await take(this.lease(), room)) {
        const serving = serve(leased).finally(() => this.#serving.delete(leased.id))
        this.#serving.set(leased.id, serving)
      }
    } catch (error) {
      this.logFailure(error)
    }
  }
}
