import { join } from 'node:path'
import type { HubMessageBody } from '@printyard/protocol/messages'
import { newId } from '@printyard/server/kernel/ids'
import { connectTestHub, type TestHub } from '@printyard/server/test/farm/test-hub'
import { startTestRedis, type TestRedis } from '@printyard/server/test/services/test-redis'
import { expect } from 'vitest'
import { type FarmDatabase, openFarmDatabase, openFarmDatabaseAt } from '../../test/farm-database.ts'
import {
  apiClient,
  eventually,
  type FarmProcess,
  makeFarmFolder,
  startServiceProcess,
} from '../../test/farm-processes.ts'
import { addSlicedFileRows } from '../../test/sliced-file-rows.ts'

type Service = FarmProcess & { url: string; port: number }

interface Failure {
  error: { code: string; message: string }
}

/** Several processes of the service on one database, with or without Redis, and one account. */
export interface Cluster {
  database: FarmDatabase
  /** A folder for what hubs of the test keep. */
  path: string
  redis: TestRedis | undefined
  /** By number; a process that was started again takes the place of the former one. */
  services: Service[]
  fileId: string
  /** Starts a process, or the one of this number again at its port. */
  start(number: number): Promise<Service>
  /** Asks a process; fails the test when it refuses. */
  ask<T = Record<string, unknown>>(number: number, method: string, path: string, body?: unknown): Promise<T>
  /** The same, whatever is answered. */
  answer(number: number, method: string, path: string, body?: unknown): Promise<{ status: number; body: Failure }>
  /** A scripted hub that is connected to one of the processes. */
  connect(number: number, token: string, more?: Partial<HubMessageBody<'hello'>>): Promise<TestHub>
  addHub(name: string): Promise<{ id: string; token: string }>
  /** A printer of a hub, with a clear plate. */
  addPrinter(hubId: string, fields?: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

interface ClusterOptions {
  processes: number
  /** With a Redis that all of them share. */
  redis: boolean
  settings?: Record<string, string>
  /** The address of an empty database; one of the server that all tests share without it. */
  databaseUrl?: string
}

/** When it cannot be opened, nothing of it is left running. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  await using opened = new AsyncDisposableStack()
  const { databaseUrl } = options
  const database = await (databaseUrl === undefined ? openFarmDatabase() : openFarmDatabaseAt(databaseUrl))
  const { db, accountId, key } = database
  opened.defer(() => db.close())
  const folder = await makeFarmFolder()
  opened.defer(() => folder.remove())
  const redis = options.redis ? await startTestRedis() : undefined
  opened.defer(() => redis?.close())
  const fileId = newId('printFile')
  await addSlicedFileRows(db.sql, { accountId, fileId, content: Buffer.from('G28\n') })
  const services: Service[] = []
  const hubs: TestHub[] = []
  const cluster: Cluster = {
    database,
    path: folder.path,
    redis,
    services,
    fileId,
    async start(number) {
      const port = services[number]?.port
      const settings = {
        DATABASE_URL: db.url,
        PRINTYARD_SECRET_KEY: 'ab'.repeat(32),
        ...(redis && { REDIS_URL: redis.url }),
        ...options.settings,
      }
      const service = await startServiceProcess(join(folder.path, String(number)), {
        settings,
        ...(port !== undefined && { port }),
      })
      services[number] = service
      return service
    },
    async ask<T>(number: number, method: string, path: string, body?: unknown) {
      const answer = await apiClient(urlOf(number), key)<{ data: T }>(method, path, body)
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      return answer.body.data
    },
    answer: (number, method, path, body) => apiClient(urlOf(number), key)<Failure>(method, path, body),
    async connect(number, token, more = {}) {
      const { capabilities, ...others } = more
      const hub = await connectTestHub(urlOf(number), token, 0, undefined, capabilities, [], others)
      hubs.push(hub)
      return hub
    },
    addHub: (name) => database.createHub(name),
    async addPrinter(hubId, fields = {}) {
      const { id } = await cluster.ask<{ id: string }>(0, 'POST', '/printers', {
        name: `Printer ${newId('printer')}`,
        model: 'MK4S',
        hub_id: hubId,
        connection_type: 'virtual',
        ...fields,
      })
      await cluster.ask(0, 'POST', `/printers/${id}/control`, { action: 'clear_bed' })
      return id
    },
    close: () => running.disposeAsync(),
  }
  opened.defer(async () => {
    await Promise.all([...hubs.map((hub) => hub.close()), ...services.map((service) => service.kill())])
  })
  function urlOf(number: number): string {
    const service = services[number]
    if (!service) throw new Error(`There is no process ${number}.`)
    return service.url
  }
  const starts = Array.from({ length: options.processes }, (_, number) => cluster.start(number))
  // All of them are there, or have ended, before any of them is ended.
  await Promise.allSettled(starts)
  await Promise.all(starts)
  const running = opened.move()
  return cluster
}

/** Waits until a process shows what is expected of a path. */
export function shows<T = Record<string, unknown>>(
  cluster: Cluster,
  number: number,
  path: string,
  isRight: (value: T) => boolean,
): Promise<T> {
  return eventually(`process ${number} to show ${path}`, () => cluster.ask<T>(number, 'GET', path), isRight)
}
