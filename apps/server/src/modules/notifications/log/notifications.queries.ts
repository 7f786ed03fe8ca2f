import type { Sql } from '../../../db/database.ts'
import type { PageFilter, PageRow } from '../../../db/page-bounds.ts'
import type { NotificationChannelRow, NotificationRow } from '../../../db/rows.generated.ts'
import type { AccountId, NotificationChannelId } from '../../../kernel/ids.ts'
import type { Receipt } from '../adapters/adapter.ts'
import type { Message } from '../message/message.ts'

export type ListedNotification = Pick<
  NotificationRow,
  | 'id'
  | 'channel_id'
  | 'kind'
  | 'severity'
  | 'title'
  | 'body'
  | 'path'
  | 'is_test'
  | 'status'
  | 'attempts'
  | 'due_at'
  | 'attempted_at'
  | 'duration_ms'
  | 'status_code'
  | 'failure'
  | 'answer'
  | 'taken_at'
  | 'created_at'
> & {
  channel_kind: NotificationChannelRow['kind'] | null
  channel_name: string | null
}

interface NotificationConditions {
  status?: NotificationRow['status'] | undefined
  channel_id?: NotificationChannelId | undefined
}

const columns = (sql: Sql) => sql`
  n.id, n.channel_id, n.kind, n.severity, n.title, n.body, n.path, n.is_test, n.status, n.attempts, n.due_at, n.attempted_at,
  n.duration_ms, n.status_code, n.failure, n.answer, n.taken_at, n.created_at, c.kind as channel_kind, c.name as channel_name`

/** The newest first. */
export async function listNotifications(
  sql: Sql,
  accountId: AccountId,
  { status, channel_id: channelId, after, limit, offset }: PageFilter<NotificationConditions>,
): Promise<PageRow<ListedNotification>[]> {
  return sql<PageRow<ListedNotification>[]>`
    select ${columns(sql)}, n.created_at::text as page_key
    from notifications n left join notification_channels c on c.account_id = n.account_id and c.id = n.channel_id
    where n.account_id = ${accountId}
      ${status === undefined ? sql`` : sql`and n.status = ${status}`}
      ${channelId === undefined ? sql`` : sql`and n.channel_id = ${channelId}`}
      ${after ? sql`and (n.created_at, n.id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by n.created_at desc, n.id desc limit ${limit} offset ${offset}`
}

/** Logs a test. */
export async function insertTest(
  sql: Sql,
  accountId: AccountId,
  channelId: NotificationChannelId,
  { id, kind, severity, title, body, subject, path, at }: Message,
  { verdict, status_code, answer, duration_ms }: Receipt,
): Promise<ListedNotification> {
  const row = {
    account_id: accountId,
    id,
    channel_id: channelId,
    kind,
    subject,
    severity,
    title,
    body,
    path,
    is_test: true,
    status: verdict === 'accepted' ? ('sent' as const) : ('failed' as const),
    attempts: 1,
    due_at: at,
    attempted_at: at,
    duration_ms,
    status_code,
    failure: verdict === 'accepted' ? null : verdict,
    answer,
    created_at: at,
  }
  await sql`insert into notifications ${sql(row)}`
  const [made] = await sql<ListedNotification[]>`
    select ${columns(sql)}
    from notifications n left join notification_channels c on c.account_id = n.account_id and c.id = n.channel_id
    where n.account_id = ${accountId} and n.id = ${id}`
  if (!made) throw new Error('A test was logged and is not there.')
  return made
}

/** Notifications whose IDs, which begin with their time, come before this one, a few of each account. */
export async function deleteNotificationsBefore(sql: Sql, beforeId: string, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: notifications of all accounts grow old alike */
    delete from notifications n using (
      select each.account_id, each.id from accounts a
      cross join lateral (
        select o.account_id, o.id from notifications o where o.account_id = a.id and o.id < ${beforeId}
        order by o.id limit ${limit} for update skip locked
      ) each
      limit ${limit}
    ) old
    where n.account_id = old.account_id and n.id = old.id`
  return count
}
