import type { Sql } from '../../../db/database.ts'

/** Entries are plain texts; the type of the library knows no interfaces. */
export async function writeHubHealth(
  sql: Sql,
  accountId: string,
  hubId: string,
  health: readonly unknown[],
): Promise<void> {
  await sql`update hubs set health = ${sql.json(health as never)} where account_id = ${accountId} and id = ${hubId}`
}
