import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PagePosition, PageRow } from '../../db/page-bounds.ts'
import type { PrinterRow as PrinterTableRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, HubId, JobId, PrinterId } from '../../kernel/ids.ts'
import { held } from '../attempts/under-way/live-attempts.ts'
import type { Work } from '../events/work.ts'
import type { PrinterPlace } from './live-printer.ts'

// Named one by one, so that the sealed connection is read only where it is opened.
const columns = columnsOf<PrinterTableRow>()(
  'id',
  'hub_id',
  'name',
  'model',
  'manufacturer',
  'location',
  'notes',
  'connection_type',
  'nozzle_size',
  'current_color',
  'current_color_hex',
  'current_filament_type',
  'current_build_plate',
  'has_ams',
  'filament_level',
  'firmware_version',
  'auto_start',
  'power_group',
  'loaded_filament_grams',
  'is_active',
  'in_maintenance',
  'maintenance_type',
  'last_maintenance_date',
  'total_print_seconds',
  'maintenance_interval_hours',
  'plate_state',
  'plate_job_id',
  'plate_changed_at',
  'plate_changed_by',
  'plate_change_reason',
  'plate_unknown_reason',
  'ejection_cooldown_temp',
  'ejection_gcode',
  'ejection_check_after',
  'ejections_in_row',
  'health',
  'created_at',
  'updated_at',
)

/** A row of `printers` without its sealed connection. */
export type PrinterRow = RowOf<typeof columns>

export async function findPrinter(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<PrinterRow | undefined> {
  const [printer] = await sql<PrinterRow[]>`
    select ${columns(sql)} from printers where account_id = ${accountId} and id = ${printerId}`
  return printer
}

/** Reads a printer and keeps others from changing it, or from reserving it, until the transaction ends. */
export async function lockPrinter(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<PrinterRow | undefined> {
  const [printer] = await sql<PrinterRow[]>`
    select ${columns(sql)} from printers where account_id = ${accountId} and id = ${printerId} for no key update`
  return printer
}

interface PrinterFilter {
  is_active?: boolean
  location?: string
  /** Part of the name, in any case. */
  search?: string
  name?: string
  /** True when something is wrong with it. */
  has_problems?: boolean
  /** Only printers whose name comes after that of this one. */
  after?: PagePosition | undefined
}

const matching = (sql: Sql, accountId: AccountId, filter: PrinterFilter) => sql`
  where account_id = ${accountId}
    ${filter.is_active === undefined ? sql`` : sql`and is_active = ${filter.is_active}`}
    ${filter.location === undefined ? sql`` : sql`and location = ${filter.location}`}
    ${filter.name === undefined ? sql`` : sql`and strpos(lower(name), lower(${filter.name})) > 0`}
    ${filter.search === undefined ? sql`` : sql`and strpos(lower(name), lower(${filter.search})) > 0`}
    ${filter.has_problems === undefined ? sql`` : sql`and (health <> '[]') = ${filter.has_problems}`}
    ${filter.after ? sql`and name > ${filter.after.key}` : sql``}`

/** By name. */
export async function listPrinters(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, ...filter }: PrinterFilter & Pick<PageBounds, 'limit' | 'offset'>,
): Promise<PageRow<PrinterRow>[]> {
  return sql<PageRow<PrinterRow>[]>`
    select ${columns(sql)}, name as page_key from printers ${matching(sql, accountId, filter)}
    order by name limit ${limit} offset ${offset}`
}

/** More than any farm has; what a filter by live status looks through at most. */
const mostPlaces = 10_000

/** Answers what the live status of each matching printer is found by, in the order of `listPrinters`. */
export async function listPlaces(sql: Sql, accountId: AccountId, filter: PrinterFilter): Promise<PrinterPlace[]> {
  return sql<PrinterPlace[]>`
    select id, hub_id, is_active, in_maintenance from printers ${matching(sql, accountId, filter)}
    order by name limit ${mostPlaces}`
}

export async function listPrintersById(sql: Sql, accountId: AccountId, ids: string[]): Promise<PrinterRow[]> {
  return sql<PrinterRow[]>`
    select ${columns(sql)} from printers where account_id = ${accountId} and id = any(${ids}) order by name`
}

export type AttachedPrinter = PrinterPlace & Pick<PrinterRow, 'name' | 'model'> & { hub_id: HubId }

/** The printers of these hubs, by name. */
export async function listAttachedPrinters(
  sql: Sql,
  accountId: AccountId,
  hubIds: HubId[],
): Promise<AttachedPrinter[]> {
  return sql<AttachedPrinter[]>`
    select id, hub_id, name, model, is_active, in_maintenance from printers
    where account_id = ${accountId} and hub_id = any(${hubIds}) order by name`
}

/** Attempt → the name of the file that it prints, as people know it; printers know it by a name of their own. */
export async function mapPrintNames(
  sql: Sql,
  accountId: AccountId,
  attemptIds: AttemptId[],
): Promise<Map<string, string>> {
  if (attemptIds.length === 0) return new Map()
  const rows = await sql<{ id: AttemptId; file_name: string }[]>`
    select a.id, j.file_name from attempts a join jobs j on j.account_id = a.account_id and j.id = a.job_id
    where a.account_id = ${accountId} and a.id = any(${attemptIds})`
  return new Map(rows.map(({ id, file_name }) => [id, file_name]))
}

/** The most printers that one hub may run: what a frame to it can name. */
export const mostPrintersPerHub = 500

export type PrinterOfHub = Pick<
  PrinterTableRow,
  | 'id'
  | 'name'
  | 'model'
  | 'connection_type'
  | 'connection_sealed'
  | 'nozzle_size'
  | 'current_color_hex'
  | 'current_filament_type'
  | 'plate_state'
  | 'plate_changed_at'
  | 'plate_change_reason'
>

/** Fails the row's reader rather than answer undefined: the caller holds the printer. */
export async function findSealedConnection(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<Buffer> {
  const [row] = await sql<Pick<PrinterTableRow, 'connection_sealed'>[]>`
    select connection_sealed from printers where account_id = ${accountId} and id = ${printerId}`
  if (!row) throw new Error(`printer ${printerId} is gone`)
  return row.connection_sealed
}

export type PrinterByConnection = Pick<
  PrinterTableRow,
  'id' | 'connection_type' | 'connection_serial' | 'connection_host' | 'connection_port'
>

/** The printers that any of these serial numbers or hosts might be, the oldest first. */
export async function listPrintersByConnection(
  sql: Sql,
  accountId: AccountId,
  { serials, hosts }: { serials: string[]; hosts: string[] },
): Promise<PrinterByConnection[]> {
  return sql<PrinterByConnection[]>`
    select id, connection_type, connection_serial, connection_host, connection_port from printers
    where account_id = ${accountId} and connection_serial = any(${serials})
    union
    select id, connection_type, connection_serial, connection_host, connection_port from printers
    where account_id = ${accountId} and connection_host = any(${hosts})
    order by id limit 1000`
}

/** The printers that a hub is to run, with their sealed connections. */
export async function listPrintersOfHub(sql: Sql, accountId: AccountId, hubId: HubId): Promise<PrinterOfHub[]> {
  return sql<PrinterOfHub[]>`
    select id, name, model, connection_type, connection_sealed, nozzle_size, current_color_hex, current_filament_type,
           plate_state, plate_changed_at, plate_change_reason
    from printers where account_id = ${accountId} and hub_id = ${hubId} and is_active
    order by id limit ${mostPrintersPerHub}`
}

export async function countPrintersOfHub(sql: Sql, accountId: AccountId, hubId: HubId): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from printers where account_id = ${accountId} and hub_id = ${hubId} and is_active`
  return row?.count ?? 0
}

type NewPrinter = Pick<
  PrinterTableRow,
  | 'id'
  | 'hub_id'
  | 'name'
  | 'model'
  | 'manufacturer'
  | 'location'
  | 'notes'
  | 'connection_type'
  | 'connection_sealed'
  | 'connection_serial'
  | 'connection_host'
  | 'connection_port'
  | 'nozzle_size'
  | 'current_color'
  | 'current_color_hex'
  | 'current_filament_type'
  | 'current_build_plate'
  | 'has_ams'
  | 'auto_start'
  | 'maintenance_interval_hours'
  | 'power_group'
  | 'loaded_filament_grams'
  | 'ejection_cooldown_temp'
  | 'ejection_gcode'
  | 'ejection_check_after'
>

/** Violates `printers_name_key` when the name is taken, and a foreign key when there is no such hub. */
export async function insertPrinter({ sql, accountId, actor, now }: Work, printer: NewPrinter): Promise<PrinterRow> {
  const [row] = await sql<PrinterRow[]>`
    insert into printers ${sql({
      account_id: accountId,
      ...printer,
      plate_changed_at: now,
      plate_changed_by: actor,
      created_at: now,
      updated_at: now,
    })} returning ${columns(sql)}`
  return row as PrinterRow
}

export type PrinterChange = Partial<
  Omit<NewPrinter, 'id' | 'model' | 'connection_type'> &
    Pick<PrinterRow, 'is_active' | 'in_maintenance' | 'maintenance_type' | 'last_maintenance_date'>
>

/** Violates what `insertPrinter` violates. The printer is locked by the caller, so it exists. */
export async function updatePrinter(
  { sql, accountId, now }: Work,
  printerId: PrinterId,
  change: PrinterChange,
): Promise<PrinterRow> {
  const [row] = await sql<PrinterRow[]>`
    update printers set ${sql({ ...change, updated_at: now })}
    where account_id = ${accountId} and id = ${printerId} returning ${columns(sql)}`
  return row as PrinterRow
}

/** Violates a foreign key when a job, an attempt or a command names the printer. */
export async function deletePrinterRow({ sql, accountId }: Work, printerId: PrinterId): Promise<void> {
  await sql`delete from printers where account_id = ${accountId} and id = ${printerId}`
}

/** True when a printer has work: an attempt that holds it, or a job that is not over and names it. */
export async function hasUnfinishedWork(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<boolean> {
  const [row] = await sql<{ is_needed: boolean }[]>`
    select exists (
        select from attempts where account_id = ${accountId} and ${held(sql, 'attempts', 'printer_id')} = ${printerId}
      ) or exists (
        select from jobs where account_id = ${accountId} and printer_id = ${printerId}
          and status in ('queued', 'processing', 'printing', 'paused')
      ) as is_needed`
  return row?.is_needed === true
}

/** The job of an attempt that a printer says it runs. */
export async function findJobOfAttempt(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  attemptId: AttemptId,
): Promise<JobId | undefined> {
  const [row] = await sql<{ job_id: JobId }[]>`
    select job_id from attempts where account_id = ${accountId} and id = ${attemptId} and printer_id = ${printerId}`
  return row?.job_id
}
