import type { Sql } from '../../db/database.ts'
import type { JobRow } from '../../db/rows.generated.ts'
import type { PrinterId } from '../../kernel/ids.ts'

/** Which jobs that are not over are meant; what is left out does not matter. */
export interface QueueFilter {
  /** In the name of the file, product, SKU or printer, in whatever case; or the ID of the job. */
  search?: string
  of_printer_id?: PrinterId
  /** In whatever case. */
  filament_type?: string
  priority?: JobRow['priority']
}

/**
 * Answers whether the job `j`, with `p` as its printer, is meant. It says nothing of the account or the status: who asks reads by an
 * index of jobs that are not over, so that at most the queue of one account is looked at.
 */
export function matchesFilter(sql: Sql, { search, of_printer_id, filament_type, priority }: QueueFilter) {
  const has = (column: ReturnType<Sql>, part: string) => sql`strpos(lower(coalesce(${column}, '')), lower(${part})) > 0`
  return sql`(
    true
    ${
      search === undefined
        ? sql``
        : sql`and (j.id = ${search} or ${has(sql`j.file_name`, search)} or ${has(sql`j.product_name`, search)}
            or ${has(sql`j.sku_name`, search)} or ${has(sql`p.name`, search)})`
    }
    ${of_printer_id === undefined ? sql`` : sql`and j.printer_id = ${of_printer_id}`}
    ${filament_type === undefined ? sql`` : sql`and lower(btrim(j.filament_type)) = lower(btrim(${filament_type}))`}
    ${priority === undefined ? sql`` : sql`and j.priority = ${priority}`}
  )`
}
