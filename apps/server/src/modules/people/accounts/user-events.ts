import type { Sql } from '../../../db/database.ts'
import { type NewEvent, recordEvent } from '../../events/events.queries.ts'

/**
 * Writes what a person changed of themselves, in every account of theirs: its owners see who signs in how. Call it with
 * the handle of the transaction in which it happens.
 */
export async function recordUserEvent(
  sql: Sql,
  userId: string,
  event: Pick<NewEvent, 'type' | 'data' | 'actor'>,
): Promise<void> {
  const memberships = await sql<{ account_id: string }[]>`
    /* every account: a person is the same one in all accounts of theirs */
    select account_id from members where user_id = ${userId} order by account_id`
  for (const { account_id } of memberships) await recordEvent(sql, account_id, { ...event, subjectId: userId })
}
