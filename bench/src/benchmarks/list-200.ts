import { makeDataDirectory, seedFarm, startService } from '../farms/farm.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { compareUnderLoad, connections, ratioTo } from '../harness/load.ts'
import { atLeast, type Benchmark, lessThan } from '../harness/result.ts'
import { startBareServer } from '../harness/start-bare-server.ts'

export const list200: Benchmark = {
  name: 'list-200',
  what: `GET /public/v1/printers?limit=100 of 200 idle printers over ${connections} connections, beside a server that only stringifies these rows`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const { key } = await seedFarm(dataDir)
    const headers = { authorization: `Bearer ${key}` }
    const paths = ['/public/v1/printers?limit=100', '/public/v1/printers?limit=100&offset=100']
    const bare = await startBareServer(scope, 'rows', [await fetchOk(service.url + paths[0], headers)])
    const servers = await compareUnderLoad([
      { name: 'service', process: service.process, task: { url: service.url, paths, headers } },
      { name: 'bare, same rows', process: bare.process, task: { url: bare.url, paths, headers } },
    ])
    const [ours, rows] = servers
    const ratio = ours && rows ? ratioTo(ours, rows) : null
    return {
      name: 'list-200',
      servers,
      goals: [atLeast('ratio', ratio, 0.4), lessThan('p99 in ms', ours?.p99_ms ?? null, 20)],
    }
  },
}
