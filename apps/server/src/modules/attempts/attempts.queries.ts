import type { AttemptOutcome, AttemptPhase, Evidence } from '@printyard/protocol/attempt'
import type { FilamentAssignment } from '@printyard/protocol/commands'
import { tellWhenCommitted } from '../../db/commit-notices.ts'
import type { Sql } from '../../db/database.ts'
import type { AttemptRow as AttemptTableRow, JobRow } from '../../db/rows.generated.ts'
import type { KnownPlate } from '../printers/plate/plate-judgement.ts'

export type NewAttempt = Pick<
  AttemptTableRow,
  'id' | 'job_id' | 'plate_number' | 'printer_id' | 'hub_id' | 'file_version_id' | 'actor' | 'ejection'
> & { filament_map: FilamentAssignment[] | null }

export type Reserved = Pick<AttemptTableRow, 'fence'> & KnownPlate

/**
 * Takes a printer for one plate of a job, in one statement: the plate must be clear, the printer in service, the job
 * queued. Answers the fence of this order and what the plate is known by, or undefined when one of these does not hold any
 * more. A printer or job that already has a live attempt violates `attempts_live_printer_key` or `attempts_live_job_key`.
 */
export async function reservePrinter(
  sql: Sql,
  accountId: string,
  attempt: NewAttempt,
  at: Date,
): Promise<Reserved | undefined> {
  const [reserved] = await sql<Reserved[]>`
    with job as (
      update jobs set status = 'processing', failure_reason = null, updated_at = ${at}
      where account_id = ${accountId} and id = ${attempt.job_id} and status = 'queued'
        and printer_id = ${attempt.printer_id}
      returning account_id
    ), printer as (
      update printers set fence = fence + 1
      where account_id = ${accountId} and id = ${attempt.printer_id} and hub_id = ${attempt.hub_id}
        and is_active and not in_maintenance and plate_state = 'clear'
      returning fence, plate_state, plate_run_mark, run_mark
    ), attempt as (
      insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, actor,
                            ejection, filament_map, reserved_at, updated_at)
      select ${accountId}, ${attempt.id}, ${attempt.job_id}, ${attempt.plate_number}, ${attempt.printer_id},
             ${attempt.hub_id}, ${attempt.file_version_id}, printer.fence, 'reserved', ${attempt.actor},
             ${attempt.ejection}, ${attempt.filament_map && sql.json(attempt.filament_map)}, ${at}, ${at}
      from job, printer
      returning fence, id as live_attempt_id
    )
    select attempt.fence, live_attempt_id, plate_state, plate_run_mark, run_mark from attempt, printer`
  tellWhenCommitted(sql, { accountId, what: 'attempt.reserved' })
  return reserved
}

/** What a claim rests on: what a hub says it does, or the word of a person who looked. */
export type ClaimEvidence = Evidence | (Omit<Evidence, 'kind'> & { kind: 'person' })

export type AttemptRow = Pick<
  AttemptTableRow,
  | 'id'
  | 'job_id'
  | 'printer_id'
  | 'hub_id'
  | 'fence'
  | 'phase'
  | 'outcome'
  | 'reason_code'
  | 'plate_number'
  | 'reserved_at'
  | 'confirmed_at'
  | 'seen_at'
  | 'ejection'
  | 'file_version_id'
> & { filament_map: FilamentAssignment[] | null }

const columns = (sql: Sql) => sql`
  id, job_id, printer_id, hub_id, fence, phase, outcome, reason_code, plate_number, reserved_at, confirmed_at, seen_at,
  ejection, file_version_id, filament_map`

export async function findAttempt(sql: Sql, accountId: string, attemptId: string): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts where account_id = ${accountId} and id = ${attemptId}`
  return attempt
}

/** Reads an attempt and keeps others from changing it until the transaction ends. */
export async function lockAttempt(sql: Sql, accountId: string, attemptId: string): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts where account_id = ${accountId} and id = ${attemptId} for no key update`
  return attempt
}

export async function findLiveAttemptOfJob(
  sql: Sql,
  accountId: string,
  jobId: string,
): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts where account_id = ${accountId} and job_id = ${jobId} and phase <> 'finished'`
  return attempt
}

export async function findLiveAttemptOfPrinter(
  sql: Sql,
  accountId: string,
  printerId: string,
): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts where account_id = ${accountId} and printer_id = ${printerId} and phase <> 'finished'`
  return attempt
}

/** Locks the live attempt of a printer, if there is one. A transaction that also locks the printer calls this first, as reports do. */
export async function lockLiveAttemptOfPrinter(sql: Sql, accountId: string, printerId: string): Promise<void> {
  await sql`
    select id from attempts
    where account_id = ${accountId} and printer_id = ${printerId} and phase <> 'finished' for no key update`
}

export type LiveAttempt = Pick<AttemptTableRow, 'printer_id' | 'fence'> & { attempt_id: AttemptTableRow['id'] }

/** What a hub is asked about when it connects. */
export async function listLiveAttemptsOfHub(sql: Sql, accountId: string, hubId: string): Promise<LiveAttempt[]> {
  return sql<LiveAttempt[]>`
    select id as attempt_id, printer_id, fence, evidence ->> 'run_id' as run_id
    from attempts where account_id = ${accountId} and hub_id = ${hubId} and phase <> 'finished'
    order by reserved_at limit 500`
}

/** Which of these attempts of a hub are over here, and how. */
export async function listEndedOf(
  sql: Sql,
  accountId: string,
  hubId: string,
  attemptIds: string[],
): Promise<(Pick<AttemptTableRow, 'printer_id' | 'outcome'> & { attempt_id: AttemptTableRow['id'] })[]> {
  return sql<(Pick<AttemptTableRow, 'printer_id' | 'outcome'> & { attempt_id: AttemptTableRow['id'] })[]>`
    select id as attempt_id, printer_id, outcome from attempts
    where account_id = ${accountId} and hub_id = ${hubId} and id = any(${attemptIds}) and phase = 'finished'`
}

/** Says of all attempts of a hub that were not seen running why nothing but a sight of them settles them. */
export async function doubtAttemptsOfHub(sql: Sql, accountId: string, hubId: string, reason: string): Promise<void> {
  await sql`
    update attempts set reason_code = ${reason}
    where account_id = ${accountId} and hub_id = ${hubId} and phase in ('reserved', 'transferring', 'starting')`
}

export async function updateAttempt(
  sql: Sql,
  accountId: string,
  attemptId: string,
  change: {
    phase: AttemptPhase
    outcome: AttemptOutcome | null
    reason_code: AttemptTableRow['reason_code']
    evidence: ClaimEvidence
    /** When the service learned of it. */
    at: Date
    /** When it happened, and why that is the service's own time where a hub told another one. */
    happened: { at: Date; note: string | null }
    /** When its fate was last known, if that is earlier than now. */
    unknownSince?: Date | undefined
  },
): Promise<void> {
  await sql`
    update attempts set
      phase = ${change.phase}, outcome = ${change.outcome}, reason_code = ${change.reason_code},
      evidence = ${
        // A later claim may not know by what identity the printer showed the run.
        change.evidence.run_id === null
          ? sql`${sql.json(change.evidence)}::jsonb || jsonb_build_object('run_id', evidence -> 'run_id')`
          : sql.json(change.evidence)
      }, updated_at = ${change.at},
      unknown_since = case when ${change.outcome === 'unknown'}
        then coalesce(unknown_since, ${change.unknownSince ?? change.at}) else null end,
      confirmed_at = case when ${change.phase === 'confirmed'} then coalesce(confirmed_at, ${change.happened.at})
        else confirmed_at end,
      finished_at = case when ${change.phase === 'finished'} then ${change.happened.at}::timestamptz end,
      time_note = coalesce(${change.happened.note}, time_note)
    where account_id = ${accountId} and id = ${attemptId}`
}

/** What the end of an attempt means for its job is decided by. */
export type JobOfAttempt = Pick<
  JobRow,
  | 'status'
  | 'plates_total'
  | 'plates_done'
  | 'time_started'
  | 'product_sku_id'
  | 'product_name'
  | 'sku_name'
  | 'file_name'
  | 'number_of_units'
  | 'quantity_per_print'
  | 'units_rejected'
  | 'requires_assembly'
  | 'cancel_requested_at'
  | 'cancel_requested_by'
>

/** A job, locked until the transaction ends. Whoever also locks its attempt locks that first. */
export async function lockJobOfAttempt(sql: Sql, accountId: string, jobId: string): Promise<JobOfAttempt | undefined> {
  const [job] = await sql<JobOfAttempt[]>`
    select status, plates_total, plates_done, time_started, product_sku_id, product_name, sku_name, file_name,
           number_of_units, quantity_per_print, units_rejected, requires_assembly, cancel_requested_at, cancel_requested_by
    from jobs where account_id = ${accountId} and id = ${jobId} for no key update`
  return job
}

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
  sql: Sql,
  accountId: string,
  jobId: string,
  change: JobProgressChange,
  at: Date,
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
export async function noteJobReason(
  sql: Sql,
  accountId: string,
  jobId: string,
  reason: string | null,
  at: Date,
): Promise<void> {
  await sql`
    update jobs set failure_reason = ${reason}, updated_at = ${at}
    where account_id = ${accountId} and id = ${jobId}`
}

/** A print lies on the plate, or is being printed there: it is not clear again until a person says so. */
export async function occupyPlate(
  sql: Sql,
  accountId: string,
  printerId: string,
  change: {
    jobId: string
    by: string
    /** Since when the plate is so, and when that was recorded. */
    at: Date
    recordedAt: Date
    reason: 'print_started' | 'print_done' | 'print_failed' | 'print_cancelled'
  },
): Promise<void> {
  await sql`
    update printers set plate_state = 'occupied', plate_job_id = ${change.jobId}, plate_unknown_reason = null,
      plate_changed_at = ${change.at},
      plate_changed_by = ${change.by}, plate_change_reason = ${change.reason}, updated_at = ${change.recordedAt}
    where account_id = ${accountId} and id = ${printerId}`
}

export async function addPrintTime(sql: Sql, accountId: string, printerId: string, seconds: number): Promise<void> {
  await sql`
    update printers set total_print_seconds = total_print_seconds + ${seconds}
    where account_id = ${accountId} and id = ${printerId}`
}

/**
 * Brings a job in line with what its printer shows. Not while a pause or resume of it waits for its answer: until then the
 * claim of that command stands, and the printer is looked at again after it.
 */
export async function followPrinterStatus(
  sql: Sql,
  accountId: string,
  attemptId: string,
  status: 'printing' | 'paused',
  progress: number | null,
  at: Date,
): Promise<string | undefined> {
  const [job] = await sql<{ id: string }[]>`
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

/** Keeps the first slot that an attempt was seen to draw from though its printer was told others. False when one is kept already. */
export async function recordOtherSlot(sql: Sql, accountId: string, attemptId: string, slot: number): Promise<boolean> {
  const rows = await sql`
    update attempts set other_slot = ${slot}
    where account_id = ${accountId} and id = ${attemptId} and other_slot is null returning id`
  return rows.length > 0
}
