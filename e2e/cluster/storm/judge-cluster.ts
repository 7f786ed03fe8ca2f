import { guardedTypes } from '@printyard/server/modules/events/event-audience'
import { isFileOf, readDeviceLog, startsOf } from '../../fault-runs/device-log.ts'
import type { ClusterFarm } from './cluster-farm.ts'
import { feedDifferences } from './feed-differences.ts'
import type { FeedEvent } from './follow-feed.ts'

export interface ClusterFigures {
  jobs: number
  starts: number
  /** Starts of a job that was started before: each has one plate, and nothing here ends a print before its time. */
  doubled: number
  /** Jobs that were accepted, and that the feed does not tell of. */
  lost: number
  /** Jobs whose end the feed does not tell of. */
  stuck: number
  /** Events of the feed. */
  events: number
  /** What a job leaves in the largest tables: rows, and bytes without indexes. */
  rowsPerJob: Record<string, { rows: number; bytes: number }>
}

/**
 * Judges by what the printers wrote down and by the feed of events, which an integration read while all that befell the
 * cluster; rows of the database only tell whether the feed is whole.
 */
export async function judgeCluster(
  farm: ClusterFarm,
  jobIds: readonly string[],
  feed: readonly FeedEvent[],
): Promise<{ wrong: string[]; figures: ClusterFigures }> {
  const { db, accountId } = farm.cluster.database
  const wrong: string[] = []
  const figures: ClusterFigures = {
    jobs: jobIds.length,
    starts: 0,
    doubled: 0,
    lost: 0,
    stuck: 0,
    events: feed.length,
    rowsPerJob: {},
  }
  const toldOf = new Map<string, FeedEvent[]>()
  for (const event of feed) {
    // The feed of an attempt is found by its job's events that name it.
    for (const id of new Set([event.subject_id, event.data.attempt_id])) {
      if (id !== undefined) toldOf.set(id, [...(toldOf.get(id) ?? []), event])
    }
  }
  const count = (id: string, type: string) => (toldOf.get(id) ?? []).filter((event) => event.type === type).length
  const jobOfAttempt = new Map(
    feed.flatMap(({ subject_id, data }) => (data.attempt_id === undefined ? [] : [[data.attempt_id, subject_id]])),
  )
  const attemptIds = [...jobOfAttempt.keys()]

  const startsOfAttempt = new Map<string, number>()
  for (const { dir, printerIds } of farm.hubs) {
    for (const printerId of printerIds) {
      for (const start of startsOf(readDeviceLog(dir, printerId))) {
        figures.starts += 1
        const attemptId = attemptIds.find((id) => isFileOf(start.fileName, id))
        if (attemptId === undefined)
          wrong.push(`${printerId} started ${start.fileName}, of which the feed tells nothing`)
        else startsOfAttempt.set(attemptId, (startsOfAttempt.get(attemptId) ?? 0) + 1)
        if ((start.onPlate ?? []).length > 0)
          wrong.push(`${printerId} started ${start.fileName} on a plate that was not clear`)
      }
    }
  }
  const prints = new Map<string, number>()
  for (const [id, jobId] of jobOfAttempt) {
    const starts = startsOfAttempt.get(id) ?? 0
    prints.set(jobId, (prints.get(jobId) ?? 0) + starts)
    const [told, ends] = [count(id, 'job.started'), count(id, 'job.completed')]
    if (told > 1) wrong.push(`the feed tells ${told} times that ${id} was started`)
    // One that ended while its hub could not tell has its end alone.
    if (starts > 0 && told + ends === 0) wrong.push(`${id} was printed, and the feed does not tell so`)
    if (starts === 0 && told + ends > 0) wrong.push(`the feed tells that ${id} was printed, and it never began`)
  }
  for (const id of jobIds) {
    const [queued, ends] = [count(id, 'job.queued'), count(id, 'job.completed')]
    if (queued === 0) {
      figures.lost += 1
      wrong.push(`${id} was accepted, and the feed does not tell of it`)
    }
    if (ends === 0) {
      figures.stuck += 1
      wrong.push(`${id} came to no end: ${(toldOf.get(id) ?? []).map(({ type }) => type).join(', ')}`)
    }
    const times = prints.get(id) ?? 0
    if (times > 1) {
      figures.doubled += times - 1
      wrong.push(`${id}, which has one plate, was started ${times} times`)
    }
    if (ends > 1) wrong.push(`the feed tells ${ends} times that ${id} is done`)
    if (queued > 1) wrong.push(`the feed tells ${queued} times that ${id} was queued`)
  }

  const rows = await db.sql<{ id: string }[]>`
    select id from events where account_id = ${accountId} and type !~ ${guardedTypes} order by txid, id`
  wrong.push(...feedDifferences(feed, rows))

  for (const table of ['jobs', 'attempts', 'commands', 'events', 'printer_periods']) {
    const [found] = await db.sql<{ rows: number; bytes: number }[]>`
      select count(*)::int8 as rows, coalesce(sum(pg_column_size(t.*)), 0)::int8 as bytes
      from ${db.sql(table)} t where account_id = ${accountId}`
    const perJob = (sum = 0) => Math.round((10 * sum) / Math.max(1, jobIds.length)) / 10
    figures.rowsPerJob[table] = { rows: perJob(found?.rows), bytes: perJob(found?.bytes) }
  }
  return { wrong, figures }
}
