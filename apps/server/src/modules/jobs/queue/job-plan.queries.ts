import type { FilamentAssignment } from '@printyard/protocol/commands'
import type { Sql } from '../../../db/database.ts'
import type { AttemptRow, EventRow, JobRow, PrinterRow, PrintFileVersionRow } from '../../../db/rows.generated.ts'
import type { AccountId, JobId } from '../../../kernel/ids.ts'

/** The latest tries and events of a job that are told: more than anybody reads. */
const mostShown = 50

export type JobPlanRow = Pick<
  JobRow,
  | 'id'
  | 'print_file_id'
  | 'quantity_per_print'
  | 'plates_total'
  | 'plates_done'
  | 'units_rejected'
  | 'requires_assembly'
  | 'priority'
  | 'due_date'
  | 'any_color'
  | 'auto_assigned'
  | 'printer_id'
  | 'cancel_requested_at'
  | 'reprint_of'
  | 'created_by'
  | 'recipe_id'
> & { file_version_number: PrintFileVersionRow['version_number']; file_deleted: boolean }

export async function findJobPlan(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobPlanRow | undefined> {
  const [plan] = await sql<JobPlanRow[]>`
    select j.id, j.print_file_id, j.quantity_per_print, j.plates_total, j.plates_done, j.units_rejected,
           j.requires_assembly, j.priority, j.due_date, j.any_color, j.auto_assigned, j.printer_id,
           j.cancel_requested_at, j.reprint_of, j.created_by, j.recipe_id, v.version_number as file_version_number,
           f.deleted_at is not null as file_deleted
    from jobs j
    join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    join print_files f on f.account_id = j.account_id and f.id = j.print_file_id
    where j.account_id = ${accountId} and j.id = ${jobId}`
  return plan
}

export type TriedPlate = Pick<
  AttemptRow,
  | 'id'
  | 'plate_number'
  | 'printer_id'
  | 'phase'
  | 'outcome'
  | 'reason_code'
  | 'actor'
  | 'reserved_at'
  | 'confirmed_at'
  | 'finished_at'
  | 'time_note'
  | 'other_slot'
> & { printer_name: PrinterRow['name'] | null; filament_map: FilamentAssignment[] | null }

/** The latest first, by the index `attempts_by_job`. */
export async function listTries(sql: Sql, accountId: AccountId, jobId: JobId): Promise<TriedPlate[]> {
  return sql<TriedPlate[]>`
    select a.id, a.plate_number, a.printer_id, a.phase, a.outcome, a.reason_code, a.actor, a.reserved_at,
           a.confirmed_at, a.finished_at, a.time_note, a.filament_map, a.other_slot, p.name as printer_name
    from attempts a left join printers p on p.account_id = a.account_id and p.id = a.printer_id
    where a.account_id = ${accountId} and a.job_id = ${jobId}
    order by a.reserved_at desc limit ${mostShown}`
}

export type JobEvent = Pick<EventRow, 'id' | 'type' | 'data' | 'actor' | 'created_at'>

/** The latest first. */
export async function listJobEvents(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobEvent[]> {
  return sql<JobEvent[]>`
    select id, type, data, actor, created_at from events
    where account_id = ${accountId} and subject_id = ${jobId}
    order by id desc limit ${mostShown}`
}
