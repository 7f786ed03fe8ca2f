import type { FilamentAssignment } from '@printyard/protocol/commands'
import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { AttemptRow, EventRow, JobRow, PrinterRow, PrintFileVersionRow } from '../../../db/rows.generated.ts'
import type { AccountId, JobId, PrintFailureId } from '../../../kernel/ids.ts'

/** The latest tries and events of a job that are told: more than anybody reads. */
const mostShown = 50

const planColumns = columnsOf<JobRow>('j')(
  'id',
  'print_file_id',
  'quantity_per_print',
  'plates_total',
  'plates_done',
  'units_rejected',
  'requires_assembly',
  'priority',
  'due_date',
  'any_color',
  'auto_assigned',
  'printer_id',
  'cancel_requested_at',
  'reprint_of',
  'created_by',
  'recipe_id',
  'file_version_id',
)

export type JobPlanRow = RowOf<typeof planColumns> & {
  file_version_number: PrintFileVersionRow['version_number']
  file_deleted: boolean
  /** Model of its printer, else the one that the file is sliced for. */
  model: string | null
}

export async function findJobPlan(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobPlanRow | undefined> {
  const [plan] = await sql<JobPlanRow[]>`
    select ${planColumns(sql)}, v.version_number as file_version_number, f.deleted_at is not null as file_deleted,
           coalesce(p.model, v.printer_model) as model
    from jobs j
    join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    join print_files f on f.account_id = j.account_id and f.id = j.print_file_id
    left join printers p on p.account_id = j.account_id and p.id = j.printer_id
    where j.account_id = ${accountId} and j.id = ${jobId}`
  return plan
}

const triedColumns = columnsOf<AttemptRow>('a')(
  'id',
  'plate_number',
  'printer_id',
  'phase',
  'outcome',
  'reason_code',
  'actor',
  'reserved_at',
  'confirmed_at',
  'finished_at',
  'time_note',
  'other_slot',
)

export type TriedPlate = RowOf<typeof triedColumns> & {
  printer_name: PrinterRow['name'] | null
  filament_map: FilamentAssignment[] | null
  /** Failure where it failed or was stopped. */
  failure_id: PrintFailureId | null
  camera_picture_at: Date | null
}

/** The latest first, by the index `attempts_by_job`. */
export async function listTries(sql: Sql, accountId: AccountId, jobId: JobId): Promise<TriedPlate[]> {
  return sql<TriedPlate[]>`
    select ${triedColumns(sql)}, a.filament_map, p.name as printer_name, f.id as failure_id, s.taken_at as camera_picture_at
    from attempts a
    left join printers p on p.account_id = a.account_id and p.id = a.printer_id
    left join print_failures f on f.account_id = a.account_id and f.attempt_id = a.id
    left join failure_pictures s on s.account_id = f.account_id and s.failure_id = f.id
    where a.account_id = ${accountId} and a.job_id = ${jobId}
    order by a.reserved_at desc limit ${mostShown}`
}

const eventColumns = columnsOf<EventRow>()('id', 'type', 'data', 'actor', 'created_at')

export type JobEvent = RowOf<typeof eventColumns>

/** The latest first. */
export async function listJobEvents(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobEvent[]> {
  return sql<JobEvent[]>`
    select ${eventColumns(sql)} from events
    where account_id = ${accountId} and subject_id = ${jobId}
    order by id desc limit ${mostShown}`
}
