import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createLocalFileStore } from '@printyard/server/file-store/local-file-store'
import { newId } from '@printyard/server/kernel/ids'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDeviceBusy, readDeviceLog, startsOf } from '../fault-runs/device-log.ts'
import { type FarmDatabase, openFarmDatabase } from '../test/farm-database.ts'
import {
  apiClient,
  eventually,
  type FarmProcess,
  makeFarmFolder,
  startHubProcess,
  startServiceProcess,
} from '../test/farm-processes.ts'
import { addSlicedFileRows } from '../test/sliced-file-rows.ts'

type Service = Awaited<ReturnType<typeof startServiceProcess>>
type SideName = 'left' | 'right'

/** A service on the common database, and a hub that is connected to it. */
interface Side {
  dataDir: string
  hubDir: string
  hubId: string
  token: string
  service: Service
  hub: FarmProcess
}

interface Job {
  id: string
  status: string
}

let database: FarmDatabase
let db: FarmDatabase['db']
let accountId: string
let key: string
let folder: Awaited<ReturnType<typeof makeFarmFolder>>
const fileId = newId('printFile')
const sides = {} as Record<SideName, Side>
const content = Buffer.from('G28\nG1 X10 Y10 E1\n'.repeat(200))

beforeAll(async () => {
  database = await openFarmDatabase()
  ;({ db, accountId, key } = database)
  folder = await makeFarmFolder()
  await addSlicedFileRows(db.sql, { accountId, fileId, content })
  await Promise.all([openSide('left'), openSide('right')])
}, 120_000)
afterAll(async () => {
  for (const side of Object.values(sides)) await Promise.all([side.hub?.kill(), side.service?.kill()])
  await db?.close()
  await folder?.remove()
}, 60_000)

async function openSide(name: SideName): Promise<void> {
  const dataDir = join(folder.path, name)
  const hubDir = join(folder.path, `hub-${name}`)
  await mkdir(dataDir)
  // Each process has a store of its own, so that both are given what the hubs of either print.
  const files = await createLocalFileStore(join(dataDir, 'files'))
  const received = await files.receive(Readable.from([content]), { maxBytes: content.length })
  await received.keep()
  const { id: hubId, token } = await database.createHub(`Hub ${name}`)
  const service = await startService(dataDir)
  const hub = startHubProcess({ url: service.url, token, dataDir: hubDir, speed: 5_000 })
  sides[name] = { dataDir, hubDir, hubId, token, service, hub }
}

function startService(dataDir: string, port?: number): Promise<Service> {
  const settings = { DATABASE_URL: db.url, PRINTYARD_SECRET_KEY: 'ab'.repeat(32) }
  return startServiceProcess(dataDir, { settings, ...(port !== undefined && { port }) })
}

async function ask<T>(at: SideName, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await apiClient(sides[at].service.url, key)<{ data: T }>(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}

/** A printer of the hub that is connected to this side, with a clear plate. */
async function addPrinter(side: SideName, auto_start: boolean): Promise<string> {
  const { id } = await ask<{ id: string }>(side, 'POST', '/printers', {
    name: `Printer ${newId('printer')}`,
    model: 'MK4S',
    hub_id: sides[side].hubId,
    connection_type: 'virtual',
    auto_start,
  })
  await eventually(
    'the printer to be idle',
    () => ask<{ status: string }>(side, 'GET', `/printers/${id}/status`),
    ({ status }) => status === 'idle',
  )
  await ask(side, 'POST', `/printers/${id}/control`, { action: 'clear_bed' })
  return id
}

const enqueue = (at: SideName, printerId?: string) =>
  ask<Job>(at, 'POST', '/jobs', { print_file_id: fileId, ...(printerId !== undefined && { printer_id: printerId }) })
const jobAt = (at: SideName, id: string) => ask<Job>(at, 'GET', `/jobs/${id}`)
const countAttempts = async (jobId: string) => {
  const rows = await db.sql`select id from attempts where account_id = ${accountId} and job_id = ${jobId}`
  return rows.length
}

test('a command to a hub that is connected to the other process answers HUB_OFFLINE and changes nothing', async () => {
  const printerId = await addPrinter('right', false)
  const job = await enqueue('left', printerId)
  const refused = await apiClient(sides.left.service.url, key)<{ error: { code: string } }>(
    'POST',
    `/jobs/${job.id}/start`,
  )
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'HUB_OFFLINE' } } })
  expect(await countAttempts(job.id)).toBe(0)
  for (const side of ['left', 'right'] as const) expect(await jobAt(side, job.id)).toMatchObject({ status: 'queued' })
  expect(startsOf(readDeviceLog(sides.right.hubDir, printerId))).toEqual([])

  await ask('right', 'POST', `/jobs/${job.id}/start`)
  await eventually(
    'the job to be completed, as the other process sees it',
    () => jobAt('left', job.id),
    ({ status }) => status === 'completed',
  )
}, 90_000)

test('a job that was queued at one process is started by the one that holds the hub', async () => {
  const printerId = await addPrinter('right', true)
  const job = await enqueue('left', printerId)
  await eventually(
    'the job to be completed',
    () => jobAt('left', job.id),
    ({ status }) => status === 'completed',
  )
  expect(await countAttempts(job.id)).toBe(1)
}, 90_000)

test('jobs of both processes are each printed once, also when one of the two is killed meanwhile', async () => {
  const printers = await Promise.all(
    (['left', 'left', 'right', 'right'] as const).map(async (side) => ({ side, id: await addPrinter(side, true) })),
  )
  const jobs = await Promise.all(Array.from({ length: 12 }, (_, index) => enqueue(index % 2 === 0 ? 'left' : 'right')))
  let isKilled = false
  const over = await eventually(
    'all jobs to be over',
    async () => {
      const now = await Promise.all(jobs.map(({ id }) => jobAt('right', id)))
      if (!isKilled && now.some(({ status }) => status === 'completed')) {
        isKilled = true
        const { dataDir, service } = sides.left
        await service.kill()
        sides.left.service = await startService(dataDir, service.port)
      }
      // Anyone who takes off what lies there may ask either process.
      for (const { side, id } of printers) {
        const { plate_state } = (
          await db.sql<{ plate_state: string }[]>`
            select plate_state from printers where account_id = ${accountId} and id = ${id}`
        )[0] ?? { plate_state: 'clear' }
        if (plate_state === 'clear' || isDeviceBusy(readDeviceLog(sides[side].hubDir, id))) continue
        await apiClient(sides.right.service.url, key)('POST', `/printers/${id}/control`, { action: 'clear_bed' })
      }
      return now
    },
    (now) => now.every(({ status }) => status === 'completed' || status === 'failed' || status === 'cancelled'),
    150_000,
  )
  expect(isKilled).toBe(true)
  expect(over.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'))

  const ids = jobs.map(({ id }) => id)
  const done = await db.sql<{ job_id: string; count: number }[]>`
    select job_id, count(*)::int4 as count from attempts
    where account_id = ${accountId} and job_id = any(${ids}) and outcome = 'done' group by job_id`
  expect(done.map(({ count }) => count)).toEqual(jobs.map(() => 1))
  const starts = printers.map(({ side, id }) => startsOf(readDeviceLog(sides[side].hubDir, id)).length)
  expect(starts.reduce((sum, count) => sum + count, 0)).toBe(jobs.length)
}, 200_000)
