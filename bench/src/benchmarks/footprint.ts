import { setTimeout as wait } from 'node:timers/promises'
import { makeDataDirectory, startHub, startService, virtualPrinters } from '../farms/farm.ts'
import { listDescendants, readMemory } from '../harness/process-figures.ts'
import { type Benchmark, lessThan } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'

const warmStarts = 3
const idleSeconds = 5

export const footprint: Benchmark = {
  name: 'footprint',
  what: `Time until the service is ready, and its memory ${idleSeconds} s later`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const coldStartSeconds = await timeStart(dataDir)
    const starts: number[] = []
    for (let start = 0; start < warmStarts; start += 1) starts.push(await timeStart(dataDir))

    const service = await startService(scope, dataDir)
    await wait(idleSeconds * 1000)
    const postgres = listDescendants(service.process.pid)
    const serviceMemory = readMemory([service.process.pid]) ?? null
    const postgresMemory = readMemory(postgres) ?? null
    const together = readMemory([service.process.pid, ...postgres]) ?? null

    const hub = await startHub(scope, service.url, dataDir, await makeDataDirectory(scope))
    await wait(idleSeconds * 1000)
    return {
      name: 'footprint',
      memory: {
        service: serviceMemory,
        PostgreSQL: postgresMemory,
        together,
        [`hub, ${virtualPrinters} virtual printers`]: readMemory([hub.process.pid]) ?? null,
      },
      goals: [
        lessThan('MB of the service, proportional', serviceMemory?.pss_mb ?? null, 110),
        lessThan('warm start in s', median(starts), 0.6),
        lessThan('first start in s', coldStartSeconds, 8),
      ],
    }
  },
}

async function timeStart(dataDir: string): Promise<number> {
  await using scope = new AsyncDisposableStack()
  const startedAt = performance.now()
  await startService(scope, dataDir)
  return (performance.now() - startedAt) / 1000
}
