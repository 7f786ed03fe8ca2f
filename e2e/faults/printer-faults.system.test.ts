import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type FarmProcess } from '../test/farm-processes.ts'
import { type Job, startTestFarm, type TestFarm, type TestHub } from '../test/test-farm.ts'

let farm: TestFarm
let hub: TestHub
let fileId: string
beforeAll(async () => {
  farm = await startTestFarm({ isHere: true })
  fileId = await farm.addFile()
  hub = await farm.createHub('Hub')
  hub.start()
}, 90_000)
afterAll(() => farm?.end(), 30_000)

async function queueJob(printerId: string): Promise<string> {
  const job = await farm.ask<{ id: string }>(201, 'POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
  return job.id
}

const start = (jobId: string) => farm.request<Job>('POST', `/jobs/${jobId}/start`)

function setConnection(printerId: string, connection: Record<string, unknown>) {
  return farm.ask(200, 'PATCH', `/printers/${printerId}`, { connection })
}

async function countStarts(of: TestHub, printerId: string): Promise<number> {
  return (await of.printerLog(printerId)).filter(({ kind }) => kind === 'started').length
}

function becomes(jobId: string, status: string, timeoutMs?: number): Promise<Job> {
  return eventually(
    `the job being ${status}`,
    () => farm.job(jobId),
    (now) => now.status === status,
    timeoutMs,
  )
}

describe.concurrent('a printer that', () => {
  test('refuses the start gives the job back with its words, and prints it once it has come to its senses', async () => {
    const printerId = await hub.addPrinter()
    await setConnection(printerId, { faults: ['refuse'], speed: 2_000 })
    const jobId = await queueJob(printerId)
    const answer = await start(jobId)
    // The hub takes the command at once and asks the printer after it; the refusal may come either way.
    if (answer.status !== 200) expect(answer.body.error?.code).toBe('HUB_COMMAND_FAILED')
    const back = await eventually(
      'the job being back',
      () => farm.job(jobId),
      (now) => now.failure_reason !== null,
    )
    expect(back).toMatchObject({ status: 'queued', failure_reason: expect.stringContaining('refuses to start') })
    expect(await countStarts(hub, printerId)).toBe(0)

    await setConnection(printerId, { faults: [], speed: 2_000 })
    await wait(500)
    expect((await start(jobId)).status).toBe(200)
    expect(await becomes(jobId, 'completed')).toMatchObject({ failure_reason: null })
    expect(await countStarts(hub, printerId)).toBe(1)
  }, 90_000)

  test('runs out of filament pauses the job, which can be stopped then', async () => {
    const printerId = await hub.addPrinter()
    await setConnection(printerId, { faults: ['runout'], speed: 2_000 })
    const jobId = await queueJob(printerId)
    expect((await start(jobId)).status).toBe(200)
    await becomes(jobId, 'paused')
    expect(await farm.ask(200, 'GET', `/printers/${printerId}/status`)).toMatchObject({
      status: 'paused',
      current_job_id: jobId,
    })
    expect((await hub.printerLog(printerId)).filter(({ kind }) => kind === 'paused')).toHaveLength(1)
    expect((await farm.request('POST', `/jobs/${jobId}/stop`)).status).toBe(200)
    expect(await farm.job(jobId)).toMatchObject({ status: 'cancelled' })
    expect(await countStarts(hub, printerId)).toBe(1)
  }, 90_000)

  test('fails in the middle of the print fails the job with the reason', async () => {
    const printerId = await hub.addPrinter()
    await setConnection(printerId, { faults: ['print_failure'], speed: 2_000 })
    const jobId = await queueJob(printerId)
    expect((await start(jobId)).status).toBe(200)
    expect(await becomes(jobId, 'failed')).toMatchObject({ failure_reason: expect.stringContaining('Thermal fault') })
    expect(await farm.ask(200, 'GET', `/printers/${printerId}`)).toMatchObject({ plate_state: 'occupied' })
    expect(await countStarts(hub, printerId)).toBe(1)
  }, 90_000)

  test('says yes to a start and does nothing keeps its job as unknown, and never starts twice', async () => {
    const printerId = await hub.addPrinter()
    await setConnection(printerId, { faults: ['yes_without_effect'], speed: 2_000 })
    const jobId = await queueJob(printerId)
    const other = await queueJob(printerId)
    expect((await start(jobId)).status).toBe(200)
    await eventually(
      'the printer ignoring the start',
      () => hub.printerLog(printerId),
      (log) => log.some(({ kind }) => kind === 'ignored'),
    )
    await setConnection(printerId, { faults: [], speed: 2_000 })
    expect((await start(other)).body.error).toMatchObject({ code: 'PRINTER_UNAVAILABLE' })
    // A hub gives a printer 90 s to show the print before it says that its fate is not known.
    const unknown = await eventually(
      'the fate being unknown',
      () => farm.job(jobId),
      (now) => now.failure_reason !== null,
      110_000,
    )
    expect(unknown).toMatchObject({
      status: 'processing',
      failure_reason: expect.stringContaining('its outcome is unknown'),
    })
    expect(await countStarts(hub, printerId)).toBe(0)
    expect((await start(other)).body.error).toMatchObject({ code: 'PRINTER_UNAVAILABLE' })

    // A person sees the idle printer and gives the start up; the printer is free for the next job.
    expect((await farm.request('POST', `/jobs/${jobId}/stop`)).status).toBe(200)
    expect(await farm.job(jobId)).toMatchObject({ status: 'cancelled' })
    await farm.ask(200, 'POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    expect((await start(other)).status).toBe(200)
    await becomes(other, 'completed')
    expect(await countStarts(hub, printerId)).toBe(1)
  }, 175_000)

  test('prints while its hub is killed and started again finishes the job from one start', async () => {
    const own = await farm.createHub('Hub that is killed')
    let running: FarmProcess = own.start({ isProcess: true })
    const printerId = await own.addPrinter()
    const jobId = await queueJob(printerId)
    expect((await start(jobId)).status).toBe(200)
    await eventually(
      'some progress',
      () => farm.job(jobId),
      (now) => (now.progress_percentage ?? 0) > 5,
    )
    await running.kill()
    await eventually(
      'the hub being missed',
      () => farm.ask<{ hub_online: boolean }>(200, 'GET', `/printers/${printerId}/status`),
      (now) => !now.hub_online,
    )
    expect(await farm.job(jobId)).toMatchObject({ status: 'printing' })
    running = own.start({ speed: 400 })
    await becomes(jobId, 'completed', 60_000)
    expect(await countStarts(own, printerId)).toBe(1)
  }, 120_000)
})
