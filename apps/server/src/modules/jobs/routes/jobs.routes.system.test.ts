import { describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { createTestFarm } from '../../../test/farm/test-farm.ts'

const { t, farm } = farmForEachTest()

describe('POST /jobs', () => {
  test('201: what the caller leaves out comes from the file', async () => {
    const answer = await farm.account.request('POST', '/jobs', {
      print_file_id: farm.fileId,
      number_of_units: 5,
      quantity_per_print: 2,
    })
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(Object.keys(data).sort()).toEqual(
      'actual_print_time_minutes color created_at estimated_print_time_minutes failure_reason filament_needed_grams filament_type file_name id material_type number_of_units printer_id printer_model printer_name product_id product_name product_sku_id progress_percentage sku_name status time_completed time_started time_submitted updated_at'.split(
        ' ',
      ),
    )
    expect(data).toMatchObject({
      status: 'queued',
      printer_id: null,
      number_of_units: 5,
      file_name: 'clip',
      color: '#112233',
      filament_type: 'PETG',
      material_type: 'PETG',
      // Three plates of 601 s are 30.05 min, rounded up; three times 12.345 g.
      estimated_print_time_minutes: 31,
      filament_needed_grams: 37.04,
      time_started: null,
    })
  })

  test('400: every wrong field is named, nothing is coerced', async () => {
    const answer = await farm.account.request('POST', '/jobs', {
      print_file_id: '',
      number_of_units: '5',
      quantity_per_print: 1.5,
      color: 'x'.repeat(51),
      requires_assembly: null,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: {
        print_file_id: ['must not be empty'],
        number_of_units: ['must be a whole number'],
        quantity_per_print: ['must be a whole number'],
        color: ['must have at most 50 characters'],
        requires_assembly: ['must be a boolean'],
      },
    })
  })

  test('400: malformed JSON, no body and text that cannot be stored', async () => {
    expect((await farm.account.request('POST', '/jobs', '{"a":')).json().error.details).toHaveProperty('_root')
    expect((await farm.account.request('POST', '/jobs')).json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { _root: ['must be an object'] },
    })
    const nul = await farm.account.request('POST', '/jobs', { print_file_id: 'a\0b' })
    expect(nul.json().error.details).toEqual({ print_file_id: ['must not contain NUL bytes'] })
    const surrogate = await farm.account.request('POST', '/jobs', '{"print_file_id":"a","color":"\\ud800"}')
    expect(surrogate.json().error.details).toEqual({ color: ['must be well-formed Unicode'] })
  })

  test('404: a file, printer, product or SKU that is not there, in this order', async () => {
    const enqueue = async (body: object) => {
      const answer = await farm.account.request('POST', '/jobs', body)
      return [answer.statusCode, answer.json().error.code]
    }
    const nothing = { print_file_id: 'x', printer_id: 'x', product_id: 'x', product_sku_id: 'x' }
    expect(await enqueue(nothing)).toEqual([404, 'FILE_NOT_FOUND'])
    expect(await enqueue({ ...nothing, print_file_id: farm.fileId })).toEqual([404, 'PRINTER_NOT_FOUND'])
    expect(await enqueue({ print_file_id: farm.fileId, product_id: 'x', product_sku_id: 'x' })).toEqual([
      404,
      'PRODUCT_NOT_FOUND',
    ])
    expect(await enqueue({ print_file_id: farm.fileId, product_sku_id: 'x' })).toEqual([404, 'SKU_NOT_FOUND'])
  })

  test('404: file and printer of another account do not exist here', async () => {
    const other = await createTestFarm(t)
    const file = await farm.account.request('POST', '/jobs', { print_file_id: other.fileId })
    expect(file.json().error.code).toBe('FILE_NOT_FOUND')
    const printer = await farm.account.request('POST', '/jobs', {
      print_file_id: farm.fileId,
      printer_id: other.printerId,
    })
    expect(printer.json().error.code).toBe('PRINTER_NOT_FOUND')
    await other.hub.close()
  })

  test('400: a printer of another model is refused, the same model spelled otherwise is not', async () => {
    const add = async (name: string, model: string) =>
      (await farm.account.request('POST', '/printers', { name, model, connection_type: 'virtual' })).json().data.id
    const wrong = await farm.account.request('POST', '/jobs', {
      print_file_id: farm.fileId,
      printer_id: await add('a', 'MINI'),
    })
    expect(wrong.json().error).toMatchObject({ code: 'PRINTER_MODEL_MISMATCH' })
    expect(wrong.statusCode).toBe(400)
    const same = await farm.account.request('POST', '/jobs', {
      print_file_id: farm.fileId,
      printer_id: await add('b', 'Original Prusa MK4S'),
    })
    expect(same.statusCode).toBe(201)
  })

  test('the same Idempotency-Key makes one job, byte for byte the same answer, and refuses another request', async () => {
    const send = (body: object, key = 'k-1') => farm.account.request('POST', '/jobs', body, { 'idempotency-key': key })
    const first = await send({ print_file_id: farm.fileId })
    const again = await send({ print_file_id: farm.fileId })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toBe(first.body)
    expect(again.statusCode).toBe(201)
    expect((await send({ print_file_id: farm.fileId, color: 'red' })).json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
    const many = await Promise.all(Array.from({ length: 20 }, () => send({ print_file_id: farm.fileId }, 'k-2')))
    const codes = many.map((answer) => answer.statusCode)
    expect(codes.filter((code) => code === 201).length).toBeGreaterThan(0)
    expect(codes.every((code) => code === 201 || code === 409)).toBe(true)
    expect((await farm.account.request('GET', '/jobs')).json().data).toHaveLength(2)
  })
})

test('GET /jobs?is_late: jobs that are not over though they are due, and all others', async () => {
  const late = await farm.queueJob({ due_date: '2020-01-01T00:00:00Z' })
  const over = await farm.queueJob({ due_date: '2020-01-01T00:00:00Z' })
  await farm.account.request('POST', `/jobs/${over}/cancel`)
  const inTime = await farm.queueJob({ due_date: '2999-01-01T00:00:00Z' })
  const whenever = await farm.queueJob()
  const ids = async (isLate: boolean) =>
    (await farm.account.request('GET', `/jobs?is_late=${isLate}`))
      .json()
      .data.map(({ id }: { id: string }) => id)
      .sort()
  expect(await ids(true)).toEqual([late])
  expect(await ids(false)).toEqual([over, inTime, whenever].sort())
})

describe('starting a job', () => {
  test('sends one command with the file and its hash, and the job prints when the printer is seen printing', async () => {
    const jobId = await farm.queueJob()
    const started = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect(started.json().data.status).toBe('processing')
    const [command] = farm.hub.commands()
    expect(command).toMatchObject({
      kind: 'print',
      printer_id: farm.printerId,
      args: { file: { sha256: 'ab'.repeat(32), size_bytes: 1000, format: 'gcode' } },
    })
    const attempt = {
      attempt_id: String(command?.args.attempt_id),
      printer_id: farm.printerId,
      fence: command?.fence ?? 0,
    }
    await farm.hub.report({ ...attempt, phase: 'transferring' })
    expect((await farm.job(jobId)).status).toBe('processing')
    await farm.hub.report({ ...attempt, phase: 'confirmed' })
    expect(await farm.job(jobId)).toMatchObject({ status: 'printing', time_started: expect.any(String) })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    expect(await farm.job(jobId)).toMatchObject({
      status: 'completed',
      progress_percentage: 100,
      time_completed: expect.any(String),
      failure_reason: null,
    })
    const history = await farm.account.request('GET', '/jobs/history')
    expect(history.json()).toMatchObject({ data: [{ id: jobId }], meta: { limit: 50, offset: 0, count: 1 } })
    expect(history.json().data[0]).not.toHaveProperty('printer_name')
    const printer = (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
    expect(printer.plate_state).toBe('occupied')
  })

  test('a job of two plates is queued again after the first, and the plate must be cleared in between', async () => {
    const jobId = await farm.queueJob({ number_of_units: 3, quantity_per_print: 2 })
    const first = await farm.print(jobId)
    await farm.hub.report({ ...first, phase: 'finished', outcome: 'done' })
    expect(await farm.job(jobId)).toMatchObject({ status: 'queued', progress_percentage: 50, time_completed: null })
    farm.hub.telemetry(farm.printerId, { status: 'idle' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
    const tooEarly = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect(tooEarly.json().error).toMatchObject({ code: 'PRINTER_UNAVAILABLE', details: { reason: 'plate_not_clear' } })
    await farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
    const second = await farm.print(jobId)
    await farm.hub.report({ ...second, phase: 'finished', outcome: 'done' })
    expect((await farm.job(jobId)).status).toBe('completed')
  })

  test('50 simultaneous starts of two jobs send one command', async () => {
    const jobs = [await farm.queueJob(), await farm.queueJob()]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => farm.account.request('POST', `/jobs/${jobs[index % 2]}/start`)),
    )
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    for (const answer of answers.filter((one) => one.statusCode !== 200)) {
      expect(['JOB_STATE_CHANGED', 'PRINTER_UNAVAILABLE']).toContain(answer.json().error.code)
    }
    expect(farm.hub.commands()).toHaveLength(1)
  })

  test('what the printer cannot take is refused with a reason, and nothing is sent', async () => {
    const jobId = await farm.queueJob()
    const unassigned = await farm.queueJob({ printer_id: undefined })
    const refusal = async (id = jobId) => {
      const { error } = (await farm.account.request('POST', `/jobs/${id}/start`)).json()
      return [error.code, error.details?.reason]
    }
    expect(await refusal(unassigned)).toEqual(['NO_PRINTER_ASSIGNED', undefined])
    for (const [status, reason] of [
      ['printing', 'busy'],
      ['error', 'error'],
      ['offline', 'offline'],
    ] as const) {
      farm.hub.telemetry(farm.printerId, { status })
      await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === status)
      expect(await refusal()).toEqual(['PRINTER_UNAVAILABLE', reason])
    }
    await farm.account.request('PUT', `/printers/${farm.printerId}/maintenance`, { in_maintenance: true })
    expect(await refusal()).toEqual(['PRINTER_UNAVAILABLE', 'in_maintenance'])
    await farm.account.request('PUT', `/printers/${farm.printerId}/maintenance`, { in_maintenance: false })
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    expect(await refusal()).toEqual(['HUB_OFFLINE', undefined])
    expect(farm.hub.commands()).toEqual([])
    expect((await farm.job(jobId)).status).toBe('queued')
  })

  test('a refusal by the hub puts the job back into the queue, the plate stays clear', async () => {
    farm.hub.onCommand(() => ({ ok: false, code: 'PRINTER_BUSY', message: 'a menu is open at the printer' }))
    const jobId = await farm.queueJob()
    const answer = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      503,
      { code: 'HUB_COMMAND_FAILED', details: { reason: 'printer_busy' } },
    ])
    expect(await farm.job(jobId)).toMatchObject({
      status: 'queued',
      failure_reason: expect.stringContaining('a menu is open'),
    })
    farm.hub.onCommand(() => ({ ok: true }))
    expect((await farm.account.request('POST', `/jobs/${jobId}/start`)).statusCode).toBe(200)
  })

  test('a start without an answer keeps its printer and is asked about when the hub is back', async () => {
    farm.hub.onCommand(() => undefined)
    const jobId = await farm.queueJob()
    const other = await farm.queueJob()
    const answer = await farm.account.request('POST', `/jobs/${jobId}/start`)
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      503,
      { code: 'HUB_COMMAND_FAILED', details: { reason: 'timeout' } },
    ])
    expect((await farm.job(jobId)).status).toBe('processing')
    expect((await farm.account.request('POST', `/jobs/${other}/start`)).json().error.details).toEqual({
      reason: 'busy',
    })
    const [command] = farm.hub.commands()
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    const hub = await farm.reconnect()
    const welcome = await hub.waitFor('welcome')
    expect(welcome.settle).toEqual([
      { attempt_id: command?.args.attempt_id, printer_id: farm.printerId, fence: command?.fence, run_id: null },
    ])
    await hub.report({
      ...(welcome.settle[0] as { attempt_id: string; printer_id: string; fence: number }),
      phase: 'finished',
      outcome: 'not_started',
    })
    expect((await farm.job(jobId)).status).toBe('queued')
    expect(hub.commands()).toEqual([])
  })
})

test('a hub that lost its journal is not believed that nothing was started, and a person can give the job up', async () => {
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  await farm.reconnect(50)
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const jobId = await farm.queueJob()
  await farm.account.request('POST', `/jobs/${jobId}/start`)
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  const hub = await farm.reconnect(3)
  const [attempt] = (await hub.waitFor('welcome')).settle
  if (!attempt) throw new Error('nothing to settle')
  await hub.report({
    ...attempt,
    phase: 'finished',
    outcome: 'not_started',
    evidence: { kind: 'journal', run_id: null, detail: null },
  })
  expect((await farm.job(jobId)).status).toBe('processing')
  hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  const givenUp = await farm.account.request('POST', `/jobs/${jobId}/cancel`)
  expect(givenUp.json().data).toMatchObject({
    status: 'cancelled',
    failure_reason: expect.stringContaining('Given up'),
  })
})

describe('pause and resume', () => {
  test('resume answers the job with queued: true; a second one is refused', async () => {
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    expect((await farm.account.request('POST', `/jobs/${jobId}/pause`)).json().data.status).toBe('paused')
    const resumed = await farm.account.request('POST', `/jobs/${jobId}/resume`)
    expect(resumed.json()).toMatchObject({ success: true, data: { id: jobId, status: 'printing' }, queued: true })
    const again = await farm.account.request('POST', `/jobs/${jobId}/resume`)
    expect([again.statusCode, again.json().error]).toMatchObject([
      409,
      { code: 'JOB_STATE_CHANGED', details: { status: 'printing' } },
    ])
  })

  test('50 simultaneous resumes send one command', async () => {
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    await farm.account.request('POST', `/jobs/${jobId}/pause`)
    const before = farm.hub.commands().length
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => farm.account.request('POST', `/jobs/${jobId}/resume`)),
    )
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.statusCode === 409)).toHaveLength(49)
    expect(
      farm.hub
        .commands()
        .slice(before)
        .map((command) => command.kind),
    ).toEqual(['resume'])
  })

  test('a refused resume leaves the job paused', async () => {
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    await farm.account.request('POST', `/jobs/${jobId}/pause`)
    farm.hub.onCommand(() => ({ ok: false, code: 'PRINTER_REFUSED', message: 'filament missing' }))
    const answer = await farm.account.request('POST', `/jobs/${jobId}/resume`)
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      503,
      { code: 'HUB_COMMAND_FAILED', details: { reason: 'printer_refused' } },
    ])
    expect((await farm.job(jobId)).status).toBe('paused')
  })

  test('after a resume without an answer the job is paused again, until the printer shows otherwise', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id }
    await farm.account.request('POST', `/jobs/${jobId}/pause`)
    farm.hub.telemetry(farm.printerId, { status: 'paused', run })
    farm.hub.onCommand(() => undefined)
    const answer = await farm.account.request('POST', `/jobs/${jobId}/resume`)
    expect(answer.json().error.details).toEqual({ reason: 'timeout' })
    expect((await farm.job(jobId)).status).toBe('paused')
    farm.hub.telemetry(farm.printerId, { status: 'printing', run })
    await t.settled(async () => (await farm.job(jobId)).status === 'printing')
  })

  test('a pause at the printer itself is followed', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    farm.hub.telemetry(farm.printerId, {
      status: 'paused',
      status_reason: 'filament ran out',
      run: { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id },
    })
    await t.settled(async () => (await farm.job(jobId)).status === 'paused')
  })

  test('a hub that goes away while a command waits ends it as not known', async () => {
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    farm.hub.onCommand(() => undefined)
    const answer = farm.account.request('POST', `/jobs/${jobId}/pause`)
    await farm.hub.waitFor('command', (command) => command.kind === 'pause')
    await farm.hub.close()
    expect((await answer).json().error).toMatchObject({ code: 'HUB_COMMAND_FAILED', details: { reason: 'hub_lost' } })
    expect((await farm.job(jobId)).status).toBe('printing')
    expect((await farm.account.request('POST', `/jobs/${jobId}/pause`)).json().error.code).toBe('HUB_OFFLINE')
  })
})

describe('stop and cancel', () => {
  test('a stopped print is cancelled and leaves its plate occupied; the late report changes nothing', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    const stopped = await farm.account.request('POST', `/jobs/${jobId}/stop`)
    expect(stopped.json().data).toMatchObject({ status: 'cancelled', time_completed: expect.any(String) })
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'cancelled' })
    expect((await farm.job(jobId)).status).toBe('cancelled')
    const printer = (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
    expect(printer.plate_state).toBe('occupied')
  })

  test('a queued job is cancelled without a word to the printer, once', async () => {
    const jobId = await farm.queueJob()
    expect((await farm.account.request('POST', `/jobs/${jobId}/cancel`)).json().data.status).toBe('cancelled')
    expect((await farm.account.request('POST', `/jobs/${jobId}/cancel`)).json().error.code).toBe('JOB_STATE_CHANGED')
    expect(farm.hub.commands()).toEqual([])
  })

  test('a failed print says why, credits nothing and occupies the plate', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    await farm.hub.report({
      ...attempt,
      phase: 'finished',
      outcome: 'failed',
      reason_code: 'THERMAL_FAULT',
      evidence: { kind: 'telemetry', run_id: 'r1', detail: 'Heater too slow' },
    })
    expect(await farm.job(jobId)).toMatchObject({ status: 'failed', failure_reason: 'Heater too slow' })
  })
})

describe('POST /printers/{id}/control', () => {
  const control = (action: string) => farm.account.request('POST', `/printers/${farm.printerId}/control`, { action })

  test('pauses and resumes the job that runs there, with the command on record', async () => {
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    const paused = await control('pause')
    expect(paused.json().data).toMatchObject({
      printer_id: farm.printerId,
      action: 'pause',
      command_id: expect.stringMatching(/^cmd_/),
    })
    expect((await farm.job(jobId)).status).toBe('paused')
    expect((await control('resume')).statusCode).toBe(200)
    expect((await control('clear_bed')).json().error.code).toBe('INVALID_STATE')
    expect((await control('stop')).statusCode).toBe(200)
    expect((await farm.job(jobId)).status).toBe('cancelled')
  })

  test('refuses what does not fit what the printer does', async () => {
    expect((await control('pause')).json().error).toMatchObject({ code: 'INVALID_STATE', details: { status: 'idle' } })
    expect((await control('explode')).json().error.details).toEqual({
      action: ['must be one of pause, resume, stop, clear_bed'],
    })
  })

  test('clears a plate while the hub is away', async () => {
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    const cleared = await control('clear_bed')
    expect(cleared.json().data).toEqual({
      printer_id: farm.printerId,
      action: 'clear_bed',
      status: 'offline',
      command_id: null,
    })
  })

  test('a print that a person started at the screen makes the plate unknown and can be stopped', async () => {
    farm.hub.telemetry(farm.printerId, {
      status: 'printing',
      run: { file_name: 'mine.gcode', job_id: 'f1', attempt_id: null },
    })
    const plate = async () => (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data.plate_state
    await t.settled(async () => (await plate()) === 'unknown')
    expect((await control('stop')).statusCode).toBe(200)
    expect(farm.hub.commands().at(-1)).toMatchObject({ kind: 'stop', args: { attempt_id: null } })
  })
})

describe('the hub gateway', () => {
  test('a wrong token is turned away before it becomes a connection', async () => {
    const { connectTestHub } = await import('../../../test/farm/test-hub.ts')
    const address = t.app.server.address() as { port: number }
    await expect(connectTestHub(`http://127.0.0.1:${address.port}`, 'wrong')).rejects.toThrow('401')
  })

  test('the newer connection of a hub wins and the older is told so', async () => {
    const older = farm.hub
    await farm.reconnect()
    expect(await older.waitFor('close')).toMatchObject({ reason: 'replaced' })
    expect(t.context.hubs.isOnline(farm.hubId)).toBe(true)
  })

  test('a report about an attempt of another printer changes nothing', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    const other = await createTestFarm(t)
    await other.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    await farm.hub.report({ ...attempt, fence: attempt.fence + 7, phase: 'finished', outcome: 'done' })
    expect((await farm.job(jobId)).status).toBe('printing')
    await other.hub.close()
  })
})
