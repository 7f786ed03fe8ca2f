import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeDataDirectory } from '../farms/farm.ts'
import { startChild } from '../harness/child.ts'
import { fetchOk } from '../harness/fetch-ok.ts'
import { readMemory } from '../harness/process-figures.ts'
import { atLeast, type Benchmark, lessThan } from '../harness/result.ts'
import { percentile } from '../harness/statistics.ts'

const endpoints = 50
const eventsPerSecond = 1_000
const warmUpSeconds = 5
const measuredSeconds = 30
const lateMs = 5_000

/** Of the events of two endpoints nothing is measured: one is dead, one late. */
const healthyShare = (endpoints - 2) / endpoints

const part = (name: string) => fileURLToPath(new URL(`webhook-parts/${name}.ts`, import.meta.url))

export const webhooks: Benchmark = {
  name: 'webhooks',
  what: `${eventsPerSecond} events a second to ${endpoints} endpoints, one of them dead and one that answers after ${lateMs / 1000} s`,
  async run(scope) {
    const dataDir = await makeDataDirectory(scope)
    const receivers = startChild(part('receivers'), [String(endpoints), String(lateMs)])
    scope.defer(() => receivers.stop())
    const { ports, control } = JSON.parse(await receivers.lineMatching(/^receivers (.*)$/, 15_000))
    const takeDelays = async (): Promise<number[]> => JSON.parse(await fetchOk(`http://127.0.0.1:${control}/`, {}))
    const seconds = warmUpSeconds + measuredSeconds
    const service = startChild(part('service'), [JSON.stringify(ports), String(eventsPerSecond), String(seconds)], {
      PRINTYARD_DATA_DIR: dataDir,
      PRINTYARD_PORT: '0',
      PRINTYARD_LOG_LEVEL: 'warn',
      PRINTYARD_OUTBOUND_NETWORKS: '127.0.0.1',
      DATABASE_URL: '',
    })
    scope.defer(() => service.stop())
    await service.lineMatching(/^(service ready)$/, 60_000)
    await wait(warmUpSeconds * 1000)
    const warmUp = await takeDelays()
    const { events, tookSeconds } = JSON.parse(await service.lineMatching(/^recorded (.*)$/, 180_000))
    await wait(2_000)
    const delays = (await takeDelays()).toSorted((one, other) => one - other)
    const memory = readMemory([service.pid]) ?? null
    return {
      name: 'webhooks',
      goals: [
        lessThan('delay of 99 of 100 to healthy endpoints, in ms', percentile(delays, 99), 1_000),
        atLeast('events recorded per second', events / tookSeconds, eventsPerSecond * 0.99),
        atLeast('of their events arrived', (warmUp.length + delays.length) / (events * healthyShare), 1),
      ],
      times_ms: { median: percentile(delays, 50), slowest: delays.at(-1) ?? 0 },
      memory: { service: memory },
    }
  },
}
