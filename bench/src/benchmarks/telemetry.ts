import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeDataDirectory, startService } from '../farms/farm.ts'
import { addHubsWithPrinters } from '../farms/printing-farm.ts'
import { startChild } from '../harness/child.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { readCpuSeconds, readMemory } from '../harness/process-figures.ts'
import { atMost, type Benchmark, lessThan } from '../harness/result.ts'
import { percentile } from '../harness/statistics.ts'

const hubs = 1_000
const printersEach = 10
const usualMinutes = 10
/** Between one call and the next. */
const callEveryMs = 50

export const telemetry: Benchmark = {
  name: 'telemetry',
  what: `${hubs} hubs with ${printersEach} printers each that report every second, while the API is asked`,
  async run(scope, { minutes = usualMinutes }) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const farm = await addHubsWithPrinters(service.url, dataDir, { hubs, printersEach })
    const file = join(await makeDataDirectory(scope), 'hubs.json')
    await writeFile(file, JSON.stringify(farm))
    const reporting = startChild(fileURLToPath(new URL('../farms/reporting-hubs.ts', import.meta.url)), [
      service.url,
      file,
    ])
    scope.defer(() => reporting.stop())
    await reporting.lineMatching(/^(\d+) hubs report$/, 300_000)

    const { pid } = service.process
    const cpuBefore = readCpuSeconds(pid)
    const startedAt = performance.now()
    const { times, ages } = await askFor(minutes, service.url, farm)
    const seconds = (performance.now() - startedAt) / 1000
    const cpuAfter = readCpuSeconds(pid)
    const cpu = cpuBefore === undefined || cpuAfter === undefined ? null : (cpuAfter - cpuBefore) / seconds
    return {
      name: 'telemetry',
      memory: { service: readMemory([pid]) ?? null },
      compared: {
        service: {
          'reports/s': String(hubs * printersEach),
          'calls made': String(times.length),
          cores: cpu?.toFixed(2) ?? '-',
        },
      },
      goals: [
        lessThan('ms of a call, p99', percentile(times, 99), 100),
        lessThan('ms of the slowest call', Math.max(...times), 500),
        atMost('oldest report shown, in s', Math.max(...ages), 3),
      ],
    }
  },
}

/** Asks for lists, and for the status of one printer after another, whose last report must be new. */
async function askFor(
  minutes: number,
  url: string,
  { headers, hubs }: Awaited<ReturnType<typeof addHubsWithPrinters>>,
) {
  const times: number[] = []
  const ages: number[] = []
  const printerIds = hubs.flatMap((hub) => hub.printerIds)
  const endsAt = performance.now() + minutes * 60_000
  for (let call = 0; performance.now() < endsAt; call += 1) {
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
