import type { Sql } from '../../../db/database.ts'
import type { AccountId, UserId } from '../../../kernel/ids.ts'
import type { EventType, NewEvent } from '../../events/event-catalogue.ts'
import { recordEvent } from '../../events/events.queries.ts'

type UserEventType = Extract<EventType, `user.${string}`>
type UserEvent = { [T in UserEventType]: Omit<NewEvent<T>, 'subjectId'> }[UserEventType]

/**
 * Writes what a person changed of themselves, in every account of theirs: its owners see who signs in how. Call it with
 * the handle of the transaction in which it happens.
 */
export async function recordUserEvent(sql: Sql, userId: UserId, event: UserEvent): Promise<void> {
  const memberships = await sql<{ account_id: AccountId }[]>`
    /* every account: a person is the same one in all accounts of theirs */
    select account_id from members where user_id = ${userId} order by account_id`
  for (const { account_id } of memberships) await recordEvent(sql, account_id, { ...event, subjectId: userId })
}
