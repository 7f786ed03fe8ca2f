import type { Sql } from '../../db/database.ts'
import type { PrinterRow } from '../../db/rows.generated.ts'

export type Plate = Pick<PrinterRow, 'id' | 'name' | 'location' | 'hub_id' | 'plate_state' | 'plate_job_id'>

/** Reads a plate and keeps others from changing it, or from starting a print on it, until the transaction ends. */
export async function lockPlateRow(sql: Sql, accountId: string, printerId: string): Promise<Plate | undefined> {
  const [plate] = await sql<Plate[]>`
    select id, name, location, hub_id, plate_state, plate_job_id from printers
    where account_id = ${accountId} and id = ${printerId} for no key update`
  return plate
}

export async function writePlateClear(
  sql: Sql,
  accountId: string,
  printerId: string,
  cleared: { by: string; at: Date; how: 'person' | 'task' },
): Promise<void> {
  await sql`
    update printers set plate_state = 'clear', plate_job_id = null, plate_changed_at = ${cleared.at},
      plate_changed_by = ${cleared.by}, plate_change_reason = ${`cleared_by_${cleared.how}` as const},
      ejections_in_row = 0, updated_at = now()
    where account_id = ${accountId} and id = ${printerId}`
}

/**
 * Something prints that is no job of ours: what will lie on the plate is not known. False when that was noted before, or
 * with `onlyIfClear` when something lies there already.
 */
export async function noteForeignPrint(
  sql: Sql,
  accountId: string,
  printerId: string,
  noted: { onlyIfClear: boolean; by: string; at: Date },
): Promise<boolean> {
  const rows = await sql`
    update printers set plate_state = 'unknown', plate_job_id = null, plate_changed_at = ${noted.at},
      plate_changed_by = ${noted.by}, plate_change_reason = 'foreign_print', updated_at = now()
    where account_id = ${accountId} and id = ${printerId}
      and (plate_state = 'clear' or (not ${noted.onlyIfClear} and plate_change_reason <> 'foreign_print'))
    returning id`
  return rows.length > 0
}

/** Whether a print that was not ours lies on the plate, and nobody was asked yet to take it off. */
export async function hasForeignPrint(sql: Sql, accountId: string, printerId: string): Promise<boolean> {
  const rows = await sql`
    select p.id from printers p
    where p.account_id = ${accountId} and p.id = ${printerId} and p.plate_state <> 'clear'
      and p.plate_change_reason = 'foreign_print'
      and not exists (
        select from worklist_tasks w
        where w.account_id = p.account_id and w.source = 'plate' and w.subject_id = p.id
          and w.updated_at >= p.plate_changed_at
      )`
  return rows.length > 0
}

/** Keeps since when a printer reports an error. False when nothing changed. */
export async function noteErrorSince(
  sql: Sql,
  accountId: string,
  printerId: string,
  isError: boolean,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    update printers set error_since = case when ${isError} then ${at}::timestamptz end
    where account_id = ${accountId} and id = ${printerId} and (error_since is not null) <> ${isError}
    returning id`
  return rows.length > 0
}
