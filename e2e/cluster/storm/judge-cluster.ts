import { isFileOf, readDeviceLog, startsOf } from '../../fault-runs/device-log.ts'
import type { ClusterFarm } from './cluster-farm.ts'

export interface ClusterFigures {
  jobs: number
  starts: number
  /** Starts of an attempt that was started before, or of a job that was printed already. */
  doubled: number
  /** Jobs that were accepted and are not there. */
  lost: number
  /** Jobs that came to no end. */
  stuck: number
  /** What a job leaves in the largest tables: rows, and bytes without indexes. */
  rowsPerJob: Record<string, { rows: number; bytes: number }>
}

/** Judges by what the printers wrote down, and by the feed of events. */
export async function judgeCluster(
  farm: ClusterFarm,
  jobIds: readonly string[],
): Promise<{ wrong: string[]; figures: ClusterFigures }> {
  const { db, accountId } = farm.cluster.database
  const jobs = await db.sql<{ id: string; status: string }[]>`
    select id, status from jobs where account_id = ${accountId} and id = any(${[...jobIds]})`
  const attempts = await db.sql<{ id: string; job_id: string; outcome: string | null }[]>`
    select id, job_id, outcome from attempts where account_id = ${accountId}`
  const events = await db.sql<{ subject_id: string }[]>`
    select subject_id from events where account_id = ${accountId} and type = 'job.completed'`
  const wrong: string[] = []
  const figures: ClusterFigures = {
    jobs: jobIds.length,
    starts: 0,
    doubled: 0,
    lost: jobIds.length - jobs.length,
    stuck: 0,
    rowsPerJob: {},
  }
  if (figures.lost > 0) wrong.push(`${figures.lost} accepted jobs are lost`)
  const startsOfAttempt = new Map<string, number>()
  for (const { dir, printerIds } of farm.hubs) {
    for (const printerId of printerIds) {
      for (const start of startsOf(readDeviceLog(dir, printerId))) {
        figures.starts += 1
        const attempt = attempts.find(({ id }) => isFileOf(start.fileName, id))
        if (!attempt) wrong.push(`${printerId} started ${start.fileName}, which no attempt asked for`)
        else startsOfAttempt.set(attempt.id, (startsOfAttempt.get(attempt.id) ?? 0) + 1)
        if ((start.onPlate ?? []).length > 0)
          wrong.push(`${printerId} started ${start.fileName} on a plate that was not clear`)
      }
    }
  }
  for (const [id, count] of startsOfAttempt) {
    if (count === 1) continue
    figures.doubled += count - 1
    wrong.push(`${id} was started ${count} times`)
  }
  for (const { id, status } of jobs) {
    if (status !== 'completed') {
      figures.stuck += 1
      wrong.push(`${id} is ${status}`)
    }
    const done = attempts.filter(({ job_id, outcome }) => job_id === id && outcome === 'done').length
    if (done > 1) figures.doubled += done - 1
    const told = events.filter(({ subject_id }) => subject_id === id).length
    if (status === 'completed' && (done !== 1 || told !== 1)) {
      wrong.push(`${id} is completed by ${done} prints, and told of ${told} times`)
    }
  }
  for (const { id, outcome } of attempts) {
    const count = startsOfAttempt.get(id) ?? 0
    if (outcome === 'not_started' && count > 0) wrong.push(`${id} is said not to have started, and was`)
    if (outcome === 'done' && count === 0) wrong.push(`${id} is said to be done, and never began`)
  }
  for (const table of ['jobs', 'attempts', 'commands', 'events', 'printer_periods']) {
    const [found] = await db.sql<{ rows: number; bytes: number }[]>`
      select count(*)::int8 as rows, coalesce(sum(pg_column_size(t.*)), 0)::int8 as bytes
      from ${db.sql(table)} t where account_id = ${accountId}`
    const perJob = (count = 0) => Math.round((10 * count) / Math.max(1, jobs.length)) / 10
    figures.rowsPerJob[table] = { rows: perJob(found?.rows), bytes: perJob(found?.bytes) }
  }
  return { wrong, figures }
}
