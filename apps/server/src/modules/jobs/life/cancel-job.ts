import type { Context } from '../../../context/context.ts'
import { isConnectionError } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { AccountId, HubId, JobId } from '../../../kernel/ids.ts'
import { findLiveAttemptOfJob, writeStopType } from '../../attempts/attempts.queries.ts'
import { workOf } from '../../events/work.ts'
import {
  type CancelToHonour,
  cancelQueuedJob,
  type JobDetailRow,
  listCancelsToHonour,
  requestCancel,
} from '../jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from '../jobs.service.ts'
import { creditPlatesDone } from './credit-job.ts'
import { type StopWords, stopAttempt, stopJob } from './running-job.ts'

/**
 * Takes a job out of the queue; one that a printer already works on is stopped there. While the hub of a job that is on its
 * way is away, the wish is kept and answered with the job as it stands, `processing`: nothing new is sent for it, and the
 * hub is told to take it back before anything else when it returns. A job that answers `cancelled` never starts again.
 * `seenOver`: see `stopJob`.
 */
export async function cancelJob(
  context: Context,
  actor: Actor,
  jobId: JobId,
  words: StopWords & { /** One that a printer works on is not stopped. */ onlyQueued?: boolean } = {},
): Promise<JobDetailRow> {
  const { seenOver = false, failureType = null } = words
  const { accountId } = actor
  const job = await getJob(context.db.sql, accountId, jobId)
  refuseUnlessPossible('cancel', job)
  if (job.status === 'queued') return cancelQueued(context, actor, jobId)
  if (words.onlyQueued) throw jobStateChanged('cancel', job.status)
  const attempt = await findLiveAttemptOfJob(context.db.sql, accountId, jobId)
  const isHubAway = attempt !== undefined && !context.hubs.isOnline(attempt.hub_id)
  // What was not started when the hub went away may still begin: no person has seen the end of it.
  const isSeenOver = seenOver && attempt?.phase === 'starting'
  if (job.status !== 'processing' || !isHubAway || isSeenOver) {
    return (await stopJob(context, actor, jobId, words)).job
  }

  const isKept = await context.db.beginFor(actor.accountId, async (sql) => {
    const work = workOf(context, actor, sql)
    const reason = 'To be cancelled: the hub is away and is told when it returns'
    if (!(await requestCancel(work, jobId, reason))) return false
    await writeStopType(sql, accountId, jobId, failureType)
    await work.record({
      type: 'job.cancel_requested',
      subjectId: jobId,
      data: { printer_id: attempt.printer_id, attempt_id: attempt.id },
    })
    return true
  })
  if (!isKept) throw jobStateChanged('cancel', (await getJob(context.db.sql, accountId, jobId)).status)
  // The hub may have returned since it was looked for, and then no one else tells it soon.
  if (context.hubs.isOnline(attempt.hub_id)) await honourCancels(context, { accountId, hubId: attempt.hub_id })
  return getJob(context.db.sql, accountId, jobId)
}

async function cancelQueued(context: Context, actor: Actor, jobId: JobId): Promise<JobDetailRow> {
  const isCancelled = await context.db.beginFor(actor.accountId, async (sql) => {
    const work = workOf(context, actor, sql)
    const platesDone = await cancelQueuedJob(work, jobId)
    if (platesDone === undefined) return false
    await creditPlatesDone(work, jobId, platesDone)
    await work.record({
      type: 'job.cancelled',
      subjectId: jobId,
      data: { ...(platesDone > 0 && { plates_done: platesDone }) },
    })
    return true
  })
  const after = await getJob(context.db.sql, actor.accountId, jobId)
  if (!isCancelled) throw jobStateChanged('cancel', after.status)
  return after
}

/**
 * Tells hubs that are there again what was cancelled while they were away. Called when a hub connects, and again and again
 * for all, so that neither a restart nor a process that holds another connection forgets one. Never rejects for one hub.
 */
export async function honourCancels(context: Context, only?: { accountId: AccountId; hubId: HubId }): Promise<void> {
  const waiting = await listCancelsToHonour(context.db.sql, context.clock.now(), only)
  await Promise.all(
    waiting.filter((cancel) => context.hubs.isOnline(cancel.hub_id)).map((cancel) => honour(context, cancel)),
  )
}

async function honour(context: Context, cancel: CancelToHonour): Promise<void> {
  try {
    await stopAttempt(context, { accountId: cancel.account_id, label: cancel.by }, { ...cancel, id: cancel.attempt_id })
  } catch (error) {
    // A hub that has nothing to stop says what became of the order by its own report.
    if (!isConnectionError(error)) {
      context.log.info({ err: error, job_id: cancel.job_id }, 'a cancel could not be carried out yet')
    }
  }
}
