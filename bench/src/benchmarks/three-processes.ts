import { availableParallelism } from 'node:os'
import { openDatabase } from '@printyard/server/db/database'
import { isRedisInstalled, startTestRedis } from '@printyard/server/test/services/test-redis'
import { fillFarm, makeDataDirectory, type SeededFarm, startService } from '../farms/farm.ts'
import { startMeasuredPostgres } from '../farms/measured-postgres.ts'
import type { Child } from '../harness/child.ts'
import {
  type Contestant,
  compareUnderLoad,
  connections,
  cpuRatioTo,
  generateLoad,
  type LoadResult,
  type RoundResult,
  ratioTo,
} from '../harness/load.ts'
import { readCpuSeconds, readCpuSecondsOfAll } from '../harness/process-figures.ts'
import { atLeast, atMost, type Benchmark } from '../harness/result.ts'
import { median } from '../harness/statistics.ts'

const processes = 3
/**
 * With fewer, three processes and their load take cores and caches from one another, which makes each request dearer whatever the service does:
 * then they are asked one after another, and what a request costs is compared.
 */
const coresForRate = 2 * processes
const isAtOnce = availableParallelism() >= coresForRate
const turns = 7

/** What is asked for, as in the benchmarks of these names. */
const reads = {
  'status-one': ({ printerIds }: SeededFarm) => printerIds.map((id) => `/public/v1/printers/${id}/status`),
  'list-200': () => ['/public/v1/printers?limit=100', '/public/v1/printers?limit=100&offset=100'],
}

interface Service {
  process: Child
  url: string
}

/** Processor time of what the processes share, for each request of each round that counts, in µs. */
type SharedCost = { postgres: number[]; redis: number[] }

export const threeProcesses: Benchmark = {
  name: 'three-processes',
  what: `The reads of status-one and list-200 at three processes on one PostgreSQL and Redis, beside one process that has both for itself, over ${connections} connections to each`,
  async run(scope) {
    if (!isRedisInstalled()) throw new Error('There is no redis-server here (apt-get install redis-server)')
    const clusters = [await startCluster(scope, 1), await startCluster(scope, processes)]
    const costs = new Map<string, SharedCost>()
    const contestants = Object.entries(reads).flatMap(([read, pathsOf]) =>
      clusters.map((cluster): Contestant => {
        const name = nameOf(read, cluster.services.length)
        const cost: SharedCost = { postgres: [], redis: [] }
        costs.set(name, cost)
        const headers = { authorization: `Bearer ${cluster.farm.key}` }
        const load = spreadOver(cluster.services, pathsOf(cluster.farm), headers)
        return {
          name,
          task: (seconds, atOnce) => withSharedCost(cost, cluster, () => load(seconds, atOnce)),
        }
      }),
    )
    const servers = await compareUnderLoad(contestants, { turns })
    return {
      name: 'three-processes',
      servers,
      compared: Object.fromEntries([...costs].map(([name, cost]) => [name, describeCost(cost)])),
      goals: Object.keys(reads).map((read) => {
        const [one, three] = [1, processes].map((count) => servers.find(({ server }) => server === nameOf(read, count)))
        return isAtOnce
          ? atLeast(`times the rate of one process, ${read}`, one && three ? ratioTo(three, one) : null, 2.5)
          : atMost(
              `processor time each, of that of one process, ${read}`,
              one && three ? cpuRatioTo(three, one) : null,
              1.1,
            )
      }),
    }
  },
}

const nameOf = (read: string, count: number) =>
  count === 1 ? `${read}, 1 process` : `${read}, ${count} processes ${isAtOnce ? 'at once' : 'in turn'}`

interface Cluster {
  services: Service[]
  farm: SeededFarm
  postgresPid: number
  redisPid: number
}

/** So many processes of the service on a PostgreSQL and a Redis of their own, with a farm. */
async function startCluster(scope: AsyncDisposableStack, count: number): Promise<Cluster> {
  const postgres = await startMeasuredPostgres(scope)
  const redis = await startTestRedis()
  scope.defer(() => redis.close())
  const settings = { REDIS_URL: redis.url, PRINTYARD_SECRET_KEY: 'ab'.repeat(32) }
  const services: Service[] = []
  for (let number = 0; number < count; number += 1) {
    const dataDir = await makeDataDirectory(scope)
    services.push(await startService(scope, dataDir, { databaseUrl: postgres.url, settings }))
  }
  const database = openDatabase({ target: postgres.target, statementTimeoutMs: 60_000 })
  scope.defer(() => database.close())
  return { services, farm: await fillFarm(database.sql), postgresPid: postgres.pid, redisPid: redis.pid }
}

/** The same load on each of these processes. */
function spreadOver(services: Service[], paths: string[], headers: Record<string, string>) {
  return async (seconds: number, atOnce: number): Promise<RoundResult> => {
    const loads = services.map(
      (service) => () =>
        withOwnCost(service, () => generateLoad({ url: service.url, paths, headers, connections: atOnce, seconds })),
    )
    const results = isAtOnce ? await Promise.all(loads.map((load) => load())) : await oneAfterAnother(loads)
    const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
    const lasted = results.map((result) => result.seconds)
    const cpu = results.flatMap(({ cpuSeconds = [] }) => cpuSeconds)
    return {
      requests: sum(results.map((result) => result.requests)),
      seconds: isAtOnce ? median(lasted) : sum(lasted),
      p50_ms: median(results.map((result) => result.p50_ms)),
      p99_ms: Math.max(...results.map((result) => result.p99_ms)),
      failures: sum(results.map((result) => result.failures)),
      cpuSeconds: cpu.length === results.length ? sum(cpu) : undefined,
    }
  }
}

/** With the processor time of this process alone while it is asked: what the others do meanwhile is no part of a request. */
async function withOwnCost(
  { process: { pid } }: Service,
  load: () => Promise<LoadResult>,
): Promise<LoadResult & { cpuSeconds: number | undefined }> {
  const before = readCpuSeconds(pid)
  const result = await load()
  const after = readCpuSeconds(pid)
  return { ...result, cpuSeconds: before === undefined || after === undefined ? undefined : after - before }
}

async function oneAfterAnother<T>(loads: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  for (const load of loads) results.push(await load())
  return results
}

async function withSharedCost(
  cost: SharedCost,
  { postgresPid, redisPid }: Cluster,
  load: () => Promise<RoundResult>,
): Promise<RoundResult> {
  const look = () => ({
    postgres: readCpuSecondsOfAll(postgresPid) ?? Number.NaN,
    redis: readCpuSecondsOfAll(redisPid) ?? Number.NaN,
  })
  const before = look()
  const result = await load()
  const after = look()
  for (const store of ['postgres', 'redis'] as const)
    cost[store].push(((after[store] - before[store]) / result.requests) * 1e6)
  return result
}

/** The first round only warms up. */
function describeCost({ postgres, redis }: SharedCost): Record<string, string> {
  const each = (rounds: number[]) => {
    const cost = median(rounds.slice(1))
    return Number.isNaN(cost) ? 'not known here' : cost.toFixed(1)
  }
  return { 'µs of PostgreSQL for each': each(postgres), 'µs of Redis for each': each(redis) }
}
