import type { Sql } from '../../db/database.ts'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import type { PrinterPlace } from './live-printer.ts'

export async function findPrinterPlace(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<PrinterPlace | undefined> {
  const [printer] = await sql<PrinterPlace[]>`
    select id, hub_id, is_active, in_maintenance from printers where account_id = ${accountId} and id = ${printerId}`
  return printer
}

export async function findPrinterToCommand(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<(PrinterPlace & Pick<PrinterRow, 'model'>) | undefined> {
  const [printer] = await sql<(PrinterPlace & Pick<PrinterRow, 'model'>)[]>`
    select id, hub_id, is_active, in_maintenance, model from printers
    where account_id = ${accountId} and id = ${printerId}`
  return printer
}
