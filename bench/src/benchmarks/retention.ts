import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase, type Sql } from '@printyard/server/db/database'
import { deleteInBatches } from '@printyard/server/db/delete-in-batches'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { firstIdOf, newId } from '@printyard/server/kernel/ids'
import { deleteEventsBefore } from '@printyard/server/modules/events/events.queries'
import { deletePeriodsBefore } from '@printyard/server/modules/timeline/printer-periods.queries'
import { makeDataDirectory, type SeededFarm, seedFarm, startService } from '../farms/farm.ts'
import { atMost, type Benchmark } from '../harness/result.ts'
import { percentile } from '../harness/statistics.ts'

/** Of each of both kinds: that many days that are over, with so many rows each. */
const overDays = 80
const rowsOfDay = 2_500
const rows = overDays * rowsOfDay
const restMs = 5_000
const writeEveryMs = 10
const dayMs = 24 * 60 * 60 * 1000

export const retention: Benchmark = {
  name: 'retention',
  what: `Removing ${rows} events and as many periods of printers that are over, while an event is written every ${writeEveryMs} ms`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    await startService(scope, dataDir)
    const farm = await seedFarm(dataDir, 10_000)
    const { connection, close } = embeddedConnection(dataDir)
    const database = openDatabase({ target: connection, statementTimeoutMs: 120_000 })
    try {
      const { sql, reports } = database
      const keptFrom = new Date(Date.now() - 200 * dayMs)
      await addRowsThatAreOver(sql, farm, keptFrom)
      const atRest = await timeWrites(sql, farm, () => wait(restMs))
      const rates: Record<string, number> = {}
      const meanwhile = await timeWrites(sql, farm, async () => {
        const firstKept = firstIdOf('event', keptFrom.getTime())
        rates.events = await removeAll((most) => deleteEventsBefore(reports, firstKept, most))
        rates.periods = await removeAll((most) => deletePeriodsBefore(reports, keptFrom, most))
      })
      const p99 = percentile(meanwhile, 99)
      return {
        name: 'retention',
        times_ms: { 'a write at rest (p99)': rounded(percentile(atRest, 99)), 'a write meanwhile (p99)': rounded(p99) },
        compared: {
          removed: Object.fromEntries(
            Object.entries(rates).map(([name, rate]) => [name, `${Math.round(rate)} rows/s`]),
          ),
        },
        goals: [atMost('times slower writes meanwhile', p99 / percentile(atRest, 99), 2)],
      }
    } finally {
      await database.close()
      close()
    }
  },
}

const rounded = (ms: number) => Math.round(ms * 100) / 100

async function addRowsThatAreOver(sql: Sql, { accountId, printerIds }: SeededFarm, before: Date): Promise<void> {
  for (let day = 1; day <= overDays; day += 1) {
    const at = new Date(before.getTime() - day * dayMs)
    const prefix = firstIdOf('event', at.getTime()).slice(0, -6)
    await sql`
      insert into events (account_id, id, type, subject_id, data, actor, created_at)
      select ${accountId}, ${prefix}::text || lpad(n::text, 6, '0'), 'job.queued', 'job_' || n,
             jsonb_build_object('printer_id', ${printerIds[0] ?? ''}::text, 'priority', 'normal', 'number', n),
             'system', ${at}
      from generate_series(1, ${rowsOfDay}::int) n`
    await sql`
      insert into printer_periods (account_id, printer_id, cause, started_at, ended_at)
      select ${accountId}, (${printerIds}::text[])[1 + n % ${printerIds.length}::int], 'printing',
             ${at}::timestamptz + make_interval(secs => n), ${at}::timestamptz + make_interval(secs => n + 1)
      from generate_series(1, ${rowsOfDay}::int) n`
  }
  await sql`analyze events`
  await sql`analyze printer_periods`
}

/** How long each of the writes took, in ms, that were made while `work` went on. */
async function timeWrites(sql: Sql, { accountId }: SeededFarm, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const startedAtMs = performance.now()
    await sql`
      insert into events (account_id, id, type, subject_id, data, actor)
      values (${accountId}, ${newId('event')}, 'job.queued', 'job_new', '{}', 'system')`
    times.push(performance.now() - startedAtMs)
    await wait(writeEveryMs)
  }
  await working
  return times
}

/** Removes as the service does, until nothing is left. Answers rows per second. */
async function removeAll(deleteBatch: (limit: number) => Promise<number>): Promise<number> {
  const startedAtMs = performance.now()
  const removed = await deleteInBatches({ isDraining: () => false }, deleteBatch)
  if (removed < rows) throw new Error(`${removed} rows of ${rows} were removed`)
  return removed / ((performance.now() - startedAtMs) / 1_000)
}
