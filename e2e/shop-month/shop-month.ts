import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Sql } from '@printyard/server/db/database'
import { type AccountId, newId } from '@printyard/server/kernel/ids'
import { workIn } from '@printyard/server/modules/events/work'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { insertAccount } from '@printyard/server/modules/people/accounts/accounts.queries'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import { setRejectsAgain } from '@printyard/server/test/farm/rejects-again'
import { type HubThread, startHubThread } from '../fault-runs/hub-life.ts'
import { furnishShop } from './furnish-shop.ts'
import { judgeMonth, type MonthJudgement } from './judge-month.ts'
import { type MonthRecord, openRecord } from './month-record.ts'
import { produceNetted } from './netted.ts'
import { produceOrderByOrder } from './order-by-order.ts'
import { workThroughMonth } from './people.ts'
import { Agenda, type Shop } from './shop.ts'
import { createShopApi, type ShopApi } from './shop-api.ts'
import { openClock } from './shop-clock.ts'
import { daySeconds, drawShop, type ShopSize } from './shop-plan.ts'
import { planOwnersMonth } from './take-orders.ts'

interface ShopMonthOptions extends ShopSize {
  /** Simulated seconds for each real second. */
  speed: number
  /** A running service, and its database. */
  serviceUrl: string
  sql: Sql
  /** A directory that the caller removes. */
  path: string
  say(line: string): void
}

export type Way = 'netted' | 'order by order'

export interface ShopMonth extends MonthJudgement {
  way: Way
  /** What people did, for those who look closer. */
  done: Pick<MonthRecord, 'platesCleared' | 'jobsRetried' | 'jobsCancelled'> & { refused: Record<string, number> }
}

const tickMs = 50
const readyTimeoutMs = 120_000
/** How long after the month nothing may leave before the rest is given up: simulated, and on a slow machine. */
const overtimeDays = 10
const patienceMs = 180_000
const lookAtPlanMs = 50
const hubCacheBytes = 1024 * 1024 * 1024
/** Of a hub whose prints take a second: what a farm waits for by the minute. */
const waits = {
  timings: { telemetryMs: 100, firstRetryMs: 50, maxRetryMs: 1_000, retryPauseMs: 100, shortestPrintMs: 1 },
  waitFactor: 0.2,
}

/** A month of a shop in an account of its own, on the running service, with a real hub and simulated printers. */
export async function runShopMonth(way: Way, options: ShopMonthOptions): Promise<ShopMonth> {
  const { serviceUrl, sql, speed, say } = options
  const plan = drawShop(options)
  const { accountId, key, hub } = await openAccount(sql, way)
  const api = createShopApi(serviceUrl, key)
  const hubDir = join(options.path, `hub-${hub.id}`)
  await mkdir(hubDir, { recursive: true })
  const thread = startHubThread()
  const leaving = new AbortController()
  try {
    await thread.start(hubConfig(options, hub.token, hubDir), waits)
    say(`${way}: furnishing ${plan.printers.length} printers, ${plan.recipes.length} recipes`)
    const furnished = await furnishShop(api, plan, hub.id)
    await untilIdle(api, plan.printers.length)
    for (const id of furnished.printers.keys()) await api.post(`/printers/${id}/control`, { action: 'clear_bed' })

    const shop: Shop = {
      api,
      plan,
      furnished,
      record: openRecord(),
      agenda: new Agenda(),
      clock: openClock(speed),
      production: way === 'netted' ? produceNetted(() => shop) : produceOrderByOrder(() => shop),
      use: (printerId, deed) => thread.use(printerId, deed),
    }
    planOwnersMonth(shop)
    say(`${way}: the month takes ${Math.round(plan.seconds / speed)} s, longer on a machine that is busy`)
    const startedAtMs = Date.now()
    const people = workThroughMonth(shop, leaving.signal)
    const planner = followPlanner(shop, { sql, accountId, signal: leaving.signal })
    await Promise.race([keepShop(shop, speed), failed(people), failed(planner)])
    leaving.abort()
    await Promise.all([people, planner])
    say(`${way}: it took ${Math.round((Date.now() - startedAtMs) / 1_000)} s`)
    await untilCalm(shop)
    const judged = await judgeMonth(shop, { sql, accountId, hubDir })
    const { platesCleared, jobsRetried, jobsCancelled, refused } = shop.record
    const done = { platesCleared, jobsRetried, jobsCancelled, refused: Object.fromEntries(refused.counts) }
    return { way, ...judged, done }
  } finally {
    leaving.abort()
    await thread.kill()
  }
}

async function openAccount(sql: Sql, name: Way) {
  const accountId = newId('account')
  await insertAccount(sql, { id: accountId, name, time_zone: 'UTC' })
  const work = workIn(sql, { accountId, actor: 'cli', now: new Date() })
  const { key } = await createApiKey(work, { name: 'shop', scopes: ['read', 'write', 'control'], expiresAt: null })
  // Without netting no one sees that units are missing.
  if (name === 'order by order') await setRejectsAgain(sql, accountId, true)
  return { accountId, key, hub: await createHubWithToken(work, 'Shop') }
}

function hubConfig({ serviceUrl, speed }: ShopMonthOptions, token: string, dataDir: string) {
  return {
    serviceUrl,
    token,
    dataDir,
    virtualCount: 0,
    speed,
    cacheBytes: hubCacheBytes,
    isDiscoveryOn: false,
    allowsPublicAddresses: false,
  } satisfies Parameters<HubThread['start']>[0]
}

/** Never resolves; rejects when the work of the people fails. */
function failed(people: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => people.catch(reject))
}

async function untilIdle(api: ShopApi, printers: number): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs
  for (;;) {
    const { printers: now } = await api.get<{ printers: { idle: number } }>('/analytics/overview')
    if (now.idle === printers) return
    if (Date.now() > deadline) throw new Error(`Only ${now.idle} of ${printers} printers became idle`)
    await wait(200)
  }
}

/** Keeps the agenda until every order has left or, after the month, none does any more. */
async function keepShop(shop: Shop, speed: number): Promise<void> {
  const { agenda, clock, plan, record } = shop
  const overtimeSeconds = Math.max(overtimeDays * daySeconds, (patienceMs / 1_000) * speed)
  let roundAt = plan.seconds + daySeconds
  let leftAt = plan.seconds
  let open = plan.orders.length
  for (;;) {
    const now = clock.now()
    await clock.keepUpWith(() => agenda.keep(now))
    const openNow = [...record.orders.values()].filter(({ state }) => state === 'open').length
    if (openNow < open) leftAt = Math.max(leftAt, now)
    open = openNow
    const isOver = now > plan.seconds && record.orders.size === plan.orders.length && agenda.isEmpty
    if (isOver && open === 0) return
    if (now > leftAt + overtimeSeconds) return
    if (now > roundAt) {
      roundAt = now + daySeconds / 4
      await clock.keepUpWith(() => shop.production.round())
    }
    await wait(tickMs)
  }
}

/** Holds the clock while the service has not planned what was asked of it: shops of a real size change slower than that. */
async function followPlanner(
  { clock }: Shop,
  { sql, accountId, signal }: { sql: Sql; accountId: AccountId; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await clock.keepUpWith(() => untilPlanned(sql, accountId))
    await wait(lookAtPlanMs)
  }
}

/** Until all is planned that has been asked for by now. */
async function untilPlanned(sql: Sql, accountId: AccountId): Promise<void> {
  const deadline = Date.now() + patienceMs
  const [asked] = await sql<{ last: string | null }[]>`
    select max(position) as last from replan_requests where account_id = ${accountId}`
  const last = asked?.last ?? null
  while (last !== null) {
    const waiting = await sql`
      select position from replan_requests where account_id = ${accountId} and position <= ${last} limit 1`
    if (waiting.length === 0) return
    if (Date.now() > deadline) throw new Error(`what was asked for was not planned within ${patienceMs} ms`)
    await wait(lookAtPlanMs)
  }
}

/** What still prints ends, and what it yields is in the books. */
async function untilCalm({ api }: Shop): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (const status of ['processing', 'printing']) {
    while ((await api.get<unknown[]>(`/jobs?status=${status}&limit=1`)).length > 0) {
      if (Date.now() > deadline) throw new Error(`jobs were ${status} for ever`)
      await wait(200)
    }
  }
}
