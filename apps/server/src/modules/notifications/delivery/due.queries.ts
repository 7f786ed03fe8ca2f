import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { NotificationChannelRow, NotificationRow } from '../../../db/rows.generated.ts'
import type { AccountId, NotificationChannelId, UserId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { latestOf } from '../../outbound/clock-watch.ts'
import type { Lease } from '../../outbound/leased-work.ts'
import { type EndpointHealth, longestProbeMs } from '../../outbound/retry-schedule.ts'
import { dueTime, type Timing } from '../rules/due-time.ts'

/**
 * Channels of one account that are sent to at once, by all processes. Each may wait for its service for many seconds: those of one account
 * must not take the places of all others.
 */
export const mostOfAccount = 20

export type Leased = Pick<NotificationChannelRow, 'account_id' | 'id'>

/** Takes channels that have something to be sent now, and that no process sends to: of each account only so many. */
export async function takeLeases(sql: Sql, { id, now, until }: Lease, most: number): Promise<Leased[]> {
  return sql<Leased[]>`
    /* every account: people of all of them are told */
    update notification_channels c set lease_id = ${id}, leased_until = ${until}
    from (
      select l.account_id, l.id from notification_channels l
      join (
        select o.account_id, o.id, row_number() over (partition by o.account_id order by o.failures, o.id) + (
            select count(*) from notification_channels b where b.account_id = o.account_id and b.leased_until > ${now}
          ) as place
        from notification_channels o
        where o.paused_at is null and (o.leased_until is null or o.leased_until <= ${now})
          and (o.retry_at is null or o.retry_at <= ${now})
          and exists (
            select from notifications n
            where n.account_id = o.account_id and n.channel_id = o.id and n.status = 'pending' and n.due_at <= ${now})
      ) waiting on waiting.account_id = l.account_id and waiting.id = l.id
      where waiting.place <= ${mostOfAccount} and (l.leased_until is null or l.leased_until <= ${now})
      order by waiting.place limit ${most} for update of l skip locked
    ) due
    where c.account_id = due.account_id and c.id = due.id
    returning c.account_id, c.id`
}

/**
 * Makes due what was written by a clock that was ahead, and was set back since: messages are due as if they had come now, by the rule that
 * sends them, and those that were tried before are tried again.
 */
export async function bringBack(sql: Sql, { now, until }: Lease): Promise<void> {
  const latest = latestOf(now)
  await sql`
    /* every account: the clock is that of all of them */
    update notification_channels set leased_until = ${until}
    where leased_until > ${latestOf(until)}`
  await sql`
    /* every account: the clock is that of all of them */
    update notification_channels set retry_at = null, failing_since = least(failing_since, ${now})
    where retry_at > ${latestOf(now, longestProbeMs)} or failing_since > ${latest}`
  await sql`
    /* every account: the clock is that of all of them */
    update notifications set due_at = least(due_at, ${now}), attempted_at = ${now}, created_at = least(created_at, ${now})
    where status = 'pending' and attempted_at > ${latest}`
  const written = await sql<WrittenAhead[]>`
    /* every account: the clock is that of all of them */
    select distinct n.account_id, n.rule_id, n.severity,
      r.quiet_from, r.quiet_to, r.time_zone, r.urgent_passes, r.digest_minutes
    from notifications n
    left join notification_rules r on r.account_id = n.account_id and r.id = n.rule_id
    where n.status = 'pending' and n.created_at > ${latest}`
  for (const { account_id, rule_id, severity, ...timing } of written) {
    const dueAt = timing.time_zone === null ? now : dueTime(timing, severity, now)
    await sql`
      update notifications set due_at = least(due_at, ${dueAt}), created_at = ${now}
      where account_id = ${account_id} and rule_id is not distinct from ${rule_id} and severity = ${severity}
        and status = 'pending' and created_at > ${latest}`
  }
}

/** Messages by the rule that sends them; all of the rule is null where it was deleted. */
type WrittenAhead = Pick<NotificationRow, 'account_id' | 'rule_id' | 'severity'> & (Timing | { time_zone: null })

export type HeldChannel = Pick<
  NotificationChannelRow,
  'account_id' | 'id' | 'kind' | 'name' | 'user_id' | 'settings_sealed'
> &
  EndpointHealth & {
    /** Address of the member whom it belongs to. */
    email: string | null
  }

/** Holds the lease for longer, and answers the channel as it is now. Undefined when it was lost, paused or deleted. */
export async function holdLease(
  sql: Sql,
  { id: leaseId, now, until }: Lease,
  { account_id, id }: Leased,
): Promise<HeldChannel | undefined> {
  const [held] = await sql<HeldChannel[]>`
    update notification_channels c set leased_until = ${until}
    where c.account_id = ${account_id} and c.id = ${id} and c.lease_id = ${leaseId} and c.leased_until > ${now}
      and c.paused_at is null and (c.retry_at is null or c.retry_at <= ${now})
    returning c.account_id, c.id, c.kind, c.name, c.user_id, c.settings_sealed, c.failures, c.failing_since, c.retry_at,
      (select u.email from users u where u.id = c.user_id) as email`
  return held
}

export async function releaseLease(sql: Sql, leaseId: string, { account_id, id }: Leased): Promise<void> {
  await sql`
    update notification_channels set lease_id = null, leased_until = null
    where account_id = ${account_id} and id = ${id} and lease_id = ${leaseId}`
}

const dueColumns = columnsOf<NotificationRow>()(
  'account_id',
  'id',
  'channel_id',
  'kind',
  'subject',
  'severity',
  'title',
  'body',
  'path',
  'printer_id',
  'task_id',
  'is_digest',
  'attempts',
  'created_at',
)
export type Due = RowOf<typeof dueColumns>

/** Answers what is due of a channel, the oldest first. */
export async function readDue(sql: Sql, { account_id, id }: Leased, now: Date, most: number): Promise<Due[]> {
  return sql<Due[]>`
    select ${dueColumns(sql)} from notifications
    where account_id = ${account_id} and channel_id = ${id} and status = 'pending' and due_at <= ${now}
    order by due_at, id limit ${most}`
}

/** Outcome of an attempt. */
type Attempt = Pick<
  NotificationRow,
  'status' | 'due_at' | 'attempted_at' | 'duration_ms' | 'status_code' | 'failure' | 'answer'
>

/** Writes down an attempt of messages that went together. What ended while it was on its way was sent, or is not sent again. */
export async function settle(sql: Sql, accountId: AccountId, rows: readonly Due[], attempt: Attempt): Promise<void> {
  await sql`
    update notifications set ${sql(attempt)}, attempts = attempts + 1
    where account_id = ${accountId} and id = any(${rows.map(({ id }) => id)})
      and (status = 'pending' or (status = 'dropped' and ${attempt.status} = 'sent'))`
}

export async function saveHealth(sql: Sql, leaseId: string, { account_id, id }: Leased, health: EndpointHealth) {
  await sql`
    update notification_channels set ${sql({ ...health })}
    where account_id = ${account_id} and id = ${id} and lease_id = ${leaseId}`
}

/** Sends what waits for its next attempt now: the channel takes messages again. */
export async function makeAllDue(sql: Sql, { account_id, id }: Leased, now: Date): Promise<void> {
  await sql`
    update notifications set due_at = ${now}
    where account_id = ${account_id} and channel_id = ${id} and status = 'pending' and attempts > 0 and due_at > ${now}`
}

/** Pauses a channel by rule, and ends the lease. False when it was paused or deleted meanwhile. */
export async function pauseByRule(
  { sql, accountId, now }: Work,
  channelId: NotificationChannelId,
  reason: 'failing' | 'gone',
): Promise<boolean> {
  const row = { paused_at: now, pause_reason: reason, retry_at: null, lease_id: null, leased_until: null }
  const rows = await sql`
    update notification_channels set ${sql(row)}
    where account_id = ${accountId} and id = ${channelId} and paused_at is null returning id`
  return rows.length > 0
}

/** A browser that has ended its subscription. */
export async function deleteBrowser(
  { sql, accountId }: Work,
  channelId: NotificationChannelId,
): Promise<UserId | undefined> {
  const [row] = await sql<{ user_id: UserId }[]>`
    delete from notification_channels
    where account_id = ${accountId} and id = ${channelId} and kind = 'web_push' returning user_id`
  await sql`
    update notifications set status = 'dropped'
    where account_id = ${accountId} and channel_id = ${channelId} and status = 'pending'`
  await sql`delete from notification_states where account_id = ${accountId} and channel_id = ${channelId}`
  return row?.user_id
}
