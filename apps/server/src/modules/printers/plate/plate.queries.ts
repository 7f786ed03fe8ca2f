import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { AccountId, HubId, JobId, PrinterId } from '../../../kernel/ids.ts'
import { held } from '../../attempts/under-way/live-attempts.ts'
import type { Work } from '../../events/work.ts'
import type { KnownPlate } from './plate-judgement.ts'

const columns = columnsOf<PrinterRow>()(
  'id',
  'name',
  'location',
  'hub_id',
  'connection_type',
  'plate_state',
  'plate_job_id',
  'plate_change_reason',
  'plate_unknown_reason',
  'run_mark',
)

export type Plate = RowOf<typeof columns>

/** Reads a plate and keeps others from changing it, or from starting a print on it, until the transaction ends. */
export async function lockPlateRow(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<Plate | undefined> {
  const [plate] = await sql<Plate[]>`
    select ${columns(sql)} from printers where account_id = ${accountId} and id = ${printerId} for no key update`
  return plate
}

export async function writePlateClear(
  { sql, accountId, actor, now }: Work,
  printerId: PrinterId,
  { how, mark }: { how: 'person' | 'task'; mark: string | null },
): Promise<void> {
  await sql`
    update printers set plate_state = 'clear', plate_job_id = null, plate_run_mark = ${mark},
      plate_unknown_reason = null, plate_changed_at = ${now}, plate_changed_by = ${actor},
      plate_change_reason = ${`cleared_by_${how}` as const}, ejections_in_row = 0, updated_at = ${now}
    where account_id = ${accountId} and id = ${printerId}`
}

/** A plate that is clear was seen to be so again: whatever its printer did before counts for nothing. */
export async function renewPlateMark(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  mark: string | null,
): Promise<void> {
  await sql`update printers set plate_run_mark = ${mark} where account_id = ${accountId} and id = ${printerId}`
}

/** Answers what a report of a printer is compared with; `is_to_ask` when its plate is in doubt and no one was asked to look yet. */
export async function findKnownPlate(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<(KnownPlate & { is_to_ask: boolean }) | undefined> {
  const [plate] = await sql<(KnownPlate & { is_to_ask: boolean })[]>`
    select p.plate_state, p.plate_run_mark, p.run_mark, a.id as live_attempt_id,
      p.plate_state = 'unknown' and p.plate_change_reason in ('foreign_print', 'unseen_time', 'plate_changed')
        and not exists (
          select from worklist_tasks w
          where w.account_id = p.account_id and w.source = 'plate' and w.subject_id = p.id
            and w.updated_at >= p.plate_changed_at
        ) as is_to_ask
    from printers p
    left join attempts a on a.account_id = p.account_id and ${held(sql, 'a', 'printer_id')} = p.id
    where p.account_id = ${accountId} and p.id = ${printerId}`
  return plate
}

/** Keeps what a printer says reliably of its last run. At rest it also stands for a clear plate of which none is known. */
export async function recordRunMark(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  { mark, isResting }: { mark: string; isResting: boolean },
): Promise<void> {
  await sql`
    update printers set run_mark = ${mark},
      plate_run_mark = case when ${isResting} and plate_state = 'clear' then coalesce(plate_run_mark, ${mark})
        else plate_run_mark end
    where account_id = ${accountId} and id = ${printerId}`
}

/**
 * What lies on a plate is not known any more. Nothing changes, and the answer is false, on a plate that is not clear: with
 * `isOnAnything` only when that was said of it before.
 */
export async function writePlateDoubt(
  { sql, accountId, actor, now }: Work,
  printerId: PrinterId,
  doubt: {
    reason: 'foreign_print' | 'unseen_time' | 'plate_changed' | 'seen_not_started'
    sentence: string
    isOnAnything: boolean
  },
): Promise<boolean> {
  const rows = await sql`
    update printers set plate_state = 'unknown', plate_job_id = null, plate_unknown_reason = ${doubt.sentence},
      plate_changed_at = ${now}, plate_changed_by = ${actor}, plate_change_reason = ${doubt.reason}, updated_at = ${now}
    where account_id = ${accountId} and id = ${printerId}
      and (plate_state = 'clear' or (${doubt.isOnAnything} and plate_change_reason <> 'foreign_print'))
    returning id`
  return rows.length > 0
}

/** Keeps since when a printer reports an error. False when nothing changed. */
export async function updateErrorSince(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  isError: boolean,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    update printers set error_since = case when ${isError} then ${at}::timestamptz end
    where account_id = ${accountId} and id = ${printerId} and (error_since is not null) <> ${isError}
    returning id`
  return rows.length > 0
}

/** A print lies on the plate, or is being printed there: it is not clear again until a person says so. */
export async function occupyPlate(
  { sql, accountId, actor, now }: Work,
  printerId: PrinterId,
  change: {
    jobId: JobId
    /** Since when the plate is so. */
    at: Date
    reason: 'print_started' | 'print_done' | 'print_failed' | 'print_cancelled'
  },
): Promise<void> {
  await sql`
    update printers set plate_state = 'occupied', plate_job_id = ${change.jobId}, plate_unknown_reason = null,
      plate_changed_at = ${change.at}, plate_changed_by = ${actor}, plate_change_reason = ${change.reason}, updated_at = ${now}
    where account_id = ${accountId} and id = ${printerId}`
}

/**
 * Makes plates unknown: those of the printers of this hub, and in the whole account those that were last changed before
 * `olderThan`, for any printer may take a job that was printed since. A plate stays on which a print of ours goes on that
 * the hub knows of. Answers the printers.
 */
export async function doubtPlates(
  { sql, accountId, actor, now }: Work,
  doubt: { hubId: HubId; openAttempts: readonly string[]; olderThan: Date | null },
): Promise<Pick<PrinterRow, 'id' | 'name'>[]> {
  return sql<Pick<PrinterRow, 'id' | 'name'>[]>`
    update printers p set plate_state = 'unknown', plate_job_id = null, plate_changed_at = ${now},
      plate_changed_by = ${actor}, plate_change_reason = 'service_restored',
      plate_unknown_reason = 'The service was restored from a backup', updated_at = ${now}
    where p.account_id = ${accountId}
      and (p.hub_id = ${doubt.hubId} or coalesce(p.plate_changed_at < ${doubt.olderThan}, false))
      and not exists (
        select from attempts a
        where a.account_id = p.account_id and ${held(sql, 'a', 'printer_id')} = p.id
          and (a.id = any(${[...doubt.openAttempts]}) or a.hub_id <> ${doubt.hubId})
      )
    returning p.id, p.name`
}

/**
 * A print has pushed itself off: the plate is clear, or unknown when as many in a row were believed as the printer is
 * set to. The plate is locked by the caller.
 */
export async function writePlateEjected(
  { sql, accountId, actor, now }: Work,
  printerId: PrinterId,
  mark: string,
): Promise<Pick<PrinterRow, 'ejections_in_row' | 'plate_state'> | undefined> {
  const [row] = await sql<Pick<PrinterRow, 'ejections_in_row' | 'plate_state'>[]>`
    update printers set ejections_in_row = ejections_in_row + 1,
      plate_state = case when ejections_in_row + 1 >= ejection_check_after then 'unknown' else 'clear' end,
      plate_change_reason = case when ejections_in_row + 1 >= ejection_check_after then 'ejection_check' else 'ejected' end,
      plate_job_id = case when ejections_in_row + 1 >= ejection_check_after then plate_job_id end,
      plate_run_mark = ${mark}, plate_unknown_reason = null,
      plate_changed_at = ${now}, plate_changed_by = ${actor}, updated_at = ${now}
    where account_id = ${accountId} and id = ${printerId}
    returning ejections_in_row, plate_state`
  return row
}
