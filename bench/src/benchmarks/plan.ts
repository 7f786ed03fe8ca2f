import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase, type Sql, type Transaction } from '@printyard/server/db/database'
import { Pool } from '@printyard/server/db/driver/pool'
import type { Run } from '@printyard/server/db/driver/statement'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import type { SkuId } from '@printyard/server/kernel/ids'
import { lockItemOfSku, moveStock } from '@printyard/server/modules/catalogue/inventory/stock-ledger'
import { type Work, workIn } from '@printyard/server/modules/events/work'
import { planOrder } from '@printyard/server/modules/planning/produce.service'
import { planFor, replan } from '@printyard/server/modules/planning/replan/replan'
import { waitForPlan } from '@printyard/server/modules/planning/stored/requests.queries'
import { forecastOrders, waitForForecast } from '@printyard/server/modules/promises/forecast-orders'
import { listPromises } from '@printyard/server/modules/promises/shown/promise.queries'
import { makeDataDirectory, startService } from '../farms/farm.ts'
import { kits, openItems, type PlanFarm, printedSkus, seedPlanFarm } from '../farms/plan-farm.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { type Benchmark, lessThan } from '../harness/result.ts'
import { median, percentile } from '../harness/statistics.ts'

const orderReads = 100
const wholePlans = 10
const stockChanges = 60
const producedOrders = 20
/** How long after a change is looked whether it is planned. */
const lookMs = 2
const longestWaitMs = 30_000
/** The farm is put into the tables, and then planned for the first time, while the machine may have other work. */
const firstPlanMs = 300_000

export const plan: Benchmark = {
  name: 'plan',
  what: `${openItems} open order items over ${printedSkus + kits} SKUs: the plan of an order and of all, a change of stock, produce; and the statements`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const { connection, close } = embeddedConnection(dataDir)
    scope.defer(close)
    const database = openDatabase({ target: connection, statementTimeoutMs: 60_000 })
    scope.defer(() => database.close())
    const farm = await seedPlanFarm(database.sql)
    const http = { url: `${service.url}/public/v1`, key: farm.key }
    await untilPlanned(database.sql, farm, firstPlanMs)
    await database.sql`vacuum analyze`

    const times = new Map<string, number[]>()
    const time = async (name: string, rounds: number, act: (round: number) => Promise<unknown>) => {
      const ms: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const startedAt = performance.now()
        await act(round)
        ms.push(performance.now() - startedAt)
      }
      times.set(name, ms)
      return ms
    }
    const ofOrder = await time('GET /orders/{id}/plan', orderReads, (round) =>
      ask(http, 'GET', `/orders/${orderAt(farm, round)}/plan`),
    )
    const now = () => new Date()
    const { accountId } = farm
    await time('facts and plan of the account, nothing written', wholePlans, () =>
      planFor({ sql: database.sql, accountId, now: now() }, 'all'),
    )
    const loop = monitorEventLoopDelay({ resolution: 1 })
    loop.enable()
    const timeAlone = async (name: string, rounds: number, act: (work: Work, round: number) => Promise<unknown>) => {
      const ms: number[] = []
      for (let round = 0; round < rounds; round += 1) ms.push(await timeOfAlone(database, farm, act, round))
      times.set(name, ms)
      return ms
    }
    const ofAll = await timeAlone('the account planned and written', wholePlans, async (work) => {
      await work.sql`insert into replan_requests (account_id) values (${accountId})`
      // Part after part, as the planner does; in one transaction, so that the service's own planner takes none of them.
      while (await replan(work));
    })
    loop.disable()
    const forecastLoop = monitorEventLoopDelay({ resolution: 1 })
    forecastLoop.enable()
    const forecasts = await timeAlone('every open order forecast and written', wholePlans, (work) =>
      forecastOrders(work, (part) => part(work)),
    )
    forecastLoop.disable()
    await time('GET /orders of 200 orders as two pages, with their promises', orderReads, async () => {
      for (const offset of [0, 100]) await ask(http, 'GET', `/orders?limit=100&offset=${offset}`)
    })
    const first200 = farm.orderIds.slice(0, 200)
    await time('of that, what is promised of them', orderReads, () => listPromises(database.sql, accountId, first200))
    const changed = await timeAlone('a change of stock, planned and written', stockChanges, async (work, round) => {
      const item = (await lockItemOfSku(work.sql, accountId, skuAt(farm, round))) ?? missing()
      const movement = { stock: 'ready', reason: 'correction', change: 3, jobId: null, notes: '' } as const
      await moveStock(work, item, movement)
      await replan(work)
    })
    await time('the same by POST /inventory/{id}/adjust, until its pegs are there', stockChanges, async (round) => {
      const itemId = await itemAt(database.sql, farm, round)
      await ask(http, 'POST', `/inventory/${itemId}/adjust`, { adjustment: 1, reason: 'correction' })
      await untilPlanned(database.sql, farm)
    })
    await time('POST /orders/{id}/produce', producedOrders, (round) =>
      ask(http, 'POST', `/orders/${orderAt(farm, round)}/produce`),
    )
    return {
      name: 'plan',
      compared: Object.fromEntries([...times].map(([name, ms]) => [name, describeTimes(ms)])),
      times_ms: await explainPlans(connection, farm),
      goals: [
        lessThan('median ms of the plan of one order', median(ofOrder), 100),
        lessThan('median ms of the account', median(ofAll), 2_000),
        lessThan('longest ms that it held the event loop', loop.max / 1e6, 100),
        lessThan('median ms of a change of stock', median(changed), 50),
        lessThan('median ms of the forecast of all orders', median(forecasts), 2_000),
        lessThan('longest ms that a forecast held the event loop', forecastLoop.max / 1e6, 100),
      ],
    }
  },
}

function describeTimes(ms: number[]): Record<string, string> {
  const round = (value: number) => `${Math.round(value * 10) / 10} ms`
  return { p50: round(median(ms)), p99: round(percentile(ms, 99)) }
}

const orderAt = ({ orderIds }: PlanFarm, round: number) => orderIds[(round * 79) % orderIds.length]
const skuAt = ({ skuIds }: PlanFarm, round: number) => skuIds[(round * 31) % skuIds.length] as SkuId

async function itemAt(sql: Sql, farm: PlanFarm, round: number): Promise<string> {
  const [item] = await sql<{ id: string }[]>`
    select id from inventory_items where account_id = ${farm.accountId} and product_sku_id = ${skuAt(farm, round)}`
  if (!item) throw new Error('a SKU has no inventory item')
  return item.id
}

async function ask(
  { url, key }: { url: string; key: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  await fetchOk(`${url}${path}`, headers, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

async function untilPlanned(sql: Sql, { accountId }: PlanFarm, longestMs = longestWaitMs): Promise<void> {
  const deadline = performance.now() + longestMs
  for (;;) {
    const asked = await sql`select position from replan_requests where account_id = ${accountId} limit 1`
    if (asked.length === 0) return
    if (performance.now() > deadline) throw new Error(`not all was planned within ${longestMs} ms`)
    await wait(lookMs)
  }
}

/**
 * The ms of what is done in a transaction from which the service's own planner and forecaster are kept away: neither do they come
 * between, nor does it count how long the one waits for the other.
 */
function timeOfAlone(
  database: { begin<T>(work: (sql: Transaction) => Promise<T>): Promise<T> },
  { accountId }: PlanFarm,
  act: (work: Work, round: number) => Promise<unknown>,
  round: number,
): Promise<number> {
  return database.begin(async (sql) => {
    await sql`select set_config('lock_timeout', ${`${longestWaitMs}ms`}, true)`
    await waitForPlan(sql, accountId)
    await waitForForecast(sql, accountId)
    const work = workIn(sql, { accountId, actor: 'benchmark', now: new Date() })
    const startedAt = performance.now()
    await act(work, round)
    return performance.now() - startedAt
  })
}

/** Each statement of the three plans: whose it is, what it reads, and the ms that PostgreSQL takes for it. */
async function explainPlans(target: ConstructorParameters<typeof Pool>[0]['target'], farm: PlanFarm) {
  const pool = new Pool({ target, applicationName: 'printyard-bench' }, 1)
  const times: Record<string, number> = {}
  const { accountId } = farm
  const explained = (name: string, act: (work: Work) => Promise<unknown>) =>
    pool
      .begin(
        async (sql) => {
          await act(workIn(sql, { accountId, actor: 'benchmark', now: new Date() }))
          throw new RolledBack()
        },
        { wrap: (run) => explaining(run, name, times) },
      )
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
  try {
    await explained('order', (work) => planOrder(work, orderAt(farm, 3) ?? missing()))
    await explained('stock', async (work) => {
      await work.sql`
        insert into replan_requests (account_id, product_sku_id) values (${accountId}, ${skuAt(farm, 5)})`
      await replan(work)
    })
    await explained('account', async (work) => {
      await work.sql`insert into replan_requests (account_id) values (${accountId})`
      await replan(work)
    })
  } finally {
    await pool.end(2_000)
  }
  return times
}

class RolledBack extends Error {}

function missing(): never {
  throw new Error('the farm has no such row')
}

/** Tables that are read whole only where all of an account is planned. */
const largeTables = [
  'orders',
  'order_items',
  'order_item_states',
  'pegs',
  'jobs',
  'job_outputs',
  'skus',
  'inventory_items',
]

/** Sends each statement twice: for its plan and for its rows. Of one that writes, the ms are those of the second. */
function explaining(run: Run, name: string, times: Record<string, number>): Run {
  return async (statement) => {
    const text = statement.text.trim()
    const isRead = /^select\b/.test(text) && !text.includes('pg_advisory')
    if (!isRead && !/^(insert|update|delete|with)\b/.test(text)) return run(statement)
    const mode = isRead ? 'analyze, ' : ''
    const [row] = await run({ ...statement, text: `explain (${mode}format json) ${text}`, isPrepared: false })
    const [answer] = (row?.['QUERY PLAN'] ?? []) as { Plan: PlanNode; 'Execution Time'?: number }[]
    if (!answer) throw new Error(`no plan of: ${text}`)
    const { seqScans, indexes } = readNodes(answer.Plan)
    const scans = seqScans.filter((table) => largeTables.includes(table))
    const what = `${name}: ${text.replaceAll(/\s+/g, ' ').slice(0, 70)}`
    const read = [...new Set(indexes), ...scans.map((table) => `SEQ SCAN of ${table}`)].join(', ')
    const startedAt = performance.now()
    const rows = await run(statement)
    const ms = answer['Execution Time'] ?? performance.now() - startedAt
    times[`${what} (${read})`] = Math.round(ms * 100) / 100
    return rows
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: PlanNode[]
}

function readNodes(node: PlanNode): { seqScans: string[]; indexes: string[] } {
  const below = (node.Plans ?? []).map(readNodes)
  const isSeq = node['Node Type'] === 'Seq Scan'
  return {
    seqScans: [...(isSeq ? [node['Relation Name'] ?? ''] : []), ...below.flatMap(({ seqScans }) => seqScans)],
    indexes: [...(node['Index Name'] ? [node['Index Name']] : []), ...below.flatMap(({ indexes }) => indexes)],
  }
}
