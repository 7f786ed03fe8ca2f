import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { followPlate } from './follow-plate.ts'

const { t, farm } = farmForEachTest()
/** A plate that is clear, known by the mark `a`. */
beforeEach(async () => {
  await tell({ status: 'idle', run_mark: 'a' })
  await clear()
})

const printer = async () => (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
const marks = async () => {
  const [row] = await t.db.sql`select run_mark, plate_run_mark from printers
    where account_id = ${farm.account.id} and id = ${farm.printerId}`
  return row
}
const openTasks = async () => (await farm.account.request('GET', '/worklist?status=pending')).json().data
const clear = () => farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
const start = (jobId: string) => farm.account.request('POST', `/jobs/${jobId}/start`)
const eventsOf = async (type: string) =>
  t.db.sql`select data from events where account_id = ${farm.account.id} and type = ${type} order by id`

/** A report, and all that follows from it. */
async function tell(state: Partial<PrinterState>): Promise<void> {
  const seenAt = t.context.printers.find(farm.printerId)?.state
  farm.hub.telemetry(farm.printerId, state)
  await t.settled(() => t.context.printers.find(farm.printerId)?.state !== seenAt)
  if (typeof state.run_mark === 'string') await t.settled(async () => (await marks())?.run_mark === state.run_mark)
  await t.written()
}

async function hubIsAway(): Promise<void> {
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
}

const foreign: RunIdentity = { file_name: 'vase.gcode', job_id: 'f1', attempt_id: null }
const ended = (run: RunIdentity): Partial<PrinterState> => ({
  status: 'idle',
  last_result: { run, result: 'completed', reason: null },
})

/** Sends a print; the hub says yes and nothing else. */
async function sendPrint(): Promise<{
  attempt_id: string
  printer_id: string
  fence: number
  args: Record<string, unknown>
}> {
  const sent = farm.hub.commands().length
  const started = await start(await farm.queueJob())
  expect(started.statusCode, started.body).toBe(200)
  const command = farm.hub.commands()[sent]
  if (!command) throw new Error('no command was sent')
  const attempt_id = String(command.args.attempt_id)
  return { attempt_id, printer_id: farm.printerId, fence: command.fence, args: command.args }
}

const theirRun = (attemptId: string): RunIdentity => ({
  file_name: `clip-${attemptId.slice(-12)}.gcode`,
  job_id: 'r1',
  attempt_id: null,
})

test('a report is compared with one reading of its plate', async () => {
  const readings: string[] = []
  const beginForFarm: typeof t.context.db.beginForFarm = (accountId, work) =>
    t.db.beginForFarm(accountId, (sql) =>
      work(
        new Proxy(sql, {
          apply(target, self, asked: Parameters<typeof sql>) {
            if (String(asked[0]).includes('is_to_ask')) readings.push(String(asked[0]))
            return Reflect.apply(target, self, asked)
          },
        }),
      ),
    )
  const live = t.context.printers.find(farm.printerId)
  if (!live) throw new Error('the printer was not reported')
  await followPlate({ ...t.context, db: { ...t.context.db, beginForFarm } }, farm.printerId, live)
  expect(readings).toHaveLength(1)
})

describe('a clear plate', () => {
  test('is known by what its printer printed last, and every command says so', async () => {
    expect(await marks()).toEqual({ run_mark: 'a', plate_run_mark: 'a' })
    expect((await sendPrint()).args.run_mark).toBe('a')
  })

  test('of which nothing is on record takes the first mark of the idle printer', async () => {
    await t.db.sql`update printers set run_mark = null, plate_run_mark = null
      where account_id = ${farm.account.id} and id = ${farm.printerId}`
    await tell({ status: 'maintenance', run_mark: null })
    expect(await marks()).toEqual({ run_mark: null, plate_run_mark: null })
    await tell({ status: 'idle', run_mark: 'b' })
    expect(await marks()).toEqual({ run_mark: 'b', plate_run_mark: 'b' })
    expect((await printer()).plate_state).toBe('clear')
  })

  test('is unknown when something was printed while the hub or the service was away', async () => {
    await hubIsAway()
    await farm.reconnect()
    await tell({ ...ended(foreign), run_mark: 'b' })
    const reason = 'vase.gcode was printed at the printer while it was out of sight'
    expect(await printer()).toMatchObject({
      plate_state: 'unknown',
      plate_change_reason: 'foreign_print',
      plate_unknown_reason: reason,
      plate_changed_by: `hub:${farm.hubId}`,
    })
    expect(await eventsOf('printer.foreign_print')).toEqual([
      { data: { file_name: 'vase.gcode', run_id: 'f1', is_running: false, reason } },
    ])
    const [task, ...others] = await openTasks()
    expect(others).toEqual([])
    expect(task.title).toContain('vase.gcode')
    expect(task.description).toContain(reason)
    expect((await start(await farm.queueJob())).json().error.details).toEqual({ reason: 'plate_not_clear' })
  })

  test('is unknown after a time out of sight of a printer that forgets, and says for how long', async () => {
    const run_mark_reason = 'out of sight for 12 minutes; it does not remember what it printed'
    await tell({ status: 'idle', run_mark: 'b', run_mark_reason })
    expect(await printer()).toMatchObject({
      plate_state: 'unknown',
      plate_change_reason: 'unseen_time',
      plate_unknown_reason: `The printer was ${run_mark_reason}`,
    })
    expect((await eventsOf('printer.unseen_time')).at(-1)?.data.reason).toContain('12 minutes')
    expect(await openTasks()).toMatchObject([
      {
        title: expect.stringContaining('Look at the plate of Printer'),
        description: expect.stringContaining('out of sight for 12 minutes'),
      },
    ])
    await clear()
    await tell({ status: 'idle', run_mark: 'b', run_mark_reason, nozzle_temp: 20 })
    expect((await printer()).plate_state).toBe('clear')
    expect(await openTasks()).toEqual([])
  })

  test('stays clear while its printer says nothing reliable, and is compared when it does', async () => {
    for (const status of ['maintenance', 'error', 'offline'] as const) await tell({ status, run_mark: null })
    expect((await printer()).plate_state).toBe('clear')
    await tell({ status: 'idle', run_mark: 'a' })
    expect((await printer()).plate_state).toBe('clear')
    await tell({ status: 'idle', run_mark: 'c' })
    expect((await printer()).plate_state).toBe('unknown')
  })

  test('is unknown when a run of an attempt that is over is seen after all', async () => {
    const attempt = await sendPrint()
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'not_started', reason_code: 'PRINTER_REFUSED' })
    expect((await printer()).plate_state).toBe('clear')
    const run = { ...theirRun(attempt.attempt_id), attempt_id: attempt.attempt_id }
    await tell({ ...ended(run), run_mark: 'b' })
    expect(await printer()).toMatchObject({
      plate_state: 'unknown',
      plate_unknown_reason: expect.stringContaining('ran after its attempt was over'),
    })
  })

  test('takes no start whose printer shows at this moment that something else was printed', async () => {
    const jobId = await farm.queueJob()
    farm.hub.telemetry(farm.printerId, { status: 'idle', run_mark: 'b' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.run_mark === 'b')
    const refused = await start(jobId)
    expect(['PRINTER_UNAVAILABLE', 'JOB_STATE_CHANGED'], refused.body).toContain(refused.json().error.code)
    expect(farm.hub.commands()).toEqual([])
  })
})

describe('while a command of ours is on its way', () => {
  test('a print that began and ended at the printer is noticed at once', async () => {
    await sendPrint()
    await tell({ ...ended(foreign), run_mark: 'b' })
    expect(await printer()).toMatchObject({ plate_state: 'unknown', plate_change_reason: 'foreign_print' })
  })

  test('its own run is not a foreign one, although the hub does not recognise it yet', async () => {
    const attempt = await sendPrint()
    const run = theirRun(attempt.attempt_id)
    await tell({ status: 'printing', run, run_mark: 'b' })
    await tell({ ...ended(run), run_mark: 'b' })
    expect((await printer()).plate_state).toBe('clear')
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    expect((await printer()).plate_state).toBe('occupied')
  })

  test('a hub that found the plate changed makes it unknown, although no report of the printer told so', async () => {
    const attempt = await sendPrint()
    await farm.hub.report({
      ...attempt,
      phase: 'finished',
      outcome: 'not_started',
      reason_code: 'PLATE_CHANGED',
      evidence: { kind: 'refusal', run_id: null, detail: 'vase.gcode was printed since the plate was cleared' },
    })
    expect(await printer()).toMatchObject({
      plate_state: 'unknown',
      plate_change_reason: 'plate_changed',
      plate_unknown_reason: 'vase.gcode was printed since the plate was cleared',
    })
    expect(await openTasks()).toMatchObject([{ description: expect.stringContaining('vase.gcode') }])
    expect(await eventsOf('printer.plate_unknown')).toHaveLength(1)
    const [job] = (await farm.account.request('GET', '/jobs?status=queued')).json().data
    expect(job.failure_reason).toContain('vase.gcode')
  })
})

describe('a plate that is not clear', () => {
  test('keeps what lies on it when marks change, but for a foreign print that is seen to run', async () => {
    const attempt = await sendPrint()
    const run = { ...theirRun(attempt.attempt_id), attempt_id: attempt.attempt_id }
    await tell({ status: 'printing', run, run_mark: 'b' })
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done', run_mark: 'b' })
    await tell({ ...ended(foreign), run_mark: 'c' })
    expect(await printer()).toMatchObject({ plate_state: 'occupied', plate_job_id: expect.any(String) })
    await tell({ status: 'printing', run: foreign, run_mark: 'd' })
    expect(await printer()).toMatchObject({
      plate_state: 'unknown',
      plate_unknown_reason: 'vase.gcode was started at the printer',
    })
  })

  test('is known by the last mark on record when it is cleared out of reach, and compared on return', async () => {
    await tell({ status: 'idle', run_mark: 'b' })
    await hubIsAway()
    expect((await clear()).statusCode).toBe(200)
    expect(await marks()).toEqual({ run_mark: 'b', plate_run_mark: 'b' })
    await farm.reconnect()
    await tell({ status: 'idle', run_mark: 'b' })
    expect((await printer()).plate_state).toBe('clear')
    await hubIsAway()
    await farm.reconnect()
    await tell({ ...ended(foreign), run_mark: 'c' })
    expect((await printer()).plate_state).toBe('unknown')
  })
})

describe('a plate is cleared', () => {
  const refused = async () => (await clear()).json().error

  test.each([
    ['printing', { status: 'printing', run: foreign, run_mark: 'b' }],
    ['paused', { status: 'paused', run: foreign, run_mark: 'b' }],
    ['maintenance', { status: 'maintenance', run_mark: null }],
    ['error', { status: 'error', run_mark: null }],
    ['printing', { status: 'idle', run: foreign, run_mark: 'b' }],
    ['starting up', { status: 'idle', run_mark: null }],
  ] as const)('not while its printer is %s', async (status, state) => {
    await tell(state)
    expect(await refused()).toMatchObject({ code: 'INVALID_STATE', details: { status } })
  })

  test('not of a printer that its hub has not reported yet, nor by its task', async () => {
    await tell({ status: 'idle', run_mark: 'b' })
    await hubIsAway()
    await farm.reconnect()
    expect(await refused()).toMatchObject({ code: 'INVALID_STATE', details: { status: 'not reported yet' } })
    const [task] = await openTasks()
    const completed = await farm.account.request('PUT', `/worklist/${task.id}/status`, { status: 'completed' })
    expect(completed.json().error).toMatchObject({ code: 'INVALID_STATE' })
    expect((await printer()).plate_state).toBe('unknown')
  })

  test('of a printer that its hub cannot reach, unless a print of ours is on it', async () => {
    await tell({ status: 'offline', run_mark: null })
    expect((await clear()).statusCode).toBe(200)
    await tell({ status: 'idle', run_mark: 'a' })
    await sendPrint()
    await tell({ status: 'offline', run_mark: null })
    expect(await refused()).toMatchObject({ code: 'PRINTER_OUT_OF_REACH' })
    await hubIsAway()
    expect(await refused()).toMatchObject({ details: { status: 'reserved for a job' } })
  })

  test('of a printer that is out of use', async () => {
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, { is_active: false })
    expect((await clear()).statusCode).toBe(200)
  })
})

describe('a plate that was ejected', () => {
  async function eject(report: { run_mark?: string | null }, shown: Partial<PrinterState>): Promise<void> {
    await farm.account.request('PATCH', `/printers/${farm.printerId}`, { ejection: {} })
    await t.db.sql`
      update print_file_versions set metadata = ${t.db.sql.json({ maxZMm: 20 })} where account_id = ${farm.account.id}`
    await hubIsAway()
    await farm.reconnect(0, ['ejection'])
    await tell({ status: 'idle', run_mark: 'a' })
    const attempt = await sendPrint()
    expect(attempt.args.ejection_gcode).toBeDefined()
    const run = { ...theirRun(attempt.attempt_id), attempt_id: attempt.attempt_id }
    await tell({ status: 'printing', run, run_mark: 'ours' })
    await farm.hub.report({ ...attempt, phase: 'confirmed', with_ejection: true, run_mark: 'ours' })
    await tell({ ...ended(run), ...shown })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done', with_ejection: true, ...report })
    await t.written()
  }

  test('is known by the run that pushed itself off', async () => {
    await eject({ run_mark: 'ours' }, { run_mark: 'ours' })
    expect(await marks()).toEqual({ run_mark: 'ours', plate_run_mark: 'ours' })
    expect((await printer()).plate_state).toBe('clear')
  })

  test('and printed on again before the end of our run was recorded is unknown', async () => {
    await eject({ run_mark: 'ours' }, { ...ended(foreign), run_mark: 'theirs' })
    expect(await printer()).toMatchObject({ plate_state: 'unknown', plate_change_reason: 'foreign_print' })
  })

  test('by a report that cannot say what the plate is known by is looked at', async () => {
    await eject({ run_mark: null }, { last_result: null, run_mark: 'b' })
    expect((await printer()).plate_state).toBe('unknown')
  })
})

describe('a hub of an older version, which tells no marks', () => {
  test('is understood by the runs that its printer shows', async () => {
    await tell(ended(foreign))
    await t.settled(async () => (await printer()).plate_state === 'unknown')
    await clear()
    expect(await marks()).toMatchObject({ plate_run_mark: 'f1 vase.gcode' })
    await tell({ status: 'idle' })
    expect((await printer()).plate_state).toBe('clear')
    await tell(ended({ ...foreign, job_id: 'f2' }))
    await t.settled(async () => (await printer()).plate_state === 'unknown')
  })
})
