import type { Sql } from '../../../db/database.ts'
import { newId } from '../../../kernel/ids.ts'
import { findEndOfFeed } from '../../events/event-feed.queries.ts'
import type { Work } from '../../events/work.ts'

/** Follows the events of an account from now on. False when it was followed before. */
export async function insertFeed({ sql, accountId, now }: Work): Promise<boolean> {
  const { txid, id } = await findEndOfFeed(sql, accountId)
  const row = { account_id: accountId, id: newId('notificationFeed', now.getTime()), txid, event_id: id }
  const rows = await sql`
    insert into notification_feeds ${sql(row)}
    on conflict on constraint notification_feeds_account_key do nothing returning id`
  return rows.length > 0
}

/** Positions that belong to another database server start over, as those of webhooks do. */
export async function acceptRestoredNotificationFeeds(sql: Sql): Promise<void> {
  await sql`
    /* every account: a database is restored as a whole */
    update notification_feeds set txid = 1 where txid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
}
