import type { Sql } from '../../../db/database.ts'
import type { AttemptRow, JobRow } from '../../../db/rows.generated.ts'
import type { AccountId, AttemptId, JobId, OrderId, PrinterId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { optionValues } from './option-values.ts'

/** The statement by which a queued job is on its way to its printer, as a part of the one that reserves the printer. */
export const claimForPrinter = (
  sql: Sql,
  accountId: AccountId,
  job: { job_id: JobId; printer_id: PrinterId },
  at: Date,
) => sql`
      update jobs set status = 'processing', failure_reason = null, updated_at = ${at}
      where account_id = ${accountId} and id = ${job.job_id} and status = 'queued'
        and printer_id = ${job.printer_id}
      returning account_id`

/**
 * The same for the jobs of `taken (job_id, printer_id, is_chosen, option)`, which the whole statement defines. Its rows go on with those
 * of `taken`: a join of parts of one statement compares each row with each. The priority stays; PostgreSQL reads the expression of a
 * generated column again for each row unless a column of it is set.
 */
export const claimTaken = (sql: Sql, accountId: AccountId, at: Date) => sql`
      update jobs j set status = 'processing', printer_id = taken.printer_id, auto_assigned = taken.is_chosen,
        failure_reason = null, updated_at = ${at}, priority = j.priority, ${optionValues(sql)}
      from taken
      left join job_options o on o.account_id = ${accountId} and o.job_id = taken.job_id and o.position = taken.option
      where j.account_id = ${accountId} and j.id = taken.job_id
      returning taken.*`

export type JobProgressChange = Pick<
  JobRow,
  | 'status'
  | 'plates_done'
  | 'progress_percentage'
  | 'failure_reason'
  | 'time_started'
  | 'time_completed'
  | 'actual_print_time_minutes'
>

export async function updateJobProgress(
  { sql, accountId, now: at }: Work,
  jobId: JobId,
  change: JobProgressChange,
): Promise<void> {
  // A cancel that waits is over with what it was to end.
  const isHeld = ['processing', 'printing', 'paused'].includes(change.status)
  const settled = isHeld ? {} : { cancel_requested_at: null, cancel_requested_by: null }
  await sql`
    update jobs set ${sql({ ...change, ...settled, updated_at: at })}
      ${
        // Back in the queue it waits again for any printer, unless a person gave it this one.
        change.status === 'queued'
          ? sql`, printer_id = case when auto_assigned then null else printer_id end, auto_assigned = false`
          : sql``
      }
    where account_id = ${accountId} and id = ${jobId}`
}

/** Why a job does not move on, for people; it is taken away with its next step. */
export async function updateJobReason(
  { sql, accountId, now: at }: Work,
  jobId: JobId,
  reason: string | null,
): Promise<void> {
  await sql`
    update jobs set failure_reason = ${reason}, updated_at = ${at}
    where account_id = ${accountId} and id = ${jobId}`
}

/** A reason with what a person noted, as a job shows it. */
export function withNotes(reason: string | null, notes: string | undefined): string | null {
  return notes === undefined ? reason : `${reason}: ${notes}`
}

/** Takes what people noted out of the reasons of jobs that are for an order alone, before the notes of their attempts are removed. */
export async function removeNotesFromReasons({ sql, accountId, now }: Work, orderId: OrderId): Promise<void> {
  await sql`
    update jobs j set failure_reason = a.evidence ->> 'detail', updated_at = ${now}
    from attempts a, order_items i
    where j.account_id = ${accountId} and i.account_id = j.account_id and i.id = j.order_item_id and i.order_id = ${orderId}
      and a.account_id = j.account_id and a.job_id = j.id and a.evidence ? 'notes'
      and j.failure_reason = (a.evidence ->> 'detail') || ': ' || (a.evidence ->> 'notes')`
}

/** Jobs that are for an order alone. */
export async function listJobIdsOfOrder(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<JobId[]> {
  const rows = await sql<{ id: JobId }[]>`
    select j.id from order_items i join jobs j on j.account_id = i.account_id and j.order_item_id = i.id
    where i.account_id = ${accountId} and i.order_id = ${orderId}`
  return rows.map(({ id }) => id)
}

/**
 * Brings a job in line with what its printer shows. Not while a pause or resume of it waits for its answer: until then the
 * claim of that command stands, and the printer is looked at again after it.
 */
export async function followPrinterStatus(
  sql: Sql,
  accountId: AccountId,
  attemptId: AttemptId,
  status: 'printing' | 'paused',
  progress: number | null,
  at: Date,
): Promise<JobId | undefined> {
  const [job] = await sql<{ id: JobId }[]>`
    update jobs j set status = ${status}, updated_at = ${at}, progress_percentage = coalesce(${progress}, progress_percentage)
    from attempts a
    where j.account_id = ${accountId} and a.account_id = j.account_id and a.id = ${attemptId} and a.job_id = j.id
      and a.phase = 'confirmed' and j.status in ('printing', 'paused') and j.status <> ${status}
      and not exists (
        select from commands c
        where c.account_id = j.account_id and c.attempt_id = a.id and c.state = 'sent' and c.kind in ('pause', 'resume')
      )
    returning j.id`
  return job?.id
}

/** The job may have been given to another printer meanwhile: it prints on this one. */
export async function putBackOnPrinter(
  { sql, accountId, now: at }: Work,
  attempt: Pick<AttemptRow, 'job_id' | 'printer_id'>,
): Promise<void> {
  await sql`
    update jobs set printer_id = ${attempt.printer_id}, updated_at = ${at}
    where account_id = ${accountId} and id = ${attempt.job_id}`
}

/** Records how long a job that is over took. */
export async function writePrintTime({ sql, accountId, now }: Work, jobId: JobId, minutes: number): Promise<void> {
  await sql`
    update jobs set actual_print_time_minutes = ${minutes}, updated_at = ${now}
    where account_id = ${accountId} and id = ${jobId}`
}
