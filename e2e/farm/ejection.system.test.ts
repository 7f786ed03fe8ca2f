import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { startTestFarm, type TestFarm, type TestHub } from '../test/test-farm.ts'

let farm: TestFarm
let hub: TestHub
let hubProcess: ReturnType<TestHub['start']>
let fileId: string
beforeAll(async () => {
  farm = await startTestFarm({ hasOwnPostgres: true })
  fileId = await farm.addFile()
  hub = await farm.createHub('Hub')
  hubProcess = hub.start({ speed: 1_000 })
}, 90_000)
afterAll(() => farm?.end(), 30_000)

interface Printer {
  plate_state: string
  plate_change_reason: string
  plate_changed_by: string
  ejections_in_row: number
}

const printer = (id: string) => farm.ask<Printer>(200, 'GET', `/printers/${id}`)
const kinds = async (id: string) => (await hub.printerLog(id)).map(({ kind }) => kind)

async function addEjectingPrinter(speed: number): Promise<string> {
  const id = await hub.addPrinter({ speed })
  await farm.ask(200, 'PATCH', `/printers/${id}`, {
    ejection: { cooldown_temp: 30 },
    auto_start: true,
    nozzle_size: 0.4,
    current_filament_type: 'PLA',
  })
  return id
}

async function queue(printerId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const job = await farm.ask<{ id: string }>(201, 'POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
    ids.push(job.id)
  }
  return ids
}

async function areCompleted(jobIds: string[]): Promise<void> {
  await eventually(
    'all jobs being completed',
    () => Promise.all(jobIds.map((id) => farm.job(id))),
    (jobs) => jobs.every(({ status }) => status === 'completed'),
    90_000,
  )
}

async function wereEjected(printerId: string, count: number): Promise<void> {
  const log = await kinds(printerId)
  expect(log.filter((kind) => kind === 'started')).toHaveLength(count)
  expect(log.filter((kind) => kind === 'ejected')).toHaveLength(count)
  expect(log).not.toContain('started_on_occupied_plate')
  expect(await printer(printerId)).toMatchObject({
    plate_state: 'clear',
    plate_change_reason: 'ejected',
    plate_changed_by: `hub:${hub.id}`,
    ejections_in_row: count,
  })
}

test('a printer prints two jobs in a row without a person, each pushed off by the end of its own file', async () => {
  const printerId = await addEjectingPrinter(5_000)
  const jobs = await queue(printerId, 2)
  await areCompleted(jobs)
  await wereEjected(printerId, 2)
  const tasks = await farm.ask<{ printer_id: string }[]>(200, 'GET', '/worklist?status=pending')
  expect(tasks.filter(({ printer_id }) => printer_id === printerId)).toEqual([])
}, 120_000)

test('also when service and hub are killed in the middle of the first print', async () => {
  const printerId = await addEjectingPrinter(200)
  const jobs = await queue(printerId, 2)
  await eventually(
    'the first print',
    () => kinds(printerId),
    (log) => log.includes('started'),
  )
  await eventually(
    'the job printing',
    () => farm.job(jobs[0] as string),
    ({ status }) => status === 'printing',
  )
  await hubProcess.kill()
  await farm.service.kill()
  await farm.startAgain()
  hubProcess = hub.start({ speed: 1_000 })
  await areCompleted(jobs)
  await wereEjected(printerId, 2)
}, 180_000)
