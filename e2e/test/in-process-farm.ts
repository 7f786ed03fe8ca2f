import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createHub, type Hub, type HubContext } from '@printyard/hub/hub'
import type { Timings } from '@printyard/hub/timings'
import type { HubId, PrinterId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { createTestApp, type TestAccount, type TestApp } from '@printyard/server/test/app/test-app'
import { makeFarmFolder } from './farm-processes.ts'
import { type Job, type PrinterEvent, readSlicedFile } from './test-farm.ts'

const timings: Partial<Timings> = {
  telemetryMs: 20,
  firstRetryMs: 20,
  maxRetryMs: 100,
  confirmTimeoutMs: 2_000,
  effectTimeoutMs: 2_000,
  readyTimeoutMs: 2_000,
  retryPauseMs: 50,
}
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The service and one real hub in this process, for tests that look into what both of them keep. */
export interface InProcessFarm {
  t: TestApp
  account: TestAccount
  hubId: HubId
  fileId: string
  /** Where the hub keeps its journal. */
  hubDir: string
  /** Resolves when the service has let the hub in. */
  startHub(): Promise<void>
  stopHub(): Promise<void>
  /** A virtual printer with a clear plate, idle: its ID. The hub must run. */
  addPrinter(connection?: Record<string, unknown>): Promise<PrinterId>
  clearPlate(printerId: PrinterId): Promise<void>
  ask<T>(status: number, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<T>
  queueJob(printerId: string | null): Promise<string>
  job(jobId: string): Promise<Job>
  /** Starts a job and waits until it is completed. */
  print(jobId: string): Promise<void>
  countStarts(printerId: string): Promise<number>
  end(): Promise<void>
}

export async function startInProcessFarm(
  speed = 5_000,
  simulatedPrinters?: HubContext['simulatedPrinters'],
): Promise<InProcessFarm> {
  const folder = await makeFarmFolder()
  const t = await createTestApp()
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const account = await t.account()
  const { id: hubId, token } = await createHubWithToken(systemWork(t.db.sql, account.id), 'Hub')
  const hubDir = join(folder.path, 'hub')
  let hub: Hub | undefined

  const farm: InProcessFarm = {
    t,
    account,
    hubId,
    fileId: '',
    hubDir,
    async startHub() {
      const config = {
        serviceUrl: t.app.listeningOrigin,
        token,
        dataDir: hubDir,
        virtualCount: 0,
        speed,
        cacheBytes: 64 * 1024 * 1024,
        isDiscoveryOn: false,
        allowsPublicAddresses: false,
      }
      hub = createHub(config, { log: quiet, timings, ...(simulatedPrinters && { simulatedPrinters }) })
      await hub.start()
      await t.settled(() => t.context.hubs.isOnline(hubId))
    },
    async stopHub() {
      await hub?.stop()
      await t.settled(() => !t.context.hubs.isOnline(hubId))
      await t.written()
    },
    async ask<T>(status: number, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) {
      const answer = await account.request(method, path, body)
      if (answer.statusCode !== status) {
        throw new Error(`${method} ${path} answered ${answer.statusCode}: ${answer.body}`)
      }
      return answer.json().data as T
    },
    async addPrinter(connection) {
      const { id } = await farm.ask<{ id: PrinterId }>(201, 'POST', '/printers', {
        name: `Printer ${crypto.randomUUID().slice(0, 8)}`,
        model: 'MK4S',
        hub_id: hubId,
        nozzle_size: 0.4,
        connection_type: 'virtual',
        ...(connection && { connection }),
      })
      await t.settled(() => t.context.printers.find(id)?.state.status === 'idle')
      await farm.clearPlate(id)
      return id
    },
    async clearPlate(printerId) {
      await t.settled(() => t.context.printers.find(printerId)?.state.status === 'idle')
      await farm.ask(200, 'POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    },
    queueJob: async (printerId) =>
      (await farm.ask<{ id: string }>(201, 'POST', '/jobs', { print_file_id: farm.fileId, printer_id: printerId })).id,
    job: (jobId) => farm.ask<Job>(200, 'GET', `/jobs/${jobId}`),
    async print(jobId) {
      await farm.ask(200, 'POST', `/jobs/${jobId}/start`)
      await t.settled(async () => (await farm.job(jobId)).status === 'completed')
    },
    countStarts: async (printerId) =>
      (await printerLog(hubDir, printerId)).filter(({ kind }) => kind === 'started').length,
    async end() {
      await hub?.stop()
      await t.close()
      await folder.remove()
    },
  }
  const { token: upload } = await farm.ask<{ token: string }>(201, 'POST', '/files/upload-url', {
    filename: 'bracket.gcode',
  })
  await t.app.inject({
    method: 'PUT',
    url: `/public/v1/files/upload/${upload}`,
    payload: Buffer.from(await readSlicedFile()),
  })
  farm.fileId = (await farm.ask<{ id: string }>(201, 'POST', '/files', { upload_token: upload })).id
  return farm
}

async function printerLog(hubDir: string, printerId: string): Promise<PrinterEvent[]> {
  const log = await readFile(join(hubDir, 'virtual', `${printerId}.jsonl`), 'utf8').catch(() => '')
  return log
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .flatMap((line) => (JSON.parse(line) as { events?: PrinterEvent[] }).events ?? [])
}

/** Asks until the answer is right, for at most fifteen seconds. */
export async function until(what: string, isRight: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 15_000; !(await isRight()); await wait(10)) {
    if (Date.now() > deadline) throw new Error(`${what} never came`)
  }
}
