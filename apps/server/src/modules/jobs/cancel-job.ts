import type { Actor } from '../../actor.ts'
import type { Context } from '../../context.ts'
import { recordEvent } from '../events/events.queries.ts'
import { cancelQueuedJob, type JobDetailRow } from './jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from './jobs.service.ts'
import { stopJob } from './running-job.ts'

/** Takes a job out of the queue; one that a printer already works on is stopped there. */
export async function cancelJob(context: Context, actor: Actor, jobId: string): Promise<JobDetailRow> {
  const job = await getJob(context.db.sql, actor.accountId, jobId)
  refuseUnlessPossible('cancel', job)
  if (job.status !== 'queued') return (await stopJob(context, actor, jobId)).job
  const isCancelled = await context.db.begin(async (sql) => {
    const wasQueued = await cancelQueuedJob(sql, actor.accountId, jobId, context.clock.now())
    if (wasQueued) {
      await recordEvent(sql, actor.accountId, { type: 'job.cancelled', subjectId: jobId, data: {}, actor: actor.label })
    }
    return wasQueued
  })
  const after = await getJob(context.db.sql, actor.accountId, jobId)
  if (!isCancelled) throw jobStateChanged('cancel', after.status)
  return after
}
