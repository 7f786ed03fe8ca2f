import { setTimeout } from 'node:timers/promises'
import type { AttemptReport } from '@printyard/protocol/attempt'
import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, itemOf } from '../../../test/farm/test-catalogue.ts'
import { watchFarms } from '../../floor/farm-watch.ts'
import { watchHealth } from '../../health/follow-health.ts'
import { followPrinter } from './follow-printer.ts'

let offsetMs = 0
beforeEach(() => {
  offsetMs = 0
})
const { t, farm } = farmForEachTest({ context: { clock: { now: () => new Date(Date.now() + offsetMs) } } })

type Attempt = Pick<AttemptReport, 'attempt_id' | 'printer_id' | 'fence'>

const post = (path: string, body?: object) => farm.account.request('POST', path, body)
const act = (jobId: string, action: string, body?: object) => post(`/jobs/${jobId}/${action}`, body)
const control = (body: object) => post(`/printers/${farm.printerId}/control`, body)
const printer = async (id = farm.printerId) => (await farm.account.request('GET', `/printers/${id}`)).json().data
const tasks = async () => (await farm.account.request('GET', '/worklist?task_type=maintenance')).json().data
const openTasks = async () => (await tasks()).filter(({ status }: { status: string }) => status === 'pending')
const eventsOf = async (type: string) =>
  t.db.sql`select data, actor from events where account_id = ${farm.account.id} and type = ${type}`
const attemptOf = async ({ attempt_id }: Attempt) => {
  const [row] = await t.db.sql`
    select phase, outcome, reason_code, evidence from attempts
    where account_id = ${farm.account.id} and id = ${attempt_id}`
  return row
}
const released = () =>
  farm.hub.received.flatMap((frame) =>
    frame.type === 'release' ? frame.attempts.map(({ attempt_id }) => attempt_id) : [],
  )
const runOf = (attempt: Attempt) => ({ file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id })

/** Starts a job whose printer refuses, as its hub reports after it watched for a while. */
async function refusedStart(fields: object = {}): Promise<{ jobId: string; attempt: Attempt }> {
  const jobId = await farm.queueJob({ ...fields })
  const attempt = await start(jobId)
  await farm.hub.report({ ...attempt, phase: 'starting' })
  await farm.hub.report({
    ...attempt,
    phase: 'finished',
    outcome: 'not_started',
    reason_code: 'PRINTER_REFUSED',
    evidence: { kind: 'refusal', run_id: null, detail: 'door open' },
  })
  expect((await farm.job(jobId)).status).toBe('queued')
  return { jobId, attempt }
}

async function start(jobId: string): Promise<Attempt> {
  const sent = farm.hub.commands().length
  const answer = await act(jobId, 'start')
  expect(answer.statusCode, answer.body).toBe(200)
  const command = farm.hub
    .commands()
    .slice(sent)
    .find(({ kind }) => kind === 'print')
  return { attempt_id: String(command?.args.attempt_id), printer_id: farm.printerId, fence: command?.fence ?? 0 }
}

async function show(
  status: 'offline' | 'printing' | 'paused' | 'idle',
  attempt?: Attempt,
  progress: number | null = null,
) {
  const run = attempt && (status === 'printing' || status === 'paused') ? runOf(attempt) : null
  farm.hub.telemetry(farm.printerId, { status, run, progress })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === status)
  await t.written()
}

/** The run is seen at that progress, which is on record then. */
async function showAt(attempt: Attempt, progress: number) {
  await show('printing', attempt, progress)
  await t.settled(async () => {
    const [row] = await t.db.sql`
      select progress from attempts where account_id = ${farm.account.id} and id = ${attempt.attempt_id}`
    return row?.progress === progress
  })
}

/** A print that was seen at 63 %, and whose printer does not answer any more while its hub does. */
async function printOutOfReach(fields: object = {}): Promise<{ jobId: string; attempt: Attempt }> {
  const jobId = await farm.queueJob({ ...fields })
  const attempt = await farm.print(jobId)
  await showAt(attempt, 63)
  await show('offline')
  await t.settled(async () => (await printer()).health.length > 0)
  return { jobId, attempt }
}

describe('a refused start that runs anyway', () => {
  test('is taken back: its job prints on that attempt, and ends and counts as any other', async () => {
    const sku = await addSku(farm.account)
    const { jobId, attempt } = await refusedStart({ product_sku_id: sku.id })
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    expect(await farm.job(jobId)).toMatchObject({
      status: 'printing',
      printer_id: farm.printerId,
      failure_reason: null,
    })
    expect((await printer()).plate_state).toBe('occupied')
    expect(await eventsOf('job.started')).toMatchObject([{ data: { taken_back: true } }])
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect((await farm.job(jobId)).status).toBe('completed')
    expect((await itemOf(farm.account, sku)).ready_stock).toBe(1)
    expect(await eventsOf('printer.foreign_print')).toEqual([])
  })

  test.each(['given to another printer', 'cancelled'])(
    'is a second copy when its job was %s: it lies on the plate, a person is told once, and nothing is credited',
    async (what) => {
      const sku = await addSku(farm.account)
      const { jobId, attempt } = await refusedStart({ product_sku_id: sku.id })
      if (what === 'cancelled') await act(jobId, 'cancel')
      else await startElsewhere(jobId)
      const before = await farm.job(jobId)
      await farm.hub.report({ ...attempt, phase: 'confirmed' })
      await farm.hub.report({ ...attempt, phase: 'confirmed' })
      await show('printing', attempt)
      expect((await farm.job(jobId)).status).toBe(before.status)
      expect(await attemptOf(attempt)).toMatchObject({ phase: 'finished', outcome: 'not_started' })
      expect(await printer()).toMatchObject({ plate_state: 'occupied', plate_job_id: jobId })
      expect(await eventsOf('job.second_copy')).toHaveLength(1)
      expect(await eventsOf('printer.foreign_print')).toEqual([])
      const [task, ...others] = await openTasks()
      expect(others).toEqual([])
      expect(task.title).toContain('second copy of')
      await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
      expect((await itemOf(farm.account, sku)).ready_stock).toBe(0)
      await show('idle')
      expect((await control({ action: 'clear_bed' })).statusCode).toBe(200)
      await watchFarms(t.context)
      expect(await openTasks()).toEqual([])
    },
  )

  async function startElsewhere(jobId: string): Promise<void> {
    const other = await post('/printers', {
      name: 'Other',
      model: 'MK4S',
      hub_id: farm.hubId,
      connection_type: 'virtual',
    })
    const { id } = other.json().data
    await farm.hub.waitFor('configure', ({ printers }) => printers.some(({ printer_id }) => printer_id === id))
    farm.hub.telemetry(id, { status: 'idle' })
    await t.settled(() => t.context.printers.find(id)?.state.status === 'idle')
    await post(`/printers/${id}/control`, { action: 'clear_bed' })
    await act(jobId, 'assign', { printer_id: id })
    await start(jobId)
  }
})

describe('a print whose end was not seen', () => {
  async function lose(attempt: Attempt, phase: 'confirmed' | 'finished' = 'confirmed') {
    await farm.hub.report({
      ...attempt,
      phase,
      outcome: 'unknown',
      reason_code: phase === 'finished' ? 'SUPERSEDED' : 'RESULT_LOST',
      evidence: { kind: 'telemetry', run_id: null, detail: 'its result was not seen; it was last seen at 64 %' },
    })
  }

  test.each(['confirmed', 'finished'] as const)(
    'asks at once whether it is good, with its progress and a way to see it, when its hub says %s unknown',
    async (phase) => {
      const jobId = await farm.queueJob()
      const attempt = await farm.print(jobId)
      await showAt(attempt, 64)
      await act(jobId, 'pause')
      await lose(attempt, phase)
      expect(await farm.job(jobId)).toMatchObject({
        status: 'printing',
        failure_reason: expect.stringContaining('last seen at 64 %'),
      })
      expect(await printer()).toMatchObject({ plate_state: 'occupied' })
      const [task, ...others] = await openTasks()
      expect(others).toEqual([])
      expect(task.title).toBe('Is the print of clip on Printer good?')
      expect(task.description).toContain('last seen at 64 %')
      expect(task.description).toContain('the picture on the page of the printer')
      expect((await act(jobId, 'resolve', { outcome: 'not_started' })).json().error.code).toBe('JOB_STATE_CHANGED')
      expect((await act(jobId, 'resolve', { outcome: 'printed' })).json().data.status).toBe('completed')
      expect(await openTasks()).toEqual([])
      expect(released()).toEqual([attempt.attempt_id])
    },
  )

  test('is settled by evidence that comes later', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    await lose(attempt)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect((await farm.job(jobId)).status).toBe('completed')
    expect(await tasks()).toMatchObject([{ status: 'completed' }])
    expect(released()).toEqual([])
  })
})

describe('a printer that dies with our print on it', () => {
  test('shows so at once in its health, asks a person after five minutes, and closes both when it answers', async () => {
    const { attempt } = await printOutOfReach()
    const [problem] = (await printer()).health
    expect(problem.problem).toBe('print_out_of_reach')
    expect(problem.message).toContain('our print clip was last seen at 63 %')
    await watchHealth(t.context)
    offsetMs += 4 * 60_000
    await watchFarms(t.context)
    expect(await openTasks()).toEqual([])
    offsetMs += 2 * 60_000
    await watchHealth(t.context)
    await Promise.all([watchFarms(t.context), watchFarms(t.context)])
    const [task, ...others] = await openTasks()
    expect(others).toEqual([])
    expect(task).toMatchObject({ printer_id: farm.printerId, title: expect.stringContaining('does not answer') })
    expect((await printer()).health).toHaveLength(1)
    await show('printing', attempt, 70)
    await t.settled(async () => (await printer()).health.length === 0)
    await watchFarms(t.context)
    expect(await openTasks()).toEqual([])
  })

  test.each([
    ['cancel', (jobId: string, body?: object) => act(jobId, 'cancel', body)],
    ['stop', (jobId: string, body?: object) => act(jobId, 'stop', body)],
    ['stop of the printer', (_: string, body?: object) => control({ action: 'stop', ...body })],
  ])('%s needs the words of a person, and then cancels it with its failure on record', async (_, end) => {
    const { jobId, attempt } = await printOutOfReach()
    const refused = await end(jobId)
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'PRINTER_OUT_OF_REACH'])
    expect(refused.json().error.message).toContain('seen_over')
    expect((await farm.job(jobId)).status).toBe('printing')
    expect((await end(jobId, { seen_over: true })).statusCode).toBe(200)
    expect((await farm.job(jobId)).status).toBe('cancelled')
    expect(await attemptOf(attempt)).toMatchObject({ outcome: 'cancelled', evidence: { kind: 'person' } })
    expect(await eventsOf('job.cancelled')).toMatchObject([{ actor: expect.stringMatching(/^key:/) }])
    expect((await printer()).plate_state).toBe('occupied')
    expect(
      await t.db.sql`select type from print_failures where account_id = ${farm.account.id} and job_id = ${jobId}`,
    ).toMatchObject([{ type: 'cancelled_by_person' }])
    expect(released()).toEqual([attempt.attempt_id])
    expect(farm.hub.commands().filter(({ kind }) => kind === 'stop')).toEqual([])
    await watchHealth(t.context)
    expect((await printer()).health).toEqual([])
  })

  test('clear_bed with the words ends the print and clears the plate', async () => {
    const { jobId } = await printOutOfReach()
    expect((await control({ action: 'clear_bed' })).json().error.code).toBe('PRINTER_OUT_OF_REACH')
    expect((await control({ action: 'clear_bed', seen_over: true })).statusCode).toBe(200)
    expect((await farm.job(jobId)).status).toBe('cancelled')
    expect((await printer()).plate_state).toBe('clear')
  })

  test('resolve and complete are the words of a person by themselves', async () => {
    const sku = await addSku(farm.account)
    const first = await printOutOfReach({ product_sku_id: sku.id })
    expect((await act(first.jobId, 'complete')).json().data.status).toBe('completed')
    expect((await itemOf(farm.account, sku)).ready_stock).toBe(1)
    await show('idle')
    await control({ action: 'clear_bed' })
    const second = await printOutOfReach()
    expect((await act(second.jobId, 'resolve', { outcome: 'failed' })).json().data.status).toBe('failed')
    expect(released()).toEqual([first.attempt.attempt_id, second.attempt.attempt_id])
  })

  test('can be put out of use, and deleted as far as its history lets it', async () => {
    const path = `/printers/${farm.printerId}`
    const { jobId } = await printOutOfReach()
    const patch = (body: object) => farm.account.request('PATCH', path, body)
    expect((await patch({ is_active: false })).json().error.code).toBe('PRINTER_OUT_OF_REACH')
    expect((await farm.account.request('DELETE', path)).json().error.code).toBe('PRINTER_OUT_OF_REACH')
    const kept = await farm.account.request('DELETE', `${path}?seen_over=true`)
    expect(kept.json().error.message).toContain('its print is ended now, and its history names it')
    const again = await farm.account.request('DELETE', path)
    expect(again.json().error.message).toContain('still needed: its history names it')
    expect((await farm.job(jobId)).status).toBe('cancelled')
    await show('idle')
    await control({ action: 'clear_bed' })
    const second = await printOutOfReach()
    expect((await patch({ is_active: false, seen_over: true })).json().data.is_active).toBe(false)
    expect((await farm.job(second.jobId)).status).toBe('cancelled')
  })

  test('in the middle of a start can be ended too, and one that can be seen ignores the words', async () => {
    const jobId = await farm.queueJob()
    const attempt = await start(jobId)
    await farm.hub.report({ ...attempt, phase: 'starting' })
    await show('offline')
    expect((await act(jobId, 'cancel')).json().error.code).toBe('PRINTER_OUT_OF_REACH')
    expect((await act(jobId, 'cancel', { seen_over: true })).json().data.status).toBe('cancelled')
    expect((await printer()).plate_state).toBe('occupied')
    await show('idle')
    await control({ action: 'clear_bed' })
    const second = await farm.queueJob()
    await farm.print(second)
    expect((await act(second, 'stop', { seen_over: true })).json().data.status).toBe('cancelled')
    expect(farm.hub.commands().at(-1)?.kind).toBe('stop')
    expect((await act(second, 'stop', { seen_over: 'yes' })).json().error.code).toBe('VALIDATION_ERROR')
  })

  test('in the middle of a transfer is taken back by its hub, or by the words when that cannot', async () => {
    const jobId = await farm.queueJob()
    const attempt = await start(jobId)
    await farm.hub.report({ ...attempt, phase: 'transferring' })
    await show('offline')
    farm.hub.onCommand(() => ({ ok: false, code: 'PRINTER_UNREACHABLE', message: 'the printer does not answer' }))
    expect((await act(jobId, 'stop')).json().error.code).toBe('PRINTER_OUT_OF_REACH')
    farm.hub.onCommand(() => ({ ok: true }))
    expect((await act(jobId, 'stop')).json().data.status).toBe('cancelled')
    expect((await printer()).plate_state).toBe('clear')
  })
})

test('a hub that still holds what is over is told so at its next hello, but not of a run that takes its attempt back', async () => {
  const { jobId, attempt } = await printOutOfReach()
  await act(jobId, 'stop', { seen_over: true })
  await show('idle')
  await control({ action: 'clear_bed' })
  const refused = await refusedStart()
  const evidence = { kind: 'telemetry' as const, run_id: null, detail: null }
  const held = { phase: 'confirmed' as const, outcome: null, evidence, happened_at: '', reason_code: null }
  const open = [
    { ...attempt, ...held },
    { ...refused.attempt, ...held },
  ]
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  await farm.reconnect(undefined, undefined, open)
  await farm.hub.waitFor('release')
  expect(released()).toEqual([attempt.attempt_id])
})

describe('a start of which nothing is heard', () => {
  test('is of unknown fate after five minutes by the clock of the service, although its hub is there', async () => {
    const jobId = await farm.queueJob()
    const attempt = await start(jobId)
    await farm.hub.report({ ...attempt, phase: 'starting' })
    offsetMs += 4 * 60_000
    await watchFarms(t.context)
    expect(await attemptOf(attempt)).toMatchObject({ phase: 'starting', outcome: null })
    offsetMs += 2 * 60_000
    await watchFarms(t.context)
    expect(await attemptOf(attempt)).toMatchObject({ phase: 'starting', outcome: 'unknown', reason_code: 'HUB_SILENT' })
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    expect((await farm.job(jobId)).status).toBe('printing')
  })
})

describe('a job is paused only when its printer has paused', () => {
  test.each([
    ['the hub says that it has paused already', 'WRONG_STATE', 'paused', 409, 'JOB_STATE_CHANGED'],
    ['the hub says that the printer runs something else', 'WRONG_RUN', 'printing', 409, 'JOB_STATE_CHANGED'],
    ['the printer said no', 'PRINTER_REFUSED', 'printing', 503, 'HUB_COMMAND_FAILED'],
    ['no one knows what came of it', 'UNKNOWN_OUTCOME', 'printing', 503, 'HUB_COMMAND_FAILED'],
    ['no one knows what came of it, and the printer shows it', 'UNKNOWN_OUTCOME', 'paused', 503, 'HUB_COMMAND_FAILED'],
  ] as const)('when %s', async (_, code, shown, httpStatus, told) => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    farm.hub.onCommand(() => {
      farm.hub.telemetry(farm.printerId, { status: shown, run: runOf(attempt) })
      return { ok: false, code, message: 'no' }
    })
    const answer = await act(jobId, 'pause')
    expect([answer.statusCode, answer.json().error.code]).toEqual([httpStatus, told])
    if (httpStatus === 409) {
      const details = { status: shown, reason: code.toLowerCase() }
      expect(answer.json().error).toMatchObject({ message: 'The printer cannot do that now: no.', details })
    }
    expect((await farm.job(jobId)).status).toBe(shown)
  })

  test('and resumed at its screen before the answer came', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    farm.hub.onCommand(() => {
      farm.hub.telemetry(farm.printerId, { status: 'paused', run: runOf(attempt) })
      farm.hub.telemetry(farm.printerId, { status: 'printing', run: runOf(attempt) })
      return { ok: true }
    })
    expect((await act(jobId, 'pause')).json().data.status).toBe('printing')
  })

  test('and what it showed earlier is not written after what it shows now', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    const { looked } = await t.db.begin(async (sql) => {
      // The look at the pause waits with its picture at the job's row.
      await sql`select from jobs where account_id = ${farm.account.id} and id = ${jobId} for update`
      farm.hub.telemetry(farm.printerId, { status: 'paused', run: runOf(attempt) })
      const isWaiting = async () =>
        (
          await t.db.sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%update jobs%'`
        ).length > 0
      await t.settled(isWaiting)
      farm.hub.telemetry(farm.printerId, { status: 'printing', run: runOf(attempt) })
      await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'printing')
      const looked = followPrinter(t.context, farm.printerId)
      expect(await Promise.race([looked.then(() => 'looked'), setTimeout(300, 'waits')])).toBe('waits')
      return { looked }
    })
    await looked
    expect((await farm.job(jobId)).status).toBe('printing')
  })

  test('which is seen also while another command to it waits for its answer', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    farm.hub.onCommand(() => undefined)
    const stop = act(jobId, 'stop')
    await farm.hub.waitFor('command', ({ kind }) => kind === 'stop')
    farm.hub.telemetry(farm.printerId, { status: 'paused', run: runOf(attempt) })
    await t.settled(async () => (await farm.job(jobId)).status === 'paused')
    await stop
  })
})
