import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../../fault-runs/seeded-random.ts'
import { type ClusterFarm, listPrinters } from './cluster-farm.ts'
import { faults, orderOfFaults } from './faults.ts'
import { readFeed } from './follow-feed.ts'
import { type ClusterFigures, judgeCluster } from './judge-cluster.ts'
import { type Away, watchHubs } from './watch-hubs.ts'

interface ClusterRun {
  seed: number
  /** How long faults come, in seconds. */
  seconds: number
  /** How long jobs may take to come to an end after the last of them, in ms. */
  restMs: number
  /** Told of each fault, and of the longest time that a hub was away. */
  note?: (words: string) => void
}

interface PlayedRun {
  wrong: string[]
  figures: ClusterFigures & { faults: number; longestAwayMs: number }
}

/** Longer than this no hub may be away, in ms. */
export const mostAwayMs = 30_000

/** Jobs come, people clear plates, and faults befall the cluster; then all jobs have to come to their end. */
export async function playCluster(farm: ClusterFarm, run: ClusterRun): Promise<PlayedRun> {
  const random = createRandom(run.seed)
  const jobIds: string[] = []
  let isStorm = true
  let isOver = false
  let faultCount = 0
  const printers = farm.hubs.reduce((sum, { printerIds }) => sum + printerIds.length, 0)

  async function orderJobs(): Promise<void> {
    for (let number = 0; isStorm; number += 1) {
      const key = `job-${run.seed}-${number}`
      const order = { print_file_id: farm.fileId }
      let answer = await farm.ask<{ id: string }>('POST', '/jobs', order, key)
      // Who gets no answer asks again with the same key.
      while ((answer === undefined || answer.status >= 400) && !isOver) {
        await wait(100)
        answer = await farm.ask<{ id: string }>('POST', '/jobs', order, key)
      }
      if (answer?.data) jobIds.push(answer.data.id)
      // About a job for each printer in ten seconds.
      await wait(10_000 / printers)
    }
  }

  /** Takes off what lies there, then says so. */
  async function clearPlate(printerId: string): Promise<void> {
    const hub = farm.hubs.find(({ printerIds }) => printerIds.includes(printerId))
    const seen = await hub?.thread.use(printerId, { deed: 'take_off' })
    if (seen?.isDone) await farm.ask('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
  }

  async function clearPlates(): Promise<void> {
    while (!isOver) {
      const waiting = (await listPrinters(farm)).filter(
        ({ plate_state, status }) => plate_state !== 'clear' && status === 'idle',
      )
      await Promise.all(waiting.map(({ id }) => clearPlate(id)))
      await wait(300)
    }
  }

  async function befall(): Promise<void> {
    const untilMs = performance.now() + run.seconds * 1_000
    for (const name of orderOfFaults(random)) {
      if (performance.now() >= untilMs) return
      run.note?.(name)
      await faults[name]?.(farm, random)
      faultCount += 1
      await wait(random.integer(200, 1_500))
    }
  }

  const feed = readFeed(farm)
  const hubs = watchHubs(farm)
  const people = [clearPlates(), hubs.watch(() => isOver), feed.follow(() => isOver)]
  const ordering = orderJobs()
  try {
    await befall()
    isStorm = false
    await ordering
    await restOf(farm, run.restMs)
  } finally {
    isStorm = false
    isOver = true
    await Promise.all([ordering, ...people])
  }
  const { wrong, figures } = await judgeCluster(farm, jobIds, feed.events)
  const away = hubs.longest()
  if (away) run.note?.(`the longest away: ${describeAway(away)}`)
  const longestAwayMs = away?.ms ?? 0
  if (away && away.ms >= mostAwayMs) wrong.push(describeAway(away))
  return { wrong, figures: { ...figures, faults: faultCount, longestAwayMs } }
}

function describeAway({ hubId, from, ms, log }: Away): string {
  return [`hub ${hubId} was away for ${ms} ms from ${from}`, ...log.map((line) => line.trim())].join('\n')
}

/** Waits until no job is on its way any more, or the time is over: what is left then is stuck. */
async function restOf(farm: ClusterFarm, restMs: number): Promise<void> {
  const { db, accountId } = farm.cluster.database
  const untilMs = performance.now() + restMs
  while (performance.now() < untilMs) {
    const open = await db.sql`
      select 1 from jobs where account_id = ${accountId} and status not in ('completed', 'failed', 'cancelled') limit 1`
    if (open.length === 0) return
    await wait(200)
  }
}
