import type { Context } from '../../../context/context.ts'
import { isForeignKeyViolation } from '../../../db/database-errors.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { JobId, PrinterId } from '../../../kernel/ids.ts'
import { deleteAttemptsOfJob, lockJobOfAttempt } from '../../attempts/attempts.queries.ts'
import { detachCommandsOfJob } from '../../commands/commands.queries.ts'
import type { Work } from '../../events/work.ts'
import { deleteFailuresOfJob } from '../../failures/failures.queries.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import {
  deleteJobRow,
  hasAttempts,
  type JobDetailRow,
  lockJobToAssign,
  putBackIntoQueue,
  writePrinterOfJob,
} from '../jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from '../jobs.service.ts'
import { fitToPrinter } from './fit-to-printer.ts'

/** Gives a queued job to a printer, or with null to none. */
export async function assignJob(work: Work, jobId: JobId, printerId: PrinterId | null): Promise<JobDetailRow> {
  const { sql, accountId } = work
  const job = await lockJobToAssign(sql, accountId, jobId)
  if (!job) throw notFound('job')
  refuseUnlessPossible('assign', job)
  if (printerId !== null) await fitToPrinter(work, jobId, printerId, job.file_model)
  if (job.printer_id === printerId) return getJob(sql, accountId, jobId)
  await writePrinterOfJob(work, jobId, printerId)
  await work.record({
    type: 'job.assigned',
    subjectId: jobId,
    data: { printer_id: printerId, previous_printer_id: job.printer_id },
  })
  return getJob(sql, accountId, jobId)
}

/**
 * Puts a failed job back into the queue. Plates that were printed well stay done: they were credited when it failed, and
 * the rest will be when it ends. Its tries stay on record.
 */
export function retryJob(context: Context, work: Work, jobId: JobId): Promise<JobDetailRow> {
  return requeue(context, work, jobId, { from: 'failed', action: 'retry', event: 'job.retried' })
}

/**
 * Takes back that a job was cancelled: it waits where it stood before, with what it asked for. Of one that was stopped on a printer the
 * plate is printed again; plates that were printed well stay done.
 */
export function restoreJob(context: Context, work: Work, jobId: JobId): Promise<JobDetailRow> {
  return requeue(context, work, jobId, { from: 'cancelled', action: 'restore', event: 'job.restored' })
}

async function requeue(
  context: Context,
  work: Work,
  jobId: JobId,
  { from, action, event }: { from: 'failed' | 'cancelled'; action: string; event: 'job.retried' | 'job.restored' },
): Promise<JobDetailRow> {
  const { sql, accountId } = work
  const isQueued = await putBackIntoQueue(work, jobId, from)
  const job = await getJob(sql, accountId, jobId)
  if (!isQueued) throw jobStateChanged(action, job.status)
  // It is one of those that are counted by now.
  await requireRoom(context, sql, accountId, 'jobs', 0)
  await work.record({
    type: event,
    subjectId: jobId,
    data: { printer_id: job.printer_id, plates_done: job.plates_done },
  })
  return job
}

/**
 * Deletes a job that is over, or that was queued and never tried. What it added to the stock stays, and so do the events.
 * Answers contents of pictures that may be needed no more, for after the commit.
 */
export async function deleteJob(work: Work, jobId: JobId): Promise<string[]> {
  const { sql, accountId } = work
  const job = await lockJobOfAttempt(sql, accountId, jobId)
  if (!job) throw notFound('job')
  const inUse = (why: string, cause?: unknown) => new AppError('RESOURCE_IN_USE', { resource: 'job', why }, { cause })
  if (['processing', 'printing', 'paused'].includes(job.status)) throw inUse('a printer works on it; cancel it first')
  if (job.status === 'queued' && (await hasAttempts(sql, accountId, jobId))) {
    throw inUse('it was started already; cancel it first')
  }
  const contents = await deleteWithTries(work, jobId).catch((error: unknown) => {
    if (isForeignKeyViolation(error)) throw inUse('something else names it', error)
    throw error
  })
  await work.record({
    type: 'job.deleted',
    subjectId: jobId,
    data: { status: job.status, file_name: job.file_name, number_of_units: job.number_of_units },
  })
  return contents
}

/** Deletes what is known of a job's tries, and the job. Commands to printers stay on record, without it. */
async function deleteWithTries({ sql, accountId }: Work, jobId: JobId): Promise<string[]> {
  const contents = await deleteFailuresOfJob(sql, accountId, jobId)
  await detachCommandsOfJob(sql, accountId, jobId)
  await deleteAttemptsOfJob(sql, accountId, jobId)
  await deleteJobRow(sql, accountId, jobId)
  return contents
}
