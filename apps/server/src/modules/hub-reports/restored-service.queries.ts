import type { Sql } from '../../db/database.ts'
import type { AccountId, AttemptId } from '../../kernel/ids.ts'

/** Those of these attempts that the database knows, and whether it holds them as over. */
export async function listKnownAttempts(
  sql: Sql,
  accountId: AccountId,
  attemptIds: readonly AttemptId[],
): Promise<{ id: AttemptId; is_over: boolean }[]> {
  return sql<{ id: AttemptId; is_over: boolean }[]>`
    select id, phase = 'finished' as is_over from attempts
    where account_id = ${accountId} and id = any(${[...attemptIds]})`
}
