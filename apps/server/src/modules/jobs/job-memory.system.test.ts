import { describe, expect, test } from 'vitest'
import { newId, readId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { findJob } from './jobs.queries.ts'
import { renumberQueue } from './queue/queue-place.queries.ts'

const t = appForAllTests()

async function queueJob(farm: TestFarm, fields: Record<string, unknown> = {}): Promise<string> {
  const job = { print_file_id: farm.fileId, number_of_units: 1, quantity_per_print: 1, ...fields }
  const answer = await farm.account.request('POST', '/jobs', job)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id
}

async function read(farm: TestFarm, jobId: string) {
  const answer = await farm.account.request('GET', `/jobs/${jobId}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

/** Lets changes go untold, so that what is in memory is seen to be. */
async function untold(work: () => Promise<void>): Promise<void> {
  await t.written()
  await t.db.sql`/* every account: a table has one trigger */ alter table jobs disable trigger jobs_tell`
  try {
    await work()
    await t.written()
  } finally {
    await t.db.sql`/* every account: a table has one trigger */ alter table jobs enable trigger jobs_tell`
  }
}

test('a job that nothing has changed since is answered from memory, in its own account alone', async () => {
  const [farm, other] = [await createTestFarm(t), await createTestFarm(t)]
  const jobId = await queueJob(farm)
  const before = await read(farm, jobId)
  await untold(async () => {
    await t.db.sql`update jobs set sku_name = 'Other' where account_id = ${farm.account.id} and id = ${jobId}`
    expect(await read(farm, jobId)).toEqual(before)
  })
  expect((await other.account.request('GET', `/jobs/${jobId}`)).statusCode).toBe(404)
})

test('one that is not there is not remembered', async () => {
  const farm = await createTestFarm(t)
  const jobId = newId('job')
  for (const _ of [1, 2]) expect((await farm.account.request('GET', `/jobs/${jobId}`)).statusCode).toBe(404)
})

test('jobs that one statement changes are all forgotten', async () => {
  const farm = await createTestFarm(t)
  const jobIds = [await queueJob(farm), await queueJob(farm), await queueJob(farm)]
  const names = async () => Promise.all(jobIds.map(async (jobId) => (await read(farm, jobId)).sku_name))
  expect(await names()).toEqual([null, null, null])
  await t.db.sql`update jobs set sku_name = 'Red' where account_id = ${farm.account.id}`
  expect(await names()).toEqual(['Red', 'Red', 'Red'])
})

test('the trigger looks at every column that answers read', async () => {
  const farm = await createTestFarm(t)
  const row = await findJob(t.db.sql, farm.account.id, readId('job', await queueJob(farm)) ?? newId('job'))
  const { printer_name, printer_model, live_attempt_id, ...ofJob } = row ?? {}
  expect([printer_name, printer_model, live_attempt_id]).toEqual([null, null, null])
  const [{ text } = { text: '' }] = await t.db.sql<{ text: string }[]>`
    select prosrc as text from pg_proc where proname = 'tell_changed_jobs'`
  const lists = [...text.matchAll(/select (account_id,[^()]+?)from (former|changed)/g)].map(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== 'account_id')
      .sort(),
  )
  expect(lists).toEqual([Object.keys(ofJob).sort(), Object.keys(ofJob).sort()])
})

test('a queue that is numbered again is remembered as it was', async () => {
  const farm = await createTestFarm(t)
  const jobIds = [await queueJob(farm), await queueJob(farm)]
  for (const jobId of jobIds) await read(farm, jobId)
  const told: (string | undefined)[] = []
  t.db.coherence.onForget((id) => told.push(id))
  await renumberQueue(t.db.sql, farm.account.id)
  await t.written()
  expect(told.filter((id) => jobIds.includes(id ?? ''))).toEqual([])
})

describe('each thing that the answer shows is forgotten when it changes', () => {
  test.each([
    ['status', 'cancelled'],
    ['product_name', 'Clip'],
    ['sku_name', 'red PLA'],
    ['file_name', 'another'],
    ['number_of_units', 7],
    ['color', 'Green'],
    ['filament_type', 'ABS'],
    ['material_type', 'ABS'],
    ['progress_percentage', 41],
    ['estimated_print_time_minutes', 77],
    ['actual_print_time_minutes', 78],
    ['filament_needed_grams', 12.5],
    ['failure_reason', 'Torn off.'],
    ['time_submitted', '2031-01-01T00:00:00.000Z'],
    ['time_started', '2031-01-02T00:00:00.000Z'],
    ['time_completed', '2031-01-03T00:00:00.000Z'],
    ['created_at', '2031-01-04T00:00:00.000Z'],
    ['updated_at', '2031-01-05T00:00:00.000Z'],
  ])('%s', async (column, value) => {
    const farm = await createTestFarm(t)
    const jobId = await queueJob(farm)
    const before = await read(farm, jobId)
    expect(before[column]).not.toEqual(value)
    await t.db
      .sql`update jobs set ${t.db.sql({ [column]: value })} where account_id = ${farm.account.id} and id = ${jobId}`
    expect(await read(farm, jobId)).toEqual({ ...before, [column]: value })
  })

  test('its printer, and the name of that', async () => {
    const farm = await createTestFarm(t)
    const { account, printerId } = farm
    const jobId = await queueJob(farm)
    expect(await read(farm, jobId)).toMatchObject({ printer_id: null, printer_name: null })
    await t.db.sql`update jobs set printer_id = ${printerId} where account_id = ${account.id} and id = ${jobId}`
    expect(await read(farm, jobId)).toMatchObject({ printer_id: printerId })
    expect((await account.request('PATCH', `/printers/${printerId}`, { name: 'Renamed' })).statusCode).toBe(200)
    expect(await read(farm, jobId)).toMatchObject({ printer_name: 'Renamed' })
    await t.db.sql`update printers set model = 'X1C' where account_id = ${account.id} and id = ${printerId}`
    expect(await read(farm, jobId)).toMatchObject({ printer_model: 'X1C' })
  })

  test('that it is gone', async () => {
    const farm = await createTestFarm(t)
    const jobId = await queueJob(farm)
    await read(farm, jobId)
    await t.db.sql`delete from jobs where account_id = ${farm.account.id} and id = ${jobId}`
    expect((await farm.account.request('GET', `/jobs/${jobId}`)).statusCode).toBe(404)
  })
})

test('the progress of a job in memory is what its printer reports now, from its first report to its end', async () => {
  const farm = await createTestFarm(t)
  const jobId = await queueJob(farm, { printer_id: farm.printerId })
  await read(farm, jobId)
  const started = await farm.account.request('POST', `/jobs/${jobId}/start`)
  expect(started.statusCode, started.body).toBe(200)
  const [attempt] = await t.db.sql<{ id: string }[]>`
    select id from attempts where account_id = ${farm.account.id} and job_id = ${jobId}`
  const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt?.id ?? '' }
  for (const progress of [10, 60]) {
    farm.hub.telemetry(farm.printerId, { status: 'printing', progress, run })
    await t.settled(async () => (await read(farm, jobId)).progress_percentage === progress)
  }
  // The printer still reports it, and it is no attempt of this job any more.
  await t.db.sql`
    update attempts set phase = 'finished', outcome = 'failed', finished_at = now()
    where account_id = ${farm.account.id} and job_id = ${jobId}`
  expect((await read(farm, jobId)).progress_percentage).not.toBe(60)
})
