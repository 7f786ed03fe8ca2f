import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'

/** Sets whether units that are found bad are printed again by a new job, without the route that sets it. */
export async function setRejectsAgain(sql: Sql, accountId: AccountId, isWanted: boolean): Promise<void> {
  await sql`update accounts set requeue_rejected_units = ${isWanted} where id = ${accountId}`
}
