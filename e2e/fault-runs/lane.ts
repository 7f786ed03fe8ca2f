import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type AccountId, newId } from '@printyard/server/kernel/ids'
import type { TestDatabase } from '@printyard/server/test/run/test-database'
import { openFarmDatabase } from '../test/farm-database.ts'
import { addSlicedFileRows } from '../test/sliced-file-rows.ts'
import { type HubThread, startHubThread } from './hub-life.ts'
import { type LinkProxy, startLinkProxy } from './link-proxy.ts'
import { type ServiceLife, startServiceLife } from './service-life.ts'

/** What runs one after another share: a database, a service, the network before it, and a thread for hubs. */
export interface Lane {
  db: TestDatabase
  path: string
  accountId: AccountId
  key: string
  fileId: string
  productId: string
  proxy: LinkProxy
  /** The present life; undefined between two. */
  service: ServiceLife | undefined
  hub: HubThread
  clockOffsetMs: number
  startService(): Promise<void>
  /** A thread that was started beforehand: kills would else wait for one. */
  takeHubThread(): HubThread
  request<T>(method: string, path: string, body?: unknown): Promise<{ status: number; data: T | undefined }>
  close(): Promise<void>
}

const content = Buffer.from('G28\nG1 X10 Y10 E1\n'.repeat(200))

/** One after the other: so many services that start at once would wait for one another. */
export async function openLanes(count: number): Promise<Lane[]> {
  const lanes: Lane[] = []
  for (let index = 0; index < count; index += 1) lanes.push(await openLane())
  return lanes
}

async function openLane(): Promise<Lane> {
  const { db, accountId, key } = await openFarmDatabase({
    statementConnections: 1,
    transactionConnections: 1,
    statementTimeoutMs: 60_000,
  })
  const path = await mkdtemp(join(tmpdir(), 'printyard-faults-'))
  const dataDir = join(path, 'data')
  await mkdir(dataDir)
  let spare = startHubThread()
  let starting: Promise<void> | undefined
  const lane: Lane = {
    db,
    path,
    accountId,
    key,
    fileId: newId('printFile'),
    productId: '',
    proxy: await startLinkProxy(() => lane.service?.port),
    service: undefined,
    hub: startHubThread(),
    clockOffsetMs: 0,
    startService() {
      // Two faults may each bring it back: a second one beside it would keep the hub from the one that is asked.
      starting ??= startServiceLife({
        target: db.target,
        administration: db.sql,
        dataDir,
        clockOffsetMs: () => lane.clockOffsetMs,
      })
        .then((service) => {
          lane.service = service
        })
        .finally(() => {
          starting = undefined
        })
      return starting
    },
    takeHubThread() {
      const taken = spare
      spare = startHubThread()
      return taken
    },
    async request<T>(method: string, route: string, body?: unknown) {
      if (!lane.service) return { status: 0, data: undefined }
      try {
        const answer = await fetch(`${lane.service.url}/public/v1${route}`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(20_000),
        })
        const { data } = (await answer.json()) as { data?: T }
        return { status: answer.status, data }
      } catch {
        // The service was killed while it was asked; anyone who asks looks at what became of it.
        return { status: 0, data: undefined }
      }
    },
    async close() {
      await Promise.all([spare.kill(), lane.hub.kill()])
      await lane.service?.kill()
      await lane.proxy.close()
      await db.close()
      await rm(path, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  await lane.startService()
  await addSlicedFile(lane)
  const product = await lane.request<{ id: string }>('POST', '/products', { name: 'Clip' })
  lane.productId = product.data?.id ?? ''
  return lane
}

/** A file that prints in ten minutes, as if it had been uploaded and read. */
async function addSlicedFile({ db, accountId, fileId, service }: Lane): Promise<void> {
  const received = await service?.context.files.receive(Readable.from([content]), { maxBytes: content.length })
  await received?.keep()
  await addSlicedFileRows(db.sql, { accountId, fileId, content })
}
