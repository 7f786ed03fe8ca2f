import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, itemOf } from '../../../test/farm/test-catalogue.ts'
import { createTestFarm } from '../../../test/farm/test-farm.ts'
import { isActionPossible, type JobAction, type JobStatus, jobActions, jobStatuses } from '../job-state.ts'

const { t, farm } = farmForEachTest()

type Attempt = { attempt_id: string; printer_id: string; fence: number }

const post = (path: string, body?: object) => farm.account.request('POST', path, body)
const act = (jobId: string, action: string, body?: object) => post(`/jobs/${jobId}/${action}`, body)
const printer = async () => (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
const stockOf = async (sku: { sku: string }) => (await itemOf(farm.account, sku)).ready_stock

async function hubLeaves(): Promise<void> {
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
}

/** The printer is seen idle and a person clears its plate. */
async function clearPlate(): Promise<void> {
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const answer = await post(`/printers/${farm.printerId}/control`, { action: 'clear_bed' })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Starts a job and answers its attempt, of which the printer has shown nothing yet. */
async function start(jobId: string): Promise<Attempt> {
  const sent = farm.hub.commands().length
  const answer = await act(jobId, 'start')
  expect(answer.statusCode, answer.body).toBe(200)
  const command = farm.hub.commands()[sent]
  return {
    attempt_id: String(command?.args.attempt_id),
    printer_id: farm.printerId,
    fence: command?.fence ?? 0,
  }
}

async function startWithUnknownFate(fields: object = {}): Promise<{ jobId: string; attempt: Attempt }> {
  const jobId = await farm.queueJob({ ...fields })
  const attempt = await start(jobId)
  await farm.hub.report({
    ...attempt,
    phase: 'starting',
    outcome: 'unknown',
    evidence: { kind: 'silence', run_id: null, detail: 'its outcome is unknown' },
  })
  return { jobId, attempt }
}

/** A job in a state, got there as jobs get there. */
async function jobIn(status: JobStatus): Promise<string> {
  const jobId = await farm.queueJob()
  if (status === 'queued') return jobId
  if (status === 'processing') {
    await start(jobId)
    return jobId
  }
  if (status === 'cancelled') {
    await act(jobId, 'cancel')
    return jobId
  }
  const attempt = await farm.print(jobId)
  if (status === 'paused') await act(jobId, 'pause')
  if (status === 'completed') await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
  if (status === 'failed') await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'failed' })
  return jobId
}

const bodies: Partial<Record<JobAction, object>> = { assign: { printer_id: null }, resolve: { outcome: 'printed' } }

describe.each(jobStatuses)('a job that is %s', (status) => {
  const refused = (Object.keys(jobActions) as JobAction[]).filter((action) => !isActionPossible(action, status))

  test(`refuses ${refused.join(', ')} and stays as it is`, async () => {
    const jobId = await jobIn(status)
    const before = await farm.job(jobId)
    expect(before.status).toBe(status)
    const commands = farm.hub.commands().length
    for (const action of refused) {
      const answer =
        action === 'delete'
          ? await farm.account.request('DELETE', `/jobs/${jobId}`)
          : await act(jobId, action, bodies[action])
      const code = action === 'delete' ? 'RESOURCE_IN_USE' : 'JOB_STATE_CHANGED'
      expect([action, answer.statusCode, answer.json().error?.code]).toEqual([action, 409, code])
      if (action !== 'delete') expect(answer.json().error.details).toEqual({ status })
    }
    expect(await farm.job(jobId)).toEqual(before)
    expect(farm.hub.commands()).toHaveLength(commands)
  })
})

describe('POST /jobs/{id}/assign', () => {
  const addPrinter = async (model: string) =>
    (await post('/printers', { name: `Another ${model}`, model, connection_type: 'virtual' })).json().data.id

  test('gives a queued job to a printer of its model, and takes it away again', async () => {
    const jobId = await farm.queueJob()
    const other = await addPrinter('Original Prusa MK4S')
    expect((await act(jobId, 'assign', { printer_id: other })).json().data).toMatchObject({ printer_id: other })
    expect((await act(jobId, 'assign', { printer_id: null })).json().data).toMatchObject({ printer_id: null })
  })

  test('refuses a printer of another model, one that is not there, one of another account, and no answer at all', async () => {
    const jobId = await farm.queueJob()
    const stranger = await createTestFarm(t)
    const refusal = async (body: object) => (await act(jobId, 'assign', body)).json().error.code
    expect(await refusal({ printer_id: await addPrinter('MINI') })).toBe('PRINTER_MODEL_MISMATCH')
    expect(await refusal({ printer_id: 'prn_x' })).toBe('PRINTER_NOT_FOUND')
    expect(await refusal({ printer_id: stranger.printerId })).toBe('PRINTER_NOT_FOUND')
    expect(await refusal({})).toBe('VALIDATION_ERROR')
    expect((await farm.job(jobId)).printer_id).toBe(farm.printerId)
    await stranger.hub.close()
  })

  test('while it is being started either comes first, and the job never prints elsewhere than it says', async () => {
    const jobId = await farm.queueJob()
    const other = await addPrinter('MK4S')
    const [started] = await Promise.all([act(jobId, 'start'), act(jobId, 'assign', { printer_id: other })])
    const job = await farm.job(jobId)
    if (started.statusCode === 200) expect(job).toMatchObject({ status: 'processing', printer_id: farm.printerId })
    else expect(job).toMatchObject({ status: 'queued', printer_id: other })
    expect(farm.hub.commands()).toHaveLength(started.statusCode === 200 ? 1 : 0)
  })
})

describe('POST /jobs/{id}/retry', () => {
  test('queues a failed job again with its times and reason gone, and its try on record', async () => {
    const jobId = await jobIn('failed')
    const retried = await act(jobId, 'retry')
    expect(retried.json().data).toMatchObject({
      status: 'queued',
      failure_reason: null,
      progress_percentage: null,
      time_started: null,
      time_completed: null,
      actual_print_time_minutes: null,
    })
    await clearPlate()
    const attempt = await farm.print(jobId)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await farm.job(jobId)).toMatchObject({ status: 'completed', progress_percentage: 100 })
    const tries = await t.db.sql`
      select outcome from attempts where account_id = ${farm.account.id} and job_id = ${jobId} order by fence`
    expect(tries.map(({ outcome }) => outcome)).toEqual(['failed', 'done'])
  })

  test('prints only the plates that are missing, and credits the good ones when it fails and the rest in the end', async () => {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 3, quantity_per_print: 2 })
    for (const outcome of ['done', 'failed', 'done'] as const) {
      const attempt = await farm.print(jobId)
      await farm.hub.report({ ...attempt, phase: 'finished', outcome })
      if (outcome === 'failed') {
        expect(await stockOf(sku)).toBe(2)
        expect((await act(jobId, 'retry')).json().data).toMatchObject({ status: 'queued', progress_percentage: 50 })
      }
      await clearPlate()
    }
    expect((await farm.job(jobId)).status).toBe('completed')
    expect(await stockOf(sku)).toBe(3)
  })

  test('20 at once queue it once', async () => {
    const jobId = await jobIn('failed')
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(jobId, 'retry')))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.json().error?.code === 'JOB_STATE_CHANGED')).toHaveLength(19)
  })
})

describe('POST /jobs/{id}/complete', () => {
  test('of a queued job that was printed by hand credits all its units and touches no plate', async () => {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 5, quantity_per_print: 2 })
    expect((await act(jobId, 'complete')).json().data).toMatchObject({
      status: 'completed',
      progress_percentage: 100,
      time_completed: expect.any(String),
    })
    expect(await stockOf(sku)).toBe(5)
    expect((await printer()).plate_state).toBe('clear')
    expect((await act(jobId, 'complete')).json().error.code).toBe('JOB_STATE_CHANGED')
    expect(await stockOf(sku)).toBe(5)
  })

  test('of a job that prints in sight of its hub is refused', async () => {
    const jobId = await jobIn('printing')
    expect((await act(jobId, 'complete')).json().error).toMatchObject({
      code: 'JOB_STATE_CHANGED',
      details: { status: 'printing' },
    })
    expect((await farm.job(jobId)).status).toBe('printing')
  })

  test('of a job that printed on while the hub was lost ends it, and the plate waits to be cleared', async () => {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 4, quantity_per_print: 2 })
    const attempt = await farm.print(jobId)
    await hubLeaves()
    expect((await act(jobId, 'complete')).json().data.status).toBe('completed')
    expect(await stockOf(sku)).toBe(4)
    expect((await printer()).plate_state).toBe('occupied')
    await farm.reconnect()
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'failed' })
    expect((await farm.job(jobId)).status).toBe('completed')
    expect(await stockOf(sku)).toBe(4)
  })

  test('of a failed job makes up for its failure', async () => {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({ product_sku_id: sku.id })
    const attempt = await farm.print(jobId)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'failed' })
    expect((await act(jobId, 'complete')).json().data).toMatchObject({ status: 'completed', failure_reason: null })
    expect(await stockOf(sku)).toBe(1)
    const [failure] = await t.db.sql`
      select resolved_by from print_failures where account_id = ${farm.account.id} and job_id = ${jobId}`
    expect(failure?.resolved_by).toMatch(/^key:/)
  })

  test('20 at once credit once', async () => {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 2 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(jobId, 'complete')))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(await stockOf(sku)).toBe(2)
  })
})

describe('POST /jobs/{id}/resolve', () => {
  test('not_started queues the job again and frees the printer, whose plate the person found clear', async () => {
    const { jobId, attempt } = await startWithUnknownFate()
    const seen = { outcome: 'not_started', notes: 'the screen shows the menu', plate_is_clear: true }
    const resolved = await act(jobId, 'resolve', seen)
    expect(resolved.json().data).toMatchObject({
      status: 'queued',
      failure_reason: expect.stringContaining('the screen shows the menu'),
    })
    expect((await printer()).plate_state).toBe('clear')
    expect((await act(jobId, 'start')).statusCode).toBe(200)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect((await farm.job(jobId)).status).toBe('processing')
  })

  test('without a word about the plate nothing starts on it, and a task asks for a look', async () => {
    const { jobId } = await startWithUnknownFate()
    await act(jobId, 'resolve', { outcome: 'not_started' })
    expect(await printer()).toMatchObject({
      plate_state: 'unknown',
      plate_change_reason: 'seen_not_started',
      plate_unknown_reason: expect.stringContaining('never began'),
    })
    expect((await act(jobId, 'start')).json().error).toMatchObject({ details: { reason: 'plate_not_clear' } })
    const [task] = (await farm.account.request('GET', '/worklist?status=pending')).json().data
    expect(task.title).toContain('Look at the plate of Printer')
    expect(task.description).toContain('never began')
  })

  test.each(['printed', 'failed'])(
    '%s with the plate taken care of leaves it clear, and asks for no one',
    async (outcome) => {
      const { jobId } = await startWithUnknownFate()
      expect((await act(jobId, 'resolve', { outcome, plate_is_clear: true })).statusCode).toBe(200)
      expect(await printer()).toMatchObject({ plate_state: 'clear', plate_change_reason: 'cleared_by_person' })
      expect((await farm.account.request('GET', '/worklist?status=pending')).json().data).toEqual([])
    },
  )

  test('a plate on which something runs is not clear, and nothing is settled', async () => {
    const { jobId, attempt } = await startWithUnknownFate()
    farm.hub.telemetry(farm.printerId, {
      status: 'printing',
      run: { file_name: 'vase.gcode', job_id: 'r9', attempt_id: null },
    })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'printing')
    const refused = await act(jobId, 'resolve', { outcome: 'printed', plate_is_clear: true })
    expect(refused.json().error).toMatchObject({ code: 'INVALID_STATE', details: { status: 'printing' } })
    const [row] = await t.db.sql`
      select phase from attempts where account_id = ${farm.account.id} and id = ${attempt.attempt_id}`
    expect(row?.phase).not.toBe('finished')
  })

  test('printed credits the plate and occupies it; failed credits nothing and can be retried', async () => {
    const sku = await addSku(farm.account)
    const first = await startWithUnknownFate({ product_sku_id: sku.id })
    expect((await act(first.jobId, 'resolve', { outcome: 'printed' })).json().data.status).toBe('completed')
    expect(await stockOf(sku)).toBe(1)
    expect((await printer()).plate_state).toBe('occupied')
    await clearPlate()
    const second = await startWithUnknownFate({ product_sku_id: sku.id })
    expect((await act(second.jobId, 'resolve', { outcome: 'failed' })).json().data.status).toBe('failed')
    expect(await stockOf(sku)).toBe(1)
    expect((await act(second.jobId, 'retry')).json().data.status).toBe('queued')
  })

  test('is refused of what its hub can see, and of a hub that is merely away nothing counts as not started', async () => {
    const jobId = await jobIn('processing')
    expect((await act(jobId, 'resolve', { outcome: 'printed' })).json().error.code).toBe('JOB_STATE_CHANGED')
    await hubLeaves()
    expect((await act(jobId, 'resolve', { outcome: 'not_started' })).json().error.code).toBe('JOB_STATE_CHANGED')
    expect((await act(jobId, 'resolve', { outcome: 'failed' })).json().data.status).toBe('failed')
    expect((await act(jobId, 'resolve', { outcome: 'lost' })).json().error.code).toBe('VALIDATION_ERROR')
  })

  test('a person and the evidence at the same time settle it once', async () => {
    const sku = await addSku(farm.account)
    const { jobId, attempt } = await startWithUnknownFate({ product_sku_id: sku.id })
    await Promise.all([
      farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' }),
      ...Array.from({ length: 10 }, () => act(jobId, 'resolve', { outcome: 'printed' })),
    ])
    expect((await farm.job(jobId)).status).toBe('completed')
    expect(await stockOf(sku)).toBe(1)
  })

  test('a print that runs on although it was said not to have started leaves its plate unknown', async () => {
    const { jobId, attempt } = await startWithUnknownFate()
    await act(jobId, 'resolve', { outcome: 'not_started', plate_is_clear: true })
    farm.hub.telemetry(farm.printerId, {
      status: 'printing',
      run: { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id },
    })
    await t.settled(async () => (await printer()).plate_state === 'unknown')
    expect((await farm.job(jobId)).status).toBe('queued')
  })
})

test('a pause at the printer that is seen before the start is confirmed is followed as soon as it is', async () => {
  const jobId = await farm.queueJob()
  const attempt = await start(jobId)
  farm.hub.telemetry(farm.printerId, {
    status: 'paused',
    status_reason: 'filament ran out',
    run: { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id },
  })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'paused')
  expect((await farm.job(jobId)).status).toBe('processing')
  await farm.hub.report({ ...attempt, phase: 'confirmed' })
  expect((await farm.job(jobId)).status).toBe('paused')
})

test('a stop takes away the error that a print left at an idle printer, and there is none without one', async () => {
  const stop = () => farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'stop' })
  const shows = async (problems: { reason: string; message: string }[]) => {
    farm.hub.telemetry(farm.printerId, { status: 'idle', run: null, problems })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.problems?.length === problems.length)
  }
  await shows([])
  expect((await stop()).json().error.code).toBe('INVALID_STATE')
  await shows([{ reason: 'print_error', message: 'Move out of range' }])
  expect((await stop()).statusCode).toBe(200)
})

describe('a printer that heats up and carries a command out afterwards', () => {
  const control = (action: string) => farm.account.request('POST', `/printers/${farm.printerId}/control`, { action })
  const pending = (kind: string) => `will ${kind} once heated`

  beforeEach(() => {
    farm.hub.onCommand(({ kind }) => ({ ok: true, ...(kind !== 'print' && { pending: true, message: pending(kind) }) }))
  })

  test('answers a pause with when, and the job is paused when the printer is', async () => {
    const jobId = await farm.queueJob()
    const { attempt_id } = await farm.print(jobId)
    const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id }
    farm.hub.telemetry(farm.printerId, { status: 'printing', run })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'printing')
    const answer = await act(jobId, 'pause')
    expect(answer.json()).toMatchObject({ success: true, pending: pending('pause'), data: { status: 'printing' } })
    expect((await control('pause')).json().data).toMatchObject({ status: 'printing', pending: pending('pause') })
    expect((await farm.job(jobId)).status).toBe('printing')
    farm.hub.telemetry(farm.printerId, { status: 'paused', run })
    await t.settled(async () => (await farm.job(jobId)).status === 'paused')
  })

  test('answers a stop with when, and the job is cancelled when its hub says so', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    expect((await act(jobId, 'stop')).json()).toMatchObject({ pending: pending('stop'), data: { status: 'printing' } })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'cancelled' })
    expect((await farm.job(jobId)).status).toBe('cancelled')
  })
})

describe('POST /jobs/{id}/cancel', () => {
  test('while the file is on its way takes the job back, and the plate stays clear', async () => {
    const jobId = await farm.queueJob()
    const attempt = await start(jobId)
    await farm.hub.report({ ...attempt, phase: 'transferring' })
    expect((await act(jobId, 'cancel')).json().data.status).toBe('cancelled')
    expect((await printer()).plate_state).toBe('clear')
    expect(farm.hub.commands().map(({ kind }) => kind)).toEqual(['print', 'stop'])
  })

  test('finds what the hub reported before its answer: a print that had started leaves the plate occupied', async () => {
    const jobId = await farm.queueJob()
    const attempt = await start(jobId)
    farm.hub.onCommand(() => {
      // Sent just before the answer, as a hub does whose printer was just seen to begin.
      void farm.hub.report({ ...attempt, phase: 'confirmed' })
      return { ok: true }
    })
    expect((await act(jobId, 'cancel')).json().data.status).toBe('cancelled')
    expect((await printer()).plate_state).toBe('occupied')
  })

  test('while the hub is away is kept, and is the first that the hub is told when it returns', async () => {
    const jobId = await farm.queueJob()
    const attempt = await start(jobId)
    await farm.hub.report({ ...attempt, phase: 'transferring' })
    await hubLeaves()
    const kept = await act(jobId, 'cancel')
    expect([kept.statusCode, kept.json().data]).toMatchObject([
      200,
      { status: 'processing', failure_reason: expect.stringContaining('To be cancelled') },
    ])
    expect((await act(jobId, 'cancel')).statusCode).toBe(200)
    const hub = await farm.reconnect()
    await hub.waitFor('command', ({ kind }) => kind === 'stop')
    await t.settled(async () => (await farm.job(jobId)).status === 'cancelled')
    expect(hub.commands().map(({ kind, args }) => [kind, args])).toEqual([['stop', { attempt_id: attempt.attempt_id }]])
    expect((await printer()).plate_state).toBe('clear')
  })

  test('while the hub is away, of a command that never reached it, ends in cancelled and not in the queue', async () => {
    farm.hub.onCommand(() => undefined)
    const jobId = await farm.queueJob()
    expect((await act(jobId, 'start')).statusCode).toBe(503)
    await hubLeaves()
    expect((await act(jobId, 'cancel')).json().data.status).toBe('processing')
    const hub = await farm.reconnect()
    hub.onCommand(() => ({ ok: false, code: 'WRONG_STATE', message: 'nothing runs' }))
    const [attempt] = (await hub.waitFor('welcome')).settle
    if (!attempt) throw new Error('nothing to settle')
    await hub.report({ ...attempt, phase: 'finished', outcome: 'not_started', reason_code: 'ORDER_LOST' })
    expect((await farm.job(jobId)).status).toBe('cancelled')
    expect(hub.commands().filter(({ kind }) => kind === 'print')).toEqual([])
  })

  test('while the hub is away, of a print that began meanwhile, stops it', async () => {
    const jobId = await farm.queueJob()
    const attempt = await start(jobId)
    await hubLeaves()
    await act(jobId, 'cancel')
    const hub = await farm.reconnect()
    await hub.report({ ...attempt, phase: 'confirmed' })
    await hub.waitFor('command', ({ kind }) => kind === 'stop')
    await t.settled(async () => (await farm.job(jobId)).status === 'cancelled')
  })

  test('of a print whose hub is away is refused: nothing was sent, nothing changed', async () => {
    const jobId = await jobIn('printing')
    await hubLeaves()
    for (const action of ['cancel', 'stop']) {
      expect((await act(jobId, action)).json().error.code).toBe('HUB_OFFLINE')
    }
    expect((await farm.job(jobId)).status).toBe('printing')
  })

  test('and start at the same time: what answers cancelled has no command on its way', async () => {
    for (let round = 0; round < 5; round += 1) {
      const jobId = await farm.queueJob()
      const [cancelled] = await Promise.all([act(jobId, 'cancel'), act(jobId, 'start')])
      const commands = farm.hub.commands().filter(({ kind }) => kind === 'print').length
      const stops = farm.hub.commands().filter(({ kind }) => kind === 'stop').length
      if (cancelled.statusCode === 200 && cancelled.json().data.status === 'cancelled') expect(commands).toBe(stops)
      if ((await farm.job(jobId)).status === 'processing') await act(jobId, 'cancel')
      await clearPlate()
    }
  })
})

describe('DELETE /jobs/{id}', () => {
  const remove = (jobId: string) => farm.account.request('DELETE', `/jobs/${jobId}`)

  test.each(['queued', 'completed', 'failed', 'cancelled'] as const)('a %s job is gone', async (status) => {
    const jobId = await jobIn(status)
    expect((await remove(jobId)).json()).toEqual({ success: true, data: { id: jobId, deleted: true } })
    expect((await farm.account.request('GET', `/jobs/${jobId}`)).statusCode).toBe(404)
    expect((await remove(jobId)).statusCode).toBe(404)
  })

  test('a queued job that was tried before is still needed', async () => {
    const jobId = await farm.queueJob({ number_of_units: 2 })
    const attempt = await farm.print(jobId)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect((await farm.job(jobId)).status).toBe('queued')
    expect((await remove(jobId)).json().error.code).toBe('RESOURCE_IN_USE')
  })

  test('what a job added to the stock stays', async () => {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({ product_sku_id: sku.id })
    await act(jobId, 'complete')
    await remove(jobId)
    expect(await stockOf(sku)).toBe(1)
  })
})

describe('POST /jobs/bulk', () => {
  const bulk = (jobs: unknown, headers = {}) => farm.account.request('POST', '/jobs/bulk', { jobs }, headers)
  const good = () => ({ print_file_id: farm.fileId })

  test('queues what it can and says of each job what became of it', async () => {
    const answer = await bulk([
      good(),
      { print_file_id: 'fil_x' },
      { ...good(), number_of_units: '5' },
      7,
      { ...good(), color: 'red' },
    ])
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      queued: 2,
      refused: 3,
      results: [
        { index: 0, success: true, job: { status: 'queued' } },
        { index: 1, success: false, error: { code: 'FILE_NOT_FOUND' } },
        {
          index: 2,
          success: false,
          error: { code: 'VALIDATION_ERROR', details: { number_of_units: expect.any(Array) } },
        },
        { index: 3, success: false, error: { code: 'VALIDATION_ERROR', details: { _root: ['must be an object'] } } },
        { index: 4, success: true, job: { color: 'red' } },
      ],
    })
    expect((await farm.account.request('GET', '/jobs')).json().data).toHaveLength(2)
  })

  test('with an Idempotency-Key is done once', async () => {
    const key = { 'idempotency-key': 'bulk-1' }
    const first = await bulk([good(), {}], key)
    const again = await bulk([good(), {}], key)
    expect(again.body).toBe(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await farm.account.request('GET', '/jobs')).json().data).toHaveLength(1)
  })

  test('takes 1 to 100 jobs', async () => {
    expect((await bulk([])).json().error.details).toEqual({ jobs: ['must have at least 1 item'] })
    expect((await bulk(Array.from({ length: 101 }, good))).json().error.details).toEqual({
      jobs: ['must have at most 100 items'],
    })
    expect((await bulk(Array.from({ length: 100 }, good))).json().data.queued).toBe(100)
  })
})

test('GET /jobs/stats counts what waits now and what ended in the time asked for', async () => {
  await jobIn('completed')
  await farm.queueJob()
  const stats = (await farm.account.request('GET', '/jobs/stats')).json().data
  expect(stats).toMatchObject({
    by_status: { queued: 1, processing: 0, printing: 0, paused: 0, completed: 1, failed: 0, cancelled: 0 },
    success_rate: 1,
    units_completed: 1,
  })
  const earlier = (await farm.account.request('GET', '/jobs/stats?from=2020-01-01&to=2020-02-01')).json().data
  expect(earlier).toMatchObject({ by_status: { queued: 1, completed: 0 }, success_rate: null, units_completed: 0 })
  expect((await farm.account.request('GET', '/jobs/stats?from=yesterday')).statusCode).toBe(400)
})
