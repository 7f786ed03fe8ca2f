import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageFilter, PageRow } from '../../../db/page-bounds.ts'
import type { WebhookDeliveryRow as TableRow } from '../../../db/rows.generated.ts'
import { type AccountId, firstIdOf, newId, type WebhookDeliveryId, type WebhookId } from '../../../kernel/ids.ts'
import { columnsOfEvents, type EventRow } from '../../events/event-feed.queries.ts'
import type { Work } from '../../events/work.ts'
import type { Outcome } from '../../outbound/outcome.ts'

const columns = columnsOf<TableRow>()(
  'id',
  'webhook_id',
  'event_id',
  'event_type',
  'subject_id',
  'is_test',
  'status',
  'attempts',
  'due_at',
  'attempted_at',
  'duration_ms',
  'status_code',
  'failure',
  'answer',
  'history',
  'created_at',
)
export type DeliveryRow = RowOf<typeof columns>

interface DeliveryConditions {
  status?: TableRow['status'] | undefined
  event_type?: string | undefined
  subject?: string | undefined
}

/** The newest first, by `webhook_deliveries_by_webhook` or `webhook_deliveries_by_status`. */
export async function listDeliveries(
  sql: Sql,
  accountId: AccountId,
  webhookId: WebhookId,
  { status, event_type: type, subject, after, limit, offset }: PageFilter<DeliveryConditions>,
): Promise<PageRow<DeliveryRow>[]> {
  return sql<PageRow<DeliveryRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from webhook_deliveries
    where account_id = ${accountId} and webhook_id = ${webhookId}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${type === undefined ? sql`` : sql`and event_type = ${type}`}
      ${subject === undefined ? sql`` : sql`and subject_id = ${subject}`}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

export async function findDelivery(
  sql: Sql,
  accountId: AccountId,
  webhookId: WebhookId,
  deliveryId: WebhookDeliveryId,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql<DeliveryRow[]>`
    select ${columns(sql)} from webhook_deliveries
    where account_id = ${accountId} and webhook_id = ${webhookId} and id = ${deliveryId}`
  return row
}

/** Sends it again from now on, whatever came of it before. Undefined when there is no such delivery of an event. */
export async function makeDueAgain(
  { sql, accountId, now }: Work,
  webhookId: WebhookId,
  deliveryId: WebhookDeliveryId,
): Promise<DeliveryRow | undefined> {
  const [row] = await sql<DeliveryRow[]>`
    update webhook_deliveries set status = 'pending', attempts = 0, due_at = ${now}
    where account_id = ${accountId} and webhook_id = ${webhookId} and id = ${deliveryId} and not is_test
    returning ${columns(sql)}`
  return row
}

/** Forgets what receivers answered to events of these: they know more of an order than they are told, and may say it. */
export async function forgetAnswers({ sql, accountId }: Work, subjectIds: readonly string[]): Promise<void> {
  await sql`
    update webhook_deliveries set answer = null
    where account_id = ${accountId} and subject_id = any(${[...subjectIds]}::text[]) and answer is not null`
}

/** An event of a stretch of time. */
type PastEvent = Pick<EventRow, 'id' | 'type' | 'subject_id' | 'txid'>

/** Events that were recorded from a time on, and before another time if there is one; the first of them. */
export async function listPastEvents(
  sql: Sql,
  accountId: AccountId,
  from: Date,
  before: Date | undefined,
  limit: number,
): Promise<PastEvent[]> {
  return sql<PastEvent[]>`
    select id, type, subject_id, txid from events
    where account_id = ${accountId} and id >= ${firstIdOf('event', from.getTime())}
      ${before === undefined ? sql`` : sql`and id < ${firstIdOf('event', before.getTime())}`}
    order by id limit ${limit}`
}

/** Sends these events from now on: those that were never to be sent, those given up and, if asked for, those delivered. */
export async function sendAgain(
  { sql, accountId, now }: Work,
  webhookId: WebhookId,
  events: readonly PastEvent[],
  alsoDelivered: boolean,
): Promise<number> {
  const { count } = await sql`
    insert into webhook_deliveries as d
      (account_id, id, webhook_id, event_id, event_type, subject_id, event_txid, status, due_at, created_at)
    select ${accountId}, id, ${webhookId}, event_id, event_type, subject_id, event_txid, 'pending', ${now}, ${now}
    from unnest(
      ${events.map(() => newId('webhookDelivery'))}::text[], ${events.map((event) => event.id)}::text[],
      ${events.map((event) => event.type)}::text[], ${events.map((event) => event.subject_id)}::text[],
      ${events.map((event) => event.txid)}::bigint[]
    ) as made (id, event_id, event_type, subject_id, event_txid)
    on conflict on constraint webhook_deliveries_event_key do update set status = 'pending', attempts = 0, due_at = ${now}
      where d.account_id = ${accountId} and not d.is_test
        and (d.status = 'failed' or (d.status = 'delivered' and ${alsoDelivered}::boolean))`
  return count
}

/** The event of a test call, which this transaction has recorded. */
export async function findTestEvent(sql: Sql, accountId: AccountId, webhookId: WebhookId): Promise<EventRow> {
  const [event] = await sql<EventRow[]>`
    select ${columnsOfEvents(sql)} from events
    where account_id = ${accountId} and subject_id = ${webhookId} and txid = pg_current_xact_id()::text::bigint
    order by id desc limit 1`
  if (!event) throw new Error('The event of a test call was recorded and is not there.')
  return event
}

/** Logs a test call. */
export async function insertTest(
  sql: Sql,
  accountId: AccountId,
  webhookId: WebhookId,
  event: EventRow,
  outcome: Outcome,
  sentAt: Date,
): Promise<DeliveryRow> {
  const row = {
    account_id: accountId,
    id: newId('webhookDelivery'),
    webhook_id: webhookId,
    event_id: event.id,
    event_type: event.type,
    subject_id: event.subject_id,
    event_txid: event.txid,
    is_test: true,
    status: outcome.failure === null ? ('delivered' as const) : ('failed' as const),
    attempts: 1,
    due_at: sentAt,
    attempted_at: sentAt,
    duration_ms: outcome.duration_ms,
    status_code: outcome.status_code,
    failure: outcome.failure,
    answer: outcome.answer,
    created_at: sentAt,
  }
  const [made] = await sql<[DeliveryRow]>`insert into webhook_deliveries ${sql(row)} returning ${columns(sql)}`
  return made
}

/** Deliveries whose IDs, which begin with their time, come before this one, a few of each account. */
export async function deleteDeliveriesBefore(sql: Sql, beforeId: string, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: deliveries of all accounts grow old alike */
    delete from webhook_deliveries d using (
      select each.account_id, each.id from accounts a
      cross join lateral (
        select o.account_id, o.id from webhook_deliveries o where o.account_id = a.id and o.id < ${beforeId}
        order by o.id limit ${limit} for update skip locked
      ) each
      limit ${limit}
    ) old
    where d.account_id = old.account_id and d.id = old.id`
  return count
}
