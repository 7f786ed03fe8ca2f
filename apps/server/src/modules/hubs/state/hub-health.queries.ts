import type { Sql } from '../../../db/database.ts'
import type { AccountId, HubId } from '../../../kernel/ids.ts'

/** Entries are plain texts; the type of the library knows no interfaces. */
export async function writeHubHealth(
  sql: Sql,
  accountId: AccountId,
  hubId: HubId,
  health: readonly unknown[],
): Promise<void> {
  await sql`update hubs set health = ${sql.json(health as never)} where account_id = ${accountId} and id = ${hubId}`
}
