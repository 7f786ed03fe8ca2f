import { HUB_STALE_AFTER_MS } from '@printyard/protocol/version'
import type { Context } from '../../context/context.ts'
import type { App } from '../../http/types.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { KeyedWorker } from '../../kernel/keyed-worker.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { loadDemand } from '../matching/load-demand.ts'
import { causeOf, type PeriodCause, type WaitingCause } from './period-cause.ts'
import {
  changePeriods,
  listWatches,
  type PeriodChange,
  recordWatched,
  type WatchedPrinter,
  watchedPrinters,
} from './printer-periods.queries.ts'
import { makeWaitingCause } from './waiting-cause.ts'

/** Time that changes are gathered before the printers of a farm are looked at. */
const gatherMs = 100

/** Looking may take at most this share of the time, however large the queue and however busy the farm. */
const lookingShare = 1 / 20

/** Longest pause between two looks. Of several changes in it only the last is seen, so on a slow machine they may cost a larger share. */
const longestPauseMs = 2_000

/** Changes of these kinds can move a printer from one period to another. */
const relevant = /^(printer|job|attempt|hub|filament|material)\./

/** A look lets starts go first for so long in all, and for the rounds that are under way then. */
const longestWaitMs = 30_000

type Watching = Pick<Context, 'db' | 'hubs' | 'printers' | 'peers' | 'memory' | 'clock' | 'log' | 'isDraining'>

/**
 * Keeps the record of where each printer's time goes. Reports of printers, hubs that come and go and changes in the
 * tables only mark a farm; all its printers are then looked at together, so that a report costs no write of its own.
 * A change counts from the moment of the last mark before the look. What is missed, `sweepPrinterTime` finds.
 */
export function followPrinterTime(app: App, context: Watching): void {
  const look = async (accountId: AccountId, at: Date) => {
    if (!context.isDraining()) await recordPeriods(context, accountId, at)
  }
  const looks = new KeyedWorker<AccountId, Date>(look, {
    gatherMs,
    pauseMs: (lookMs) => Math.min(longestPauseMs, Math.max(gatherMs, lookMs / lookingShare)),
    onError(error, accountId) {
      const words = 'what printers do could not be recorded; it is tried again'
      context.log.warn({ err: error, account_id: accountId }, words)
      return undefined
    },
  })
  const mark = (accountId: AccountId) => void looks.request(accountId, context.clock.now())

  context.db.onChange(({ accountId, what }) => {
    if (relevant.test(what)) mark(accountId)
  })
  context.hubs.onPresence(mark)
  context.printers.onTelemetry((_, before, live) => {
    const isTurn = before?.status !== live.state.status || before?.run?.attempt_id !== live.state.run?.attempt_id
    if (isTurn) mark(live.accountId)
  })
  app.addHook('onClose', () => looks.stop())
}

/**
 * Looks at all printers of a farm, some at a time, and writes down those that went from one period to another at `at`. Waits while printers
 * are being started, before each page; what is seen after that counts from then.
 *
 * @param mostWaitMs after which it waits for no further rounds
 */
export async function recordPeriods(
  context: Watching,
  accountId: AccountId,
  at: Date,
  mostWaitMs = longestWaitMs,
): Promise<void> {
  const { db, clock } = context
  const rounds = context.memory.hold(makeStartRounds, undefined)
  const waitUntilMs = performance.now() + mostWaitMs
  let seenAt = at
  let waitingCauses: ((printerId: PrinterId) => WaitingCause | undefined) | undefined
  async function letStartsGoFirst(): Promise<void> {
    const end = rounds.end(accountId)
    if (end === undefined || performance.now() > waitUntilMs) return
    await end
    seenAt = clock.now()
    // The queue is another one now.
    waitingCauses = undefined
  }
  for await (const page of watchedPrinters(db.sql, accountId, letStartsGoFirst)) {
    const printers = page.filter((printer) => isSeen(context, printer))
    const known = printers.map((printer) => ({ printer, cause: causeOfWatched(context, accountId, printer) }))
    const isAnyReady = known.some(({ cause }) => cause === undefined)
    if (isAnyReady) waitingCauses ??= await findWaitingCauses(context, accountId)
    const changes = known.flatMap(
      ({ printer, cause }) => changeOf(printer, cause ?? waitingCauses?.(printer.id) ?? 'no_matching_job') ?? [],
    )
    if (changes.length > 0) await db.beginForFarm(accountId, (sql) => changePeriods(sql, accountId, changes, seenAt))
  }
}

/**
 * True when this process can tell what a printer does. Not while it has missed what other processes know and the database says that one
 * of them holds the hub: then that one records it, and the printer stays in its period.
 */
function isSeen(
  { hubs, peers, clock }: Pick<Watching, 'hubs' | 'peers' | 'clock'>,
  { hub_id, hub_process_id, hub_seen_at }: WatchedPrinter,
): boolean {
  if (peers.isCurrent || hub_id === null || hub_process_id === null || hubs.isOnline(hub_id)) return true
  // A process that was killed cannot say that it holds the hub no more.
  return clock.now().getTime() - (hub_seen_at?.getTime() ?? 0) > HUB_STALE_AFTER_MS
}

/** Answers why each printer waits that is ready. */
async function findWaitingCauses(
  context: Watching,
  accountId: AccountId,
): Promise<(printerId: PrinterId) => WaitingCause | undefined> {
  const { printers, demand, farm } = await loadDemand(context, context.db.sql, accountId)
  const facts = new Map(printers.map((printer) => [printer.id, printer]))
  const waitingCause = makeWaitingCause(demand, farm)
  return (printerId) => {
    const printer = facts.get(printerId)
    return printer && waitingCause(printer)
  }
}

function causeOfWatched(context: Pick<Context, 'hubs' | 'printers'>, accountId: AccountId, printer: WatchedPrinter) {
  const { attempt_phase: phase, attempt_outcome: outcome } = printer
  return causeOf({
    ...printer,
    liveStatus: findOwnLive(context, accountId, printer).live?.state.status,
    attempt: phase === null ? undefined : { phase, outcome },
  })
}

/** Periods of these causes name the print that they belong to. */
const ofPrint: readonly PeriodCause[] = ['printing', 'transferring', 'paused', 'error']

/** Undefined while a printer stays in its period: a new print of the same cause is a period of its own. */
function changeOf(printer: WatchedPrinter, cause: PeriodCause): PeriodChange | undefined {
  const isOfPrint = ofPrint.includes(cause)
  const attemptId = isOfPrint ? printer.attempt_id : null
  if (cause === printer.open_cause && attemptId === printer.open_attempt_id) return undefined
  return {
    printerId: printer.id,
    seen: printer.open_cause,
    cause,
    attemptId,
    jobId: isOfPrint ? printer.job_id : null,
  }
}

/** No one watched for longer than this: the service was away, or its machine slept. */
const gapMs = 120_000

/** The mark is written this often, not at each sweep: small machines have disks that wear. */
const writeWatchedMs = 55_000

/**
 * Looks at every printer of every farm: the net under what marks let through. Also moves the mark of what was watched,
 * and writes down as `offline` what was not.
 */
export async function sweepPrinterTime(context: Watching): Promise<void> {
  for (const { account_id, watched_until } of await listWatches(context.db.sql)) {
    const now = context.clock.now()
    if (watched_until && now.getTime() - watched_until.getTime() > gapMs) {
      await recordGap(context, account_id, watched_until)
    }
    await recordPeriods(context, account_id, now)
    if (!watched_until || Math.abs(now.getTime() - watched_until.getTime()) >= writeWatchedMs) {
      await recordWatched(context.db.sql, account_id, now)
    }
  }
}

/** Call it when the service starts, before any hub can connect: since the last sweep no one has watched. */
export async function resumePrinterTime(context: Watching): Promise<void> {
  for (const { account_id, watched_until } of await listWatches(context.db.sql)) {
    if (watched_until) await recordGap(context, account_id, watched_until)
    await recordPeriods(context, account_id, context.clock.now())
  }
}

/** Ends at `from` every period that only watching could tell the end of. What people decided lasts until they end it. */
async function recordGap(context: Watching, accountId: AccountId, from: Date): Promise<void> {
  const { db } = context
  for await (const printers of watchedPrinters(db.sql, accountId)) {
    const changes = printers
      .filter(({ open_cause, is_active, in_maintenance }) => {
        return open_cause !== null && open_cause !== 'offline' && is_active && !in_maintenance
      })
      .map(
        (printer): PeriodChange => ({
          printerId: printer.id,
          seen: printer.open_cause,
          cause: 'offline',
          attemptId: null,
          jobId: null,
        }),
      )
    if (changes.length > 0) await db.beginForFarm(accountId, (sql) => changePeriods(sql, accountId, changes, from))
  }
}
