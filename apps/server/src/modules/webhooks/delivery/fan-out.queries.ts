import type { Sql } from '../../../db/database.ts'
import type { WebhookRow } from '../../../db/rows.generated.ts'
import { type AccountId, newId, type WebhookId } from '../../../kernel/ids.ts'
import type { FeedEvent } from '../../events/feed-readers.queries.ts'

/** Accounts that have webhooks. */
export async function listAccountsWithWebhooks(sql: Sql): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    /* every account: the events of all of them are delivered */
    select account_id from webhook_feeds`
  return rows.map((row) => row.account_id)
}

export type Subscription = Pick<
  WebhookRow,
  'account_id' | 'id' | 'event_types' | 'subject_ids' | 'since_txid' | 'since_event_id'
>

/** The webhooks of these accounts that are sent what happens. */
export async function listSubscriptions(sql: Sql, accountIds: readonly AccountId[]): Promise<Subscription[]> {
  return sql<Subscription[]>`
    select account_id, id, event_types, subject_ids, since_txid, since_event_id from webhooks
    where account_id = any(${[...accountIds]}) and paused_at is null`
}

/** An event for a webhook. */
export interface NewDelivery {
  webhook_id: WebhookId
  event: Pick<FeedEvent, 'account_id' | 'id' | 'type' | 'subject_id' | 'txid'>
}

/** Adds what is to be sent from now on. What is there already stays as it is. */
export async function insertDeliveries(sql: Sql, deliveries: readonly NewDelivery[], now: Date): Promise<void> {
  if (deliveries.length === 0) return
  const events = deliveries.map(({ event }) => event)
  await sql`
    insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, subject_id, event_txid, status, due_at, created_at)
    select account_id, id, webhook_id, event_id, event_type, subject_id, event_txid, 'pending', ${now}, ${now}
    from unnest(
      ${events.map((event) => event.account_id)}::text[],
      ${deliveries.map(() => newId('webhookDelivery'))}::text[],
      ${deliveries.map((delivery) => delivery.webhook_id)}::text[], ${events.map((event) => event.id)}::text[],
      ${events.map((event) => event.type)}::text[], ${events.map((event) => event.subject_id)}::text[],
      ${events.map((event) => event.txid)}::bigint[]
    ) as made (account_id, id, webhook_id, event_id, event_type, subject_id, event_txid)
    on conflict on constraint webhook_deliveries_event_key do nothing`
}

/** The events up to these were looked through, those as well. */
export async function moveFeeds(sql: Sql, last: readonly FeedEvent[]): Promise<void> {
  await sql`
    update webhook_feeds f set txid = read.txid, event_id = read.id
    from unnest(
      ${last.map((event) => event.account_id)}::text[], ${last.map((event) => event.txid)}::bigint[],
      ${last.map((event) => event.id)}::text[]
    ) as read (account_id, txid, id)
    where f.account_id = read.account_id`
}

/**
 * Puts positions in order that belong to another database server, as `acceptRestoredEvents` does with the events: after a backup was
 * restored there, numbers of transactions start over, and nothing would ever come after them.
 */
export async function acceptRestoredFeeds(sql: Sql): Promise<void> {
  const next = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
  await sql`
    /* every account: a database is restored as a whole */
    update webhook_feeds set txid = 1 where txid >= ${next}`
  await sql`
    /* every account: a database is restored as a whole */
    update webhooks set since_txid = 1 where since_txid >= ${next}`
  await sql`
    /* every account: a database is restored as a whole */
    update webhook_deliveries set event_txid = 1 where status = 'pending' and event_txid >= ${next}`
}
