import type { Sql } from '../../db/database.ts'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { PrinterPlace } from './live-printer.ts'

export async function findPrinterPlace(
  sql: Sql,
  accountId: string,
  printerId: string,
): Promise<PrinterPlace | undefined> {
  const [printer] = await sql<PrinterPlace[]>`
    select id, hub_id, is_active, in_maintenance from printers where account_id = ${accountId} and id = ${printerId}`
  return printer
}

export async function findPrinterToCommand(
  sql: Sql,
  accountId: string,
  printerId: string,
): Promise<(PrinterPlace & Pick<PrinterRow, 'model'>) | undefined> {
  const [printer] = await sql<(PrinterPlace & Pick<PrinterRow, 'model'>)[]>`
    select id, hub_id, is_active, in_maintenance, model from printers
    where account_id = ${accountId} and id = ${printerId}`
  return printer
}

/** Marks the plate clear, unless a job of ours holds the printer. Clearing a clear plate changes only who said it last. */
export async function clearPlate(
  sql: Sql,
  accountId: string,
  printerId: string,
  cleared: { by: string; at: Date },
): Promise<boolean> {
  const rows = await sql`
    update printers p set plate_state = 'clear', plate_job_id = null, plate_changed_at = ${cleared.at},
      plate_changed_by = ${cleared.by}, plate_change_reason = 'cleared_by_person', updated_at = now()
    where p.account_id = ${accountId} and p.id = ${printerId}
      and not exists (
        select from attempts a
        where a.account_id = p.account_id and a.printer_id = p.id and a.phase <> 'finished'
      )
    returning p.id`
  return rows.length > 0
}
