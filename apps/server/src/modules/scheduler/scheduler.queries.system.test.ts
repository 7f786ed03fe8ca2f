import { beforeAll, expect, test } from 'vitest'
import { newId, type PrinterId } from '../../kernel/ids.ts'
import { accountForAllTests } from '../../test/app/app-hooks.ts'
import { insertFile } from '../../test/farm/test-fleet.ts'
import { analyzedPlanOf, explaining, readPlan } from '../../test/run/query-plan.ts'
import { compareInQueue, placeInQueue } from '../jobs/queue/queue-order.ts'
import { findJobForRules, type JobForRules, listFreePrinters } from '../matching/matching.queries.ts'
import { countQueue } from './queue-counts.queries.ts'
import { countJobsBefore, listAccountsWithWork, listCandidates } from './scheduler.queries.ts'
import { listWaiting } from './waiting-jobs.queries.ts'

const ids: string[] = []

const { t, account } = accountForAllTests()
beforeAll(async () => {
  const print_file_id = await insertFile(t, account.id, { printer_model: 'MK4S' })
  for (const priority of ['normal', 'urgent', 'low']) {
    for (const due_date of [undefined, '2027-01-02T00:00:00.123Z', '2027-01-01T00:00:00Z', undefined]) {
      const answer = await account.request('POST', '/jobs', { print_file_id, priority, ...(due_date && { due_date }) })
      ids.push(answer.json().data.id)
    }
  }
})

const any = { printerIds: [], fileModels: ['MK4S'], filamentTypes: [], after: undefined }

test('read page by page the queue is in the same order as in one, which is that of the plan', async () => {
  const whole = await listCandidates(t.db.sql, account.id, { ...any, limit: 100 })
  expect(whole).toHaveLength(ids.length)
  expect(whole.toSorted(compareInQueue)).toEqual(whole)
  const paged: JobForRules[] = []
  for (let page = 0; page <= ids.length / 5; page += 1) {
    paged.push(...(await listCandidates(t.db.sql, account.id, { ...any, limit: 5, after: paged.at(-1) })))
  }
  expect(paged).toEqual(whole)
})

test('a job knows how many come before it', async () => {
  const whole = await listCandidates(t.db.sql, account.id, { ...any, limit: 100 })
  for (const [place, { id }] of whole.entries()) {
    const job = (await findJobForRules(t.db.sql, account.id, id)) as JobForRules
    expect(await countJobsBefore(t.db.sql, account.id, job)).toBe(place)
  }
})

test('jobs that the printers could never take are not read', async () => {
  expect(await listCandidates(t.db.sql, account.id, { ...any, fileModels: ['P1S'], limit: 100 })).toEqual([])
})

test('a page of a long queue is read by the index of the queue, not sorted', async () => {
  await t.db.begin(async (sql) => {
    await sql`
      insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
        quantity_per_print, plates_total, created_by, due_date)
      select j.account_id, j.id || number, 'queued', j.print_file_id, j.file_version_id, j.file_name, 1, 1, 1, 'system',
        now() + number * interval '1 minute'
      from jobs j cross join generate_series(1, 20000) as number
      where j.account_id = ${account.id} and j.id = ${ids[0] ?? ''}`
    await sql`analyze jobs, print_file_versions`
  })
  const plan = readPlan(await listCandidates(explaining(t.db.sql), account.id, { ...any, limit: 50 }))
  expect(plan.indexes).toContain('jobs_queue')
  expect(plan.nodes).not.toContain('Sort')
})

test('a page deep in a long queue reads no job that comes before it', async () => {
  const rows = (await t.db.sql`
    select id, priority_rank, due_date, queue_position from jobs j where j.account_id = ${account.id} and status = 'queued'
    order by ${placeInQueue(t.db.sql)} offset 15000 limit 1`) as unknown as JobForRules[]
  const after = rows[0] as JobForRules
  const sql = explaining(t.db.sql, 'analyze')
  const filtered = (plan: unknown) =>
    [...JSON.stringify(plan).matchAll(/"Rows Removed by Filter":(\d+)/g)].map(([, count]) => Number(count))
  const page = await listCandidates(sql, account.id, { ...any, limit: 50, after })
  expect(Math.max(0, ...filtered(page))).toBe(0)
  expect(JSON.stringify(page)).toContain('"Index Name":"jobs_queue"')
  const key = JSON.stringify([after.priority_rank, after.due_date?.toISOString() ?? 'infinity', after.queue_position])
  const list = await listWaiting(sql, account.id, { limit: 50, offset: 0, after: { id: after.id, key } })
  expect(Math.max(0, ...filtered(list))).toBe(0)
})

test('a search reads the queue and its counts by their indexes, never the jobs that are over', async () => {
  const sql = explaining(t.db.sql)
  const search = 'other'
  const list = readPlan(await listWaiting(sql, account.id, { search, limit: 50, offset: 0 }))
  expect(list.indexes).toContain('jobs_queue')
  await t.db.begin(async (started) => {
    await started`
      update jobs set status = 'completed' where account_id = ${account.id} and due_date > now() + interval '1 hour'`
    await started`analyze jobs`
  })
  const unfinished = ['jobs_queue', 'jobs_unfinished', 'jobs_queued_for_printer']
  const counts = readPlan([await countQueue(sql, account.id, { search })])
  expect(counts.indexes.filter((index) => index?.startsWith('jobs_'))).toEqual([expect.toBeOneOf(unfinished)])
})

test('which printers are held is read once, not printer by printer', async () => {
  const plan = JSON.stringify(await listFreePrinters(explaining(t.db.sql), account.id))
  expect(plan).toContain('hashed SubPlan')
})

test('who has both a printer that is ready and a queued job is known from the first of each', async () => {
  const hubId = newId('hub')
  const hubIds = [hubId]
  await t.db.sql`insert into hubs (account_id, id, name) values (${account.id}, ${hubId}, 'Long shelf')`
  const printers = await t.db.sql<{ id: PrinterId }[]>`
    insert into printers (account_id, id, name, model, connection_type, connection_sealed, hub_id, auto_start,
      plate_state)
    select ${account.id}, 'prn_shelf' || number, 'Shelf ' || number, 'MK4S', 'virtual', '\\x00', ${hubId}, true, 'clear'
    from generate_series(1, 3000) as number returning id`
  expect(printers).toHaveLength(3000)
  await t.db.sql`analyze printers`
  expect(await listAccountsWithWork(t.db.sql, hubIds)).toEqual([account.id])
  const plan = JSON.stringify(await analyzedPlanOf(t.db.sql, (sql) => listAccountsWithWork(sql, hubIds)))
  const most = Math.max(...[...plan.matchAll(/"Actual Rows":(\d+)/g)].map(([, rows]) => Number(rows)))
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(100)

  await t.db.sql`update printers set in_maintenance = true where account_id = ${account.id} and hub_id = ${hubId}`
  expect(await listAccountsWithWork(t.db.sql, hubIds)).toEqual([])
  await t.db.sql`
    update printers set in_maintenance = false where account_id = ${account.id} and id = ${printers[0]?.id ?? ''}`
  expect(await listAccountsWithWork(t.db.sql, hubIds)).toEqual([account.id])
  await t.db.sql`update jobs set status = 'cancelled' where account_id = ${account.id}`
  expect(await listAccountsWithWork(t.db.sql, hubIds)).toEqual([])
})
