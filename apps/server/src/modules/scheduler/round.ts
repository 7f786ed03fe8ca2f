import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../context/context.ts'
import type { Sql, Transaction } from '../../db/database.ts'
import type { AccountId, JobId, PrinterId } from '../../kernel/ids.ts'
import { sendStart } from '../jobs/life/send-start.ts'
import type { FarmFacts, HeatingGroup } from '../matching/farm-facts.ts'
import { loadFarm } from '../matching/load-farm.ts'
import type { PrinterForRules } from '../matching/matching.queries.ts'
import { matchJobs } from './match-jobs.ts'
import type { Match } from './plan.ts'
import { type FreedPrinters, listReadyPrinters } from './ready-printers.ts'
import { type ReservedStart, reserveMatches } from './reserve-matches.ts'
import { listFileModels, listPrintersGivenJobs } from './scheduler.queries.ts'

/**
 * Pages of the queue that are reserved beside one another: they share neither jobs nor printers. One of printers that were freed goes
 * beside them. Each holds a connection for transactions, of which requests need some.
 */
const mostReserving = 2

/** So many may be named in a statement for each page. */
const fewPrinters = 100

/** Starts that are sent, before others have their turn in the process. */
const sentAtOnce = 25

/** A start that is on record and was sent; what became of it. Never rejects. */
export interface SentStart {
  printerId: PrinterId
  isOver: Promise<void>
}

/** Printers that are matched with the queue, page by page, and the farm as it was read for them. */
interface Plan {
  pages: AsyncGenerator<Match[], void>
  farm: FarmFacts
}

/** What a round works with. */
interface RoundParts {
  /** Holds the turn of the account. */
  turn: Transaction
  /** Printers that become free while it runs. */
  freed: FreedPrinters
  /** Takes up what is sent. */
  sent: SentStart[]
  /** A round that goes on for longer ends after its page, so that the rounds of other processes have their turn. */
  longestMs: number
}

/**
 * One round of an account. Each page of the queue is reserved and written in one transaction, then sent. A printer that becomes free
 * meanwhile does not wait for all that were free before it: it is matched beside them, and reserved beside their pages.
 */
export class Round {
  readonly #context: Context
  readonly #accountId: AccountId
  readonly #parts: RoundParts
  readonly #startedMs = performance.now()
  readonly #heating = new Map<string, HeatingGroup>()
  readonly #planned = new Set<PrinterId>()
  readonly #matched = new Set<JobId>()
  readonly #reserving = new Reserving((matches, farm) => this.#reserve(matches, farm))
  #isCutShort = false
  #isFreedUnderWay = false
  #fileModels: Promise<string[]> | undefined

  constructor(context: Context, accountId: AccountId, parts: RoundParts) {
    this.#context = context
    this.#accountId = accountId
    this.#parts = parts
  }

  /** Resolves when nothing is being reserved any more. True when it was too long to go through the queue, and another one should go on. */
  async run(): Promise<boolean> {
    const over = Promise.withResolvers<'over'>()
    // They may have been freed at the end of the round before this one.
    const freed = this.#followFreed(over.promise)
    // What it throws is thrown below.
    freed.catch(() => undefined)
    try {
      await this.#startReady()
      await this.#reserving.settled()
    } finally {
      over.resolve('over')
      await Promise.allSettled([freed, this.#reserving.settled()])
    }
    await freed
    await this.#reserving.settled()
    return this.#isCutShort
  }

  #isLong(): boolean {
    return performance.now() - this.#startedMs >= this.#parts.longestMs
  }

  /** Matches and reserves for all printers that are ready when it begins. */
  async #startReady(): Promise<void> {
    const { turn } = this.#parts
    const printers = this.#unplanned(await listReadyPrinters(this.#context, turn, this.#accountId))
    if (printers.length === 0) return
    // Until what was freed meanwhile is reserved, a page of these begins only where no other is under way.
    const most = () => (this.#isFreedUnderWay ? 1 : mostReserving)
    await this.#reserveAll(await this.#plan(turn, printers), most)
  }

  /** Matches and reserves for printers as they are freed; until the others are done, and those that were freed before. */
  async #followFreed(over: Promise<'over'>): Promise<void> {
    const { freed } = this.#parts
    const { sql } = this.#context.db
    let isOver: boolean
    do {
      isOver = (await Promise.race([freed.told(), over])) === 'over'
      const printers = this.#unplanned(await freed.take(sql, this.#planned))
      if (printers.length === 0) continue
      this.#isFreedUnderWay = true
      try {
        const pages = await this.#reserveAll(await this.#plan(sql, printers), () => mostReserving + 1)
        for (const page of pages) await page.isOver
      } finally {
        this.#isFreedUnderWay = false
      }
    } while (!isOver && !this.#isLong())
  }

  /** What was read may have found its place in another plan meanwhile. */
  #unplanned(printers: readonly PrinterForRules[]): PrinterForRules[] {
    return printers.filter(({ id }) => !this.#planned.has(id))
  }

  /** @param sql of the turn for one plan at a time; another one beside it has others */
  async #plan(sql: Sql, printers: readonly PrinterForRules[]): Promise<Plan> {
    for (const { id } of printers) this.#planned.add(id)
    this.#fileModels ??= listFileModels(sql, this.#accountId)
    // Read again for each plan: a printer that refused a start in this round is not given another one at once.
    const [fileModels, loaded, givenJobs] = await Promise.all([
      this.#fileModels,
      loadFarm(this.#context, sql, this.#accountId),
      printers.length > fewPrinters ? listPrintersGivenJobs(sql, this.#accountId) : undefined,
    ])
    const { farm, printerFacts } = loaded
    for (const [name, group] of farm.heatingGroups) if (!this.#heating.has(name)) this.#heating.set(name, group)
    const pages = matchJobs(sql, this.#accountId, printers.map(printerFacts), loaded, {
      heating: this.#heating,
      matched: this.#matched,
      listReserving: () => this.#reserving.jobIds(),
      fileModels,
      givenJobs: givenJobs && new Set(givenJobs),
    })
    return { pages, farm }
  }

  /** Goes through the queue for the printers of a plan. Answers the pages, which are being reserved. @param most as `begin` has it */
  async #reserveAll({ pages, farm }: Plan, most: () => number): Promise<PageUnderWay[]> {
    const underWay: PageUnderWay[] = []
    for await (const page of pages) {
      underWay.push(await this.#reserving.begin(page, farm, most))
      this.#isCutShort = this.#isLong()
      if (this.#isCutShort) break
    }
    return underWay
  }

  async #reserve(matches: readonly Match[], farm: FarmFacts): Promise<void> {
    const { sent } = this.#parts
    const reserved = await reserveMatches(this.#context, this.#accountId, matches, farm)
    // Frames to one hub leave together.
    const starts = [...Map.groupBy(reserved, ({ command }) => command.hubId).values()].flat()
    for (const [index, start] of starts.entries()) {
      if (index % sentAtOnce === sentAtOnce - 1) await nextTurn()
      sent.push(send(this.#context, this.#accountId, start))
    }
    for (const { printer } of matches) this.#planned.delete(printer.id)
  }
}

/** A page that is being reserved; `isOver` never rejects. */
interface PageUnderWay {
  isOver: Promise<void>
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

  /**
   * Begins with a page as soon as fewer than `most` are being reserved, which may change meanwhile.
   * @throws what an earlier one threw; this one is left out then
   */
  async begin(matches: readonly Match[], farm: FarmFacts, most: () => number): Promise<PageUnderWay> {
    if (matches.length === 0) return { isOver: Promise.resolve() }
    this.#waiting.add(matches)
    while (this.#pages.size >= most()) await Promise.race(this.#pages.keys())
    this.#waiting.delete(matches)
    if (this.#errors.length > 0) throw this.#errors[0]
    const isOver: Promise<void> = this.#reserve(matches, farm)
      .catch((error: unknown) => void this.#errors.push(error))
      .finally(() => this.#pages.delete(isOver))
    this.#pages.set(isOver, matches)
    return { isOver }
  }

  /** The jobs of these pages. */
  jobIds(): JobId[] {
    return [...this.#waiting, ...this.#pages.values()].flatMap((matches) => matches.map(({ job }) => job.id))
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
