import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { HubConfig } from '@printyard/hub/config'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { type HubThread, startHubThread } from './hub-life.ts'
import { type Clearing, countStarts, isDeviceBusy, judge, readDeviceLog } from './judge.ts'
import type { Lane } from './lane.ts'
import type { Frame, Passage } from './link-proxy.ts'
import type { PlannedFault, Scenario, ScenarioOptions } from './scenario.ts'

export interface RunVerdict {
  seed: number
  /** Everything that is wrong; empty when all promises were held. */
  wrong: string[]
  /** What happened, one line each, with milliseconds since the beginning. */
  trace: string[]
  /** The faults that found their moment. */
  struck: PlannedFault[]
  ms: number
}

/** Simulated seconds for each real one: a print of ten minutes and its heating take less than a tenth of a second. */
const speed = 20_000
/** After the storm everything must come to an end within this, also on a machine that has much else to do. */
const patienceMs = 60_000
const lookMs = 15
/** A person who sees an idle printer and a job of unknown fate for so long gives the job up. */
const givingUpMs = 1_500
const deviceFaultMs = 250
/** Some faults wait for a phase that never comes, such as the second start of a job that was given up. */
const longestStormMs = 2_500

let runs = 0

interface JobNow {
  id: string
  status: string
  outcome: string | null
}

/** Plays one scenario to its end and judges it by the logs of the simulated printers and by the tables. */
export async function runScenario(lane: Lane, scenario: Scenario, options: ScenarioOptions = {}): Promise<RunVerdict> {
  const beganAt = performance.now()
  const trace: string[] = []
  const note = (line: string) => trace.push(`${Math.round(performance.now() - beganAt)} ms: ${line}`)
  const struck: PlannedFault[] = []
  const mending = new Set<Promise<void>>()
  const clearings: Clearing[] = []
  const unknownSince = new Map<string, number>()
  const { db, accountId, proxy } = lane

  runs += 1
  const name = `${process.pid}-${runs}-${scenario.seed}`
  const hubDir = join(lane.path, `hub-${runs}`)
  const twinDir = join(lane.path, `twin-${runs}`)
  await mkdir(hubDir)
  const { id: hubId, token } = await createHubWithToken(db.sql, accountId, `Hub ${name}`, 'system', new Date())
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
  let twin: HubThread | undefined
  let isHubRunning = false

  async function ask<T>(method: string, path: string, body: unknown): Promise<T> {
    const answer = await lane.request<T>(method, path, body)
    if (answer.data === undefined) throw new Error(`${method} ${path} answered ${answer.status}`)
    return answer.data
  }

  async function startHub(): Promise<void> {
    await lane.hub.start(hubConfig)
    isHubRunning = true
  }

  async function killHub(): Promise<void> {
    isHubRunning = false
    const killed = lane.hub
    lane.hub = lane.takeHubThread()
    await killed.kill()
  }

  /** What was broken is brought back by itself after the fault's time. */
  function strike(planned: PlannedFault): void {
    struck.push(planned)
    note(`${planned.fault} strikes at ${planned.phase}`)
    const mended = bring(planned)
      .catch((error: unknown) => void trace.push(`${planned.fault} could not be played: ${String(error)}`))
      .finally(() => {
        mending.delete(mended)
        note(`${planned.fault} is over`)
      })
    mending.add(mended)
  }

  async function bring({ fault, lastsMs }: PlannedFault): Promise<void> {
    switch (fault) {
      case 'service_kill':
        return restartService(lastsMs)
      case 'hub_kill':
        await killHub()
        await wait(lastsMs)
        return startHub()
      case 'power_cut':
        await Promise.all([restartService(lastsMs), killHub()])
        return startHub()
      case 'database_cut':
        return lane.service?.cutDatabase()
      case 'disk_full':
        await lane.hub.setDiskFull(true)
        await wait(lastsMs)
        return lane.hub.setDiskFull(false)
      case 'clock_moved':
        lane.clockOffsetMs = lastsMs % 2 === 0 ? 2 * 3_600_000 : -2 * 3_600_000
        return
      case 'half_download':
        proxy.halfDownloads = 2
        return
      case 'twin_hub':
        await mkdir(twinDir, { recursive: true })
        twin = startHubThread()
        await twin.start({ ...hubConfig, dataDir: twinDir })
        await wait(100 + lastsMs)
        await twin.kill()
        // The first one was told to stay away for a while: a person starts it again.
        await killHub()
        return startHub()
      case 'half_upload':
      case 'yes_without_effect':
      case 'lying_finish':
        await setDeviceFaults([fault])
        // A printer must be seen to be at fault before it is mended, and mended before anything gets further.
        await wait(deviceFaultMs)
        return setDeviceFaults([])
      case 'link_cut_before_send':
      case 'link_cut_after_send':
      case 'link_cut_before_answer':
        return proxy.cut()
      case 'duplicate_frame':
      case 'frame_out_of_order':
        return
    }
  }

  async function restartService(lastsMs: number): Promise<void> {
    const killed = lane.service
    lane.service = undefined
    proxy.cut()
    await killed?.kill()
    await wait(lastsMs)
    if (!lane.service) await lane.startService()
  }

  async function setDeviceFaults(faults: readonly string[]): Promise<void> {
    for (const id of printerIds) {
      // The service may be away at this moment; a printer left at fault would fail every later start.
      for (let tries = 0; tries < 200; tries += 1) {
        const { status } = await lane.request('PATCH', `/printers/${id}`, { connection: { faults: [...faults] } })
        if (status === 200) break
        await wait(lookMs)
      }
    }
  }

  const occurrences = new Map<string, number>()
  const waiting = [...scenario.faults]
  let isAnswerToBeLost: PlannedFault | undefined
  let isStormOver = false

  function passageOf(frame: Frame): Passage {
    if (isStormOver) return 'pass'
    const lost = isAnswerToBeLost
    if (lost && (frame.type === 'result' || frame.type === 'ack')) {
      isAnswerToBeLost = undefined
      strike(lost)
      return 'drop'
    }
    const phase = phaseOf(frame)
    if (phase === undefined) return 'pass'
    const occurrence = (occurrences.get(phase) ?? 0) + 1
    occurrences.set(phase, occurrence)
    let passage: Passage = 'pass'
    for (const planned of waiting.filter((each) => each.phase === phase && each.occurrence === occurrence)) {
      waiting.splice(waiting.indexOf(planned), 1)
      const own = passageUnder(planned)
      if (passage === 'pass') passage = own
    }
    return passage
  }

  function passageUnder(planned: PlannedFault): Passage {
    switch (planned.fault) {
      case 'link_cut_before_answer':
        isAnswerToBeLost = planned
        return 'pass'
      case 'duplicate_frame':
        strike(planned)
        return 'twice'
      case 'frame_out_of_order':
        strike(planned)
        return 'late'
      case 'link_cut_before_send':
        strike(planned)
        return 'drop'
      case 'link_cut_after_send':
        setTimeout(() => strike(planned), 1)
        return 'pass'
      case 'service_kill':
      case 'hub_kill':
      case 'power_cut':
      case 'twin_hub':
        if (planned.isFrameDelivered) setTimeout(() => strike(planned), planned.lastsMs % 7)
        else strike(planned)
        return planned.isFrameDelivered ? 'pass' : 'drop'
      case 'half_upload':
      case 'yes_without_effect':
      case 'lying_finish':
        strike(planned)
        // The order itself waits until the printer is at fault.
        return planned.phase === 'reserved' ? { held: wait(40) } : 'pass'
      default:
        strike(planned)
        return 'pass'
    }
  }

  /** What a person at the printers does, again and again: starts what is queued, takes off what is done. */
  async function act(jobs: readonly JobNow[]): Promise<void> {
    const printers = await db.sql<{ id: string; plate_state: string }[]>`
      select id, plate_state from printers where account_id = ${accountId} and id = any(${printerIds})`
    for (const { id, plate_state } of printers) {
      const log = readDeviceLog(hubDir, id)
      if (plate_state === 'clear' || isDeviceBusy(log)) continue
      const startsSeen = countStarts(log)
      const isNoted = clearings.some((each) => each.printerId === id && each.startsSeen === startsSeen)
      // Noted before it is asked for: the answer may be lost.
      if (!isNoted) clearings.push({ printerId: id, startsSeen })
      const { status } = await lane.request('POST', `/printers/${id}/control`, { action: 'clear_bed' })
      if (status !== 200 && !isNoted && countStarts(readDeviceLog(hubDir, id)) > startsSeen) clearings.pop()
    }
    for (const { id, status, outcome } of jobs) {
      if (status === 'queued' && !options.autoStart) {
        const { status: answered } = await lane.request('POST', `/jobs/${id}/start`)
        if (answered !== 409) note(`start of ${id} answered ${answered}`)
      }
      if (outcome !== 'unknown' || !isStormOver) {
        unknownSince.delete(id)
        continue
      }
      const since = unknownSince.get(id) ?? performance.now()
      unknownSince.set(id, since)
      if (performance.now() - since < givingUpMs) continue
      // What was seen running may have ended anyhow; nobody can say that it is good.
      const { status: answered } =
        status === 'printing'
          ? await lane.request('POST', `/jobs/${id}/resolve`, { outcome: 'failed' })
          : await lane.request('POST', `/jobs/${id}/cancel`)
      note(`${id} is given up: ${answered}`)
    }
  }

  const readJobs = () => db.sql<JobNow[]>`
    select j.id, j.status, a.outcome from jobs j
    left join attempts a on a.account_id = j.account_id and a.job_id = j.id and a.phase <> 'finished'
    where j.account_id = ${accountId} and j.id = any(${jobIds}) order by j.created_at, j.id`

  const printerIds: string[] = []
  const jobIds: string[] = []
  let skuId = ''
  try {
    const sku = await ask<{ id: string }>('POST', '/skus', { sku: `CLIP-${name}`, product_id: lane.productId })
    skuId = sku.id
    for (let index = 0; index < scenario.printerCount; index += 1) {
      const printer = await ask<{ id: string }>('POST', '/printers', {
        name: `Printer ${name}-${index}`,
        model: 'MK4S',
        hub_id: hubId,
        connection_type: 'virtual',
        auto_start: options.autoStart ?? false,
      })
      printerIds.push(printer.id)
    }
    await startHub()
    for (const job of scenario.jobs) {
      const made = await ask<{ id: string }>('POST', '/jobs', {
        print_file_id: lane.fileId,
        printer_id: printerIds[job.printer],
        product_sku_id: sku.id,
        number_of_units: job.units,
        quantity_per_print: job.unitsPerPlate,
      })
      jobIds.push(made.id)
    }
    proxy.onFrame = passageOf

    const deadline = performance.now() + patienceMs
    for (;;) {
      const jobs = await readJobs()
      const isDone = jobs.every(({ status }) => ['completed', 'failed', 'cancelled'].includes(status))
      if (isDone && mending.size === 0) break
      if (performance.now() > deadline) {
        note(`stuck: ${JSON.stringify(jobs)}`)
        break
      }
      // The storm is over when all faults have struck.
      const haveAllStruck = waiting.length === 0 && !isAnswerToBeLost && mending.size === 0
      if (!isStormOver && (haveAllStruck || performance.now() - beganAt > longestStormMs)) await endStorm()
      await act(jobs)
      await wait(lookMs)
    }
    await endStorm()
    const wrong = await judge({ sql: db.sql, accountId, jobIds, skuId, printerIds, hubDir, twinDir, clearings })
    const unfinished = (await readJobs()).filter(({ status }) => !['completed', 'failed', 'cancelled'].includes(status))
    if (unfinished.length > 0) wrong.push(`after ${patienceMs} ms not over: ${JSON.stringify(unfinished)}`)
    return { seed: scenario.seed, wrong, trace, struck, ms: performance.now() - beganAt }
  } finally {
    proxy.onFrame = () => 'pass'
    proxy.halfDownloads = 0
    await Promise.all([...mending])
    lane.clockOffsetMs = 0
    await twin?.kill()
    if (isHubRunning) await lane.hub.stop()
    await rm(hubDir, { recursive: true, force: true, maxRetries: 3 })
    await rm(twinDir, { recursive: true, force: true, maxRetries: 3 })
  }

  async function endStorm(): Promise<void> {
    if (isStormOver) return
    isStormOver = true
    proxy.halfDownloads = 0
    await Promise.all([...mending])
    await setDeviceFaults([])
    note('the storm is over')
  }
}

function phaseOf({ from, type, message }: Frame): PlannedFault['phase'] | undefined {
  if (from === 'service' && type === 'command') return message.kind === 'print' ? 'reserved' : undefined
  if (from !== 'hub' || type !== 'attempt') return undefined
  const report = message.report as { phase: PlannedFault['phase'] }
  return report.phase
}
