import { isRedisInstalled } from '@printyard/server/test/services/test-redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClusterFarm, isStoreInstalled, openClusterFarm } from './storm/cluster-farm.ts'
import { mostAwayMs, playCluster } from './storm/play-cluster.ts'

/** `npm run cluster` sets these; what is played with every test is short. */
const seconds = Number(process.env.CLUSTER_SECONDS ?? 20)
const seed = Number(process.env.CLUSTER_SEED ?? 1)
const isLong = process.env.CLUSTER_SECONDS !== undefined
const size = {
  hubs: Number(process.env.CLUSTER_HUBS ?? 2),
  printersPerHub: Number(process.env.CLUSTER_PRINTERS ?? 3),
}
/** A start whose process was killed before it was sent is given up when its deadline of a minute is over, and then started again. */
const restMs = isLong ? 600_000 : 120_000

describe.skipIf(!isRedisInstalled() || !isStoreInstalled())('three processes in a storm', () => {
  let farm: ClusterFarm
  beforeAll(async () => {
    farm = await openClusterFarm(size)
  }, 600_000)
  afterAll(() => farm?.close(), 120_000)

  test(
    'print every job once, lose none, leave none behind, and have their hubs back',
    async () => {
      const note = (words: string) => {
        if (isLong) process.stdout.write(`${new Date().toISOString()} ${words}\n`)
      }
      const { wrong, figures } = await playCluster(farm, { seed, seconds, restMs, note })
      process.stdout.write(`seed ${seed}: ${JSON.stringify(figures)}\n`)
      expect(wrong).toEqual([])
      expect(figures).toMatchObject({ doubled: 0, lost: 0, stuck: 0 })
      expect(figures.starts).toBeGreaterThanOrEqual(figures.jobs)
      expect(figures.longestAwayMs).toBeLessThan(mostAwayMs)
    },
    seconds * 1_000 + restMs + 120_000,
  )
})
