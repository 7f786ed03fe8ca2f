import type { Context } from '../../context/context.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { sendStart } from '../jobs/life/send-start.ts'
import { loadFarm } from '../matching/load-farm.ts'
import type { PrinterForRules } from '../matching/matching.queries.ts'
import { matchJobs } from './match-jobs.ts'
import type { Match } from './plan.ts'
import { FreedPrinters, listReadyPrinters } from './ready-printers.ts'
import { type ReservedStart, reserveMatches } from './reserve-matches.ts'
import { waitForTurn } from './scheduler.queries.ts'

/** A round that goes on for longer ends after its page, so that the rounds of other processes have their turn; another one follows. */
const longestRoundMs = 4_500

/** Pages that are reserved beside one another: they share neither jobs nor printers. */
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
    const printers = await listReadyPrinters(context, turn, accountId)
    if (printers.length === 0) return
    const loaded = await loadFarm(context, turn, accountId)
    const heating = new Map(loaded.farm.heatingGroups)
    const match = (some: readonly PrinterForRules[]) =>
      matchJobs(turn, accountId, some.map(loaded.printerFacts), loaded, heating)
    using freed = new FreedPrinters(
      context,
      accountId,
      printers.map(({ id }) => id),
    )
    /** The printers that became free last are the first to be matched. */
    const pending = [match(printers)]
    const pages = new Reserving(async (matches: readonly Match[]) => {
      for (const start of await reserveMatches(context, accountId, matches, loaded.farm)) {
        sent.push(send(context, accountId, start))
      }
    })
    try {
      while (pending.length > 0 && performance.now() - startedMs < longestRoundMs) {
        const page = await pending.at(-1)?.next()
        if (page?.done === false) await pages.begin(page.value)
        else pending.pop()
        // The last page may be what frees one; and what is being reserved is still in the queue, as others read it.
        if (pending.length === 0 || freed.hasNews) await pages.settled()
        const more = await freed.take(turn)
        if (more.length > 0) pending.push(match(more))
      }
    } finally {
      await pages.settled()
    }
  })
  return sent
}

/** The pages of a round that are being reserved. */
class Reserving {
  readonly #reserve: (matches: readonly Match[]) => Promise<void>
  readonly #pages = new Set<Promise<void>>()
  readonly #errors: unknown[] = []

  constructor(reserve: (matches: readonly Match[]) => Promise<void>) {
    this.#reserve = reserve
  }

  /** Begins with a page as soon as there is room. @throws what an earlier one threw; this one was not begun */
  async begin(matches: readonly Match[]): Promise<void> {
    while (this.#pages.size >= mostReserving) await Promise.race(this.#pages)
    if (this.#errors.length > 0) return this.settled()
    const page: Promise<void> = this.#reserve(matches)
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => this.#pages.delete(page))
    this.#pages.add(page)
  }

  /** Resolves when no page is being reserved. @throws what one threw */
  async settled(): Promise<void> {
    await Promise.all(this.#pages)
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
