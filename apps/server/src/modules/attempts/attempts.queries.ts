import type { AttemptOutcome, AttemptPhase, Evidence } from '@printyard/protocol/attempt'
import type { FilamentAssignment } from '@printyard/protocol/commands'
import { columnsOf, type RowOf } from '../../db/columns.ts'
import { notifyWhenCommitted } from '../../db/commit-notices.ts'
import type { Sql } from '../../db/database.ts'
import type { AttemptRow as AttemptTableRow, JobRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, HubId, JobId, OrderId, PrinterId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { claimForPrinter } from '../jobs/state/job-progress.queries.ts'
import type { KnownPlate } from '../printers/plate/plate-judgement.ts'
import { takeFenceToPrint } from '../printers/state/fence.queries.ts'
import { held } from './under-way/live-attempts.ts'

type NewAttempt = Pick<
  AttemptTableRow,
  'id' | 'job_id' | 'plate_number' | 'printer_id' | 'hub_id' | 'file_version_id' | 'ejection'
> & { filament_map: FilamentAssignment[] | null }

export type Reserved = Pick<AttemptTableRow, 'fence'> & KnownPlate

/**
 * Takes a printer for one plate of a job, in one statement: the plate must be clear, the printer in service, the job
 * queued. Answers the fence of this command and what the plate is known by, or undefined when one of these does not hold any
 * more. A printer or job that already has a live attempt violates `attempts_live_printer_key` or `attempts_live_job_key`.
 */
export async function reservePrinter(
  { sql, accountId, actor, now }: Work,
  attempt: NewAttempt,
): Promise<Reserved | undefined> {
  const [reserved] = await sql<Reserved[]>`
    with job as (
      ${claimForPrinter(sql, accountId, attempt, now)}
    ), printer as (
      ${takeFenceToPrint(sql, accountId, attempt, now)}
    ), attempt as (
      insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, actor,
                            ejection, filament_map, reserved_at, updated_at)
      select ${accountId}, ${attempt.id}, ${attempt.job_id}, ${attempt.plate_number}, ${attempt.printer_id},
             ${attempt.hub_id}, ${attempt.file_version_id}, printer.fence, 'reserved', ${actor},
             ${attempt.ejection}, ${attempt.filament_map && sql.json(attempt.filament_map)}, ${now}, ${now}
      from job, printer
      returning fence, id as live_attempt_id
    )
    select attempt.fence, live_attempt_id, plate_state, plate_run_mark, run_mark from attempt, printer`
  notifyWhenCommitted(sql, { accountId, what: 'attempt.reserved' })
  return reserved
}

/** What a claim rests on: what a hub says it does, or the word of a person who looked, with what they noted. */
export type ClaimEvidence = Evidence | (Omit<Evidence, 'kind'> & { kind: 'person'; notes?: string })

const columns = columnsOf<AttemptTableRow>()(
  'id',
  'job_id',
  'printer_id',
  'hub_id',
  'fence',
  'phase',
  'outcome',
  'reason_code',
  'plate_number',
  'reserved_at',
  'confirmed_at',
  'seen_at',
  'ejection',
  'file_version_id',
  'filament_map',
  'stop_type',
)

export type AttemptRow = Omit<RowOf<typeof columns>, 'filament_map'> & { filament_map: FilamentAssignment[] | null }

/** Keeps what a person says went wrong with the live attempt of a job that they stop; null: they do not say. */
export async function writeStopType(
  sql: Sql,
  accountId: AccountId,
  jobId: JobId,
  stopType: AttemptTableRow['stop_type'],
): Promise<void> {
  await sql`
    update attempts set stop_type = ${stopType}
    where account_id = ${accountId} and ${held(sql, 'attempts', 'job_id')} = ${jobId}
      and stop_type is distinct from ${stopType}`
}

export async function findAttempt(
  sql: Sql,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts where account_id = ${accountId} and id = ${attemptId}`
  return attempt
}

/** Reads an attempt and keeps others from changing it until the transaction ends. */
export async function lockAttempt(
  sql: Sql,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts where account_id = ${accountId} and id = ${attemptId} for no key update`
  return attempt
}

export async function findLiveAttemptOfJob(
  sql: Sql,
  accountId: AccountId,
  jobId: JobId,
): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts
    where account_id = ${accountId} and ${held(sql, 'attempts', 'job_id')} = ${jobId}`
  return attempt
}

export async function findLiveAttemptOfPrinter(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<AttemptRow | undefined> {
  const [attempt] = await sql<AttemptRow[]>`
    select ${columns(sql)} from attempts
    where account_id = ${accountId} and ${held(sql, 'attempts', 'printer_id')} = ${printerId}`
  return attempt
}

/** Locks the live attempt of a printer, if there is one. A transaction that also locks the printer calls this first, as reports do. */
export async function lockLiveAttemptOfPrinter(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<void> {
  await sql`
    select id from attempts
    where account_id = ${accountId} and ${held(sql, 'attempts', 'printer_id')} = ${printerId} for no key update`
}

type LiveAttempt = Pick<AttemptTableRow, 'printer_id' | 'fence'> & { attempt_id: AttemptTableRow['id'] }

/** Answers what a hub is asked about when it connects. */
export async function listLiveAttemptsOfHub(sql: Sql, accountId: AccountId, hubId: HubId): Promise<LiveAttempt[]> {
  return sql<LiveAttempt[]>`
    select id as attempt_id, printer_id, fence, evidence ->> 'run_id' as run_id
    from attempts where account_id = ${accountId} and hub_id = ${hubId} and phase <> 'finished'
    order by reserved_at limit 500`
}

/** Answers which of these attempts of a hub are over here, and how. */
export async function listEndedOf(
  sql: Sql,
  accountId: AccountId,
  hubId: HubId,
  attemptIds: AttemptId[],
): Promise<(Pick<AttemptTableRow, 'printer_id' | 'outcome'> & { attempt_id: AttemptTableRow['id'] })[]> {
  return sql<(Pick<AttemptTableRow, 'printer_id' | 'outcome'> & { attempt_id: AttemptTableRow['id'] })[]>`
    select id as attempt_id, printer_id, outcome from attempts
    where account_id = ${accountId} and hub_id = ${hubId} and id = any(${attemptIds}) and phase = 'finished'`
}

/** Removes what people noted on attempts of jobs that are for an order alone. Answers how many had any notes. */
export async function removeNotesOfOrder({ sql, accountId, now }: Work, orderId: OrderId): Promise<number> {
  const rows = await sql`
    update attempts a set evidence = a.evidence - 'notes', updated_at = ${now}
    from jobs j join order_items i on i.account_id = j.account_id and i.id = j.order_item_id
    where a.account_id = ${accountId} and j.account_id = a.account_id and j.id = a.job_id and i.order_id = ${orderId}
      and a.evidence ? 'notes'
    returning a.id`
  return rows.length
}

/** Says of all attempts of a hub that were not seen running why nothing but a sight of them settles them. */
export async function doubtAttemptsOfHub(sql: Sql, accountId: AccountId, hubId: HubId, reason: string): Promise<void> {
  await sql`
    update attempts set reason_code = ${reason}
    where account_id = ${accountId} and hub_id = ${hubId} and phase in ('reserved', 'transferring', 'starting')`
}

export async function updateAttempt(
  { sql, accountId, now }: Work,
  attemptId: AttemptId,
  change: {
    phase: AttemptPhase
    outcome: AttemptOutcome | null
    reason_code: AttemptTableRow['reason_code']
    evidence: ClaimEvidence
    /** Time when it happened, and why that is the service's own time where a hub told another one. */
    happened: { at: Date; note: string | null }
    /** Time when its fate was last known, if that is earlier than now. */
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
      }, updated_at = ${now},
      unknown_since = case when ${change.outcome === 'unknown'}
        then coalesce(unknown_since, ${change.unknownSince ?? now}) else null end,
      confirmed_at = case when ${change.phase === 'confirmed'} then coalesce(confirmed_at, ${change.happened.at})
        else confirmed_at end,
      finished_at = case when ${change.phase === 'finished'} then ${change.happened.at}::timestamptz end,
      time_note = coalesce(${change.happened.note}, time_note)
    where account_id = ${accountId} and id = ${attemptId}`
}

const jobColumns = columnsOf<JobRow>()(
  'status',
  'plates_total',
  'plates_done',
  'time_started',
  'product_sku_id',
  'product_name',
  'sku_name',
  'file_name',
  'number_of_units',
  'quantity_per_print',
  'units_rejected',
  'requires_assembly',
  'cancel_requested_at',
  'cancel_requested_by',
)

/** What the end of an attempt means for its job is decided by. */
export type JobOfAttempt = RowOf<typeof jobColumns>

/** A job, locked until the transaction ends. Anyone who also locks its attempt locks that first. */
export async function lockJobOfAttempt(
  sql: Sql,
  accountId: AccountId,
  jobId: JobId,
): Promise<JobOfAttempt | undefined> {
  const [job] = await sql<JobOfAttempt[]>`
    select ${jobColumns(sql)} from jobs where account_id = ${accountId} and id = ${jobId} for no key update`
  return job
}

/** Records how far the live attempt of a printer was seen. Nothing changes of one that is over, nor by what was seen before. */
export async function recordProgress(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  seen: { attemptId: AttemptId; progress: number; at: Date },
): Promise<void> {
  await sql`
    update attempts set progress = ${seen.progress}, seen_at = ${seen.at}
    where account_id = ${accountId} and id = ${seen.attemptId} and printer_id = ${printerId} and phase <> 'finished'
      and (seen_at is null or seen_at <= ${seen.at})`
}

/** Forgets what was tried for a job. */
export async function deleteAttemptsOfJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<void> {
  await sql`delete from attempts where account_id = ${accountId} and job_id = ${jobId}`
}

/** The statement that makes the attempts of `fenced`, which the whole statement defines. */
export const insertFencedAttempts = (sql: Sql, accountId: AccountId, { actor, at }: { actor: string; at: Date }) => sql`
      insert into attempts
        (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, actor, ejection,
         filament_map, reserved_at, updated_at)
      select ${accountId}, attempt_id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, 'reserved', ${actor},
             ejection, nullif(filament_map, '')::jsonb, ${at}, ${at}
      from fenced`

/** Keeps the first slot that an attempt was seen to draw from though its printer was told others. False when one is kept already. */
export async function recordOtherSlot(
  sql: Sql,
  accountId: AccountId,
  attemptId: AttemptId,
  slot: number,
): Promise<boolean> {
  const rows = await sql`
    update attempts set other_slot = ${slot}
    where account_id = ${accountId} and id = ${attemptId} and other_slot is null returning id`
  return rows.length > 0
}
