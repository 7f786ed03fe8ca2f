import type { PrinterState } from '@printyard/protocol/printer-state'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { fleetOf, insertFile, type TestFleet } from '../../test/farm/test-fleet.ts'
import { keepFilamentTasks } from '../materials/filament-tasks.ts'
import { startWaitingJobs } from '../scheduler/start-waiting-jobs.ts'
import { recordPeriods } from '../timeline/follow-printer-time.ts'

let t: TestApp
let farm: TestFarm
let fleet: TestFleet
/** Nothing starts, and nothing is looked at, by itself. */
let isDraining = false

beforeEach(async () => {
  isDraining = false
  t = await createTestApp({
    context: { isDraining: () => isDraining, timeouts: { commandMs: 10_000, startMs: 10_000 } },
  })
  farm = await createTestFarm(t)
  isDraining = true
  // A look that is under way may still write what it has read.
  await t.written()
  fleet = fleetOf(t, farm)
})
afterEach(async () => {
  await farm.hub.close()
  await t.close()
})

async function ask(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
  const answer = await farm.account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

/** Shows a printer idle with this beside. */
async function show(printerId: PrinterId, state: Partial<PrinterState>): Promise<void> {
  farm.hub.telemetry(printerId, { status: 'idle', ...state })
  const isShown = (live: PrinterState | undefined) =>
    Object.entries(state).every(
      ([name, value]) => JSON.stringify(live?.[name as keyof PrinterState]) === JSON.stringify(value),
    )
  await t.settled(() => isShown(t.context.printers.find(printerId)?.state))
}

const startRound = async () => (await startWaitingJobs(t.context, farm.account.id)).map(({ printerId }) => printerId)

async function causeOf(printerId: string): Promise<string> {
  await recordPeriods(t.context, farm.account.id, new Date())
  const [period] = await t.db.sql<{ cause: string }[]>`
    select cause from printer_periods
    where account_id = ${farm.account.id} and printer_id = ${printerId} and ended_at is null`
  return period?.cause ?? ''
}

async function tasksOf(printerId: string): Promise<string[]> {
  await keepFilamentTasks(t.context, farm.account.id)
  const tasks = await ask('GET', `/worklist?task_type=filament_change&printer_id=${printerId}`)
  return tasks.map(({ title, status }: { title: string; status: string }) => `${title}: ${status}`)
}

describe('a printer that reports its filament', () => {
  test('has the colour that the account names by that value, for everybody who asks', async () => {
    await ask('POST', '/colors', { color_name: 'Orange', hex_code: '#F26B21', filament_type: 'PLA' })
    const printerId = await fleet.addPrinter('A', { current_filament_type: '' })
    await show(printerId, { filament_type: 'PLA', filament_color_hex: '#F26B21' })
    const jobId = await fleet.queue({ filament_type: 'PLA', color: 'Orange' })
    expect(await ask('GET', `/jobs/${jobId}/explain`)).toMatchObject({ reason: 'starts_now' })
    expect(await causeOf(printerId)).toBe('not_started')
    expect(await tasksOf(printerId)).toEqual([])
    expect(await startRound()).toEqual([printerId])
  })

  test('is not asked to be given what it reports, though it was not entered', async () => {
    const printerId = await fleet.addPrinter('A', { current_filament_type: '' })
    await show(printerId, { filament_type: 'PLA' })
    await fleet.queue({ filament_type: 'PLA' })
    expect(await tasksOf(printerId)).toEqual([])
    expect(await tasksOf(farm.printerId)).toEqual([])
  })
})

describe('a nozzle', () => {
  async function queueFor(nozzle: number) {
    const print_file_id = await insertFile(t, farm.account.id, { nozzle_diameter: nozzle, filament_type: 'PETG' })
    return fleet.queue({ print_file_id })
  }

  test('that is not entered starts nothing by itself, and the record of time says that no job fits', async () => {
    const printerId = await fleet.addPrinter('A')
    await queueFor(0.4)
    expect(await causeOf(printerId)).toBe('no_matching_job')
    expect(await startRound()).toEqual([])
  })

  test('of 0.41 mm is one of 0.40 mm for everybody who asks', async () => {
    const printerId = await fleet.addPrinter('A', { nozzle_size: 0.41 })
    await queueFor(0.4)
    expect(await causeOf(printerId)).toBe('not_started')
    expect(await startRound()).toEqual([printerId])
  })
})

describe('the grams of a plate', () => {
  async function loadSpool(printerId: string, grams: number, more: object = {}): Promise<string> {
    const spool = { type: 'PETG', hex_code: '#112233', remaining_grams: grams }
    const { id } = await ask('POST', '/materials/filament', spool)
    await ask('PATCH', `/materials/filament/${id}`, { printer_id: printerId, ...more })
    return id
  }

  test('are asked of the ledger of the loaded spool, by the scheduler and by hand', async () => {
    // Typed in when the spool was full.
    const printerId = await fleet.addPrinter('A', { loaded_filament_grams: 900 })
    await loadSpool(printerId, 2.8)
    const jobId = await fleet.queue({ printer_id: printerId })
    expect(await startRound()).toEqual([])
    expect(await ask('GET', `/jobs/${jobId}/explain`)).toMatchObject({
      reason: 'enough_filament',
      sentence:
        'Load PETG into A. The plate needs 12.35 g, 2.8 g are on the spool: 9.55 g are missing. No other spool of the farm has enough.',
      remedy: { kind: 'load_filament', printer_id: printerId },
    })
    const refused = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect([refused.statusCode, refused.json().error]).toMatchObject([
      400,
      { code: 'JOB_DOES_NOT_FIT', details: { rules: [{ rule: 'enough_filament', may_be_set_aside: true }] } },
    ])
  })

  test('may be set aside by a person, and that is kept', async () => {
    const printerId = await fleet.addPrinter('A')
    await loadSpool(printerId, 2.8)
    const jobId = await fleet.queue({ printer_id: printerId })
    const start = { set_aside: ['enough_filament', 'nozzle_matches'] }
    expect((await ask('POST', `/jobs/${jobId}/start`, start)).status).toBe('processing')
    const events = await t.db.sql`
      select data, actor from events
      where account_id = ${farm.account.id} and type = 'job.rules_set_aside' and subject_id = ${jobId}`
    expect(events).toMatchObject([{ data: { printer_id: printerId, rules: ['enough_filament'] } }])
    expect(events[0]?.actor).toMatch(/^key:/)
  })
})

describe('a printer with slots', () => {
  const slot = (number: number, filament_type: string | null, hex: string | null, more: object = {}) => ({
    slot: number,
    name: number === 254 ? 'external' : `AMS 1 slot ${number + 1}`,
    filament_type,
    filament_color_hex: hex,
    remaining_percent: null,
    is_empty: false,
    is_active: false,
    ...more,
  })
  const white = { index: 0, type: 'PLA', color: '#FFFFFF', preset_id: 'GFA00', grams: 10 }
  const black = { index: 2, type: 'PLA', color: '#000000', preset_id: 'GFA00', grams: 2 }

  async function addTwoColorFile(filaments: object[] = [white, black]): Promise<string> {
    const id = await insertFile(t, farm.account.id, { filament_type: 'PLA' })
    await t.db.sql`
      update print_file_versions set filaments = ${t.db.sql.json(filaments as never)}, filament_color = '#FFFFFF;#000000',
        filament_weight_grams = 12
      where account_id = ${farm.account.id} and print_file_id = ${id}`
    return id
  }

  async function addPrinter(slots: PrinterState['slots'], capabilities = ['filament-map']): Promise<PrinterId> {
    isDraining = false
    await farm.reconnect(0, capabilities)
    isDraining = true
    const printerId = await fleet.addPrinter('A', { current_filament_type: '' })
    await show(printerId, { slots: slots ?? null })
    return printerId
  }

  const sentMaps = () => farm.hub.commands().map(({ args }) => args.filament_map)

  test('is told which slot each filament comes from, and the attempt keeps it', async () => {
    const slots = [slot(0, 'PLA', '#101010'), slot(1, 'PLA', '#FF0000'), slot(254, 'PLA', '#FFFFFF')]
    const printerId = await addPrinter(slots)
    const jobId = await fleet.queue({ print_file_id: await addTwoColorFile() })
    const map = [
      { filament: 0, slot: 254 },
      { filament: 2, slot: 0 },
    ]
    expect(await startRound()).toEqual([printerId])
    const { attemptId } = await fleet.startOf(jobId)
    expect(sentMaps()).toEqual([map])
    const kept = await t.db.sql`
      select filament_map from attempts where account_id = ${farm.account.id} and id = ${attemptId}`
    expect(kept).toEqual([{ filament_map: map }])
    expect((await ask('GET', `/jobs/${jobId}/plan`)).attempts).toMatchObject([{ filament_map: map }])
  })

  test('that then draws from another slot is shown so, once, from its first layer on', async () => {
    const printerId = await addPrinter([slot(0, 'PLA', '#000000'), slot(1, 'PLA', '#FFFFFF'), slot(2, 'PETG', null)])
    const jobId = await fleet.queue({ print_file_id: await addTwoColorFile() })
    await startRound()
    const { attemptId, fence } = await fleet.startOf(jobId)
    await farm.hub.report({ attempt_id: attemptId, printer_id: printerId, fence, phase: 'confirmed' })
    isDraining = false
    const run = { file_name: 'a.gcode', job_id: 'r1', attempt_id: attemptId }
    const slots = [0, 1, 2].map((each) => slot(each, 'PLA', null, { is_active: each === 2 }))
    const seen = async () =>
      (await ask('GET', `/jobs/${jobId}/plan`)).events.filter(
        ({ type }: { type: string }) => type === 'job.other_slot_seen',
      )
    for (const layer_num of [0, 1, 2]) {
      farm.hub.telemetry(printerId, { status: 'printing', run, slots, layer_num })
      await t.settled(() => t.context.printers.find(printerId)?.state.layer_num === layer_num)
      await t.settled(async () => (await seen()).length === Math.min(1, layer_num))
    }
    expect(await seen()).toMatchObject([{ data: { slot: 2, attempt_id: attemptId } }])
    expect((await ask('GET', `/jobs/${jobId}/plan`)).attempts).toMatchObject([{ other_slot: 2 }])
  })

  test('takes from each spool what the file says of its filament', async () => {
    const printerId = await addPrinter([slot(0, 'PLA', '#000000'), slot(1, 'PLA', '#FFFFFF')])
    const spools: string[] = []
    for (const place of [0, 1]) {
      const spool = { type: 'PLA', hex_code: place === 0 ? '#000000' : '#FFFFFF', remaining_grams: 100 }
      const { id } = await ask('POST', '/materials/filament', spool)
      await ask('PATCH', `/materials/filament/${id}`, { printer_id: printerId, slot: place })
      spools.push(id)
    }
    const jobId = await fleet.queue({ print_file_id: await addTwoColorFile() })
    const gramsOf = (name: string) =>
      Promise.all(spools.map(async (id) => (await ask('GET', `/materials/filament/${id}`))[name]))
    await startRound()
    const start = await fleet.startOf(jobId)
    expect(await gramsOf('reserved_grams')).toEqual([2, 10])
    await fleet.finish(start)
    expect(await gramsOf('remaining_grams')).toEqual([98, 90])
    expect(await gramsOf('reserved_grams')).toEqual([0, 0])
  })

  test('that draws each filament from its own tool books each of its spools', async () => {
    const printerId = await fleet.addPrinter('Toolchanger', { current_filament_type: 'PLA' })
    const spools: string[] = []
    for (const [place, hex_code] of ['#FFFFFF', '#000000'].entries()) {
      const { id } = await ask('POST', '/materials/filament', { type: 'PLA', hex_code, remaining_grams: 100 })
      await ask('PATCH', `/materials/filament/${id}`, { printer_id: printerId, slot: place })
      spools.push(id)
    }
    const file = await addTwoColorFile([white, { ...black, index: 1 }])
    const jobId = await fleet.queue({ print_file_id: file, printer_id: printerId })
    expect(await startRound()).toEqual([printerId])
    const start = await fleet.startOf(jobId)
    const gramsOf = (name: string) =>
      Promise.all(spools.map(async (id) => (await ask('GET', `/materials/filament/${id}`))[name]))
    expect(await gramsOf('reserved_grams')).toEqual([10, 2])
    await fleet.finish(start)
    expect(await gramsOf('remaining_grams')).toEqual([90, 98])
  })

  test('starts nothing of which a colour is in no slot, until a person says so; then the nearest is taken', async () => {
    const printerId = await addPrinter([slot(0, 'PLA', '#FFFFFF'), slot(1, 'PLA', '#0000FF')])
    const jobId = await fleet.queue({ print_file_id: await addTwoColorFile(), printer_id: printerId })
    expect(await startRound()).toEqual([])
    expect(await ask('GET', `/jobs/${jobId}/explain`)).toMatchObject({
      reason: 'filament_color_matches',
      sentence: 'Load PLA #000000 into A. The job needs the colour #000000, #FFFFFF, #0000FF are loaded.',
    })
    expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).json().error.code).toBe('JOB_DOES_NOT_FIT')
    await ask('POST', `/jobs/${jobId}/start`, { set_aside: ['filament_color_matches'] })
    expect(sentMaps()).toEqual([
      [
        { filament: 0, slot: 0 },
        { filament: 2, slot: 1 },
      ],
    ])
  })

  test('is not started by itself with a slot of which it is not known what it holds', async () => {
    await addPrinter([slot(0, 'PLA', '#FFFFFF'), slot(1, null, null)])
    const jobId = await fleet.queue({ print_file_id: await addTwoColorFile() })
    expect(await startRound()).toEqual([])
    const { printers } = await ask('GET', `/jobs/${jobId}/explain`)
    const failing = printers[0].rules.filter(({ passes }: { passes: boolean }) => !passes)
    expect(failing.map(({ rule, binds }: { rule: string; binds: string }) => [rule, binds])).toEqual([
      ['filament_color_matches', 'scheduler'],
    ])
  })

  test('behind a hub that cannot pass it on prints one filament, the one in use, and is told nothing', async () => {
    const slots = [slot(0, 'PLA', '#FFFFFF', { is_active: true }), slot(1, 'PETG', '#000000')]
    const printerId = await addPrinter(slots, [])
    await show(printerId, { slots, filament_type: 'PLA', filament_color_hex: '#FFFFFF' })
    await fleet.queue({ print_file_id: await addTwoColorFile() })
    await fleet.queue({ filament_type: 'PETG' })
    expect(await startRound()).toEqual([])
    const jobId = await fleet.queue({ filament_type: 'PLA' })
    expect(await startRound()).toEqual([printerId])
    await fleet.startOf(jobId)
    expect(sentMaps()).toEqual([undefined])
  })
})

test('a waiting job names what a person can do at a free printer, not the end of a long print', async () => {
  const north = await fleet.addPrinter('North 1', { current_filament_type: 'PLA', current_color: 'Orange' })
  const south = await fleet.addPrinter('South 3', { current_filament_type: 'PLA', current_color: 'Black' })
  await fleet.addPrinter('West 2', { model: 'P1S', current_filament_type: 'PLA', current_color: 'Orange' })
  farm.hub.telemetry(north, { status: 'printing', remaining_time_minutes: 31 })
  await t.settled(() => t.context.printers.find(north)?.state.status === 'printing')
  await fleet.queue({ filament_type: 'PLA', color: 'Orange' })
  const [{ waiting }] = await ask('GET', '/jobs/queue')
  expect(waiting).toMatchObject({
    reason: 'filament_color_matches',
    sentence: 'Load PLA Orange into South 3. The job needs the colour Orange, Black is loaded.',
    remedy: { kind: 'load_filament', printer_id: south, printer_name: 'South 3' },
  })
})
