import type { AccountId } from '../kernel/ids.ts'
import type { Sql } from './database.ts'

/** Holds a row until the transaction ends, as an update of it would; what refers to it may still be added. */
export async function lockRow(
  sql: Sql,
  table: 'colors' | 'hubs' | 'print_failures' | 'products' | 'recipes' | 'skus',
  accountId: AccountId,
  id: string,
): Promise<void> {
  await sql`select id from ${sql(table)} where account_id = ${accountId} and id = ${id} for no key update`
}
