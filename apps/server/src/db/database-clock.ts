import type { BaseLogger } from 'pino'
import type { Clock } from '../kernel/clock.ts'
import { every } from '../kernel/timers.ts'
import type { Sql } from './driver/statement.ts'

/** Interval at which the database is asked for its time, in ms. */
const askEveryMs = 5_000

/** An answer that took longer says too little about the moment at which it was true. */
const mostExactMs = 1_000

/** Below this the two clocks agree: an answer is not more exact than the way it came by. */
const sameMs = 250

/** From here on the clock of this machine is wrong for people, too, who read its log. */
const logBeyondMs = 5_000

type Log = Pick<BaseLogger, 'warn' | 'info'>

interface DatabaseClockOptions {
  log: Log
  /** The steady clock and the wall clock of this machine. */
  steadyMs?: () => number
  wallMs?: () => number
}

/**
 * The time by the database, which is the same for all processes that share it: what one of them writes as due, leased or over is so for
 * the others, however wrong the clock of its machine is. Between two answers of the database it goes on by the steady clock of the process,
 * so that the clock of the machine may be set at any moment. docs/decisions/0077-one-clock-for-all-processes.md says why.
 */
export class DatabaseClock implements Clock {
  readonly #sql: Sql
  readonly #log: Log
  readonly #steadyMs: () => number
  readonly #wallMs: () => number
  /** Added to the steady clock it makes the time of the database. */
  #aheadMs: number
  #isToldApart = false

  private constructor(sql: Sql, { log, steadyMs, wallMs }: DatabaseClockOptions) {
    this.#sql = sql
    this.#log = log
    this.#steadyMs = steadyMs ?? (() => performance.now())
    this.#wallMs = wallMs ?? (() => Date.now())
    this.#aheadMs = this.#wallMs() - this.#steadyMs()
  }

  /** A clock that has asked the database once. @throws when the database cannot be asked */
  static async open(sql: Sql, options: DatabaseClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(sql, options)
    await clock.ask(Infinity)
    return clock
  }

  now(): Date {
    return new Date(Math.round(this.#steadyMs() + this.#aheadMs))
  }

  /** Asks the database every few seconds until the returned function is called. */
  follow(): () => void {
    return every(askEveryMs, 'ask the database for its time', this.#log, () => this.ask())
  }

  /** Asks the database for its time, and goes by it from now on. An answer that took longer than `mostMs` changes nothing. */
  async ask(mostMs = mostExactMs): Promise<void> {
    const askedMs = this.#steadyMs()
    const [row] = await this.#sql<{ now: Date }[]>`select clock_timestamp() as now`
    const answeredMs = this.#steadyMs()
    if (row === undefined || answeredMs - askedMs > mostMs) return
    const aheadMs = row.now.getTime() - (askedMs + answeredMs) / 2
    if (Math.abs(aheadMs - this.#aheadMs) > sameMs) this.#aheadMs = aheadMs
    this.#tell(this.#wallMs() - (answeredMs + aheadMs))
  }

  /** Says once that the clock of this machine is wrong, and once that it is right again. */
  #tell(apartMs: number): void {
    const isApart = Math.abs(apartMs) > logBeyondMs
    if (isApart === this.#isToldApart) return
    this.#isToldApart = isApart
    const apart = { ahead_seconds: Math.round(apartMs / 1_000) }
    if (isApart) this.#log.warn(apart, 'the clock of this machine differs from that of the database, which counts')
    else this.#log.info(apart, 'the clock of this machine agrees with that of the database')
  }
}
