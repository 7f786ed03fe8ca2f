import { makeDataDirectory, seedFarm, startService } from '../farms/farm.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { compareUnderLoad, connections, ratioTo } from '../harness/load.ts'
import { atLeast, type Benchmark } from '../harness/result.ts'
import { startBareServer } from '../harness/start-bare-server.ts'

export const statusOne: Benchmark = {
  name: 'status-one',
  what: `GET /public/v1/printers/{id}/status over ${connections} connections, beside a server that answers a constant`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const farm = await seedFarm(dataDir)
    const headers = { authorization: `Bearer ${farm.key}` }
    const paths = farm.printerIds.map((id) => `/public/v1/printers/${id}/status`)
    const bare = await startBareServer(scope, 'constant', [await fetchOk(service.url + paths[0], headers)])
    const servers = await compareUnderLoad([
      { name: 'service', process: service.process, task: { url: service.url, paths, headers } },
      { name: 'bare, constant', process: bare.process, task: { url: bare.url, paths, headers } },
    ])
    const [ours, constant] = servers
    const ratio = ours && constant ? ratioTo(ours, constant) : null
    return { name: 'status-one', servers, goals: [atLeast('ratio', ratio, 0.5)] }
  },
}
