import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '@printyard/server/kernel/config'
import { workIn } from '@printyard/server/modules/events/work'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { createAccountWithOwner } from '@printyard/server/modules/people/accounts/accounts.service'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import { makeLog, type RunningService, startService } from '@printyard/server/service'
import { drawFarm, type FarmPlan, type FarmSize } from '@printyard/virtual-printers/farm/farm-plan'
import { createFarmClient, type FarmClient } from 'printyard/demo/farm-client'
import { type HubThread, startHubThread } from '../fault-runs/hub-life.ts'
import { atOnce } from './at-once.ts'
import { type DayFigures, readFigures } from './day-report.ts'
import { beginWork, type DayClock, type Floor, type FloorWork, workThroughDay } from './floor.ts'
import { type FurnishedFarm, furnishFarm } from './furnish-farm.ts'
import { type DayJudgement, judgeDay } from './judge-day.ts'

interface FarmDayOptions extends FarmSize {
  /** Simulated seconds for each real second. */
  speed: number
  /** Default: as many as the plan has. */
  hubs?: number
  /** An empty directory that the caller removes. */
  dataDir: string
  /** On a slow machine the day goes on, for two minutes at most, until so many plates have been cleared. Default: 0. */
  fewestCleared?: number
  /** Whether each printer has one print by hand in each shift, of which no one is told. Default: true. */
  hasHandPrints?: boolean
  say(line: string): void
}

interface FarmDayReport {
  /** Promises that were not held. */
  wrong: string[]
  figures: DayFigures
  floor: FloorWork
  starts: DayJudgement['starts']
}

const readyTimeoutMs = 120_000
const overtimeMs = 120_000
/** How long what is on its way at the end of the day has to arrive. */
const calmMs = 3_000
const HUB_CACHE_BYTES = 1024 * 1024 * 1024

/** A whole farm for a day: the real service, real hubs in threads of their own, simulated printers and people. */
export async function runFarmDay(options: FarmDayOptions): Promise<FarmDayReport> {
  const drawn = drawFarm(options)
  const hubs = options.hubs ?? drawn.hubs
  const plan = { ...drawn, hubs, printers: drawn.printers.map((each, index) => ({ ...each, hub: index % hubs })) }
  const config = readConfig({
    PRINTYARD_DATA_DIR: join(options.dataDir, 'service'),
    PRINTYARD_PORT: '0',
    PRINTYARD_RATE_LIMIT_PER_MINUTE: '10000000',
  })
  const service = await startService(config, makeLog({ logLevel: 'silent' }))
  const threads: HubThread[] = []
  const leaving = new AbortController()
  try {
    const { accountId, farm, hubTokens } = await openAccount(service, plan)
    const hubDir = (index: number) => join(options.dataDir, `hub-${index}`)
    for (const [index, { token }] of hubTokens.entries()) {
      await mkdir(hubDir(index), { recursive: true })
      const thread = startHubThread()
      threads.push(thread)
      await thread.start({
        serviceUrl: service.url,
        token,
        dataDir: hubDir(index),
        virtualCount: 0,
        speed: options.speed,
        cacheBytes: HUB_CACHE_BYTES,
        isDiscoveryOn: false,
        allowsPublicAddresses: false,
      })
    }
    options.say(`Furnishing: ${plan.printers.length} printers, ${plan.files.length} files, ${hubs} hubs`)
    const hubIds = hubTokens.map(({ id }) => id)
    const furnished = await furnishFarm(farm, plan, hubIds)
    await untilIdle(farm, plan.printers.length)
    await atOnce([...furnished.printers.keys()], (id) => farm.post(`/printers/${id}/control`, { action: 'clear_bed' }))

    const begunAtMs = Date.now()
    const clock: DayClock = { now: () => ((Date.now() - begunAtMs) / 1_000) * options.speed, speed: options.speed }
    const dayMs = (plan.seconds / options.speed) * 1_000
    options.say(`The day takes ${Math.round(dayMs / 1_000)} s`)
    const hubDirs = new Map([...furnished.printers].map(([id, { hub }]) => [id, hubDir(hub)]))
    const use: Floor['use'] = async (printerId, deed) =>
      (await threads[furnished.printers.get(printerId)?.hub ?? 0]?.use(printerId, deed)) ?? null
    const work = beginWork()
    const hasHandPrints = options.hasHandPrints ?? true
    const { printers } = furnished
    const floor = workThroughDay({ farm, plan, printers, use, clock, hasHandPrints }, work, leaving.signal)
    const jobs = await Promise.race([takeOrders(farm, plan, furnished, clock, begunAtMs), failed(floor)])
    await Promise.race([wait(Math.max(0, begunAtMs + dayMs - Date.now())), failed(floor)])
    const patience = Date.now() + overtimeMs
    while (work.cleared < (options.fewestCleared ?? 0) && Date.now() < patience) {
      await Promise.race([wait(100), failed(floor)])
    }
    const endedAt = new Date()
    leaving.abort()
    await floor
    await wait(calmMs)
    const day = { from: new Date(begunAtMs), to: endedAt, speed: options.speed }
    const printerIds = [...furnished.printers.keys()]
    const figures = await readFigures(service.context.db.sql, farm, { accountId, printerIds }, day)
    const silent = await listJobsWithoutReason(farm)
    await Promise.all(threads.map((hub) => hub.stop()))
    const { wrong, starts } = await judgeDay({ sql: service.context.db.sql, accountId, jobs, hubDirs })
    return { wrong: [...wrong, ...silent], figures, floor: work, starts }
  } finally {
    leaving.abort()
    await Promise.all(threads.map((hub) => hub.kill()))
    await service.stop()
  }
}

/** Never resolves; rejects when the work of the people fails. */
function failed(floor: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => floor.catch(reject))
}

async function openAccount(service: RunningService, plan: FarmPlan) {
  const { db } = service.context
  const now = new Date()
  const owner = { name: 'Farm', ownerEmail: 'owner@farm.example', ownerPassword: crypto.randomUUID(), createdBy: 'cli' }
  const { id: accountId } = await createAccountWithOwner(db, owner, now)
  const work = workIn(db.sql, { accountId, actor: 'cli', now })
  const { key } = await createApiKey(work, { name: 'The floor', scopes: ['read', 'write', 'control'], expiresAt: null })
  const hubTokens: { id: string; token: string }[] = []
  for (let index = 0; index < plan.hubs; index += 1) {
    hubTokens.push(await createHubWithToken(work, `Hub ${index + 1}`))
  }
  return { accountId, hubTokens, farm: createFarmClient(service.url, key, new AbortController().signal) }
}

async function untilIdle(farm: FarmClient, printers: number): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs
  for (;;) {
    const { printers: now } = await farm.get<{ printers: { idle: number } }>('/analytics/overview')
    if (now.idle === printers) return
    if (Date.now() > deadline) throw new Error(`Only ${now.idle} of ${printers} printers became idle`)
    await wait(200)
  }
}

/** Queues the jobs of each order when it comes in; answers how many. */
async function takeOrders(
  farm: FarmClient,
  { orders }: FarmPlan,
  { files }: FurnishedFarm,
  clock: DayClock,
  begunAtMs: number,
): Promise<number> {
  let jobs = 0
  for (const { arrivesAt, dueAt, priority, lines } of orders) {
    await wait(Math.max(0, ((arrivesAt - clock.now()) / clock.speed) * 1_000))
    const due_date = new Date(begunAtMs + (dueAt / clock.speed) * 1_000).toISOString()
    const wanted = lines.map(({ file, plates }) => ({
      print_file_id: files.get(file.name)?.fileId,
      product_sku_id: files.get(file.name)?.skuId,
      number_of_units: plates * file.unitsPerPlate,
      quantity_per_print: file.unitsPerPlate,
      any_color: !file.isColorWanted,
      priority,
      due_date,
    }))
    const { queued, refused } = await farm.post<{ queued: number; refused: number }>('/jobs/bulk', { jobs: wanted })
    if (refused > 0) throw new Error(`${refused} jobs were refused`)
    jobs += queued
  }
  return jobs
}

/** Jobs that wait although the service names no reason for it. */
async function listJobsWithoutReason(farm: FarmClient): Promise<string[]> {
  const wrong: string[] = []
  const waiting: { id: string }[] = []
  for (let offset = 0; ; offset += 100) {
    const page = await farm.get<{ id: string }[]>(`/jobs?status=queued&limit=100&offset=${offset}`)
    waiting.push(...page)
    if (page.length < 100) break
  }
  await atOnce(waiting, async ({ id }) => {
    const { reason } = await farm.get<{ reason: string | null }>(`/jobs/${id}/explain`)
    if (!reason) wrong.push(`${id} waits for no named reason`)
  })
  return wrong
}
