import { notifyWhenCommitted } from '../../db/commit-notices.ts'
import type { Fragment, Sql, Transaction } from '../../db/database.ts'
import { type AccountId, newId } from '../../kernel/ids.ts'
import type { NewEvent } from './event-catalogue.ts'

/** Writes what happened. Call it with the handle of the transaction in which it happens. */
export async function recordEvent(sql: Sql, accountId: AccountId, event: NewEvent): Promise<void> {
  await sql`${eventInsert(sql, accountId, event)}`
  notifyWhenCommitted(sql, { accountId, what: event.type, subjectId: event.subjectId })
}

/** The same as a part of a statement that does more. */
export function recordingEvent(transaction: Transaction, accountId: AccountId, event: NewEvent): Fragment {
  notifyWhenCommitted(transaction, { accountId, what: event.type, subjectId: event.subjectId })
  return eventInsert(transaction, accountId, event)
}

const eventInsert = (sql: Sql, accountId: AccountId, event: NewEvent) => sql`
  insert into events (account_id, id, type, subject_id, data, actor)
  values (${accountId}, ${newId('event')}, ${event.type}, ${event.subjectId}, ${sql.json(event.data)}, ${event.actor})`

/** The same for any number of events of one transaction, in one statement. */
export async function recordEvents(sql: Sql, accountId: AccountId, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into events (account_id, id, type, subject_id, data, actor)
    select ${accountId}, w.* from unnest(
      ${events.map(() => newId('event'))}::text[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ subjectId }) => subjectId)}::text[], ${events.map(({ data }) => JSON.stringify(data))}::jsonb[],
      ${events.map(({ actor }) => actor)}::text[]
    ) as w (id, type, subject_id, data, actor)`
  for (const { type, subjectId } of events) notifyWhenCommitted(sql, { accountId, what: type, subjectId })
}

/** Events whose IDs, which begin with their time, come before this one; by the primary key of each account. */
export async function deleteEventsBefore(sql: Sql, beforeId: string, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: events of all accounts grow old alike */
    delete from events e using (
      select each.account_id, each.id from accounts a
      cross join lateral (
        select o.account_id, o.id from events o where o.account_id = a.id and o.id < ${beforeId}
        order by o.id limit ${limit} for update skip locked
      ) each
      limit ${limit}
    ) old
    where e.account_id = old.account_id and e.id = old.id`
  return count
}
