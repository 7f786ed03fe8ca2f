import type { Sql } from '../../../db/database.ts'
import type { AttemptRow, JobRow } from '../../../db/rows.generated.ts'
import type { AccountId, PrintFileId } from '../../../kernel/ids.ts'

/** More than any farm prints at once. */
const mostPrinters = 10_000

/** What a printer prints, for its card. */
export type PrintingRow = Pick<AttemptRow, 'printer_id' | 'job_id' | 'plate_number'> &
  Pick<JobRow, 'product_name' | 'sku_name' | 'file_name' | 'quantity_per_print' | 'plates_total' | 'print_file_id'>

/** The jobs that hold printers, by the index of unfinished attempts. */
export async function listPrinting(sql: Sql, accountId: AccountId): Promise<PrintingRow[]> {
  return sql<PrintingRow[]>`
    select a.printer_id, a.job_id, a.plate_number, j.product_name, j.sku_name, j.file_name, j.quantity_per_print,
           j.plates_total, j.print_file_id
    from attempts a join jobs j on j.account_id = a.account_id and j.id = a.job_id
    where a.account_id = ${accountId} and a.phase <> 'finished'
    limit ${mostPrinters}`
}

interface Pictured {
  id: PrintFileId
  updated_at: Date
}

/** Those of the files that have a picture, with when they changed last: their picture may be kept until then. */
export async function listPictured(sql: Sql, accountId: AccountId, fileIds: PrintFileId[]): Promise<Pictured[]> {
  if (fileIds.length === 0) return []
  return sql<Pictured[]>`
    select f.id, f.updated_at from print_files f
    join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version
    where f.account_id = ${accountId} and f.id = any(${fileIds}) and v.thumbnail_sha256 is not null`
}
