import type { Sql } from '../../db/database.ts'
import type { SessionRow } from '../../db/rows.generated.ts'
import type { AccountId, ApiKeyId, SessionId } from '../../kernel/ids.ts'

/** Finds which of these API keys open something now. */
export async function findGoodKeys(
  sql: Sql,
  accountId: AccountId,
  keyIds: ApiKeyId[],
  now: Date,
): Promise<Set<ApiKeyId>> {
  const rows = await sql<{ id: ApiKeyId }[]>`
    select id from api_keys
    where account_id = ${accountId} and id = any(${keyIds}) and revoked_at is null
      and (expires_at is null or expires_at > ${now})`
  return new Set(rows.map((row) => row.id))
}

/** Finds which of these sessions look at the account. */
export async function findSessions(
  sql: Sql,
  accountId: AccountId,
  sessionIds: SessionId[],
): Promise<Pick<SessionRow, 'account_id' | 'id' | 'last_seen_at' | 'expires_at' | 'ended_at'>[]> {
  return sql<Pick<SessionRow, 'account_id' | 'id' | 'last_seen_at' | 'expires_at' | 'ended_at'>[]>`
    select account_id, id, last_seen_at, expires_at, ended_at from sessions
    where account_id = ${accountId} and id = any(${sessionIds})`
}
