import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { WebhookRow as TableRow } from '../../../db/rows.generated.ts'
import { type AccountId, newId, type WebhookId } from '../../../kernel/ids.ts'
import type { EventPosition } from '../../events/event-feed.queries.ts'
import type { Work } from '../../events/work.ts'
import type { EndpointHealth } from '../../outbound/retry-schedule.ts'

const columns = columnsOf<TableRow>()(
  'id',
  'url',
  'description',
  'event_types',
  'subject_ids',
  'secrets_sealed',
  'paused_at',
  'pause_reason',
  'failures',
  'failing_since',
  'retry_at',
  'created_by',
  'created_at',
  'updated_at',
)
export type WebhookRow = RowOf<typeof columns>

export async function findWebhook(
  sql: Sql,
  accountId: AccountId,
  webhookId: WebhookId,
): Promise<WebhookRow | undefined> {
  const [row] = await sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where account_id = ${accountId} and id = ${webhookId}`
  return row
}

/** The webhook, locked until the transaction ends. */
export async function lockWebhook(
  sql: Sql,
  accountId: AccountId,
  webhookId: WebhookId,
): Promise<WebhookRow | undefined> {
  const [row] = await sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where account_id = ${accountId} and id = ${webhookId} for update`
  return row
}

/** The newest first, by the index `webhooks_by_time`. */
export async function listWebhooks(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<WebhookRow>[]> {
  return sql<PageRow<WebhookRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from webhooks
    where account_id = ${accountId}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

type NewRow = Pick<TableRow, 'id' | 'url' | 'description' | 'event_types' | 'subject_ids' | 'secrets_sealed'>

/** Adds a webhook for what comes after `since`. */
export async function insertWebhook({ sql, accountId, actor, now }: Work, row: NewRow, since: EventPosition) {
  const all = {
    account_id: accountId,
    ...row,
    since_txid: since.txid,
    since_event_id: since.id,
    created_by: actor,
    created_at: now,
    updated_at: now,
  }
  const [made] = await sql<[WebhookRow]>`insert into webhooks ${sql(all)} returning ${columns(sql)}`
  await sql`
    insert into webhook_feeds ${sql({ account_id: accountId, id: newId('webhookFeed', now.getTime()), txid: since.txid, event_id: since.id })}
    on conflict on constraint webhook_feeds_account_key do nothing`
  return made
}

/** The sender is to read it again: the lease ends. */
export async function updateWebhook(
  { sql, accountId, now }: Work,
  webhookId: WebhookId,
  change: Partial<
    Pick<
      TableRow,
      'url' | 'description' | 'event_types' | 'subject_ids' | 'secrets_sealed' | 'paused_at' | 'pause_reason'
    >
  > &
    Partial<EndpointHealth>,
): Promise<WebhookRow> {
  const row = { ...change, lease_id: null, leased_until: null, updated_at: now }
  const [changed] = await sql<[WebhookRow]>`
    update webhooks set ${sql(row)} where account_id = ${accountId} and id = ${webhookId} returning ${columns(sql)}`
  return changed
}

/** What was sent to it is removed by its age. */
export async function deleteWebhook({ sql, accountId }: Work, webhookId: WebhookId): Promise<void> {
  await sql`delete from webhooks where account_id = ${accountId} and id = ${webhookId}`
  await sql`
    delete from webhook_feeds
    where account_id = ${accountId} and not exists (select from webhooks w where w.account_id = ${accountId})`
}

/** Sends what waits for a webhook from now on, as if nothing of it had failed yet. */
export async function releaseDeliveries(
  sql: Sql,
  accountId: AccountId,
  webhookId: WebhookId,
  now: Date,
): Promise<void> {
  await sql`
    update webhook_deliveries set due_at = ${now}, attempts = 0
    where account_id = ${accountId} and webhook_id = ${webhookId} and status = 'pending' and attempts > 0`
}
