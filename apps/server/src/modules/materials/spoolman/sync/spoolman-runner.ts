import type { Context } from '../../../../context/context.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import { type Work, workIn } from '../../../events/work.ts'
import { LeasedWork } from '../../../outbound/leased-work.ts'
import { OpenSendings } from './open-sendings.ts'
import { pushUsage, type WriteHeld } from './push-usage.ts'
import { createSpoolmanClient, type SpoolmanClient, SpoolmanProblem, spoolmanSender } from './spoolman-client.ts'
import {
  bringBack,
  changeHeld,
  type HeldConnection,
  holdLease,
  type Leased,
  markGone,
  releaseLease,
  scheduleHeld,
  takeLeases,
} from './sync.queries.ts'
import { takeSpools } from './take-spools.ts'

const sweepMs = 1_000

/** Time after Spoolman was read to the end before it is read again. */
const pollMs = 60_000

/** Longer than a page, or the usage of a turn, takes. */
const leaseMs = 10 * 60_000

/** Connections that one process works on at once; each has one call under way. */
const mostConnections = 20

/** Far more spools than one Spoolman has; a list that goes on is none. */
const mostSpools = 20_000

/** Failures in a row that people are told of. */
const reportAfterFailures = 3
const shortestWaitMs = 10_000
const longestWaitMs = 15 * 60_000

/** What failed together does not come back together. */
const [shortestJitter, longestJitter] = [0.9, 1.1]

/** The lease went to another process, or the connection was paused or removed: nothing of this turn counts any more. */
class LeaseLost extends Error {}

/**
 * Keeps the spools of all accounts in line with their Spoolmans. Any number may run on one database: each Spoolman is spoken with by the
 * process that holds its lease, one call after another. What is told is written down before, so that a process may die at any moment.
 */
export class SpoolmanRunner {
  readonly #context: Context
  readonly #leaseId = newId('spoolmanLease')
  readonly #open: OpenSendings
  readonly #work: LeasedWork<Leased>

  constructor(context: Context, steadyMs: () => number) {
    this.#context = context
    this.#open = new OpenSendings(steadyMs)
    this.#work = new LeasedWork(context, {
      leaseId: this.#leaseId,
      leaseMs,
      sweepMs,
      atOnce: mostConnections,
      bringBack: (lease) => bringBack(context.db.sql, lease, { pollMs, longestWaitMs: longestWaitMs * longestJitter }),
      take: (lease, most) => takeLeases(context.db.sql, lease, most),
      serve: (leased) => this.#serve(leased),
      failure: 'a Spoolman could not be followed; it is tried again',
    })
  }

  /** Ends calls under way that take too long, and leaves the connections to other processes. */
  stop(): Promise<void> {
    return this.#work.stop()
  }

  async #serve(leased: Leased): Promise<void> {
    const { db } = this.#context
    try {
      const held = await holdLease(db.sql, this.#work.lease(), leased)
      if (held === undefined) return
      try {
        await this.#turn(held, createSpoolmanClient(spoolmanSender(this.#context), held.url, this.#work.signal))
      } catch (error) {
        const problem = problemOf(error)
        if (problem === undefined) throw error
        await this.#settleFailure(held, problem)
      }
    } catch (error) {
      if (!this.#work.signal.aborted && !(error instanceof LeaseLost)) {
        this.#logFailure(error, leased.id)
        await this.#waitAfterFault(leased)
      }
    } finally {
      // A lease that could not be given back ends by itself.
      await releaseLease(db.sql, this.#leaseId, leased).catch((error: unknown) => this.#logFailure(error, leased.id))
    }
  }

  async #turn(held: HeldConnection, client: SpoolmanClient): Promise<void> {
    const { clock } = this.#context
    const isDue = held.due_at <= clock.now()
    if (held.leader === 'spoolman') {
      await pushUsage(this.#context, held, client, this.#writerOf(held), this.#open)
    }
    if (isDue) await this.#readAll(held, client)
  }

  async #readAll(held: HeldConnection, client: SpoolmanClient): Promise<void> {
    const seen: number[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { spools, next }: Awaited<ReturnType<SpoolmanClient['listSpools']>> = await client.listSpools(offset)
      seen.push(...spools.map(({ id }) => id))
      if (seen.length > mostSpools) throw new SpoolmanProblem('unlike', `It lists more than ${mostSpools} spools.`)
      const toTell = await takeSpools(this.#context, held, spools, this.#writerOf(held))
      for (const { spool, remaining } of toTell) await client.setRemaining(spool, remaining)
      offset = next
    }
    const { now } = this.#work.lease()
    const over = { ...{ failures: 0, failing_since: null, retry_at: null, problem: null }, last_read_at: now }
    const turn = { seen: held.due_at, next: new Date(now.getTime() + pollMs) }
    await this.#writeHeld(held, over, async (work) => {
      await scheduleHeld(work, this.#leaseId, held.id, turn)
      await markGone(work, seen)
      if (held.failures >= reportAfterFailures)
        await work.record({ type: 'spoolman.recovered', subjectId: held.id, data: {} })
    })
  }

  #writerOf(held: HeldConnection): WriteHeld {
    return (write) => this.#writeHeld(held, {}, write)
  }

  /** Writes as long as the lease is held. @throws LeaseLost */
  async #writeHeld<T>(
    held: HeldConnection,
    change: Parameters<typeof changeHeld>[3],
    write: (work: Work) => Promise<T>,
  ): Promise<T> {
    return this.#write(held, async (work) => {
      const isHeld = await changeHeld(work, this.#leaseId, held.id, { failures: held.failures, ...change })
      if (!isHeld) throw new LeaseLost()
      return write(work)
    })
  }

  async #settleFailure(held: HeldConnection, problem: string): Promise<void> {
    const failures = held.failures + 1
    const waitMs =
      Math.min(longestWaitMs, shortestWaitMs * 2 ** (failures - 1)) * between(shortestJitter, longestJitter)
    await this.#write(held, async (work) => {
      const { now } = work
      const failing_since = held.failing_since ?? now
      const retry_at = new Date(now.getTime() + Math.round(waitMs))
      if (!(await changeHeld(work, this.#leaseId, held.id, { failures, failing_since, retry_at, problem }))) return
      if (failures === reportAfterFailures) {
        await work.record({ type: 'spoolman.failing', subjectId: held.id, data: { problem } })
      }
    })
  }

  async #write<T>({ account_id: accountId }: Leased, write: (work: Work) => Promise<T>): Promise<T> {
    const { db, clock } = this.#context
    return db.begin((sql) => write(workIn(sql, { accountId, actor: 'system', now: clock.now() })))
  }

  /** A fault of ours, or of the database: the connection has its next turn a while later. */
  async #waitAfterFault(leased: Leased): Promise<void> {
    try {
      await this.#write(leased, (work) =>
        changeHeld(work, this.#leaseId, leased.id, { retry_at: new Date(work.now.getTime() + pollMs) }),
      )
    } catch (error) {
      this.#logFailure(error, leased.id)
    }
  }

  #logFailure(error: unknown, connectionId: Leased['id']): void {
    this.#work.logFailure(error, { spoolman_connection_id: connectionId })
  }
}

const between = (least: number, most: number) => least + (most - least) * Math.random()

/** Answers what people are told of a failure that is none of ours. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof SpoolmanProblem) return error.message
  return error instanceof AppError && error.code === 'QUOTA_EXCEEDED' ? error.message : undefined
}
