import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountId } from '@printyard/server/kernel/ids'
import { checkFetchedAnswer } from '@printyard/server/test/app/answer-validation'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { TestDatabase } from '@printyard/server/test/run/test-database'
import { createHubBeside, openFarmDatabase } from './farm-database.ts'
import { asProcess, startHubHere, startServiceHere } from './farm-here.ts'
import {
  eventually,
  type FarmProcess,
  makeFarmFolder,
  printyard,
  startHubProcess,
  startServiceProcess,
} from './farm-processes.ts'

export interface Answer<T = unknown> {
  status: number
  headers: Headers
  body: { success: boolean; data: T; error?: { code: string; message: string; details?: unknown } }
}

export interface Job {
  id: string
  status: string
  progress_percentage: number | null
  failure_reason: string | null
}

export interface PrinterEvent {
  kind: string
  detail: string | null
}

type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>

/** A service on a fresh data directory, with one account and one key that may do everything. */
export interface TestFarm {
  path: string
  dataDir: string
  accountId: string
  key: string
  /** Its database; undefined when the service runs one of its own. */
  db: TestDatabase | undefined
  /** The present process; another one after `startAgain`. */
  readonly service: ServiceProcess
  /** Starts the service on the same directory and port, after it ended. */
  startAgain(): Promise<void>
  request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>
  /** The data of an answer that must have this status. */
  ask<T>(status: number, method: string, path: string, body?: unknown): Promise<T>
  /** Makes a key by the command line, beside the running service. */
  createKey(...more: string[]): Promise<{ id: string; key: string }>
  createHub(name: string): Promise<TestHub>
  /** An address to upload to: its token. */
  openUpload(announced?: { filename?: string; size_bytes?: number }): Promise<string>
  put(token: string, bytes: Uint8Array<ArrayBuffer>): Promise<Answer<{ size_bytes: number }>>
  /** Uploads this many bytes without saying beforehand how many they are. */
  putStream(token: string, sizeBytes: number): Promise<Answer>
  /** Uploads the bytes and adds them as a print file: its ID. Default: a sliced file. */
  addFile(bytes?: Uint8Array<ArrayBuffer>): Promise<string>
  job(id: string): Promise<Job>
  /** Ends all that was started and removes the directory. */
  end(): Promise<void>
}

/** A hub of the farm; its process runs only between `start` and its end. */
export interface TestHub {
  id: string
  token: string
  /** @param options.isProcess in a process of its own wherever the service runs: for those that kill it */
  start(options?: { speed?: number; isProcess?: boolean }): FarmProcess
  /** Adds a virtual printer with a clear plate and waits until it is idle: its ID. The hub must run. */
  addPrinter(connection?: Record<string, unknown>): Promise<string>
  /** What the printer itself wrote down: the judge of what truly happened. */
  printerLog(printerId: string): Promise<PrinterEvent[]>
}

/** A file as a slicer writes it, for a MK4S. */
export async function readSlicedFile(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(slicedFile))
}

interface TestFarmOptions {
  dataDir?: string
  settings?: Record<string, string>
  program?: string
  /** Whether service and hubs run in the process of the test: for those that kill neither and read no log of the service. */
  isHere?: boolean
  /**
   * Whether the service runs its own embedded PostgreSQL, which takes seconds to start: for tests that break it, and for
   * those that kill the service, which then knows that no other one is at work on its database.
   */
  hasOwnPostgres?: boolean
}

export async function startTestFarm(options: TestFarmOptions = {}): Promise<TestFarm> {
  const folder = await makeFarmFolder()
  const dataDir = options.dataDir ?? join(folder.path, 'data')
  const processes: FarmProcess[] = []
  const shared = options.hasOwnPostgres ? undefined : await openFarmDatabase()
  let service: ServiceProcess
  async function startService(port?: number): Promise<void> {
    if (options.isHere && shared && port === undefined) {
      const here = await startServiceHere(dataDir, shared.db.url, options.settings)
      service = { ...asProcess(here), url: here.url, port: Number(new URL(here.url).port) }
      processes.push(service)
      return
    }
    service = await startServiceProcess(dataDir, {
      settings: { ...options.settings, ...(shared && { DATABASE_URL: shared.db.url }) },
      ...(options.program !== undefined && { program: options.program }),
      ...(port !== undefined && { port }),
    })
    processes.push(service)
  }
  async function end(): Promise<void> {
    for (const each of processes.reverse()) await each.stop()
    await shared?.db.close()
    await folder.remove()
  }
  const createKeyOf = (account: string, ...more: string[]) => {
    const scopes = ['--scopes', 'read,write,control']
    return printyard<{ id: string; key: string }>(
      dataDir,
      ...['keys', 'create', '--account', account, '--name', 'test', ...scopes, ...more],
    )
  }
  const makeAccount = async () => {
    const owner = ['--owner-email', 'owner@example.com']
    const { id } = await printyard<{ id: string }>(dataDir, 'accounts', 'create', '--name', 'Farm', ...owner)
    return { accountId: id, key: (await createKeyOf(id)).key }
  }
  const { accountId, key } = await startService()
    .then(() => shared ?? makeAccount())
    .catch(async (error: unknown) => {
      await end()
      throw error
    })

  const farm: TestFarm = {
    path: folder.path,
    dataDir,
    accountId,
    key,
    db: shared?.db,
    get service() {
      return service
    },
    startAgain: () => startService(service.port),
    request: (method, path, body, headers) => sendRequest(service.url, key, method, path, body, headers),
    async ask<T>(status: number, method: string, path: string, body?: unknown) {
      const answer = await farm.request<T>(method, path, body)
      if (answer.status !== status) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      }
      return answer.body.data
    },
    createKey: (...more) => createKeyOf(accountId, ...more),
    async createHub(name) {
      const made = await (shared?.createHub(name) ?? createHubBeside(dataDir, accountId as AccountId, name))
      const hubDir = join(folder.path, made.id)
      return {
        ...made,
        start({ speed = 100, isProcess = !options.isHere } = {}) {
          const its = { url: service.url, token: made.token, dataDir: hubDir, speed }
          const hub = isProcess ? startHubProcess(its) : asProcess(startHubHere(its))
          processes.push(hub)
          return hub
        },
        addPrinter: (connection) => addPrinter(farm, made.id, connection),
        async printerLog(printerId) {
          const log = await readFile(join(hubDir, 'virtual', `${printerId}.jsonl`), 'utf8')
          // The last line may be half written at this moment.
          const lines = log.split('\n').filter((line) => line.endsWith('}'))
          return lines.flatMap((line) => (JSON.parse(line) as { events?: PrinterEvent[] }).events ?? [])
        },
      }
    },
    async openUpload(announced) {
      const place = await farm.ask<{ token: string }>(201, 'POST', '/files/upload-url', {
        filename: 'bracket.gcode',
        ...announced,
      })
      return place.token
    },
    async put(token, bytes) {
      const answer = await fetch(uploadAddress(service.url, token), { method: 'PUT', body: bytes })
      return readAnswer('PUT', answer)
    },
    async putStream(token, sizeBytes) {
      const chunk = new Uint8Array(64 * 1024).fill(71)
      const content = ReadableStream.from(Array.from({ length: Math.ceil(sizeBytes / chunk.length) }, () => chunk))
      // Undici asks for `duplex` with a stream; the types of fetch do not know it yet.
      const request = { method: 'PUT', body: content, duplex: 'half' } as RequestInit
      return readAnswer('PUT', await fetch(uploadAddress(service.url, token), request))
    },
    async addFile(bytes) {
      const token = await farm.openUpload()
      const put = await farm.put(token, bytes ?? (await readSlicedFile()))
      if (put.status !== 200) throw new Error(`The upload was refused: ${JSON.stringify(put.body)}`)
      return (await farm.ask<{ id: string }>(201, 'POST', '/files', { upload_token: token })).id
    },
    job: (id) => farm.ask<Job>(200, 'GET', `/jobs/${id}`),
    end,
  }
  return farm
}

function uploadAddress(url: string, token: string): string {
  return `${url}/public/v1/files/upload/${token}`
}

export async function sendRequest<T>(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const answer = await fetch(`${url}/public/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(70_000),
  })
  return readAnswer(method, answer)
}

async function readAnswer<T>(method: string, answer: Response): Promise<Answer<T>> {
  const text = await answer.text()
  checkFetchedAnswer(method, answer, text)
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text) as Answer<T>['body'] }
}

async function addPrinter(farm: TestFarm, hubId: string, connection?: Record<string, unknown>): Promise<string> {
  const printer = await farm.ask<{ id: string }>(201, 'POST', '/printers', {
    name: `Printer ${crypto.randomUUID().slice(0, 8)}`,
    model: 'MK4S',
    hub_id: hubId,
    connection_type: 'virtual',
    ...(connection && { connection }),
  })
  await eventually(
    'the virtual printer being idle',
    () => farm.ask<{ status: string | null }>(200, 'GET', `/printers/${printer.id}/status`),
    (now) => now.status === 'idle',
    60_000,
  )
  await farm.ask(200, 'POST', `/printers/${printer.id}/control`, { action: 'clear_bed' })
  return printer.id
}
