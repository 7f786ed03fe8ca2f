import { describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { setRejectsAgain } from '../../../test/farm/rejects-again.ts'
import { addSku, itemOf } from '../../../test/farm/test-catalogue.ts'

const { t, farm } = farmForEachTest()

const printer = async () => (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
const tasks = async (query = '') => (await farm.account.request('GET', `/worklist?${query}`)).json().data
const openTasks = async () => [...(await tasks('status=pending')), ...(await tasks('status=in_progress'))]
const complete = (taskId: string, fields: object = {}) =>
  farm.account.request('PUT', `/worklist/${taskId}/status`, { status: 'completed', ...fields })
const clear = (fields: object = {}) =>
  farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', ...fields })
const eventsOf = async (type: string) =>
  t.db.sql`select * from events where account_id = ${farm.account.id} and type = ${type} order by id`

async function showIdle(): Promise<void> {
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
}

async function finishPrint(jobId: string, outcome: 'done' | 'failed' = 'done'): Promise<void> {
  const attempt = await farm.print(jobId)
  await farm.hub.report({ ...attempt, phase: 'finished', outcome })
  await showIdle()
}

describe('a plate that is finished', () => {
  test('asks for one person, with the printer and the product in the title', async () => {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({ product_sku_id: sku.id })
    await finishPrint(jobId)
    const [task, ...others] = await tasks()
    expect(others).toEqual([])
    expect(task).toMatchObject({ task_type: 'collection', status: 'pending', printer_id: farm.printerId })
    expect(task.title).toContain('Printer')
    expect(task.title).toContain((await farm.job(jobId)).product_name)
    expect((await printer()).plate_state).toBe('occupied')
  })

  test('is clear when the task is completed, and the task is final', async () => {
    await finishPrint(await farm.queueJob())
    const [task] = await tasks()
    expect((await complete(task.id)).json().data).toMatchObject({ status: 'completed' })
    expect((await printer()).plate_state).toBe('clear')
    expect((await complete(task.id)).json().error.code).toBe('TASK_ALREADY_COMPLETED')
  })

  test('closes its task when the plate is cleared at the printer, also while the hub is away', async () => {
    await finishPrint(await farm.queueJob())
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    expect((await clear()).statusCode).toBe(200)
    expect(await tasks()).toMatchObject([{ status: 'completed', completed_at: expect.any(String) }])
  })

  test('at a printer in error is cleared by its task with the word of a person who looked, as by the printer itself', async () => {
    await finishPrint(await farm.queueJob())
    farm.hub.telemetry(farm.printerId, { status: 'error', status_reason: 'Heater fault' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'error')
    const [task] = await tasks()
    expect((await complete(task.id)).json().error).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'error' },
    })
    expect((await printer()).plate_state).toBe('occupied')
    expect((await complete(task.id, { seen_over: true })).json().data).toMatchObject({ status: 'completed' })
    expect((await printer()).plate_state).toBe('clear')
  })

  test('is not cleared by its task while something prints on it again', async () => {
    await finishPrint(await farm.queueJob())
    const [task] = await tasks()
    farm.hub.telemetry(farm.printerId, {
      status: 'printing',
      run: { file_name: 'mine.gcode', job_id: 'f1', attempt_id: null },
    })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'printing')
    expect((await complete(task.id)).json().error).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'printing' },
    })
    expect(await openTasks()).toHaveLength(1)
  })

  test('a failed print asks for a person too, and its task says so', async () => {
    await finishPrint(await farm.queueJob(), 'failed')
    expect(await tasks()).toMatchObject([{ title: expect.stringContaining('unfinished print of clip') }])
  })

  test('50 people who complete the task and clear the plate at once have one effect', async () => {
    await finishPrint(await farm.queueJob())
    const [task] = await tasks()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? complete(task.id) : clear())),
    )
    for (const answer of answers) {
      expect([200, 400], answer.body).toContain(answer.statusCode)
      if (answer.statusCode === 400) expect(answer.json().error.code).toBe('TASK_ALREADY_COMPLETED')
    }
    expect((await printer()).plate_state).toBe('clear')
    expect(await tasks()).toMatchObject([{ status: 'completed' }])
    const clearings = (await eventsOf('printer.plate_cleared')).filter(({ data }) => data.job_id !== null)
    expect(clearings).toHaveLength(1)
    const endings = (await eventsOf('worklist_task.status_changed')).filter(({ subject_id }) => subject_id === task.id)
    expect(endings).toHaveLength(1)
  })

  test('a cancelled task leaves the plate as it is, and cannot come back beside another one', async () => {
    await finishPrint(await farm.queueJob())
    const [first] = await tasks()
    const cancelled = await farm.account.request('PUT', `/worklist/${first.id}/status`, { status: 'cancelled' })
    expect(cancelled.statusCode).toBe(200)
    expect((await printer()).plate_state).toBe('occupied')
    await clear()
    await finishPrint(await farm.queueJob())
    expect(await openTasks()).toHaveLength(1)
    const again = await farm.account.request('PUT', `/worklist/${first.id}/status`, { status: 'pending' })
    expect([again.statusCode, again.json().error.code]).toEqual([409, 'ALREADY_EXISTS'])
  })
})

describe('units that are bad', () => {
  async function printUnits(units: number, perPrint: number) {
    const sku = await addSku(farm.account)
    const jobId = await farm.queueJob({
      product_sku_id: sku.id,
      number_of_units: units,
      quantity_per_print: perPrint,
    })
    await finishPrint(jobId)
    return { sku, jobId, stock: async () => (await itemOf(farm.account, sku)).ready_stock }
  }

  test('leave the stock again when the task is completed with them', async () => {
    const { stock, jobId } = await printUnits(4, 4)
    expect(await stock()).toBe(4)
    const [task] = await tasks()
    expect((await complete(task.id, { quantity_rejected: 3 })).statusCode).toBe(200)
    expect(await stock()).toBe(1)
    expect((await farm.account.request('GET', '/jobs')).json().data.map((job: { id: string }) => job.id)).toEqual([
      jobId,
    ])
  })

  test('may be said what is wrong with, by plate; without bad units there is nothing to say it of', async () => {
    const { jobId } = await printUnits(4, 2)
    const [first] = await tasks()
    expect((await complete(first.id, { failure_type: 'clog' })).json().error.details).toEqual({
      failure_type: ['is possible only when a task to collect is completed with bad units'],
    })
    await complete(first.id, { quantity_rejected: 1, failure_type: 'clog' })
    await finishPrint(jobId)
    await clear({ quantity_rejected: 2, failure_type: 'clog' })
    const kept = await t.db.sql`
      select type, times, units from unit_rejects where account_id = ${farm.account.id} and job_id = ${jobId}`
    expect(kept).toEqual([{ type: 'clog', times: 2, units: 3 }])
    const rejected = await t.db.sql`
      select data ->> 'failure_type' as type from events
      where account_id = ${farm.account.id} and type = 'job.units_rejected'`
    expect(rejected).toEqual([{ type: 'clog' }, { type: 'clog' }])
    expect((await farm.account.request('DELETE', `/jobs/${jobId}`)).statusCode).toBe(200)
    expect(await t.db.sql`select type from unit_rejects where account_id = ${farm.account.id}`).toEqual([])
  })

  test('are printed again by a new job when the account is set so', async () => {
    await setRejectsAgain(t.db.sql, farm.account.id, true)
    const { jobId, sku, stock } = await printUnits(4, 4)
    expect((await clear({ quantity_rejected: 2 })).statusCode).toBe(200)
    expect(await stock()).toBe(2)
    const jobs = (await farm.account.request('GET', '/jobs?status=queued')).json().data
    expect(jobs).toMatchObject([{ number_of_units: 2, product_sku_id: sku.id, printer_id: farm.printerId }])
    expect(jobs[0].id).not.toBe(jobId)
    await finishPrint(jobs[0].id)
    expect(await stock()).toBe(4)
  })

  test('of a job that is not over are not credited in the end', async () => {
    const { jobId, stock } = await printUnits(3, 2)
    expect((await farm.job(jobId)).status).toBe('queued')
    const [task] = await tasks()
    await complete(task.id, { quantity_rejected: 2 })
    expect(await stock()).toBe(0)
    await finishPrint(jobId)
    expect(await farm.job(jobId)).toMatchObject({ status: 'completed' })
    expect(await stock()).toBe(1)
  })

  test('can be no more than lay on the plate, and none of what failed; nothing changes then', async () => {
    const { stock } = await printUnits(3, 2)
    const [task] = await tasks()
    const tooMany = await complete(task.id, { quantity_rejected: 3 })
    expect(tooMany.json().error.details).toEqual({ quantity_rejected: ['must be at most 2'] })
    expect(await openTasks()).toHaveLength(1)
    expect((await printer()).plate_state).toBe('occupied')
    await clear()
    const nothingThere = await clear({ quantity_rejected: 1 })
    expect(nothingThere.json().error.code).toBe('VALIDATION_ERROR')
    await finishPrint(await farm.queueJob(), 'failed')
    expect((await clear({ quantity_rejected: 1 })).json().error.details).toEqual({
      quantity_rejected: ['must be at most 0'],
    })
    expect(await stock()).toBe(0)
    const other = await farm.account.request('POST', '/worklist', { title: 'Sweep', task_type: 'maintenance' })
    const elsewhere = await complete(other.json().data.id, { quantity_rejected: 1 })
    expect(elsewhere.json().error.code).toBe('VALIDATION_ERROR')
  })

  test('are taken off once, however often it is asked at the same time', async () => {
    const { stock } = await printUnits(10, 10)
    const [task] = await tasks()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? complete(task.id, { quantity_rejected: 1 }) : clear({ quantity_rejected: 1 }),
      ),
    )
    expect(await stock()).toBe(9)
  })
})

describe('a print that was started at the printer', () => {
  const foreign = { file_name: 'mine.gcode', job_id: 'f1', attempt_id: null }

  async function startForeign(): Promise<void> {
    farm.hub.telemetry(farm.printerId, { status: 'printing', progress: 5, run: foreign })
    await t.settled(async () => (await printer()).plate_state === 'unknown')
  }

  test('is shown, belongs to no job, and asks for a person when it ends', async () => {
    const jobId = await farm.queueJob()
    await startForeign()
    expect(await printer()).toMatchObject({ status: 'printing', foreign_print: 'mine.gcode' })
    expect(await eventsOf('printer.foreign_print')).toMatchObject([{ subject_id: farm.printerId }])
    expect(await farm.job(jobId)).toMatchObject({ status: 'queued', progress_percentage: null })
    expect(await tasks()).toEqual([])
    farm.hub.telemetry(farm.printerId, {
      status: 'idle',
      last_result: { run: foreign, result: 'completed', reason: null },
    })
    await t.settled(async () => (await tasks()).length === 1)
    expect(await tasks()).toMatchObject([{ task_type: 'collection', title: expect.stringContaining('mine.gcode') }])
    expect(await printer()).toMatchObject({ plate_state: 'unknown', foreign_print: null })
    await complete((await tasks())[0].id)
    expect((await printer()).plate_state).toBe('clear')
  })

  test('asks for a person also when no one watched its end', async () => {
    await startForeign()
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    await farm.reconnect()
    await showIdle()
    await t.settled(async () => (await tasks()).length === 1)
  })

  test('is noticed at once when it began while a command of ours was on its way, which comes to nothing', async () => {
    farm.hub.onCommand(() => ({ ok: true }))
    const jobId = await farm.queueJob()
    await farm.account.request('POST', `/jobs/${jobId}/start`)
    const [command] = farm.hub.commands()
    farm.hub.telemetry(farm.printerId, { status: 'printing', run: foreign })
    await t.settled(async () => (await printer()).plate_state === 'unknown')
    await farm.hub.report({
      attempt_id: String(command?.args.attempt_id),
      printer_id: farm.printerId,
      fence: command?.fence ?? 0,
      phase: 'finished',
      outcome: 'not_started',
      reason_code: 'PRINTER_BUSY',
    })
    expect((await printer()).plate_state).toBe('unknown')
    expect((await farm.job(jobId)).status).toBe('queued')
  })
})
