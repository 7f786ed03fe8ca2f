import type { Json, Sql } from '../../../db/database.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../../../db/rows.generated.ts'
import type { AccountId, WebhookId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { latestOf } from '../../outbound/clock-watch.ts'
import type { Lease } from '../../outbound/leased-work.ts'
import type { Outcome } from '../../outbound/outcome.ts'
import { type EndpointHealth, longestProbeMs } from '../../outbound/retry-schedule.ts'

/** A webhook that this process sends to, and how it answered so far. */
export type Leased = Pick<WebhookRow, 'account_id' | 'id'> & EndpointHealth

/**
 * Takes webhooks that have something to be sent now, and that no process sends to.
 *
 * @param among only these; all without
 */
export async function takeLeases(
  sql: Sql,
  { id, now, until }: Lease,
  most: number,
  among?: readonly WebhookId[],
): Promise<Leased[]> {
  return sql<Leased[]>`
    /* every account: the events of all of them are delivered */
    update webhooks w set lease_id = ${id}, leased_until = ${until}
    from (
      select c.account_id, c.id from webhooks c
      where c.paused_at is null and (c.leased_until is null or c.leased_until <= ${now})
        and (c.retry_at is null or c.retry_at <= ${now})
        ${among === undefined ? sql`` : sql`and c.id = any(${[...among]})`}
        and exists (
          select from webhook_deliveries d
          where d.account_id = c.account_id and d.webhook_id = c.id and d.status = 'pending' and d.due_at <= ${now})
      limit ${most} for update skip locked
    ) due
    where w.account_id = due.account_id and w.id = due.id
    returning w.account_id, w.id, w.failures, w.failing_since, w.retry_at`
}

/** Makes due what was written by a clock that was ahead, and was set back since. */
export async function bringBack(sql: Sql, { now, until }: Lease): Promise<void> {
  const latest = latestOf(now)
  await sql`
    /* every account: the clock is that of all of them */
    update webhooks set leased_until = ${until} where leased_until > ${latestOf(until)}`
  await sql`
    /* every account: the clock is that of all of them */
    update webhooks set retry_at = null, failing_since = least(failing_since, ${now})
    where retry_at > ${latestOf(now, longestProbeMs)} or failing_since > ${latest}`
  await sql`
    /* every account: the clock is that of all of them */
    update webhook_deliveries set
      due_at = least(due_at, ${now}), attempted_at = least(attempted_at, ${now}), created_at = least(created_at, ${now})
    where status = 'pending' and greatest(created_at, attempted_at) > ${latest}`
}

/** Answers which of these this process still holds. */
export async function renewLeases(
  sql: Sql,
  { id, now, until }: Lease,
  webhookIds: readonly WebhookId[],
): Promise<Set<WebhookId>> {
  const rows = await sql<{ id: WebhookId }[]>`
    /* every account: the events of all of them are delivered */
    update webhooks set leased_until = ${until}
    where lease_id = ${id} and id = any(${[...webhookIds]}) and leased_until > ${now} and paused_at is null
    returning id`
  return new Set(rows.map((row) => row.id))
}

export async function releaseLeases(sql: Sql, leaseId: string, webhookIds: readonly WebhookId[]): Promise<void> {
  if (webhookIds.length === 0) return
  await sql`
    /* every account: the events of all of them are delivered */
    update webhooks set lease_id = null, leased_until = null
    where lease_id = ${leaseId} and id = any(${[...webhookIds]})`
}

/** What is to be sent, with all that the message and its signature are made of. */
export type Due = Pick<
  WebhookDeliveryRow,
  'account_id' | 'id' | 'webhook_id' | 'event_id' | 'event_type' | 'subject_id' | 'attempts'
> &
  Pick<WebhookRow, 'url' | 'secrets_sealed'> & {
    /** Null where the event is not kept any more. */
    event_at: Date | null
    data: Json
    actor: string | null
  }

/** Amount that is still to be read for a webhook. */
interface Ask {
  accountId: AccountId
  webhookId: WebhookId
  room: number
}

/**
 * Answers what is due of webhooks that this process holds, the first of each webhook first. Of a subject nothing is read that comes after
 * something which waits for its next attempt, or whose key, `webhook subject`, is among `busy`.
 */
export async function readDue(
  sql: Sql,
  leaseId: string,
  now: Date,
  asks: readonly Ask[],
  busy: readonly string[],
): Promise<Due[]> {
  return sql<Due[]>`
    /* every account: the events of all of them are delivered */
    select d.account_id, d.id, d.webhook_id, d.event_id, d.event_type, d.subject_id, d.attempts, w.url, w.secrets_sealed,
           e.created_at as event_at, e.data, e.actor
    from unnest(
      ${asks.map((ask) => ask.accountId)}::text[], ${asks.map((ask) => ask.webhookId)}::text[],
      ${asks.map((ask) => ask.room)}::integer[]
    ) as ask (account_id, webhook_id, room)
    join webhooks w on w.account_id = ask.account_id and w.id = ask.webhook_id and w.lease_id = ${leaseId}
      and w.leased_until > ${now} and w.paused_at is null
    cross join lateral (
      select p.account_id, p.id, p.webhook_id, p.event_id, p.event_type, p.subject_id, p.attempts, p.event_txid
      from webhook_deliveries p
      where p.account_id = ask.account_id and p.webhook_id = ask.webhook_id and p.status = 'pending' and p.due_at <= ${now}
        and (p.webhook_id || ' ' || p.subject_id) <> all(${[...busy]}::text[])
        and not exists (
          select from webhook_deliveries b
          where b.account_id = p.account_id and b.webhook_id = p.webhook_id and b.subject_id = p.subject_id
            and b.status = 'pending' and (b.event_txid, b.event_id) < (p.event_txid, p.event_id) and b.due_at > ${now})
      order by p.event_txid, p.event_id limit ask.room
    ) d
    left join events e on e.account_id = d.account_id and e.id = d.event_id
    order by d.webhook_id, d.event_txid, d.event_id`
}

/** Outcome of an attempt. */
export type Attempted = Pick<Due, 'account_id' | 'id' | 'attempts'> &
  Pick<Outcome, 'failure' | 'status_code' | 'answer' | 'duration_ms'> & {
    status: WebhookDeliveryRow['status']
    attempted_at: Date
    due_at: Date
  }

/** Earlier attempts that the log keeps besides the last. */
const mostHistory = 20

/** Writes down attempts. What was settled or started again meanwhile stays as it is. */
export async function settleAttempts(sql: Sql, attempts: readonly Attempted[]): Promise<void> {
  await sql`
    /* every account: the events of all of them are delivered */
    update webhook_deliveries d set
      status = r.status, due_at = r.due_at, attempts = d.attempts + 1, attempted_at = r.attempted_at, duration_ms = r.duration_ms,
      status_code = r.status_code, failure = r.failure, answer = r.answer, history = ${withLastAttempt(sql)}
    from jsonb_to_recordset(${sql.json(attempts)}::jsonb) as r (
      account_id text, id text, attempts integer, status text, due_at timestamptz, attempted_at timestamptz, duration_ms integer,
      status_code integer, failure text, answer text)
    where d.account_id = r.account_id and d.id = r.id and d.status = 'pending' and d.attempts = r.attempts`
}

/** The history of `d` with the attempt that stands in its columns. */
function withLastAttempt(sql: Sql) {
  return sql`
    case when d.attempted_at is null then d.history
    else (case when jsonb_array_length(d.history) >= ${mostHistory} then d.history - 0 else d.history end)
      || jsonb_build_object('attempted_at', d.attempted_at, 'duration_ms', d.duration_ms, 'status_code', d.status_code, 'failure', d.failure)
    end`
}

/** Records how a webhook answers, as the process that sends to it has seen. */
export async function saveHealth(sql: Sql, leaseId: string, { account_id, id, ...health }: Leased): Promise<void> {
  await sql`
    update webhooks set ${sql(health)} where account_id = ${account_id} and id = ${id} and lease_id = ${leaseId}`
}

/** Sends what waits for its next attempt now: the receiver answers again. */
export async function makeAllDue(sql: Sql, accountId: AccountId, webhookId: WebhookId, now: Date): Promise<void> {
  await sql`
    update webhook_deliveries set due_at = ${now}
    where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'pending' and due_at > ${now}`
}

/** Pauses a webhook by rule, and ends the lease. Undefined when it was paused or deleted meanwhile. */
export async function pauseByRule(
  { sql, accountId, now }: Work,
  webhookId: WebhookId,
  reason: 'failing' | 'gone',
): Promise<Pick<WebhookRow, 'url' | 'description' | 'failing_since'> | undefined> {
  const row = { paused_at: now, pause_reason: reason, retry_at: null, lease_id: null, leased_until: null }
  const [paused] = await sql<Pick<WebhookRow, 'url' | 'description' | 'failing_since'>[]>`
    update webhooks set ${sql(row)}
    where account_id = ${accountId} and id = ${webhookId} and paused_at is null
    returning url, description, failing_since`
  return paused
}
