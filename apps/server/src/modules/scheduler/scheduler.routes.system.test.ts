import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { fleetOf, insertFile, type TestFleet } from '../../test/farm/test-fleet.ts'
import { ruleNames } from '../matching/rules.ts'
import { explainJob } from './explain-job.ts'

let t: TestApp
let farm: TestFarm
let fleet: TestFleet
let printerId: PrinterId

beforeAll(async () => {
  // Nothing starts by itself here, so that jobs wait as long as a test looks at them.
  let isDraining = false
  t = await createTestApp({ context: { isDraining: () => isDraining } })
  farm = await createTestFarm(t)
  isDraining = true
  fleet = fleetOf(t, farm)
  printerId = await fleet.addPrinter('Ready', { current_color: 'Black' })
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

const request = (...args: Parameters<TestFarm['account']['request']>) => farm.account.request(...args)
const explain = async (jobId: string, query = '') =>
  (await request('GET', `/jobs/${jobId}/explain${query}`)).json().data
const queueOf = async (id: string, query = '') => (await request('GET', `/printers/${id}/queue${query}`)).json()
const cancel = (jobId: string) => request('POST', `/jobs/${jobId}/cancel`)
/** A material of its own keeps the jobs of one test out of the queues that another looks at. */
let materials = 0
const newMaterial = () => `M${++materials}`

interface RuleVerdict {
  rule: string
  passes: boolean
  sentence: string
  passes_at: string | null
}
const failing = (rules: RuleVerdict[]) => rules.filter(({ passes }) => !passes).map(({ rule }) => rule)

describe('explain', () => {
  test('tells every rule of a printer, and that a job may start where all of them hold', async () => {
    const jobId = await fleet.queue({ priority: 'high', due_date: '2027-03-01T10:00:00.000Z' })
    const answer = await explain(jobId)
    expect(answer).toMatchObject({
      job_id: jobId,
      status: 'queued',
      priority: 'high',
      due_date: '2027-03-01T10:00:00.000Z',
      any_color: true,
      reason: 'starts_now',
      printers_total: 2,
      printers_ready: 1,
    })
    expect(answer.earliest_start_at).not.toBeNull()
    expect(answer.printers[0]).toMatchObject({ printer_id: printerId, can_start: true })
    expect(answer.printers[0].rules.map(({ rule }: RuleVerdict) => rule)).toEqual(ruleNames)
    expect(failing(answer.printers[1].rules)).toEqual(['auto_start', 'filament_type_matches'])
    await cancel(jobId)
  })

  test('foresees the end of a running print, but not when a person clears the plate', async () => {
    const jobId = await fleet.queue({ printer_id: printerId })
    farm.hub.telemetry(printerId, { status: 'printing', remaining_time_minutes: 30 })
    await t.settled(() => t.context.printers.find(printerId)?.state.status === 'printing')
    const printing = await explain(jobId)
    expect(printing).toMatchObject({ reason: 'idle', sentence: 'Ready: The printer prints for about 30 more minutes.' })
    const minutes = (Date.parse(printing.earliest_start_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(20)
    expect(minutes).toBeLessThan(31)

    await fleet.showIdle(printerId)
    await t.db.sql`
      update printers set plate_state = 'occupied' where account_id = ${farm.account.id} and id = ${printerId}`
    expect(await explain(jobId)).toMatchObject({ reason: 'plate_clear', earliest_start_at: null, printers_ready: 0 })
    await fleet.clearPlate(printerId)
    await cancel(jobId)
  })

  test('counts failing rules over the farm while it answers a page of its printers', async () => {
    const jobId = await fleet.queue({ filament_type: newMaterial() })
    const answer = await explain(jobId, '?limit=1')
    expect(answer.printers).toHaveLength(1)
    expect(answer.printers_total).toBe(2)
    expect(answer.reason).toBe('filament_type_matches')
    expect(answer.failing_rules).toContainEqual({ rule: 'filament_type_matches', printers: 2 })
    expect(answer.failing_rules).toContainEqual({ rule: 'auto_start', printers: 1 })
    await cancel(jobId)
  })

  test('of a job that does not wait says just that', async () => {
    const jobId = await fleet.queue()
    await cancel(jobId)
    expect(await explain(jobId)).toMatchObject({ reason: 'not_queued', status: 'cancelled', printers: [] })
  })

  test('without printers says that there are none', async () => {
    const account = await t.account()
    const print_file_id = await insertFile(t, account.id, {})
    const { id } = (await account.request('POST', '/jobs', { print_file_id })).json().data
    const { data } = (await account.request('GET', `/jobs/${id}/explain`)).json()
    expect(data).toMatchObject({ reason: 'no_printers', printers: [], earliest_start_at: null })
  })
})

describe('the queue of a printer', () => {
  test('holds what fits it in order, with its own jobs marked, and estimates the starts one after another', async () => {
    const material = newMaterial()
    const id = await fleet.addPrinter('Queue', { current_filament_type: material })
    const first = await fleet.queue({ filament_type: material, number_of_units: 2 })
    const own = await fleet.queue({ filament_type: material, printer_id: id })
    const urgent = await fleet.queue({ filament_type: material, priority: 'urgent' })
    const misfit = await fleet.queue({ filament_type: 'other', printer_id: id })
    await fleet.queue({ filament_type: newMaterial() })
    const { data, meta } = await queueOf(id)
    expect(meta).toEqual({ limit: 50, offset: 0, count: 4, next_cursor: null })
    expect(data.map((entry: { job_id: string }) => entry.job_id)).toEqual([urgent, first, own, misfit])
    const expected = {
      is_assigned: false,
      failing_rules: [],
      priority: 'normal',
      plates_left: 2,
      estimated_minutes: 21,
    }
    expect(data[1]).toMatchObject(expected)
    expect(data[2]).toMatchObject({ is_assigned: true, plates_left: 1, estimated_minutes: 11 })
    expect(data[3]).toMatchObject({ failing_rules: ['filament_type_matches'], estimated_start_at: null })
    const starts = data.slice(0, 3).map((entry: { estimated_start_at: string }) => Date.parse(entry.estimated_start_at))
    expect([starts[1] - starts[0], starts[2] - starts[1]]).toEqual([11 * 60_000, 21 * 60_000])
    expect((await queueOf(id, '?limit=1&offset=1')).data).toMatchObject([{ job_id: first }])
  })
})

describe('PATCH /jobs/{id}', () => {
  test('changes what a queued job asks for, and answers the very fields that it always has', async () => {
    const jobId = await fleet.queue()
    const before = await farm.job(jobId)
    const answer = await request('PATCH', `/jobs/${jobId}`, {
      printer_id: printerId,
      color: 'Red',
      filament_type: 'PETG',
      material_type: 'PETG-CF',
      priority: 'low',
      due_date: '2027-01-02T03:04:05.000Z',
    })
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data).toMatchObject({ id: jobId, printer_id: printerId, color: 'Red', material_type: 'PETG-CF' })
    expect(Object.keys(data).sort()).toEqual(Object.keys(before).sort())
    expect(await explain(jobId)).toMatchObject({
      priority: 'low',
      due_date: '2027-01-02T03:04:05.000Z',
      any_color: false,
    })
    const events = await t.db.sql`
      select data from events where account_id = ${farm.account.id} and type = 'job.updated' and subject_id = ${jobId}`
    expect(events.map(({ data }) => data.fields.sort())).toEqual([
      ['any_color', 'color', 'due_date', 'material_type', 'printer_id', 'priority'],
    ])
    const back = await request('PATCH', `/jobs/${jobId}`, { printer_id: null, due_date: null, color: '' })
    expect(back.json().data).toMatchObject({ printer_id: null, color: '' })
    expect(await explain(jobId)).toMatchObject({ due_date: null, any_color: true })
    await cancel(jobId)
  })

  test('moves a job between two others, again and again', async () => {
    const material = newMaterial()
    const id = await fleet.addPrinter('Dragging', { current_filament_type: material })
    const [a = '', b = '', c = ''] = [
      await fleet.queue({ filament_type: material }),
      await fleet.queue({ filament_type: material }),
      await fleet.queue({ filament_type: material }),
    ]
    const order = async () => (await queueOf(id)).data.map((entry: { job_id: string }) => entry.job_id)
    const move = (jobId: string, position: object) => request('PATCH', `/jobs/${jobId}`, { position })
    await move(c, { before: a })
    expect(await order()).toEqual([c, a, b])
    await move(c, { after: b })
    expect(await order()).toEqual([a, b, c])
    // More often than a number can be halved.
    for (let count = 0; count < 60; count += 1) {
      const [last, first] = count % 2 === 0 ? [c, b] : [b, c]
      expect((await move(last, { after: a })).statusCode).toBe(200)
      expect(await order()).toEqual([a, last, first])
    }
    const newest = await fleet.queue({ filament_type: material })
    expect((await order()).at(-1)).toBe(newest)
  })

  test.each<[string, () => Promise<object> | object, string]>([
    ['nothing', () => ({}), '_root'],
    ['an unknown priority', () => ({ priority: 'asap' }), 'priority'],
    ['a due date that is none', () => ({ due_date: 'soon' }), 'due_date'],
    ['a position both before and after', () => ({ position: { before: 'x', after: 'y' } }), 'position'],
    ['a place beside an unknown job', () => ({ position: { after: 'job_x' } }), 'position.after'],
    [
      'a place beside a job of another priority',
      async () => ({ position: { before: await fleet.queue({ priority: 'urgent' }) } }),
      'position.before',
    ],
  ])('refuses %s, naming the field', async (_what, body, field) => {
    const jobId = await fleet.queue()
    const answer = await request('PATCH', `/jobs/${jobId}`, await body())
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('VALIDATION_ERROR')
    expect(Object.keys(answer.json().error.details)).toEqual([field])
    await cancel(jobId)
  })

  test('refuses a printer that does not exist, one of another model, and a job that does not wait', async () => {
    const other = await fleet.addPrinter('Other model', { model: 'P1S' })
    const jobId = await fleet.queue()
    const patch = async (body: object) => {
      const answer = await request('PATCH', `/jobs/${jobId}`, body)
      return [answer.statusCode, answer.json().error?.code]
    }
    expect(await patch({ printer_id: 'prn_x' })).toEqual([404, 'PRINTER_NOT_FOUND'])
    expect(await patch({ printer_id: other })).toEqual([400, 'PRINTER_MODEL_MISMATCH'])
    expect(await patch({ position: { before: jobId } })).toEqual([400, 'VALIDATION_ERROR'])
    await cancel(jobId)
    expect(await patch({ priority: 'high' })).toEqual([409, 'JOB_STATE_CHANGED'])
  })
})

describe('POST /jobs', () => {
  test.each([
    [{ color: 'Red' }, false],
    [{ color: '' }, true],
    [{}, true],
    [{ color: 'Red', any_color: true }, true],
  ])('with %j any colour will do: %s', async (fields, any_color) => {
    const jobId = await fleet.queue(fields)
    expect(await explain(jobId)).toMatchObject({ any_color })
    await cancel(jobId)
  })

  test('refuses a priority that there is not', async () => {
    const answer = await request('POST', '/jobs', { print_file_id: farm.fileId, priority: 1 })
    expect(answer.json().error.details).toHaveProperty('priority')
  })
})

describe('settings of the scheduler', () => {
  test('are changed one by one, decide, and can be taken back', async () => {
    const unset = { working_hours: null, heating_at_once: null, heating_gap_seconds: null, time_zone: 'UTC' }
    expect((await request('GET', '/scheduler/settings')).json().data).toEqual(unset)
    const hours = { days: [5, 1], from: '00:00', to: '00:01' }
    const changed = await request('PATCH', '/scheduler/settings', { working_hours: hours })
    expect(changed.json().data).toEqual({ ...unset, working_hours: { ...hours, days: [1, 5] } })
    await request('PATCH', '/scheduler/settings', { heating_gap_seconds: 30 })
    const jobId = await fleet.queue({ printer_id: printerId })
    const first = (await explain(jobId)).printers[0]
    expect(failing(first.rules).every((rule) => rule === 'finishes_in_working_hours')).toBe(true)
    const back = await request('PATCH', '/scheduler/settings', { working_hours: null, heating_gap_seconds: null })
    expect(back.json().data).toEqual(unset)
    await cancel(jobId)
  })

  test.each([
    [{ working_hours: { days: [1], from: '18:00', to: '08:00' } }, 'working_hours.to'],
    [{ working_hours: { days: [], from: '08:00', to: '18:00' } }, 'working_hours.days'],
    [{ working_hours: { days: [1], from: '8', to: '18:00' } }, 'working_hours.from'],
    [{ heating_at_once: 0 }, 'heating_at_once'],
    [{}, '_root'],
  ])('%j is refused', async (body, field) => {
    const answer = await request('PATCH', '/scheduler/settings', body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().error.details)).toEqual([field])
  })
})

test('explain asks the database as often for many printers as for few', async () => {
  const jobId = await fleet.queue()
  async function count(): Promise<number> {
    let statements = 0
    const tag = (first: unknown, ...rest: unknown[]): unknown => {
      if (Array.isArray(first) && /^\s*select\b/.test(String(first[0]))) statements += 1
      // The driver's tag is overloaded; all is passed on as it came.
      return (t.db.sql as unknown as (...args: unknown[]) => unknown)(first, ...rest)
    }
    const sql = Object.assign(tag, t.db.sql) as unknown as typeof t.db.sql
    await explainJob({ ...t.context, db: { ...t.db, sql } }, farm.account.id, jobId)
    return statements
  }
  const few = await count()
  for (let number = 0; number < 5; number += 1) await fleet.addPrinter(`More ${number}`)
  expect(await count()).toBe(few)
})
