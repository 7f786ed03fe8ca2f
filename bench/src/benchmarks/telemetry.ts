import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeDataDirectory, startService } from '../farms/farm.ts'
import { addHubsWithPrinters, type FarmOfHubs } from '../farms/printing-farm.ts'
import { type Child, startChild } from '../harness/child.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { readCpuSeconds, readMemory, readResidentMb } from '../harness/process-figures.ts'
import { atLeast, atMost, type Benchmark, lessThan } from '../harness/result.ts'
import { eventLoopLag, readMetrics, reportsTaken } from '../harness/service-metrics.ts'
import { median, percentile } from '../harness/statistics.ts'

const hubs = 1_000
const printersEach = 10
const usualMinutes = 10
/** Of those that are sent in a second. */
const leastReports = hubs * printersEach * 0.99
/** Between one call and the next. */
const callEveryMs = 50
/** Between one look at the memory of the service and the next. */
const memoryEveryMs = 1_000
/** Between one look whether all printers are shown and the next. */
const lookEveryMs = 1_000
/** A storm that is not over by then never will be. */
const longestStormMs = 300_000

export const telemetry: Benchmark = {
  name: 'telemetry',
  what: `${hubs} hubs with ${printersEach} printers each that connect at once and report every second, while the API is asked`,
  async run(scope, { minutes = usualMinutes }) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const { pid } = service.process
    const farm = await addHubsWithPrinters(service.url, dataDir, { hubs, printersEach })
    const file = join(await makeDataDirectory(scope), 'hubs.json')
    await writeFile(file, JSON.stringify(farm))
    const reporting = startChild(fileURLToPath(new URL('../farms/reporting-hubs.ts', import.meta.url)), [
      service.url,
      file,
    ])
    scope.defer(() => reporting.stop())
    await reporting.lineMatching(/^(\d+) hubs connect$/, 60_000)

    const connecting = await measure(pid, service.url, farm, connectsAll(service.url, farm, reporting))
    const steady = await measure(pid, service.url, farm, wait(minutes * 60_000))
    return {
      name: 'telemetry',
      memory: { service: readMemory([pid]) ?? null },
      compared: { connecting: figuresOf(connecting), steady: figuresOf(steady) },
      goals: [
        atLeast('reports that arrived in a second', steady.reportsPerSecond, leastReports),
        lessThan('ms of a call while hubs connect, p99', percentile(connecting.times, 99), 500),
        lessThan('ms of the slowest call while hubs connect', Math.max(...connecting.times), 1_000),
        lessThan('s until every printer is shown', connecting.seconds, 30),
        lessThan('ms of a call, p99', percentile(steady.times, 99), 100),
        lessThan('ms of the slowest call', Math.max(...steady.times), 500),
        atMost('oldest report shown, in s', Math.max(...steady.ages), 3),
      ],
    }
  },
}

interface Phase {
  seconds: number
  /** ms of each call. */
  times: number[]
  /** How old the last reports of printers were when they were shown, in s; since 1970 for one that never reported. */
  ages: number[]
  /** Processor time of the service in a second. */
  cores: number | undefined
  reportsPerSecond: number
  lag: { p99Ms: number; maxMs: number }
  /** Resident, from look to look. */
  memoryMb: number[]
}

function figuresOf({ seconds, times, cores, reportsPerSecond, lag, memoryMb }: Phase): Record<string, string> {
  const third = Math.ceil(memoryMb.length / 3)
  const memoryOf = (looks: number[]) => (looks.length === 0 ? '-' : median(looks).toFixed(0))
  return {
    seconds: seconds.toFixed(1),
    'reports that arrived in a second': reportsPerSecond.toFixed(0),
    'ms of lag of the event loop, p99': lag.p99Ms.toFixed(1),
    'ms of lag of the event loop, max': lag.maxMs.toFixed(0),
    'MB resident, first third': memoryOf(memoryMb.slice(0, third)),
    'MB resident, last third': memoryOf(memoryMb.slice(-third)),
    'MB resident, most': memoryOf(memoryMb.length === 0 ? [] : [Math.max(...memoryMb)]),
    'calls made': String(times.length),
    'ms of a call, p50': percentile(times, 50).toFixed(1),
    'ms of a call, p99': percentile(times, 99).toFixed(1),
    'ms of the slowest call': Math.max(...times).toFixed(0),
    cores: cores?.toFixed(2) ?? '-',
  }
}

/** Asks the API for as long as a phase lasts. */
async function measure(pid: number, url: string, farm: FarmOfHubs, phase: Promise<unknown>): Promise<Phase> {
  // Looking at the lag begins its measurement.
  const before = await readMetrics(url)
  const cpuBefore = readCpuSeconds(pid)
  const memoryMb: number[] = []
  const looks = setInterval(
    () => memoryMb.push(...[readResidentMb(pid)].filter((mb) => mb !== undefined)),
    memoryEveryMs,
  )
  const startedAt = performance.now()
  let isOver = false
  let seconds = 0
  const ended = phase.finally(() => {
    isOver = true
    clearInterval(looks)
    seconds = (performance.now() - startedAt) / 1000
  })
  const [asked] = await Promise.all([askFor(() => isOver, url, farm), ended])
  const cpuAfter = readCpuSeconds(pid)
  const cores = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / seconds
  const after = await readMetrics(url)
  const reportsPerSecond = (reportsTaken(after) - reportsTaken(before)) / seconds
  return { seconds, ...asked, cores, reportsPerSecond, lag: eventLoopLag(after), memoryMb }
}

/** Resolves once all hubs are welcomed and the API shows that every printer prints. */
async function connectsAll(url: string, { headers }: FarmOfHubs, reporting: Child): Promise<void> {
  await reporting.lineMatching(/^(\d+) hubs report$/, longestStormMs)
  const endsAt = performance.now() + longestStormMs
  const last = hubs * printersEach - 1
  while (performance.now() < endsAt) {
    const path = `/public/v1/printers?status=printing&limit=1&offset=${last}`
    if (JSON.parse(await fetchOk(`${url}${path}`, headers)).meta.count === 1) return
    await wait(lookEveryMs)
  }
  throw new Error('Not every printer was shown as printing')
}

/** Asks for lists, and for the status of one printer after another. */
async function askFor(isOver: () => boolean, url: string, { headers, hubs }: FarmOfHubs) {
  const times: number[] = []
  const ages: number[] = []
  const printerIds = hubs.flatMap((hub) => hub.printerIds)
  for (let call = 0; !isOver() || times.length === 0; call += 1) {
    const printerId = printerIds[(call * 997) % printerIds.length]
    const path = ['/printers?limit=100', `/printers/${printerId}/status`, '/jobs?limit=100'][call % 3]
    const askedAt = performance.now()
    const { data } = JSON.parse(await fetchOk(`${url}/public/v1${path}`, headers))
    times.push(performance.now() - askedAt)
    if (call % 3 === 1) ages.push((Date.now() - Date.parse(data.last_telemetry_at ?? 0)) / 1000)
    await wait(callEveryMs)
  }
  return { times, ages }
}
