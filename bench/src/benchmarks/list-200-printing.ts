import { setTimeout as wait } from 'node:timers/promises'
import { makeDataDirectory, seedFarm, startService } from '../farms/farm.ts'
import { startPrintingFarm } from '../farms/printing-farm.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { compareUnderLoad, connections, ratioTo } from '../harness/load.ts'
import { atLeast, type Benchmark, lessThan } from '../harness/result.ts'
import { startBareServer } from '../harness/start-bare-server.ts'

const printers = 200

export const list200Printing: Benchmark = {
  name: 'list-200-printing',
  what: `The same list while all ${printers} printers print and report each second, beside one whose printers are idle and over ${connections} connections`,
  async run(scope) {
    const idleDir = await makeDataDirectory(scope)
    const idle = await startService(scope, idleDir)
    const { key } = await seedFarm(idleDir)
    const printingDir = await makeDataDirectory(scope)
    const printing = await startService(scope, printingDir)
    const farm = await startPrintingFarm(scope, printing.url, printingDir, printers)
    const headers = { authorization: `Bearer ${farm.key}` }
    const paths = ['/public/v1/printers?limit=100', '/public/v1/printers?limit=100&offset=100']
    await untilAllPrint(printing.url + paths[0], headers)
    const bare = await startBareServer(scope, 'rows', [await fetchOk(printing.url + paths[0], headers)])

    const servers = await compareUnderLoad([
      { name: 'service, printing', process: printing.process, task: { url: printing.url, paths, headers } },
      {
        name: 'service, idle',
        process: idle.process,
        task: { url: idle.url, paths, headers: { authorization: `Bearer ${key}` } },
      },
      { name: 'bare, same rows', process: bare.process, task: { url: bare.url, paths, headers } },
    ])
    const [ours, atRest, rows] = servers
    return {
      name: 'list-200-printing',
      servers,
      goals: [
        atLeast('ratio', ours && rows ? ratioTo(ours, rows) : null, 0.4),
        atLeast('of the same list at rest', ours && atRest ? ratioTo(ours, atRest) : null, 0.8),
        lessThan('p99 in ms', ours?.p99_ms ?? null, 20),
      ],
    }
  },
}

async function untilAllPrint(url: string, headers: Record<string, string>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { data } = JSON.parse(await fetchOk(url, headers)) as { data: { status: string }[] }
    if (data.every(({ status }) => status === 'printing')) return
    await wait(200)
  }
  throw new Error('Not all printers began to print')
}
