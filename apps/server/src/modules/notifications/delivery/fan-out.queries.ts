import type { Sql } from '../../../db/database.ts'
import type { NotificationChannelRow, NotificationRow } from '../../../db/rows.generated.ts'
import { type AccountId, type NotificationChannelId, newId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import { oldestRunning } from '../../events/event-feed.queries.ts'
import type { FeedEvent } from '../../events/feed-readers.queries.ts'
import type { Severity } from '../message/message.ts'

/** Accounts in which something happened that was not looked through yet. */
export async function listAccountsBehind(sql: Sql): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    /* every account: people of all of them are told */
    select f.account_id from notification_feeds f
    where exists (
      select from events e
      where e.account_id = f.account_id and (e.txid, e.id) > (f.txid, f.event_id) and e.txid < ${oldestRunning(sql)})`
  return rows.map((row) => row.account_id)
}

/** The events up to this one were looked through, this one as well. */
export async function moveFeed(sql: Sql, { account_id, txid, id }: FeedEvent): Promise<void> {
  await sql`update notification_feeds set txid = ${txid}, event_id = ${id} where account_id = ${account_id}`
}

export type FanOutChannel = Pick<NotificationChannelRow, 'id' | 'kind' | 'user_id'> & { role: Role | null }

/** Channels that may be sent to, with the role of the member that each belongs to. */
export async function listOpenChannels(sql: Sql, accountId: AccountId): Promise<FanOutChannel[]> {
  return sql<FanOutChannel[]>`
    select c.id, c.kind, c.user_id, m.role
    from notification_channels c left join members m on m.account_id = c.account_id and m.user_id = c.user_id
    where c.account_id = ${accountId} and (c.paused_at is null or c.pause_reason <> 'person')`
}

/**
 * Records that channels are told of something that lasts. Answers those that are to be: they were not told before, or it became more
 * severe.
 */
export async function recordTold(
  sql: Sql,
  accountId: AccountId,
  channelIds: readonly NotificationChannelId[],
  subject: string,
  severity: Severity,
): Promise<Set<NotificationChannelId>> {
  const rows = await sql<{ channel_id: NotificationChannelId }[]>`
    insert into notification_states as s (account_id, channel_id, subject, severity)
    select ${accountId}, channel_id, ${subject}, ${severity} from unnest(${[...channelIds]}::text[]) channel_id
    on conflict (account_id, channel_id, subject) do update set severity = excluded.severity
      where array_position(array['low', 'medium', 'high'], s.severity) < array_position(array['low', 'medium', 'high'], excluded.severity)
    returning channel_id`
  return new Set(rows.map(({ channel_id }) => channel_id))
}

/** Something is over: it may be told again when it comes back, and what waits is not sent any more. */
export async function endSubject(sql: Sql, accountId: AccountId, subject: string): Promise<void> {
  await sql`delete from notification_states where account_id = ${accountId} and subject = ${subject}`
  await sql`
    update notifications set status = 'dropped'
    where account_id = ${accountId} and subject = ${subject} and status = 'pending'`
}

type NewNotification = Pick<
  NotificationRow,
  | 'channel_id'
  | 'rule_id'
  | 'event_id'
  | 'kind'
  | 'subject'
  | 'severity'
  | 'title'
  | 'body'
  | 'path'
  | 'printer_id'
  | 'task_id'
  | 'is_digest'
  | 'due_at'
>

/** One statement takes so many rows: each has some twenty values, of which PostgreSQL takes 65,535. */
const mostRowsAtOnce = 1_000

/** Records what is to be sent. What is collected for a digest goes with what waits for the same one. */
export async function insertNotifications(
  sql: Sql,
  accountId: AccountId,
  rows: readonly NewNotification[],
  now: Date,
): Promise<void> {
  const waiting = await findWaitingDigests(
    sql,
    accountId,
    rows.filter((row) => row.is_digest),
    now,
  )
  for (let from = 0; from < rows.length; from += mostRowsAtOnce) {
    const all = rows.slice(from, from + mostRowsAtOnce).map((row) => ({
      account_id: accountId,
      id: newId('notification', now.getTime()),
      ...row,
      status: 'pending' as const,
      due_at: (row.is_digest && waiting.get(digestKey(row))) || row.due_at,
      created_at: now,
    }))
    await sql`insert into notifications ${sql(all)} on conflict on constraint notifications_event_key do nothing`
  }
}

const digestKey = ({ channel_id, rule_id }: { channel_id: string; rule_id: string | null }) =>
  `${channel_id} ${rule_id}`

/** Answers when the digests that these would go with are sent. */
async function findWaitingDigests(
  sql: Sql,
  accountId: AccountId,
  rows: readonly NewNotification[],
  now: Date,
): Promise<Map<string, Date>> {
  if (rows.length === 0) return new Map()
  const found = await sql<Pick<NotificationRow, 'channel_id' | 'rule_id' | 'due_at'>[]>`
    select channel_id, rule_id, min(due_at) as due_at from notifications
    where account_id = ${accountId} and channel_id = any(${rows.map((row) => row.channel_id)})
      and status = 'pending' and is_digest and due_at > ${now}
    group by channel_id, rule_id`
  return new Map(found.map((row) => [digestKey(row), row.due_at]))
}
