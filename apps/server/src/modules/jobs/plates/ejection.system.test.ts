import { describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import type { TestFarm } from '../../../test/farm/test-farm.ts'

const { t, farm } = farmForEachTest()

const printer = async () => (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
const change = (fields: object) => farm.account.request('PATCH', `/printers/${farm.printerId}`, fields)
const clear = () => farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
const tasks = async () => (await farm.account.request('GET', '/worklist?status=pending')).json().data
const prints = () => farm.hub.commands().filter(({ kind }) => kind === 'print')
const eventsOf = async (type: string) =>
  (await t.db.sql`select data from events where account_id = ${farm.account.id} and type = ${type} order by id`).map(
    ({ data }) => data,
  )

async function showIdle(): Promise<void> {
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
}

/** A hub that can eject, a printer that does, and a file that says how high it is. */
async function beReady({ capabilities = ['ejection'], height = 20 as number | null, ejection = {} as object } = {}) {
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  await farm.reconnect(0, capabilities)
  await t.db.sql`
    update print_file_versions set metadata = ${t.db.sql.json(height === null ? {} : { maxZMm: height })}
    where account_id = ${farm.account.id}`
  expect((await change({ ejection })).statusCode).toBe(200)
}

type Ending = Omit<Parameters<TestFarm['hub']['report']>[0], 'attempt_id' | 'printer_id' | 'fence' | 'phase'>

/** Prints a job to its end; the printer shows that it is idle before its hub reports the end, as hubs do. */
async function printTo(ending: Ending): Promise<string> {
  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  await showIdle()
  await farm.hub.report({ ...attempt, phase: 'finished', ...ending })
  await t.written()
  return jobId
}

describe('the setting', () => {
  test('is off at first, takes safe values by itself, and is switched off by null', async () => {
    expect((await printer()).ejection).toBeNull()
    expect((await change({ ejection: {} })).json().data.ejection).toEqual({
      cooldown_temp: 30,
      gcode: null,
      check_after: 5,
    })
    const own = { cooldown_temp: 25, gcode: 'M190 R{cooldown_temp}\nG1 Y0', check_after: 2 }
    expect((await change({ ejection: own })).json().data.ejection).toEqual(own)
    expect((await change({ ejection: null })).json().data.ejection).toBeNull()
    expect(await eventsOf('printer.updated')).toEqual(Array.from({ length: 3 }, () => ({ fields: ['ejection'] })))
  })

  test('is part of the detail and of no list', async () => {
    await change({ ejection: {} })
    const [listed] = (await farm.account.request('GET', '/printers')).json().data
    expect(Object.keys(listed)).not.toContain('ejection')
  })

  test.each([
    [{ cooldown_temp: 61 }, 'cooldown_temp'],
    [{ cooldown_temp: 14 }, 'cooldown_temp'],
    [{ check_after: 0 }, 'check_after'],
    [{ gcode: '' }, 'gcode'],
    [{ gcode: 'M190 R{cooldown_temp}\nM104 S200' }, 'line 2: M104 heats above the cool-down'],
    [{ gcode: 'M190 R{cooldown_temp}\nM112' }, 'line 2: M112'],
  ])('refuses %j', async (ejection, why) => {
    const answer = await change({ ejection })
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(answer.json().error)).toContain(why)
    expect((await printer()).ejection).toBeNull()
  })

  test('refuses G-code of more than 8 KB', async () => {
    const answer = await change({ ejection: { gcode: `M190 R{cooldown_temp};${' '.repeat(8192)}` } })
    expect(answer.json().error.code).toBe('VALIDATION_ERROR')
  })

  test('on a model without a safe ejection needs a person to give the G-code', async () => {
    const printerOf = (ejection: object) => ({
      name: `Core ${crypto.randomUUID()}`,
      model: 'CORE One',
      connection_type: 'virtual',
      ejection,
    })
    const refused = await farm.account.request('POST', '/printers', printerOf({}))
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(refused.body).toContain('ejection.gcode')
    const added = await farm.account.request('POST', '/printers', printerOf({ gcode: 'M190 R{cooldown_temp}' }))
    expect(added.json().data.ejection).toEqual({ cooldown_temp: 30, gcode: 'M190 R{cooldown_temp}', check_after: 5 })
  })
})

describe('a print that was sent with its ejection', () => {
  test('and ended well by the sight of its run leaves a clear plate, credited, without a task', async () => {
    await beReady()
    const jobId = await printTo({ outcome: 'done', with_ejection: true })
    expect(prints()[0]?.args.ejection_gcode).toContain('M190 R30')
    expect(await farm.job(jobId)).toMatchObject({ status: 'completed' })
    expect(await printer()).toMatchObject({
      plate_state: 'clear',
      plate_job_id: null,
      plate_changed_by: `hub:${farm.hubId}`,
      plate_change_reason: 'ejected',
      ejections_in_row: 1,
    })
    expect(await tasks()).toEqual([])
    const cleared = (await eventsOf('printer.plate_cleared')).filter(({ how }) => how === 'ejected')
    expect(cleared).toMatchObject([{ job_id: jobId }])
  })

  test.each<[string, Ending, string]>([
    ['failed', { outcome: 'failed', with_ejection: true }, 'occupied'],
    ['was cancelled', { outcome: 'cancelled', with_ejection: true }, 'occupied'],
    ['was lost sight of', { outcome: 'unknown', with_ejection: true }, 'occupied'],
    ['is done by a hub that does not say that it appended the ejection', { outcome: 'done' }, 'occupied'],
    [
      'is done by no sight of its run',
      { outcome: 'done', with_ejection: true, evidence: { kind: 'journal', run_id: null, detail: null } },
      'occupied',
    ],
  ])('but %s waits for a person', async (_what, ending, plate) => {
    await beReady()
    await printTo(ending)
    const { outcome } = ending
    const plate_change_reason = outcome === 'unknown' ? 'print_started' : `print_${outcome}`
    expect(await printer()).toMatchObject({ plate_state: plate, plate_change_reason })
    // Of a print that may be good a person is asked first whether it is.
    const task_type = ending.outcome === 'unknown' ? 'maintenance' : 'collection'
    expect(await tasks()).toMatchObject([{ task_type, printer_id: farm.printerId }])
    expect((await eventsOf('printer.plate_cleared')).filter(({ how }) => how === 'ejected')).toEqual([])
  })

  test('and is believed printed by a person waits for that person to clear the plate', async () => {
    await beReady()
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    const seen = await farm.account.request('POST', `/jobs/${jobId}/resolve`, { outcome: 'printed' })
    expect(seen.statusCode, seen.body).toBe(200)
    expect(await printer()).toMatchObject({ plate_state: 'occupied' })
  })

  test('lets the scheduler start the next job by itself', async () => {
    await beReady()
    expect((await change({ auto_start: true, nozzle_size: 0.4, current_filament_type: 'PETG' })).statusCode).toBe(200)
    await showIdle()
    await farm.queueJob()
    await t.settled(() => prints().length === 1)
    const [first] = prints()
    const attempt = {
      attempt_id: String(first?.args.attempt_id),
      printer_id: farm.printerId,
      fence: first?.fence ?? 0,
    }
    await farm.hub.report({ ...attempt, phase: 'confirmed', with_ejection: true })
    await farm.queueJob()
    await showIdle()
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done', with_ejection: true })
    await t.settled(() => prints().length === 2)
    expect(prints()[1]?.args.ejection_gcode).toContain('; ejection end')
  })
})

describe('after as many ejections in a row as were set', () => {
  test('a person is asked to look, nothing starts before, and the count starts over', async () => {
    await beReady({ ejection: { check_after: 2 } })
    await printTo({ outcome: 'done', with_ejection: true })
    expect(await printer()).toMatchObject({ plate_state: 'clear', ejections_in_row: 1 })
    const jobId = await printTo({ outcome: 'done', with_ejection: true })
    expect(await printer()).toMatchObject({
      plate_state: 'unknown',
      plate_job_id: jobId,
      plate_change_reason: 'ejection_check',
      ejections_in_row: 2,
    })
    expect(await tasks()).toMatchObject([
      { title: 'Look at the plate of Printer: 2 prints were ejected since the last look' },
    ])
    const refused = await farm.account.request('POST', `/jobs/${await farm.queueJob()}/start`)
    expect(refused.json().error).toMatchObject({ details: { reason: 'plate_not_clear' } })
    const [task] = await tasks()
    const done = await farm.account.request('PUT', `/worklist/${task.id}/status`, { status: 'completed' })
    expect(done.statusCode).toBe(200)
    expect(await printer()).toMatchObject({
      plate_state: 'clear',
      plate_change_reason: 'cleared_by_task',
      ejections_in_row: 0,
    })
  })
})

describe('a print is sent without ejection, and its plate waits for a person who is told why,', () => {
  test.each([
    ['to a hub that cannot append it', { capabilities: [] }, 'the hub is too old'],
    ['when its height is not known', { height: null }, 'does not say how high'],
    ['when it is too flat', { height: 2 }, 'too flat'],
    ['when it is too tall', { height: 219 }, 'too tall'],
  ])('%s', async (_when, ready, why) => {
    await beReady(ready)
    await printTo({ outcome: 'done', with_ejection: true })
    expect(prints()[0]?.args).not.toHaveProperty('ejection_gcode')
    expect((await printer()).plate_state).toBe('occupied')
    expect(await tasks()).toMatchObject([{ description: expect.stringContaining(why) }])
  })

  test('in a format that nothing can be appended to', async () => {
    await beReady()
    await t.db.sql`
      update print_file_versions set format = 'gcode-3mf', archive_plate = 1 where account_id = ${farm.account.id}`
    await printTo({ outcome: 'done', with_ejection: true })
    expect(prints()[0]?.args).not.toHaveProperty('ejection_gcode')
    expect(await tasks()).toMatchObject([{ description: expect.stringContaining('only .gcode and .bgcode') }])
  })
})

test('a plate says since when it is what it is, by whom and how, also cleared while the printer is off', async () => {
  await printTo({ outcome: 'done' })
  const before = await printer()
  expect(before).toMatchObject({ plate_state: 'occupied', plate_change_reason: 'print_done' })
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  expect((await clear()).statusCode).toBe(200)
  const after = await printer()
  expect(after).toMatchObject({ plate_state: 'clear', plate_change_reason: 'cleared_by_person', plate_job_id: null })
  expect(after.plate_changed_by).toMatch(/^key:/)
  expect(Date.parse(after.plate_changed_at)).toBeGreaterThanOrEqual(Date.parse(before.plate_changed_at))
})
