import type { Sql } from '../../db/database.ts'
import type { SessionRow } from '../../db/rows.generated.ts'

/** Of these API keys those that open something now. */
export async function findGoodKeys(sql: Sql, accountId: string, keyIds: string[], now: Date): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from api_keys
    where account_id = ${accountId} and id = any(${keyIds}) and revoked_at is null
      and (expires_at is null or expires_at > ${now})`
  return new Set(rows.map((row) => row.id))
}

/** Of these sessions those that look at the account. */
export async function findSessions(
  sql: Sql,
  accountId: string,
  sessionIds: string[],
): Promise<Pick<SessionRow, 'account_id' | 'id' | 'last_seen_at' | 'expires_at' | 'ended_at'>[]> {
  return sql<Pick<SessionRow, 'account_id' | 'id' | 'last_seen_at' | 'expires_at' | 'ended_at'>[]>`
    select account_id, id, last_seen_at, expires_at, ended_at from sessions
    where account_id = ${accountId} and id = any(${sessionIds})`
}
