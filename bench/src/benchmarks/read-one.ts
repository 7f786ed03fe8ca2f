import { makeDataDirectory, seedFarm, startService } from '../farms/farm.ts'
import { compareUnderLoad, connections, ratioTo } from '../harness/load.ts'
import { atLeast, type Benchmark } from '../harness/result.ts'
import { startBareServer } from '../harness/start-bare-server.ts'

/** Distinct jobs asked for, so that no cache of one row can help. */
const jobsRead = 300

export const readOne: Benchmark = {
  name: 'read-one',
  what: `GET /public/v1/jobs/{id} over ${connections} connections, beside the same select by hand`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const service = await startService(scope, dataDir)
    const farm = await seedFarm(dataDir)
    const one = await startBareServer(scope, 'job', [dataDir, farm.accountId, '1'])
    const two = await startBareServer(scope, 'job', [dataDir, farm.accountId, '2'])
    const step = Math.floor(farm.jobIds.length / jobsRead)
    const paths = farm.jobIds.filter((_, index) => index % step === 0).map((id) => `/public/v1/jobs/${id}`)
    const task = (url: string) => ({ url, paths, headers: { authorization: `Bearer ${farm.key}` } })
    await expectSameAnswer(service.url, one.url, paths[0] ?? '', farm.key)

    const servers = await compareUnderLoad([
      { name: 'service', process: service.process, task: task(service.url) },
      { name: 'bare, 1 connection', process: one.process, task: task(one.url) },
      { name: 'bare, 2 connections', process: two.process, task: task(two.url) },
    ])
    const [ours, ...bare] = servers
    const ratio = ours ? Math.min(...bare.map((server) => ratioTo(ours, server))) : null
    return { name: 'read-one', servers, goals: [atLeast('ratio', ratio, 0.75)] }
  },
}

/** @throws when the bare server does not do the same work. */
async function expectSameAnswer(serviceUrl: string, bareUrl: string, path: string, key: string): Promise<void> {
  const [ours, bare] = await Promise.all(
    [serviceUrl, bareUrl].map(async (url) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
      return JSON.stringify(sortKeys(await response.json()))
    }),
  )
  if (ours !== bare) throw new Error(`The bare server answers something else:\n${ours}\n${bare}`)
}

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, sortKeys(each)]))
}
