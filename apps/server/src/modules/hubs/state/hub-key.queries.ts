import type { Sql } from '../../../db/database.ts'
import type { HubRow } from '../../../db/rows.generated.ts'
import type { AccountId, HubId } from '../../../kernel/ids.ts'

/** The key for which credentials are sealed for a hub; null while it has told none, undefined when there is no such hub. */
export async function findHubKey(sql: Sql, accountId: AccountId, hubId: HubId): Promise<string | null | undefined> {
  const [hub] = await sql<Pick<HubRow, 'public_key'>[]>`
    select public_key from hubs where account_id = ${accountId} and id = ${hubId}`
  return hub?.public_key
}

export async function writeHubKey(
  sql: Sql,
  accountId: AccountId,
  hubId: HubId,
  publicKey: string | null,
): Promise<void> {
  await sql`update hubs set public_key = ${publicKey} where account_id = ${accountId} and id = ${hubId}`
}

/** True when credentials are stored for a printer of the hub; a virtual one has none. */
export async function hasCredentials(sql: Sql, accountId: AccountId, hubId: HubId): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (
      select from printers where account_id = ${accountId} and hub_id = ${hubId} and connection_type <> 'virtual'
    ) as has`
  return row?.has === true
}
