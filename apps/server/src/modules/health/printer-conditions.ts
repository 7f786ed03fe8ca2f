import type { Context } from '../../context/context.ts'
import { createBucket } from '../../kernel/bucket.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { inTurns } from '../../kernel/in-turns.ts'
import { SETTLE_MS } from '../../live/health-entries.ts'
import type { PrinterState } from '../../live/hub-messages.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import type { Happening } from '../events/event-catalogue.ts'
import { workIn } from '../events/work.ts'
import { type ToldCondition, writeToldConditions } from '../printers/state/printer-state.queries.ts'
import { listAccountsWithPrinters, type ToldPrinter, toldConditions } from './health.queries.ts'
import { type Condition, conditionOf, conditionToTell } from './printer-condition.ts'

/** Events of one printer that are written as soon as they are due; then one comes every five minutes, of what holds by then. */
const burst = 6
const perSecond = 1 / 300

/** Interval at which all farms are looked at: the net under what marks let through, such as a hub of another process that died. */
const sweepMs = 60_000

/** Printers whose events one transaction writes: it holds their rows, which starts and reports need. */
const mostTold = 250

/** A condition of a printer that its events do not say yet, and since when it holds. */
interface Sight {
  to: ToldCondition
  since: Date
}

interface FarmWatch {
  sights: ReadonlyMap<PrinterId, Sight>
  budgets: Map<PrinterId, ReturnType<typeof createBucket>>
}

interface Watch {
  /** Farms in which something may have changed. */
  marked: Set<AccountId>
  farms: Map<AccountId, FarmWatch>
  sweptAtMs: number
  since: Date
}

const makeWatch = ({ clock }: Pick<Context, 'clock'>): Watch => ({
  marked: new Set(),
  farms: new Map(),
  sweptAtMs: Number.NEGATIVE_INFINITY,
  since: clock.now(),
})

type Watching = Pick<Context, 'db' | 'hubs' | 'printers' | 'clock' | 'memory'>

/** Marks the farms in which a printer may have come into reach or gone out of it; `watchConditions` tells what lasts. */
export function followConditions(context: Watching): void {
  const { marked } = context.memory.hold(makeWatch, context)
  context.hubs.onPresence((accountId) => marked.add(accountId))
  context.db.onChange(({ accountId, what }) => {
    if (what.startsWith('printer.')) marked.add(accountId)
  })
  context.printers.onTelemetry((_, before, { accountId, state }) => {
    if (before?.status !== state.status) marked.add(accountId)
  })
}

/**
 * One turn of telling which printers went out of reach or report an error, and which do not any more. What passes within
 * `SETTLE_MS` is no event, and the events of a printer that comes and goes without end are slowed down.
 */
export async function watchConditions(context: Watching): Promise<void> {
  const watch = context.memory.hold(makeWatch, context)
  const now = context.clock.now()
  if (now.getTime() - watch.sweptAtMs >= sweepMs) {
    for (const { account_id } of await listAccountsWithPrinters(context.db.sql)) watch.marked.add(account_id)
    watch.sweptAtMs = now.getTime()
  }
  const accounts = [...watch.marked]
  // A mark that comes during the look counts for the next turn.
  watch.marked.clear()
  for (const accountId of accounts) {
    try {
      if (await lookAtFarm(context, watch, accountId, now)) watch.marked.add(accountId)
    } catch (error) {
      for (const each of accounts) watch.marked.add(each)
      throw error
    }
  }
}

/** A condition that has lasted, and is told now. */
interface Due extends Sight {
  printer: ToldPrinter
  condition: Condition
  state: PrinterState | undefined
}

/** True while something is still to be told or to be waited for. */
async function lookAtFarm(
  context: Watching,
  { farms, since: watchedSince }: Watch,
  accountId: AccountId,
  now: Date,
): Promise<boolean> {
  const { sights: before, budgets } = farms.get(accountId) ?? {
    sights: new Map<PrinterId, Sight>(),
    budgets: new Map(),
  }
  const sights = new Map<PrinterId, Sight>()
  const due: Due[] = []
  let isUndecided = false
  for await (const page of toldConditions(context.db.sql, accountId)) {
    for (const printer of page) {
      const { hubOnline, live } = findOwnLive(context, accountId, printer)
      const hub = { hubId: printer.hub_id, isHubOnline: hubOnline, hubSeenAt: printer.hub_seen_at }
      const condition = conditionOf({ ...hub, watchedSince, live: live?.state }, now)
      if (!condition) {
        isUndecided = true
        continue
      }
      const to = conditionToTell(printer, condition)
      if (isSame(to, printer)) continue
      const seen = before.get(printer.id)
      const sight = seen && isSame(seen.to, to) ? seen : { to, since: now }
      sights.set(printer.id, sight)
      const hasLasted = now.getTime() - sight.since.getTime() >= SETTLE_MS
      if (hasLasted && (budgets.get(printer.id)?.has(1, now.getTime()) ?? true)) {
        due.push({ ...sight, printer, condition, state: live?.state })
      }
    }
  }
  for await (const some of inTurns(due, mostTold)) await tell(context, accountId, some, now)
  for (const { printer } of due) {
    const budget = budgets.get(printer.id) ?? createBucket(burst, perSecond)
    budget.take(1, now.getTime())
    budgets.set(printer.id, budget)
    sights.delete(printer.id)
  }
  for (const [id, budget] of budgets) if (budget.has(burst, now.getTime())) budgets.delete(id)
  if (sights.size > 0 || budgets.size > 0) farms.set(accountId, { sights, budgets })
  else farms.delete(accountId)
  return isUndecided || sights.size > 0
}

async function tell({ db }: Pick<Context, 'db'>, accountId: AccountId, due: readonly Due[], now: Date): Promise<void> {
  await db.beginForFarm(accountId, async (sql) => {
    const changes = due.map(({ printer, to }) => ({ id: printer.id, seen: printer, now: to }))
    const written = await writeToldConditions(sql, accountId, changes)
    await workIn(sql, { accountId, actor: 'system', now }).recordAll(
      due.filter(({ printer }) => written.has(printer.id)).flatMap(eventsOf),
    )
  })
}

function eventsOf({ printer, condition, state, since: from, to }: Due): Happening[] {
  const subjectId = printer.id
  const problems = (state?.problems ?? []).map(({ reason }) => reason)
  const isByHub = condition.reach === 'offline' && condition.cause === 'hub_offline'
  const since = ((isByHub && printer.hub_seen_at) || from).toISOString()
  if (condition.reach === 'offline') {
    return [{ type: 'printer.offline', subjectId, data: { cause: condition.cause, since, problems } }]
  }
  const status = state?.status ?? 'idle'
  const events: Happening[] = []
  if (printer.told_offline) events.push({ type: 'printer.online', subjectId, data: { since, status } })
  if (to.told_error && !printer.told_error) {
    events.push({ type: 'printer.error', subjectId, data: { since, reason: state?.status_reason ?? null, problems } })
  }
  if (!to.told_error && printer.told_error) {
    events.push({ type: 'printer.error_ended', subjectId, data: { since, status } })
  }
  return events
}

const isSame = (one: ToldCondition, other: ToldCondition) =>
  one.told_offline === other.told_offline && one.told_error === other.told_error
