import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import type { Context } from '../../context/context.ts'
import type { AccountId, HubId, PrinterId } from '../../kernel/ids.ts'
import { isSettled, type Observation, observe, settle } from '../../live/health-entries.ts'
import {
  type HealthSubject,
  listHubHealth,
  listPrinterHealth,
  listUnwatchedHealth,
  type Subject,
} from './health.queries.ts'
import { recordHealth } from './health.service.ts'
import { watchPrintsOutOfReach } from './print-out-of-reach.ts'

/** What one process has seen of its printers and hubs. What is settled is looked at again only when it changes. */
interface Sightings {
  printers: Map<PrinterId, { accountId: AccountId; seen: Observation; isOpen: boolean }>
  hubs: Map<HubId, Observation>
}

const makeSightings = (): Sightings => ({ printers: new Map(), hubs: new Map() })

/** Records what hubs report of their printers, from now on; `watchHealth` writes down what lasts. */
export function followHealth(context: Pick<Context, 'printers' | 'clock' | 'memory'>): void {
  const { printers } = context.memory.hold(makeSightings, context)
  context.printers.onTelemetry((printerId, before, { accountId, state }) => {
    const known = printers.get(printerId)
    // Most reports say nothing of it, and leave the list of the one before.
    if (known && before && before.problems === state.problems) return
    const seen = observe(known?.seen, state.problems ?? [], context.clock.now().getTime())
    printers.set(printerId, { accountId, seen, isOpen: true })
  })
}

/**
 * One turn of writing down what is wrong with printers and hubs, and what is not any more. Problems that come and go
 * faster than they would settle are never written.
 */
export async function watchHealth(context: Context): Promise<void> {
  const nowMs = context.clock.now().getTime()
  const { printers, hubs } = context.memory.hold(makeSightings, context)
  const byAccount = new Map<AccountId, Map<PrinterId, Observation>>()
  for (const [printerId, { accountId, seen, isOpen }] of printers) {
    // Its hub is away: what it will say then is seen for the first time.
    if (!context.printers.findHere(printerId)) printers.delete(printerId)
    else if (isOpen) (byAccount.get(accountId) ?? setIn(byAccount, accountId)).set(printerId, seen)
  }
  for (const [accountId, seen] of byAccount) {
    const kept = await listPrinterHealth(context.db.sql, accountId, [...seen.keys()])
    for (const { id, health } of kept) {
      const now = seen.get(id)
      const settled = now && (await recordWhenDue(context, accountId, { kind: 'printer', id, health }, now, nowMs))
      const known = printers.get(id)
      if (settled && known && known.seen === now) known.isOpen = !isSettled(settled, now)
    }
  }
  await watchHubs(context, hubs, nowMs)
  await watchPrintsOutOfReach(context)
  for (const { account_id, id } of await listUnwatchedHealth(context.db.sql)) {
    await recordHealth(context, account_id, { kind: 'printer', id }, () => [])
  }
}

async function watchHubs(context: Context, seen: Sightings['hubs'], nowMs: number): Promise<void> {
  const reported = new Map<AccountId, Map<HubId, readonly ReportedProblem[]>>()
  for (const hubId of context.hubs.listHubIdsHere()) {
    const hub = context.hubs.findHere(hubId)
    if (hub?.problems) (reported.get(hub.accountId) ?? setIn(reported, hub.accountId)).set(hubId, hub.problems)
  }
  for (const hubId of seen.keys()) if (!context.hubs.findHere(hubId)) seen.delete(hubId)
  for (const [accountId, problems] of reported) {
    for (const { id, health } of await listHubHealth(context.db.sql, accountId, [...problems.keys()])) {
      const now = observe(seen.get(id), problems.get(id) ?? [], nowMs)
      seen.set(id, now)
      await recordWhenDue(context, accountId, { kind: 'hub', id, health }, now, nowMs)
    }
  }
}

/** What is kept afterwards. */
async function recordWhenDue(
  context: Context,
  accountId: AccountId,
  subject: Subject & Pick<HealthSubject, 'health'>,
  seen: Observation,
  nowMs: number,
) {
  const due = settle(subject.health, seen, nowMs)
  if (JSON.stringify(due) === JSON.stringify(subject.health)) return due
  return recordHealth(context, accountId, subject, (kept) => settle(kept, seen, nowMs))
}

function setIn<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const map = new Map<L, V>()
  maps.set(key, map)
  return map
}
