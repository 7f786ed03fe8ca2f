import { setTimeout as wait } from 'node:timers/promises'
import { makeDataDirectory, startService } from '../farms/farm.ts'
import { startPrintingFarm } from '../farms/printing-farm.ts'
import { compareUnderLoad } from '../harness/load.ts'
import { listDescendants, readMemory } from '../harness/process-figures.ts'
import { atMost, type Benchmark } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'

const printers = 200
const usualMinutes = 10
const looksPerMinute = 12
/** How long after the load the memory is looked at. */
const restSeconds = 60

export const farmMemory: Benchmark = {
  name: 'farm-memory',
  what: `Memory of service and PostgreSQL while ${printers} printers print, and a minute after a load on top of it`,
  async run(scope, { minutes = usualMinutes }) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const { headers } = await startPrintingFarm(scope, service.url, dataDir, printers)
    const all = () => [service.process.pid, ...listDescendants(service.process.pid)]
    const ofService = () => readMemory([service.process.pid]) ?? null
    const look = () => readMemory(all())?.pss_mb
    const looks: number[] = []
    for (let count = 0; count < Math.max(3, Math.round(minutes * looksPerMinute)); count += 1) {
      await wait(60_000 / looksPerMinute)
      looks.push(look() ?? Number.NaN)
    }
    const third = Math.ceil(looks.length / 3)
    const last = median(looks.slice(-third))
    const memory = {
      'printing, service': ofService(),
      'printing, all': readMemory(all()) ?? null,
    }

    const paths = ['/public/v1/printers?limit=100', '/public/v1/jobs?limit=100', '/public/v1/printers/live?limit=100']
    const task = { url: service.url, paths, headers }
    const servers = await compareUnderLoad([{ name: 'service', process: service.process, task }])
    const loaded = { 'after a load, service': ofService(), 'after a load, all': readMemory(all()) ?? null }
    await wait(restSeconds * 1000)
    const after = readMemory(all()) ?? null
    const known = (value: number) => (Number.isNaN(value) ? null : value)
    return {
      name: 'farm-memory',
      servers,
      memory: { ...memory, ...loaded, 'a minute later, service': ofService(), 'a minute later, all': after },
      goals: [
        atMost('most MB while printing, proportional', known(Math.max(...looks)), 180),
        atMost('last third, of the first', known(last / median(looks.slice(0, third))), 1.1),
        atMost('a minute after a load, of before', after === null ? null : known(after.pss_mb / last), 1.2),
      ],
    }
  },
}
