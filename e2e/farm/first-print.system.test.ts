import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  apiClient,
  eventually,
  type FarmProcess,
  makeFarmFolder,
  printyard,
  startHubProcess,
  startServiceProcess,
} from '../test/farm-processes.ts'

interface Envelope<T> {
  success: boolean
  data: T
  error?: { code: string }
}
interface Job {
  id: string
  status: string
  printer_name: string
  progress_percentage: number | null
  time_started: string | null
  time_completed: string | null
  actual_print_time_minutes: number | null
  filament_needed_grams: number | null
}
interface Status {
  hub_online: boolean
  status: string | null
  progress: number | null
  current_job_id: string | null
  nozzle_temp: number | null
}

let folder: Awaited<ReturnType<typeof makeFarmFolder>>
let service: Awaited<ReturnType<typeof startServiceProcess>>
let hub: FarmProcess | undefined

beforeAll(async () => {
  folder = await makeFarmFolder()
  service = await startServiceProcess(join(folder.path, 'data'))
}, 90_000)
afterAll(async () => {
  await hub?.stop()
  await service?.stop()
  await folder?.remove()
}, 30_000)

test('a sliced file is printed from upload to history, through pause, resume and a killed service', async () => {
  const dataDir = join(folder.path, 'data')
  const hubDir = join(folder.path, 'hub')
  const account = await printyard<{ id: string }>(
    dataDir,
    'accounts',
    'create',
    '--name',
    'First farm',
    '--owner-email',
    'owner@example.com',
  )
  const key = await printyard<{ key: string }>(
    dataDir,
    'keys',
    'create',
    '--account',
    account.id,
    '--name',
    'test',
    '--scopes',
    'read,write,control',
  )
  const hubToken = await printyard<{ id: string; token: string }>(
    dataDir,
    'hubs',
    'create',
    '--account',
    account.id,
    '--name',
    'Hub',
  )
  hub = startHubProcess({ url: service.url, token: hubToken.token, dataDir: hubDir, speed: 100 })
  const api = apiClient(service.url, key.key)

  const printer = await api<Envelope<{ id: string; plate_state: string }>>('POST', '/printers', {
    name: 'Left one',
    model: 'MK4S',
    hub_id: hubToken.id,
    connection_type: 'virtual',
    nozzle_size: 0.4,
  })
  expect(printer.status).toBe(201)
  expect(printer.body.data.plate_state).toBe('unknown')
  const printerId = printer.body.data.id
  const status = async () => (await api<Envelope<Status>>('GET', `/printers/${printerId}/status`)).body.data
  await eventually('the virtual printer being idle', status, (now) => now.status === 'idle')

  const fileId = await uploadFile(api, service.url)
  const queued = await api<Envelope<Job>>('POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
  expect(queued.status).toBe(201)
  expect(queued.body.data).toMatchObject({ status: 'queued', printer_name: 'Left one', time_started: null })
  expect(queued.body.data.filament_needed_grams).toBeGreaterThan(0)
  const jobId = queued.body.data.id
  const job = async () => (await api<Envelope<Job>>('GET', `/jobs/${jobId}`)).body.data

  // Nothing starts on a plate of which no one said that it is clear.
  const tooEarly = await api<Envelope<never>>('POST', `/jobs/${jobId}/start`)
  expect(tooEarly).toMatchObject({
    status: 400,
    body: { error: { code: 'PRINTER_UNAVAILABLE', details: { reason: 'plate_not_clear' } } },
  })
  expect((await api('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })).status).toBe(200)

  expect((await api<Envelope<Job>>('POST', `/jobs/${jobId}/start`)).body).toMatchObject({
    success: true,
    data: { id: jobId },
  })
  await eventually('the job printing', job, (now) => now.status === 'printing')
  expect(await status()).toMatchObject({ hub_online: true, status: 'printing', current_job_id: jobId })
  await eventually('some progress', job, (now) => (now.progress_percentage ?? 0) > 2)

  const paused = await api<Envelope<Job>>('POST', `/jobs/${jobId}/pause`)
  expect(paused.body).toMatchObject({ success: true, data: { status: 'paused' } })
  expect((await status()).status).toBe('paused')
  const held = (await job()).progress_percentage
  await wait(1_500)
  expect((await job()).progress_percentage).toBe(held)
  const resumed = await api<Envelope<Job> & { queued: boolean }>('POST', `/jobs/${jobId}/resume`)
  expect(resumed.body).toMatchObject({ success: true, data: { status: 'printing' }, queued: true })
  expect((await api('POST', `/jobs/${jobId}/resume`)).body).toMatchObject({ error: { code: 'JOB_STATE_CHANGED' } })

  await service.kill()
  await wait(500)
  service = await startServiceProcess(dataDir, { port: service.port })
  await eventually('the hub coming back', status, (now) => now.hub_online && now.status !== null)

  const done = await eventually('the job completing', job, (now) => now.status === 'completed', 90_000)
  expect(done.progress_percentage).toBe(100)
  const history = await api<Envelope<Job[]>>('GET', '/jobs/history')
  expect(history.body.data.map((entry) => entry.id)).toEqual([jobId])
  const [entry] = history.body.data
  expect(Date.parse(entry?.time_completed ?? '')).toBeGreaterThan(Date.parse(entry?.time_started ?? ''))
  const after = await api<Envelope<{ plate_state: string }>>('GET', `/printers/${printerId}`)
  expect(after.body.data.plate_state).toBe('occupied')

  // The printer's own log is the judge: one start, whatever was killed meanwhile.
  const log = await readFile(join(hubDir, 'virtual', `${printerId}.jsonl`), 'utf8')
  expect(log.split('\n').filter((line) => line.includes('"started"'))).toHaveLength(1)
}, 150_000)

async function uploadFile(api: ReturnType<typeof apiClient>, url: string): Promise<string> {
  const bytes = await readFile(slicedFile)
  const place = await api<Envelope<{ upload_url: string; token: string }>>('POST', '/files/upload-url', {
    filename: 'clip.gcode',
  })
  expect(place.status).toBe(201)
  const put = await fetch(new URL(place.body.data.upload_url, url), { method: 'PUT', body: bytes })
  expect(put.status).toBe(200)
  const file = await api<Envelope<{ id: string; printer_model_id: string; print_time_seconds: number }>>(
    'POST',
    '/files',
    {
      upload_token: place.body.data.token,
    },
  )
  expect(file.status).toBe(201)
  expect(file.body.data.print_time_seconds).toBeGreaterThan(60)
  return file.body.data.id
}
