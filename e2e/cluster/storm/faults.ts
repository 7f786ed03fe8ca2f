import { setTimeout as wait } from 'node:timers/promises'
import type { createRandom } from '../../fault-runs/seeded-random.ts'
import type { ClusterFarm } from './cluster-farm.ts'

type Random = ReturnType<typeof createRandom>

/** What befalls a cluster; each ends with everything up again. */
type Fault = (farm: ClusterFarm, random: Random) => Promise<void>

const seconds = (random: Random, from: number, to: number) => wait(random.integer(from * 1_000, to * 1_000))

const anyProcess = (farm: ClusterFarm, random: Random) => random.integer(0, farm.cluster.services.length - 1)

/** Once, or again while what it broke is being put right. */
async function severalTimes(random: Random, befall: () => Promise<void> | undefined): Promise<void> {
  for (let times = random.integer(1, 4); times > 0; times -= 1) {
    await befall()
    await wait(random.integer(0, 400))
  }
}

/** By name, for the record of a run. */
export const faults: Record<string, Fault> = {
  async process_killed(farm, random) {
    const number = anyProcess(farm, random)
    await farm.cluster.services[number]?.kill()
    await seconds(random, 0, 3)
    await farm.cluster.start(number)
  },
  async process_restarted(farm, random) {
    const number = anyProcess(farm, random)
    await farm.cluster.services[number]?.stop()
    await farm.cluster.start(number)
  },
  async process_hangs(farm, random) {
    const pid = farm.cluster.services[anyProcess(farm, random)]?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    await seconds(random, 2, 6)
    process.kill(pid, 'SIGCONT')
  },
  async redis_killed(farm, random) {
    await farm.cluster.redis?.kill()
    await seconds(random, 1, 4)
    await farm.cluster.redis?.start()
  },
  async redis_hangs(farm, random) {
    farm.cluster.redis?.signal('SIGSTOP')
    await seconds(random, 1, 4)
    farm.cluster.redis?.signal('SIGCONT')
  },
  async redis_connections_cut(farm, random) {
    // One kind alone as well: a process that still sends may not hear any more, or the other way round.
    const kinds = random.pick([['normal'], ['pubsub'], ['normal', 'pubsub']] as const)
    await severalTimes(random, () => farm.cluster.redis?.cutConnections(kinds))
  },
  async postgres_killed(farm, random) {
    await farm.postgres.kill()
    await seconds(random, 0, 3)
    await farm.postgres.start()
  },
  async postgres_restarted(farm) {
    await farm.postgres.stop()
    await farm.postgres.start()
  },
  async postgres_connections_cut(farm, random) {
    await severalTimes(random, () => farm.postgres.cutConnections())
  },
  async connections_cut(farm) {
    farm.balancer.cut()
  },
  async store_away(farm, random) {
    farm.setStore(false)
    await seconds(random, 1, 3)
    farm.setStore(true)
  },
}

/** The names of faults without end, each once before any comes again. */
export function* orderOfFaults(random: Random): Generator<string, never> {
  for (;;) {
    const left = Object.keys(faults)
    while (left.length > 0) yield left.splice(random.integer(0, left.length - 1), 1)[0] ?? ''
  }
}
