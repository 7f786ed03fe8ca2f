import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { HubConfig } from '@printyard/hub/config'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import type { HandDeed, HandSight } from './hand-deeds.ts'
import { createHands, type Hands } from './hands.ts'
import { type HubThread, startHubThread, stormWaits } from './hub-life.ts'
import type { Lane } from './lane.ts'
import type { Scenario, ScenarioOptions } from './scenario.ts'

/** The farm of one run: a hub with its printers and jobs, and what can befall hub and service. */
export interface RunFarm {
  lane: Lane
  hubDir: string
  twinDir: string
  printerIds: readonly string[]
  jobIds: readonly string[]
  skuId: string
  /** Deeds at one printer as its hub has it, or its twin. Two hubs of one identity each have machines of their own. */
  hands: Hands
  twinHands: Hands
  /** What people do at one printer follows one another. */
  atPrinter<T>(printerId: string, work: () => Promise<T>): Promise<T>
  startHub(): Promise<void>
  killHub(): Promise<void>
  startTwin(): Promise<void>
  killTwin(): Promise<void>
  killService(): Promise<void>
  /** Only if there is none. */
  startService(): Promise<void>
  /** Ends what runs, and lets every machine write down what became of it. */
  standStill(): Promise<void>
  /** Ends everything that is left and removes the directories. */
  close(): Promise<void>
}

/** Simulated seconds for each real one: a print of ten minutes and its heating take less than a tenth of a second. */
const speed = 20_000
const model = 'MK4S'
/** How long after its refusal a start takes effect: many looks of the hub later. */
const lateStartMs = 100

let runs = 0

/** Makes hub, printers and jobs by the API and starts the hub. */
export async function openRunFarm(lane: Lane, scenario: Scenario, options: ScenarioOptions): Promise<RunFarm> {
  runs += 1
  const { db, accountId, proxy } = lane
  const name = `${process.pid}-${runs}-${scenario.seed}`
  const hubDir = join(lane.path, `hub-${runs}`)
  const twinDir = join(lane.path, `twin-${runs}`)
  await mkdir(hubDir)
  const { id: hubId, token } = await createHubWithToken(systemWork(db.sql, accountId), `Hub ${name}`)
  const hubConfig: HubConfig = {
    serviceUrl: proxy.url,
    token,
    dataDir: hubDir,
    virtualCount: 0,
    speed,
    cacheBytes: 64 * 1024 * 1024,
    isDiscoveryOn: false,
    allowsPublicAddresses: false,
  }
  const printerIds: string[] = []
  const jobIds: string[] = []
  const turns = new Map<string, Promise<unknown>>()
  let isHubRunning = false
  let twin: HubThread | undefined

  const remembersLastRun = (id: string) => scenario.printers[printerIds.indexOf(id)]?.remembersLastRun !== false
  const hands = createHands({
    hubDir,
    model,
    remembersLastRun,
    findHub: () => (isHubRunning ? lane.hub : undefined),
  })
  const twinHands = createHands({ hubDir: twinDir, model, remembersLastRun, findHub: () => twin })

  async function ask<T>(method: string, path: string, body: unknown): Promise<T> {
    const answer = await lane.request<T>(method, path, body)
    if (answer.data === undefined) throw new Error(`${method} ${path} answered ${answer.status}`)
    return answer.data
  }

  const { id: skuId } = await ask<{ id: string }>('POST', '/skus', { sku: `CLIP-${name}`, product_id: lane.productId })
  for (const [index, planned] of scenario.printers.entries()) {
    const { id } = await ask<{ id: string }>('POST', '/printers', {
      name: `Printer ${name}-${index}`,
      model,
      hub_id: hubId,
      connection_type: 'virtual',
      connection: {
        late_start_ms: lateStartMs,
        remembers_last_run: planned.remembersLastRun,
        ...(planned.uploadBytesPerSecond && { upload_bytes_per_second: planned.uploadBytesPerSecond }),
      },
      auto_start: options.autoStart ?? false,
    })
    printerIds.push(id)
  }

  const farm: RunFarm = {
    lane,
    hubDir,
    twinDir,
    printerIds,
    jobIds,
    skuId,
    hands,
    twinHands,
    atPrinter(printerId, work) {
      const done = (turns.get(printerId) ?? Promise.resolve()).then(work)
      turns.set(
        printerId,
        done.catch(() => undefined),
      )
      return done
    },
    startHub: () =>
      hands.whileNobodyActs(async () => {
        // Two faults may each bring it back.
        if (isHubRunning) return
        await lane.hub.start(hubConfig, stormWaits)
        isHubRunning = true
      }),
    killHub: () =>
      hands.whileNobodyActs(async () => {
        const killed = lane.hub
        lane.hub = lane.takeHubThread()
        await killed.kill()
        isHubRunning = false
      }),
    startTwin: () =>
      twinHands.whileNobodyActs(async () => {
        await mkdir(twinDir, { recursive: true })
        twin = startHubThread()
        await twin.start({ ...hubConfig, dataDir: twinDir }, stormWaits)
      }),
    killTwin: () =>
      twinHands.whileNobodyActs(async () => {
        await twin?.kill()
        twin = undefined
      }),
    async killService() {
      const killed = lane.service
      lane.service = undefined
      proxy.cut()
      await killed?.kill()
    },
    async startService() {
      if (!lane.service) await lane.startService()
    },
    async standStill() {
      await farm.killTwin()
      await hands.whileNobodyActs(async () => {
        if (isHubRunning) await lane.hub.stop()
        isHubRunning = false
      })
      for (const id of printerIds) {
        await hands.use(id, { deed: 'look' })
        await twinHands.use(id, { deed: 'look' })
      }
    },
    async close() {
      await farm.killTwin()
      await hands.whileNobodyActs(async () => {
        if (isHubRunning) await lane.hub.stop()
        isHubRunning = false
      })
      await rm(hubDir, { recursive: true, force: true, maxRetries: 3 })
      await rm(twinDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  try {
    await farm.startHub()
    for (const job of scenario.jobs) {
      const { id } = await ask<{ id: string }>('POST', '/jobs', {
        print_file_id: lane.fileId,
        printer_id: printerIds[job.printer],
        product_sku_id: skuId,
        number_of_units: job.units,
        quantity_per_print: job.unitsPerPlate,
      })
      jobIds.push(id)
    }
    return farm
  } catch (error) {
    await farm.close()
    throw error
  }
}

/** Waits for a machine that is only being made; null when it does not come. */
export async function useSoon(hands: Hands, printerId: string, deed: HandDeed): Promise<HandSight | null> {
  for (let tries = 0; tries < 40; tries += 1) {
    const sight = await hands.use(printerId, deed)
    if (sight?.isDone) return sight
    await wait(10)
  }
  return null
}
