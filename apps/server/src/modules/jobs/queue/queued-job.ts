import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { isForeignKeyViolation } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import type { AccountId, JobId, PrinterId } from '../../../kernel/ids.ts'
import { deleteAttemptsOfJob, lockJobOfAttempt } from '../../attempts/attempts.queries.ts'
import { detachCommandsOfJob } from '../../commands/commands.queries.ts'
import { recordEvent } from '../../events/events.queries.ts'
import { deleteFailuresOfJob } from '../../failures/failures.queries.ts'
import { refuseOtherModel } from '../../matching/sliced-for.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import {
  deleteJobRow,
  findPrinterModel,
  hasAttempts,
  type JobDetailRow,
  lockJobToAssign,
  requeueFailedJob,
  writePrinterOfJob,
} from '../jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from '../jobs.service.ts'

/** Gives a queued job to a printer, or with null to none. `sql` is a transaction. */
export async function assignJob(
  context: Context,
  sql: Sql,
  actor: Actor,
  jobId: JobId,
  printerId: PrinterId | null,
): Promise<JobDetailRow> {
  const { accountId } = actor
  const job = await lockJobToAssign(sql, accountId, jobId)
  if (!job) throw notFound('job')
  refuseUnlessPossible('assign', job)
  if (printerId !== null) {
    const model = await findPrinterModel(sql, accountId, printerId)
    if (model === undefined) throw new AppError('PRINTER_NOT_FOUND')
    refuseOtherModel(model, job.file_model)
  }
  if (job.printer_id === printerId) return getJob(sql, accountId, jobId)
  await writePrinterOfJob(sql, accountId, jobId, printerId, context.clock.now())
  await recordEvent(sql, accountId, {
    type: 'job.assigned',
    subjectId: jobId,
    data: { printer_id: printerId, previous_printer_id: job.printer_id },
    actor: actor.label,
  })
  return getJob(sql, accountId, jobId)
}

/**
 * Puts a failed job back into the queue. Plates that were printed well stay done: they are there and will be credited with
 * the rest. Its tries stay on record. `sql` is a transaction.
 */
export async function retryJob(context: Context, sql: Sql, actor: Actor, jobId: JobId): Promise<JobDetailRow> {
  const { accountId } = actor
  const isQueued = await requeueFailedJob(sql, accountId, jobId, context.clock.now())
  const job = await getJob(sql, accountId, jobId)
  if (!isQueued) throw jobStateChanged('retry', job.status)
  // It is one of those that are counted by now.
  await requireRoom(context, sql, accountId, 'jobs', 0)
  await recordEvent(sql, accountId, {
    type: 'job.retried',
    subjectId: jobId,
    data: { printer_id: job.printer_id, plates_done: job.plates_done },
    actor: actor.label,
  })
  return job
}

/**
 * Deletes a job that is over, or that was queued and never tried. What it added to the stock stays, and so do the events.
 * `sql` is a transaction.
 */
export async function deleteJob(sql: Sql, actor: Actor, jobId: JobId): Promise<void> {
  const { accountId } = actor
  const job = await lockJobOfAttempt(sql, accountId, jobId)
  if (!job) throw notFound('job')
  const inUse = (why: string, cause?: unknown) => new AppError('RESOURCE_IN_USE', { resource: 'job', why }, { cause })
  if (['processing', 'printing', 'paused'].includes(job.status)) throw inUse('a printer works on it; cancel it first')
  if (job.status === 'queued' && (await hasAttempts(sql, accountId, jobId))) {
    throw inUse('it was started already; cancel it first')
  }
  await deleteWithTries(sql, accountId, jobId).catch((error: unknown) => {
    if (isForeignKeyViolation(error)) throw inUse('something else names it', error)
    throw error
  })
  await recordEvent(sql, accountId, {
    type: 'job.deleted',
    subjectId: jobId,
    data: { status: job.status, file_name: job.file_name, number_of_units: job.number_of_units },
    actor: actor.label,
  })
}

/** Deletes what is known of a job's tries, and the job. Commands to printers stay on record, without it. */
async function deleteWithTries(sql: Sql, accountId: AccountId, jobId: JobId): Promise<void> {
  await deleteFailuresOfJob(sql, accountId, jobId)
  await detachCommandsOfJob(sql, accountId, jobId)
  await deleteAttemptsOfJob(sql, accountId, jobId)
  await deleteJobRow(sql, accountId, jobId)
}
