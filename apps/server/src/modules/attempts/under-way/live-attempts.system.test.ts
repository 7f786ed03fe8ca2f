import { beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../../db/database.ts'
import type { FileVersionId, JobId, PrinterId } from '../../../kernel/ids.ts'
import { accountForAllTests } from '../../../test/app/app-hooks.ts'
import { insertFile } from '../../../test/farm/test-fleet.ts'
import { explaining } from '../../../test/run/query-plan.ts'
import { findJob } from '../../jobs/jobs.queries.ts'
import { listFreePrinters, listGroupMembers, listPrintersForRules } from '../../matching/matching.queries.ts'
import { listPublishedPrinters } from '../../mqtt/publish/facts.queries.ts'
import { findKnownPlate } from '../../printers/plate/plate.queries.ts'
import { hasUnfinishedWork } from '../../printers/printers.queries.ts'
import { takePowerOff } from '../../printers/state/power.queries.ts'
import { listJobsToForecast } from '../../promises/forecast-facts.queries.ts'
import { findLiveAttemptOfJob, findLiveAttemptOfPrinter } from '../attempts.queries.ts'
import { findTakeBack } from '../take-back.queries.ts'

const printing = 2_000
/** For each printer it and its job and attempts, at some places of a plan. */
const mostLookedAt = 20 * printing

const { t, account } = accountForAllTests()
let hubId: string
let fileId: string

// Statistics are taken of a farm at rest, with a print behind each printer; then there is one under way on each.
beforeAll(async () => {
  const { sql } = t.db
  hubId = (await account.request('POST', '/hubs', { name: 'Hub' })).json().data.id
  fileId = await insertFile(t, account.id, { printer_model: 'MK4S' })
  await sql`
    insert into printers (account_id, id, hub_id, name, model, connection_type, connection_sealed, power_group, plate_state, auto_start)
    select ${account.id}, 'prn_' || n, ${hubId}, 'Printer ' || n, 'MK4S', 'virtual', '', 'one', 'clear', true
    from generate_series(1, ${printing}) n`
  await insertPrints(sql, 'done', { status: 'completed', phase: 'finished', outcome: 'done', fence: 1 })
  await sql`vacuum analyze attempts, jobs, printers`
  await insertPrints(sql, 'live', { status: 'printing', phase: 'confirmed', outcome: null, fence: 2 })
})

async function insertPrints(
  sql: Sql,
  name: string,
  { status, phase, outcome, fence }: { status: string; phase: string; outcome: string | null; fence: number },
): Promise<void> {
  await sql`
    insert into jobs (account_id, id, status, printer_id, print_file_id, file_version_id, file_name, number_of_units,
      quantity_per_print, plates_total, created_by)
    select ${account.id}, ${`job_${name}_`} || n, ${status}, 'prn_' || n, v.print_file_id, v.id, 'clip.gcode', 1, 1, 1, 'system'
    from generate_series(1, ${printing}) n
    cross join print_file_versions v where v.account_id = ${account.id} and v.print_file_id = ${fileId}`
  await sql`
    insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, outcome,
      actor, confirmed_at, finished_at)
    select j.account_id, ${`att_${name}_`} || substr(j.printer_id, 5), j.id, 1, j.printer_id, ${hubId}, j.file_version_id, ${fence},
      ${phase}, ${outcome}, 'system', now(), case when ${phase === 'finished'} then now() end
    from jobs j where j.account_id = ${account.id} and j.id like ${`job_${name}_%`}`
}

type PlanNode = Record<string, unknown> & { Plans?: PlanNode[] }

/** Rows that the statement looked at in all, also those that were not what it looked for. */
function countRows({ Plans = [], ...node }: PlanNode): number {
  const ofEach = [
    'Actual Rows',
    'Rows Removed by Filter',
    'Rows Removed by Join Filter',
    'Rows Removed by Index Recheck',
  ]
  const rows = ofEach.reduce((sum, name) => sum + Number(node[name] ?? 0), 0) * Number(node['Actual Loops'])
  return Plans.reduce((sum, plan) => sum + countRows(plan), rows)
}

const printerId = 'prn_7' as PrinterId
const liveJobId = 'job_live_7' as JobId

/** Rows of attempts that this connection has read so far, some others among them. */
async function countRead(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'attempts'`
  return row?.count ?? 0
}

describe('attempts under way are read once, though statistics know of none', () => {
  test.each([
    ['the printers that the rules look at', (sql: Sql) => listPrintersForRules(sql, account.id)],
    ['the printers that share a supply', (sql: Sql) => listGroupMembers(sql, account.id)],
    ['the printers that a broker is told of', (sql: Sql) => listPublishedPrinters(sql, account.id)],
  ])('for %s', async (_, list) => {
    const [row] = (await list(explaining(t.db.sql, 'analyze'))) as unknown as { 'QUERY PLAN': { Plan: PlanNode }[] }[]
    const rows = countRows(row?.['QUERY PLAN'][0]?.Plan ?? {})
    expect(rows).toBeGreaterThanOrEqual(printing)
    expect(rows).toBeLessThanOrEqual(mostLookedAt)
  })

  test('for the jobs that are forecast', async () => {
    await t.db.begin(async (sql) => {
      const before = await countRead(sql)
      let started = 0
      for await (const page of listJobsToForecast(sql, account.id)) {
        started += page.filter(({ started_at }) => started_at !== null).length
      }
      expect(started).toBe(printing)
      expect((await countRead(sql)) - before).toBeLessThanOrEqual(mostLookedAt)
    })
  })
})

const power = { now: new Date(), until: new Date() }
/** Asks of a job that waits again, so that it depends on what is under way alone. */
async function askForTakeBack(sql: Sql): Promise<unknown> {
  const [job] = await sql<{ file_version_id: FileVersionId }[]>`
    update jobs set status = 'queued' where account_id = ${account.id} and id = ${liveJobId} returning file_version_id`
  const attempt = {
    job_id: liveJobId,
    printer_id: printerId,
    plate_number: 1,
    file_version_id: job?.file_version_id ?? ('' as FileVersionId),
  }
  return findTakeBack(sql, account.id, attempt)
}

test.each([
  ['of one printer', (sql: Sql) => findLiveAttemptOfPrinter(sql, account.id, printerId)],
  ['of one job', (sql: Sql) => findLiveAttemptOfJob(sql, account.id, liveJobId)],
  ['that a job is shown with', (sql: Sql) => findJob(sql, account.id, liveJobId)],
  ['that a plate is compared with', (sql: Sql) => findKnownPlate(sql, account.id, printerId)],
  ['that keeps a printer from being deleted', (sql: Sql) => hasUnfinishedWork(sql, account.id, printerId)],
  ['that keeps one printer from being free', (sql: Sql) => listFreePrinters(sql, account.id, [printerId])],
  ['that keeps one printer from losing its power', (sql: Sql) => takePowerOff(sql, account.id, printerId, power)],
  ['that stands in the way of one that is taken back', askForTakeBack],
] as const)('the attempt %s is read alone, though statistics know of none', async (_, look) => {
  await t.db.begin(async (sql) => {
    const before = await countRead(sql)
    await look(sql)
    expect((await countRead(sql)) - before).toBe(1)
  })
})
