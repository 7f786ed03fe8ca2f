import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newId } from '@printyard/server/kernel/ids'
import { isS3Installed, startTestS3 } from '@printyard/server/test/services/test-s3'
import { writeSlicedFile } from '../../farm-day/sliced-file.ts'
import { type HubThread, startHubThread } from '../../fault-runs/hub-life.ts'
import { eventually } from '../../test/farm-processes.ts'
import { type Balancer, startBalancer } from '../test/balancer.ts'
import { startGate } from '../test/gate.ts'
import { type KillablePostgres, startKillablePostgres } from '../test/killable-postgres.ts'
import { type Cluster, openCluster } from '../test/open-cluster.ts'

/** Simulated seconds for each real one: a print of two minutes takes a fifth of a second. */
const speed = 600
const printSeconds = 120
const model = 'MK4S'
const processes = 3
const secretKey = 'ab'.repeat(32)

interface FarmHub {
  id: string
  dir: string
  printerIds: string[]
  thread: HubThread
}

interface Answer<T = Record<string, unknown>> {
  status: number
  data?: T
  meta?: { last_id?: string | null }
}

/** Three processes behind a balancer on one PostgreSQL, Redis and S3 store, with hubs and simulated printers. */
export interface ClusterFarm {
  cluster: Cluster
  postgres: KillablePostgres
  balancer: Balancer
  hubs: FarmHub[]
  fileId: string
  /** Opens or closes the way to the store of files. */
  setStore(isOpen: boolean): void
  /** Asks whichever process; undefined when no answer comes. */
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<Answer<T> | undefined>
  close(): Promise<void>
}

/** Whether what it needs besides Redis is there. */
export const isStoreInstalled = () => isS3Installed('s3rver')

/** When it cannot be opened, nothing of it is left running. */
export async function openClusterFarm(size: { hubs: number; printersPerHub: number }): Promise<ClusterFarm> {
  await using opened = new AsyncDisposableStack()
  const store = await startTestS3('s3rver')
  opened.defer(() => store.close())
  const { bucket, accessKey, secretAccessKey } = await store.makeBucket()
  const gate = await startGate(store.endpoint)
  opened.defer(() => gate.close())
  const postgres = await startKillablePostgres()
  opened.defer(() => postgres.close())
  const cluster = await openCluster({
    processes,
    redis: true,
    databaseUrl: postgres.url,
    settings: {
      PRINTYARD_SECRET_KEY: secretKey,
      PRINTYARD_LOG_LEVEL: 'warn',
      S3_ENDPOINT: gate.url,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  })
  opened.defer(() => cluster.close())
  const balancer = await startBalancer(() => cluster.services.map(({ url }) => url))
  opened.defer(() => balancer.close())
  const hubs: FarmHub[] = []
  opened.defer(async () => {
    await Promise.all(hubs.map(({ thread }) => thread.kill()))
  })
  const farm: ClusterFarm = {
    cluster,
    postgres,
    balancer,
    hubs,
    fileId: '',
    setStore: (isOpen) => gate.setOpen(isOpen),
    async ask<T>(method: string, path: string, body?: unknown, key?: string) {
      try {
        const answer = await fetch(`${balancer.url}/public/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${cluster.database.key}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(key !== undefined && { 'idempotency-key': key }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(15_000),
        })
        return { status: answer.status, ...((await answer.json()) as Pick<Answer<T>, 'data' | 'meta'>) }
      } catch {
        // The process or its connection was broken: that is what is played.
        return undefined
      }
    },
    close: () => running.disposeAsync(),
  }
  farm.fileId = await uploadFile(farm)
  for (let number = 0; number < size.hubs; number += 1) await addHub(farm, number, size.printersPerHub)
  await eventually(
    'all printers to be idle',
    () => listPrinters(farm),
    (printers) => printers.length > 0 && printers.every(({ status }) => status === 'idle'),
    120_000,
  )
  const running = opened.move()
  return farm
}

interface SeenPrinter {
  id: string
  status: string
  plate_state: string
}

/** All printers as whichever process shows them; empty when no answer comes. */
export async function listPrinters(farm: ClusterFarm): Promise<SeenPrinter[]> {
  return (await farm.ask<SeenPrinter[]>('GET', '/printers/live?limit=500'))?.data ?? []
}

async function must<T>(farm: ClusterFarm, method: string, path: string, body: unknown): Promise<T> {
  const answer = await farm.ask<T>(method, path, body)
  if (answer?.data === undefined) throw new Error(`${method} ${path} answered ${answer?.status ?? 'nothing'}`)
  return answer.data
}

async function uploadFile(farm: ClusterFarm): Promise<string> {
  const place = await must<{ upload_url: string; token: string }>(farm, 'POST', '/files/upload-url', {
    filename: 'clip.gcode',
  })
  const content = writeSlicedFile({
    name: 'clip',
    model,
    printSeconds,
    grams: 5,
    heightMm: 10,
    nozzle: 0.4,
    unitsPerPlate: 1,
    filament: { type: 'PLA', color: 'Black', hex: '#111111' },
  } as Parameters<typeof writeSlicedFile>[0])
  const put = await fetch(new URL(place.upload_url, farm.balancer.url), { method: 'PUT', body: Buffer.from(content) })
  if (!put.ok) throw new Error(`The file was not taken: ${put.status}`)
  return (await must<{ id: string }>(farm, 'POST', '/files', { upload_token: place.token })).id
}

async function addHub(farm: ClusterFarm, number: number, printers: number): Promise<void> {
  const { cluster, balancer } = farm
  const { id, token } = await cluster.addHub(`Hub ${number}`)
  const dir = join(cluster.path, `hub-${number}`)
  await mkdir(dir)
  const printerIds: string[] = []
  for (let index = 0; index < printers; index += 1) {
    const printer = await must<{ id: string }>(farm, 'POST', '/printers', {
      name: `Printer ${number}-${index}-${newId('printer')}`,
      model,
      hub_id: id,
      connection_type: 'virtual',
      auto_start: true,
      nozzle_size: 0.4,
      current_filament_type: 'PLA',
    })
    await must(farm, 'POST', `/printers/${printer.id}/control`, { action: 'clear_bed' })
    printerIds.push(printer.id)
  }
  const thread = startHubThread()
  farm.hubs.push({ id, dir, printerIds, thread })
  await thread.start({
    serviceUrl: balancer.url,
    token,
    dataDir: dir,
    virtualCount: 0,
    speed,
    cacheBytes: 64 * 1024 * 1024,
    isDiscoveryOn: false,
    allowsPublicAddresses: false,
  })
  await wait(50)
}
