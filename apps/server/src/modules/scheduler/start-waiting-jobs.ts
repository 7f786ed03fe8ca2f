import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../context/context.ts'
import type { AccountId, JobId, PrinterId } from '../../kernel/ids.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { sendStart } from '../jobs/life/send-start.ts'
import type { FarmFacts, HeatingGroup } from '../matching/farm-facts.ts'
import { loadFarm } from '../matching/load-farm.ts'
import type { PrinterForRules } from '../matching/matching.queries.ts'
import { matchJobs } from './match-jobs.ts'
import type { Match } from './plan.ts'
import { FreedPrinters, listReadyPrinters } from './ready-printers.ts'
import { type ReservedStart, reserveMatches } from './reserve-matches.ts'
import { waitForTurn } from './scheduler.queries.ts'

/** A round that goes on for longer ends after its page, so that the rounds of other processes have their turn; another one follows. */
const longestRoundMs = 4_500

/**
 * Pages of the queue that are reserved beside one another: they share neither jobs nor printers. One of printers that were freed goes
 * beside them. Each holds a connection for transactions, of which requests need some.
 */
const mostReserving = 2

/** A start that is on record and was sent; what became of it. Never rejects. */
interface SentStart {
  printerId: PrinterId
  isOver: Promise<void>
}

/**
 * One round of an account: its free printers get the jobs that are first in the queue for them. Each page of the queue is reserved and
 * written in one transaction, then sent. Rounds of one account wait for one another, so that what is shared between printers, such as
 * their supply, is counted once. A printer that becomes free meanwhile does not wait for all that were free before it: it has its choice
 * of the queue next.
 */
export async function startWaitingJobs(context: Context, accountId: AccountId): Promise<SentStart[]> {
  // Most events free nothing. While all printers of this process are busy that is known without a statement, else without a lock.
  if (!context.printers.hasIdle(accountId)) return []
  if ((await listReadyPrinters(context, context.db.sql, accountId)).length === 0) return []
  return context.memory.hold(makeStartRounds, undefined).run(accountId, () => runRound(context, accountId))
}

async function runRound(context: Context, accountId: AccountId): Promise<SentStart[]> {
  const sent: SentStart[] = []
  // It holds the turn and writes nothing: what is to be sent is committed page by page beside it.
  await context.db.begin(async (turn) => {
    await waitForTurn(turn, accountId)
    const startedMs = performance.now()
    using freed = new FreedPrinters(context, accountId)
    const printers = await listReadyPrinters(context, turn, accountId)
    if (printers.length === 0) return
    const heating = new Map<string, HeatingGroup>()
    const planned = new Set<PrinterId>()
    async function plan(some: readonly PrinterForRules[]): Promise<Plan> {
      // Read again for each plan: a printer that refused a start in this round is not given another one at once.
      const loaded = await loadFarm(context, turn, accountId)
      for (const [name, group] of loaded.farm.heatingGroups) if (!heating.has(name)) heating.set(name, group)
      for (const { id } of some) planned.add(id)
      const pages = matchJobs(turn, accountId, some.map(loaded.printerFacts), loaded, heating, () => reserving.jobIds())
      return { pages, farm: loaded.farm }
    }
    const reserving = new Reserving(async (matches: readonly Match[], farm: FarmFacts) => {
      for (const start of await reserveMatches(context, accountId, matches, farm)) {
        sent.push(send(context, accountId, start))
      }
      for (const { printer } of matches) planned.delete(printer.id)
    })
    const isLong = () => performance.now() - startedMs >= longestRoundMs
    /** Goes through the queue for these printers. What becomes free meanwhile is matched before the rest of it. */
    async function reserveAll({ pages, farm }: Plan, most: number): Promise<void> {
      for await (const page of pages) {
        const started = reserving.begin(page, farm, most)
        // What it throws is thrown below, or where all are waited for.
        started.catch(() => undefined)
        while (!isLong() && (await Promise.race([started, freed.told()])) === 'told') await reserveFreed()
        await started
        if (isLong()) return
        await reserveFreed()
      }
    }
    /** False when there were none. */
    async function reserveFreed(): Promise<boolean> {
      const more = await freed.take(turn, planned)
      if (more.length > 0) await reserveAll(await plan(more), mostReserving + 1)
      return more.length > 0
    }
    try {
      await reserveAll(await plan(printers), mostReserving)
      // What is told at the end of the last page still counts.
      do await reserving.settled()
      while (!isLong() && (await reserveFreed()))
    } finally {
      await reserving.settled()
    }
  })
  return sent
}

/** Printers that are matched with the queue, page by page, and the farm as it was read for them. */
interface Plan {
  pages: AsyncGenerator<Match[], void>
  farm: FarmFacts
}

type Reserve = (matches: readonly Match[], farm: FarmFacts) => Promise<void>

/** The pages of a round that are being reserved, or wait for that. */
class Reserving {
  readonly #reserve: Reserve
  readonly #waiting = new Set<readonly Match[]>()
  readonly #pages = new Map<Promise<void>, readonly Match[]>()
  readonly #errors: unknown[] = []

  constructor(reserve: Reserve) {
    this.#reserve = reserve
  }

  /** Begins with a page as soon as fewer than `most` are being reserved. @throws what an earlier one threw; this one is left out then */
  async begin(matches: readonly Match[], farm: FarmFacts, most: number): Promise<void> {
    this.#waiting.add(matches)
    while (this.#pages.size >= most) await Promise.race(this.#pages.keys())
    this.#waiting.delete(matches)
    if (this.#errors.length > 0) throw this.#errors[0]
    const page: Promise<void> = this.#reserve(matches, farm)
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => this.#pages.delete(page))
    this.#pages.set(page, matches)
  }

  /** The jobs of these pages. */
  jobIds(): Set<JobId> {
    return new Set([...this.#waiting, ...this.#pages.values()].flatMap((matches) => matches.map(({ job }) => job.id)))
  }

  /** Resolves when no page is being reserved, and none waits for that. @throws what one threw */
  async settled(): Promise<void> {
    // One that waits while none is being reserved is about to begin.
    while (this.#pages.size + this.#waiting.size > 0) {
      await (this.#pages.size > 0 ? Promise.race(this.#pages.keys()) : nextTurn())
    }
    if (this.#errors.length > 0) throw this.#errors[0]
  }
}

function send(context: Context, accountId: AccountId, { command, written }: ReservedStart): SentStart {
  const isOver = sendStart(context, accountId, command, written).catch((error: unknown) => {
    // It is on record, at the job too, and the printer is left alone for a while: that is the farm's weather.
    context.log.info({ err: error, printer_id: command.printerId, job_id: command.jobId }, 'a start did not begin')
  })
  return { printerId: command.printerId, isOver }
}
