import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Fragment, Sql } from '../../db/database.ts'
import type {
  AttemptRow,
  JobRow,
  MaterialRow,
  MaterialSettingRow,
  PrinterRow,
  PrintFileVersionRow,
  SchedulerSettingRow,
} from '../../db/rows.generated.ts'
import type { AccountId, JobId, PrinterId } from '../../kernel/ids.ts'
import { held, liveAttempts } from '../attempts/under-way/live-attempts.ts'

/** The most printers of one account that are looked at: more than any farm has. */
const mostPrinters = 10_000

/** The most spools that are looked at. */
const mostSpools = 5_000

/** Different wishes of a queue that are looked at. */
const mostDemands = 5_000

/** A spool that a person loaded; `remaining` in milligrams, by its ledger, of which the print that runs has `reserved` some. */
export type LoadedSpool = Pick<MaterialRow, 'type' | 'color' | 'hex_code' | 'remaining'> & {
  slot: number
  reserved: number
}

const printerColumns = columnsOf<PrinterRow>('p')(
  'id',
  'name',
  'model',
  'hub_id',
  'is_active',
  'in_maintenance',
  'auto_start',
  'plate_state',
  'plate_run_mark',
  'run_mark',
  'nozzle_size',
  'power_group',
  'loaded_filament_grams',
  'total_print_seconds',
  'fence',
  'current_color',
  'current_color_hex',
  'current_filament_type',
  'current_build_plate',
  'connection_type',
  'ejection_cooldown_temp',
  'ejection_gcode',
)

export type PrinterForRules = RowOf<typeof printerColumns> & {
  has_live_attempt: boolean
  /** The one that was loaded last first. */
  spools: LoadedSpool[]
}

/** What a statement about printers `p` says of the attempts that hold them. */
interface HeldPrinters {
  isHeld: Fragment
  /** In milligrams, of the spool `m`. */
  reserved: Fragment
}

/** @param attemptId of the attempt that holds the printer */
const heldBy = (sql: Sql, attemptId: Fragment): HeldPrinters => ({
  isHeld: sql`${attemptId} is not null`,
  reserved: sql`coalesce((
    select sum(r.milligrams) from filament_reservations r
    where r.account_id = p.account_id and r.attempt_id = ${attemptId} and r.material_id = m.id
  ), 0)`,
})

/** The same where it is known that none does. */
const heldByNone = (sql: Sql): HeldPrinters => ({ isHeld: sql`false`, reserved: sql`0` })

/** Follows `select`. */
const columnsFromPrinters = (sql: Sql, { isHeld, reserved }: HeldPrinters) => sql`
  ${printerColumns(sql)}, ${isHeld} as has_live_attempt, coalesce((
    select jsonb_agg(
      jsonb_build_object(
        'slot', m.slot, 'type', m.type, 'color', m.color, 'hex_code', m.hex_code, 'remaining', m.remaining,
        'reserved', ${reserved}
      ) order by m.loaded_at desc, m.id
    )
    from materials m where m.account_id = p.account_id and m.printer_id = p.id
  ), '[]') as spools
  from printers p`

/** Every printer of the account, or the one asked for. */
export async function listPrintersForRules(
  sql: Sql,
  accountId: AccountId,
  printerId?: PrinterId,
): Promise<PrinterForRules[]> {
  const { cte, idOf } = liveAttempts(sql, accountId, 'printer_id', printerId)
  return sql<PrinterForRules[]>`
    with ${cte}
    select ${columnsFromPrinters(sql, heldBy(sql, idOf(sql`p.id`)))}
    where p.account_id = ${accountId} ${printerId === undefined ? sql`` : sql`and p.id = ${printerId}`}
    order by p.id limit ${mostPrinters}`
}

/**
 * The printers that may take a job by what the database knows, or those of them that are asked for; what is live, memory knows. All
 * that are held are read once where all are asked for.
 */
export async function listFreePrinters(
  sql: Sql,
  accountId: AccountId,
  among?: readonly PrinterId[],
): Promise<PrinterForRules[]> {
  return sql<PrinterForRules[]>`
    select ${columnsFromPrinters(sql, heldByNone(sql))}
    where p.account_id = ${accountId} ${among === undefined ? sql`` : sql`and p.id = any(${[...among]})`} and p.auto_start
      and p.is_active and not p.in_maintenance and p.plate_state = 'clear' and p.hub_id is not null
      and ${
        among === undefined
          ? sql`p.id not in (select printer_id from attempts where account_id = ${accountId} and phase <> 'finished')`
          : sql`not exists (select from attempts a where a.account_id = p.account_id and ${held(sql, 'a', 'printer_id')} = p.id)`
      }
    order by p.id limit ${mostPrinters}`
}

/** A filament that the plate of a file uses; null where the file does not say. */
export type FilamentOfFile = {
  index: number
  type: string | null
  color: string | null
  preset_id: string | null
  /** Left out of what was read before tools were. */
  tool?: number | null
  grams: number | null
}

const fileColumns = columnsOf<Omit<PrintFileVersionRow, 'filaments'> & { filaments: FilamentOfFile[] }>('v')(
  'printer_model',
  'nozzle_diameter',
  'bed_type',
  'width_mm',
  'depth_mm',
  'max_z_mm',
  'filaments',
)
const plateColumns = columnsOf<JobRow>('j')(
  'plates_total',
  'filament_type',
  'color',
  'any_color',
  'filament_needed_grams',
)
const jobColumns = columnsOf<JobRow>('j')(
  'id',
  'status',
  'file_version_id',
  'file_name',
  'plates_done',
  'priority',
  'priority_rank',
  'due_date',
  'queue_position',
)

/** What decides where the next plate of a job can be printed. */
export type PlateForRules = RowOf<typeof plateColumns> &
  RowOf<typeof fileColumns> & {
    /** The printer that a person gave it. */
    assigned_printer_id: JobRow['printer_id']
  }

/** The columns of `PlateForRules` that are its file's, of `print_file_versions v`. */
export const columnsOfFiles = (sql: Sql) => fileColumns(sql)

export type JobForRules = PlateForRules &
  RowOf<typeof jobColumns> &
  Pick<PrintFileVersionRow, 'print_time_seconds'> & {
    option_position: JobRow['option_position']
    /** The ways that the job could take instead, until its first plate is done. */
    options: OptionForRules[] | null
  }

/** What another way to print a job has in the place of the job and its file. */
type OptionForRules = { position: number } & Pick<
  JobForRules,
  | 'file_version_id'
  | 'plates_total'
  | 'filament_type'
  | 'color'
  | 'any_color'
  | 'filament_needed_grams'
  | 'printer_model'
  | 'nozzle_diameter'
  | 'bed_type'
  | 'print_time_seconds'
  | 'width_mm'
  | 'depth_mm'
  | 'max_z_mm'
  | 'filaments'
>

/** The columns of `JobForRules`, of `jobs j` and `print_file_versions v`. */
export const jobColumnsForRules = (sql: Sql) => sql`
  ${jobColumns(sql)}, ${plateColumns(sql)}, ${fileColumns(sql)}, v.print_time_seconds,
  case when j.auto_assigned then null else j.printer_id end as assigned_printer_id,
  j.option_position,
  case when j.option_position is not null and j.plates_done = 0 then (
    select jsonb_agg(
      jsonb_build_object(
        'position', o.position, 'file_version_id', o.file_version_id, 'plates_total', o.plates_total,
        'filament_type', o.filament_type, 'color', o.color, 'any_color', o.any_color,
        'filament_needed_grams', o.filament_needed_grams, 'printer_model', w.printer_model,
        'nozzle_diameter', w.nozzle_diameter, 'bed_type', w.bed_type, 'print_time_seconds', w.print_time_seconds,
        'width_mm', w.width_mm, 'depth_mm', w.depth_mm, 'max_z_mm', w.max_z_mm, 'filaments', w.filaments
      ) order by o.position
    )
    from job_options o
    join print_file_versions w on w.account_id = o.account_id and w.id = o.file_version_id
    where o.account_id = j.account_id and o.job_id = j.id and o.position <> j.option_position
  ) end as options`

export async function findJobForRules(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobForRules | undefined> {
  const [job] = await sql<JobForRules[]>`
    select ${jobColumnsForRules(sql)}
    from jobs j join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    where j.account_id = ${accountId} and j.id = ${jobId}`
  return job
}

/** What queued jobs ask for, jobs that ask for the same together. */
type DemandRow = PlateForRules & {
  jobs: number
  /** Time of all plates that are still to be printed, one after another. */
  print_seconds: number
}

/** What a plate takes as long as its file does not say how long it takes. */
const assumedPlateSeconds = 3_600

/** The demand of a queue, the oldest first, by the index `jobs_unfinished`. */
export async function listDemand(sql: Sql, accountId: AccountId): Promise<DemandRow[]> {
  return sql<DemandRow[]>`
    select wanted.*, ${fileColumns(sql)}
    from (
      select case when j.auto_assigned then null else j.printer_id end as assigned_printer_id, j.file_version_id,
             j.filament_type, j.color, j.any_color, 1 as plates_total,
             j.filament_needed_grams / j.plates_total as filament_needed_grams,
             count(*) as jobs, min(j.created_at) as oldest,
             sum(coalesce(f.print_time_seconds, ${assumedPlateSeconds}) * (j.plates_total - j.plates_done))::float8 as print_seconds
      from jobs j
      join print_file_versions f on f.account_id = j.account_id and f.id = j.file_version_id
      where j.account_id = ${accountId} and j.status = 'queued'
      group by 1, 2, 3, 4, 5, 7
      order by oldest
      limit ${mostDemands}
    ) wanted
    join print_file_versions v on v.account_id = ${accountId} and v.id = wanted.file_version_id
    order by wanted.oldest`
}

export type RefusalRow = Pick<AttemptRow, 'printer_id' | 'job_id' | 'hub_id' | 'reason_code'> & {
  finished_at: Date
  printer_recovered: boolean
  job_recovered: boolean
}

/**
 * Starts that were refused since `since`, the oldest first. A printer, or job, has recovered from one when a later attempt
 * of it was seen printing. A hub that was away refused nothing, and one that had seen newer commands refuses none since the
 * fence was raised above them.
 */
export async function listRefusals(sql: Sql, accountId: AccountId, since: Date): Promise<RefusalRow[]> {
  return sql<RefusalRow[]>`
    select a.printer_id, a.job_id, a.hub_id, a.reason_code, a.finished_at,
      exists (
        select from attempts b where b.account_id = a.account_id and b.printer_id = a.printer_id and b.fence > a.fence
          and b.confirmed_at is not null
      ) as printer_recovered,
      exists (
        select from attempts b where b.account_id = a.account_id and b.job_id = a.job_id and b.reserved_at > a.reserved_at
          and b.confirmed_at is not null
      ) as job_recovered
    from attempts a
    where a.account_id = ${accountId} and a.outcome = 'not_started' and a.finished_at > ${since}
      and a.reason_code is distinct from 'OFFLINE'
      and not (a.reason_code = 'STALE_FENCE' and exists (
        select from printers p
        where p.account_id = a.account_id and p.id = a.printer_id and p.fence_raised_at > a.finished_at
      ))
    order by a.finished_at desc limit 2000`
}

export type GroupMember = Pick<PrinterRow, 'id' | 'hub_id' | 'power_group'> & {
  phase: AttemptRow['phase'] | null
  confirmed_at: Date | null
  last_start_at: Date | null
}

/** The printers that share a supply, with what holds them now and when something was last started on them. */
export async function listGroupMembers(sql: Sql, accountId: AccountId): Promise<GroupMember[]> {
  const { cte, idOf } = liveAttempts(sql, accountId, 'printer_id')
  return sql<GroupMember[]>`
    with ${cte}
    select p.id, p.hub_id, p.power_group, a.phase, a.confirmed_at, last.reserved_at as last_start_at
    from printers p
    left join attempts a on a.account_id = p.account_id and a.id = ${idOf(sql`p.id`)}
    left join lateral (
      select l.reserved_at from attempts l
      where l.account_id = p.account_id and l.printer_id = p.id and l.outcome is distinct from 'not_started'
      order by l.fence desc limit 1
    ) last on true
    where p.account_id = ${accountId} and p.power_group <> ''
    order by p.id limit ${mostPrinters}`
}

type SettingsForRules = Pick<
  SchedulerSettingRow,
  'working_days' | 'working_from' | 'working_to' | 'heating_at_once' | 'heating_gap_seconds'
>

type FilamentSettings = Pick<MaterialSettingRow, 'checks_filament' | 'filament_margin'>

interface AccountForRules {
  time_zone: string
  settings: SettingsForRules | null
  filament: FilamentSettings | null
  colors: Record<string, string> | null
}

/** The account's settings where it made any, its time zone, and the colours that it has names for. */
export async function readAccountForRules(sql: Sql, accountId: AccountId): Promise<AccountForRules | undefined> {
  const [row] = await sql<AccountForRules[]>`
    select accounts.time_zone,
      (
        select to_jsonb(s) from scheduler_settings s where s.account_id = accounts.id
      ) as settings,
      (
        select to_jsonb(f) from material_settings f where f.account_id = accounts.id
      ) as filament,
      (
        select jsonb_object_agg(lower(btrim(c.color_name)), upper(c.hex_code)) from colors c
        where c.account_id = accounts.id and c.is_active
      ) as colors
    from accounts where accounts.id = ${accountId}`
  return row
}

export type SpoolForRules = Pick<
  MaterialRow,
  'id' | 'type' | 'color' | 'hex_code' | 'brand' | 'location' | 'remaining'
> & {
  /** Milligrams that prints which run take of it. */
  reserved: number
  printer_id: PrinterRow['id'] | null
  printer_name: PrinterRow['name'] | null
}

/** The spools of a farm with something left on them, wherever they are. */
export async function listSpools(sql: Sql, accountId: AccountId): Promise<SpoolForRules[]> {
  return sql<SpoolForRules[]>`
    select m.id, m.type, m.color, m.hex_code, m.brand, m.location, m.remaining, m.printer_id, p.name as printer_name,
           coalesce(taken.milligrams, 0)::int8 as reserved
    from materials m
    left join printers p on p.account_id = m.account_id and p.id = m.printer_id
    left join (
      select r.material_id, sum(r.milligrams) as milligrams
      from attempts a
      join filament_reservations r on r.account_id = a.account_id and r.attempt_id = a.id
      where a.account_id = ${accountId} and a.phase <> 'finished'
      group by r.material_id
    ) taken on taken.material_id = m.id
    where m.account_id = ${accountId} and m.kind = 'filament' and m.remaining > 0
    order by m.created_at desc, m.id desc limit ${mostSpools}`
}
