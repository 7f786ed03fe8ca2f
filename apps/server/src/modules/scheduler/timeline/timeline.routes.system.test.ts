import { beforeEach, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { insertFile } from '../../../test/farm/test-fleet.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'
import { forecastAccount } from '../../promises/forecaster.ts'

/** A Monday. */
const start = new Date('2026-11-23T08:00:00Z')
let now = start
const { t, farm } = farmForEachTest({ context: { clock: { now: () => now } } })

let person: TestPerson
let fileId: string
beforeEach(async () => {
  now = start
  person = await createTestPerson(t, farm.account, 'viewer')
  fileId = await insertFile(t, farm.account.id, { printer_model: 'MK4S', print_time_seconds: 3_600 })
})

const read = async () => (await person.request('GET', '/jobs/queue/timeline')).json().data
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000).toISOString()
async function queue(fields: object = {}): Promise<string> {
  const queued = await farm.account.request('POST', '/jobs', { print_file_id: fileId, ...fields })
  expect(queued.statusCode, queued.body).toBe(201)
  return queued.json().data.id
}

test('jobs that wait are drawn where and when the forecast has them print, and the whole queue has an end', async () => {
  const due = after(90)
  const first = await queue({ due_date: due })
  const second = await queue()
  await forecastAccount(t.context, farm.account.id)
  const ofPrinter = { id: farm.printerId, name: 'Printer', in_maintenance: false }
  const known = { printer_id: farm.printerId, is_assigned: false, done_p90_at: null, unknown_because: 'too_few_prints' }
  expect(await read()).toMatchObject({
    ...{ forecast_made_at: start.toISOString(), done_p50_at: after(120), done_p90_at: null, unknown_jobs: 0 },
    ...{ printers: [ofPrinter], working_hours: [], has_more: false },
    jobs: [
      { ...known, id: first, due_date: due, status: 'queued', starts_at: start.toISOString(), done_p50_at: after(60) },
      { ...known, id: second, starts_at: after(60), done_p50_at: after(120) },
    ],
  })
  // Nothing started meanwhile: all of it moves on.
  now = new Date(start.getTime() + 3 * 60_000)
  expect(await read()).toMatchObject({
    done_p50_at: after(123),
    jobs: [{ starts_at: after(3), done_p50_at: after(63) }, { starts_at: after(63) }],
  })

  // One that came after the last forecast.
  await t.settled(async () => {
    await t.db.sql`delete from job_forecasts where account_id = ${farm.account.id} and job_id = ${second}`
    return (await read()).unknown_jobs === 1
  })
  await t.db.sql`delete from job_forecasts where account_id = ${farm.account.id} and job_id = ${second}`
  expect((await read()).jobs[1]).toMatchObject({
    ...{ id: second, printer_id: null, starts_at: null, done_p50_at: null, unknown_because: 'not_planned' },
    message: 'It is being planned',
  })

  const stranger = await createTestPerson(t, await t.account(), 'owner')
  const theirs = (await stranger.request('GET', '/jobs/queue/timeline')).json().data
  expect(theirs).toMatchObject({ jobs: [], printers: [], done_p50_at: null, unknown_jobs: 0 })
})

test('a job that no printer takes says why, and one that prints ends when its print does', async () => {
  const other = await insertFile(t, farm.account.id, { printer_model: 'XL', print_time_seconds: 3_600 })
  const stuck = await queue({ print_file_id: other })
  const printing = await queue({ printer_id: farm.printerId })
  await farm.print(printing)
  const next = await queue()
  await forecastAccount(t.context, farm.account.id)
  expect(await read()).toMatchObject({
    unknown_jobs: 1,
    jobs: [
      {
        id: printing,
        status: 'printing',
        printer_id: farm.printerId,
        starts_at: start.toISOString(),
        done_p50_at: after(60),
      },
      {
        ...{ id: stuck, printer_id: null, starts_at: null, done_p50_at: null, unknown_because: 'no_printer' },
        message: expect.stringMatching(/^No printer that fits .+ is in use/),
      },
      { id: next, printer_id: farm.printerId, starts_at: after(60), done_p50_at: after(120) },
    ],
  })
})

test('working hours are told from now on, as the scheduler has them', async () => {
  const working_hours = { days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }
  const set = await farm.account.request('PATCH', '/scheduler/settings', { working_hours })
  expect(set.statusCode, set.body).toBe(200)
  expect((await read()).working_hours[0]).toEqual({ from: start.toISOString(), to: after(9 * 60) })
})
