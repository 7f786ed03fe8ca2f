import type { Sql } from '../../../db/database.ts'
import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { AccountId } from '../../../kernel/ids.ts'

/** More than any farm has. */
const mostPrinters = 10_000

export type LanePrinter = Pick<PrinterRow, 'id' | 'name' | 'model' | 'in_maintenance'>

/** The printers in use, by name. */
export async function listLanePrinters(sql: Sql, accountId: AccountId): Promise<LanePrinter[]> {
  return sql<LanePrinter[]>`
    select id, name, model, in_maintenance from printers
    where account_id = ${accountId} and is_active order by name limit ${mostPrinters}`
}
