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
    })
    /** The printers that became free last are the first to be matched. */
    const plans = [await plan(printers)]
    try {
      for (let last = plans.at(-1); last && performance.now() - startedMs < longestRoundMs; last = plans.at(-1)) {
        const page = await last.pages.next()
        if (page.done) plans.pop()
        else {
          for (const { printer } of page.value) planned.delete(printer.id)
          await reserving.begin(page.value, last.farm, plans.length === 1 ? mostReserving : mostReserving + 1)
        }
        // What is told at the end of the last page still counts.
        if (plans.length === 0) await reserving.settled()
        const more = await freed.take(turn, planned)
        if (more.length > 0) plans.push(await plan(more))
      }
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

/** The pages of a round that are being reserved. */
class Reserving {
  readonly #reserve: Reserve
  readonly #pages = new Map<Promise<void>, readonly Match[]>()
  readonly #errors: unknown[] = []

  constructor(reserve: Reserve) {
    this.#reserve = reserve
  }

  /** Begins with a page as soon as fewer than `most` are being reserved. @throws what an earlier one threw; this one is left out then */
  async begin(matches: readonly Match[], farm: FarmFacts, most: number): Promise<void> {
    while (this.#pages.size >= most) await Promise.race(this.#pages.keys())
    if (this.#errors.length > 0) return this.settled()
    const page: Promise<void> = this.#reserve(matches, farm)
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => this.#pages.delete(page))
    this.#pages.set(page, matches)
  }

  /** The jobs of these pages. */
  jobIds(): Set<JobId> {
    return new Set([...this.#pages.values()].flatMap((matches) => matches.map(({ job }) => job.id)))
  }

  /** Resolves when no page is being reserved. @throws what one threw */
  async settled(): Promise<void> {
    await Promise.all(this.#pages.keys())
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
