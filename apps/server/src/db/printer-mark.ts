import type { Sql } from './driver/statement.ts'

/**
 * What is another text once a transaction that changed a printer of the account has committed; for the list of a select.
 * It is read together with what lets a request in, so that it is never older than the request and costs no statement.
 */
export function printerMarkOf(sql: Sql, accountId: ReturnType<Sql>) {
  return sql`(
    select coalesce(string_agg(mark::text, ' ' order by id), '') from printer_marks where account_id = ${accountId}
  ) as printer_mark`
}
