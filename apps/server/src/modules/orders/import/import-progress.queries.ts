import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { OrderImportProgressRow } from '../../../db/rows.generated.ts'
import type { AccountId } from '../../../kernel/ids.ts'

const columns = columnsOf<OrderImportProgressRow>()('done_rows', 'total_rows')

export type ImportProgress = RowOf<typeof columns>

export async function findImportProgress(
  sql: Sql,
  accountId: AccountId,
  id: string,
): Promise<ImportProgress | undefined> {
  const [progress] = await sql<ImportProgress[]>`
    select ${columns(sql)} from order_import_progress where account_id = ${accountId} and id = ${id}`
  return progress
}

export async function writeImportProgress(
  sql: Sql,
  accountId: AccountId,
  progress: Omit<OrderImportProgressRow, 'account_id'>,
): Promise<void> {
  await sql`
    insert into order_import_progress ${sql({ account_id: accountId, ...progress })}
    on conflict (account_id, id) do update
      set done_rows = excluded.done_rows, total_rows = excluded.total_rows, updated_at = excluded.updated_at`
}

export async function deleteImportProgress(sql: Sql, accountId: AccountId, id: string): Promise<void> {
  await sql`delete from order_import_progress where account_id = ${accountId} and id = ${id}`
}

/** Deletes what an import that was broken off has left. */
export async function deleteProgressBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: what is left of all imports goes */
    delete from order_import_progress p using (
      select o.account_id, o.id from order_import_progress o where o.updated_at < ${before}
      order by o.updated_at limit ${limit} for update skip locked
    ) old
    where p.account_id = old.account_id and p.id = old.id`
  return count
}
