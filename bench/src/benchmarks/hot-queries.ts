import { openDatabase, type Sql } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import type { JobId, PrinterId } from '@printyard/server/kernel/ids'
import { countJobs } from '@printyard/server/modules/analytics/analytics.queries'
import { countJobStats, findJob, listHistory, listJobs } from '@printyard/server/modules/jobs/jobs.queries'
import { listFreePrinters } from '@printyard/server/modules/matching/matching.queries'
import { getDay } from '@printyard/server/modules/people/accounts/account-days.queries'
import { listPrinters } from '@printyard/server/modules/printers/printers.queries'
import { listCandidates } from '@printyard/server/modules/scheduler/scheduler.queries'
import { explaining, readPlan } from '@printyard/server/test/run/query-plan'
import { makeDataDirectory, type SeededFarm, seedFarm, startService } from '../farms/farm.ts'
import { longHistory } from '../farms/two-histories.ts'
import type { Benchmark } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'

const runs = 5
const dayMs = 24 * 60 * 60 * 1000

export const hotQueries: Benchmark = {
  name: 'hot-queries',
  what: `What PostgreSQL does for the statements that are sent most, with ${longHistory} jobs: indexes and ms`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    await startService(scope, dataDir)
    const farm = await seedFarm(dataDir, longHistory)
    const { connection, close } = embeddedConnection(dataDir)
    const database = openDatabase({ target: connection, statementTimeoutMs: 60_000 })
    try {
      const times_ms: Record<string, number> = {}
      for (const [name, query] of Object.entries(await statementsOf(database.sql, farm))) {
        const { indexes, ms } = await explain(database.sql, query)
        times_ms[`${name} (${indexes.join(', ')})`] = ms
      }
      return { name: 'hot-queries', goals: [], times_ms }
    } finally {
      await database.close()
      close()
    }
  },
}

type Query = (sql: Sql) => Promise<unknown>

async function statementsOf(sql: Sql, { accountId, jobIds, printerIds }: SeededFarm): Promise<Record<string, Query>> {
  const now = new Date()
  const page = { limit: 51, offset: 0 }
  const deep = jobIds.at(-1_000) as JobId
  const [last] = await sql<{ key: string }[]>`
    select time_completed::text as key from jobs where account_id = ${accountId} and id = ${deep}`
  const after = { key: last?.key ?? null, id: deep }
  const day = await getDay(sql, accountId, now)
  return {
    'one job': (on) => findJob(on, accountId, deep),
    'jobs, first page': (on) => listJobs(on, accountId, page, now),
    'jobs of a printer': (on) => listJobs(on, accountId, { ...page, printer_id: printerIds[0] as PrinterId }, now),
    'queued jobs': (on) => listJobs(on, accountId, { ...page, status: 'queued' }, now),
    'history, first page': (on) => listHistory(on, accountId, page),
    'history by cursor near its end': (on) => listHistory(on, accountId, { ...page, after }),
    'overview of jobs': (on) => countJobs(on, accountId, day),
    'job stats of 30 days': (on) =>
      countJobStats(on, accountId, { from: new Date(now.getTime() - 30 * dayMs), to: now }),
    'scheduler, free printers': (on) => listFreePrinters(on, accountId),
    'scheduler, first candidates': (on) =>
      listCandidates(on, accountId, { printerIds, fileModels: [], filamentTypes: [], limit: 500, after: undefined }),
    'printers, first page': (on) => listPrinters(on, accountId, page),
  }
}

/** The indexes that a statement reads, and the median of its execution times. */
async function explain(sql: Sql, query: Query): Promise<{ indexes: string[]; ms: number }> {
  const plans: unknown[] = []
  for (let run = 0; run < runs; run += 1) plans.push(await query(explaining(sql, 'analyze')))
  const times = plans.map((plan) => Number(/"Execution Time":([\d.]+)/.exec(JSON.stringify(plan))?.[1]))
  if (times.some(Number.isNaN)) throw new Error(`a plan without its time: ${JSON.stringify(plans[0]).slice(0, 500)}`)
  const { indexes, nodes } = readPlan(plans.at(-1))
  const names = [...new Set(indexes)]
  return {
    indexes: nodes.includes('Seq Scan') ? [...names, 'SEQ SCAN'] : names,
    ms: Math.round(median(times) * 1000) / 1000,
  }
}
