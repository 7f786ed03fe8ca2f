import type { Sql } from '../../../db/database.ts'
import { type AccountId, type AutomationRuleId, newId } from '../../../kernel/ids.ts'
import { findEndOfFeed, oldestRunning } from '../../events/event-feed.queries.ts'
import type { FeedEvent } from '../../events/feed-readers.queries.ts'
import type { Work } from '../../events/work.ts'

/** Follows the events of an account from now on, unless it is followed already. */
export async function insertFeed({ sql, accountId, now }: Work): Promise<void> {
  const { txid, id } = await findEndOfFeed(sql, accountId)
  const row = { account_id: accountId, id: newId('automationFeed', now.getTime()), txid, event_id: id }
  await sql`
    insert into automation_feeds ${sql(row)} on conflict on constraint automation_feeds_account_key do nothing`
}

/** Accounts in which something happened that was not looked through yet. */
export async function listAccountsBehind(sql: Sql): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    /* every account: rules of all of them are run */
    select f.account_id from automation_feeds f
    where exists (
      select from events e
      where e.account_id = f.account_id and (e.txid, e.id) > (f.txid, f.event_id) and e.txid < ${oldestRunning(sql)})`
  return rows.map((row) => row.account_id)
}

/** The events up to this one were looked through, this one as well. */
export async function moveFeed(sql: Sql, { account_id, txid, id }: FeedEvent): Promise<void> {
  await sql`update automation_feeds set txid = ${txid}, event_id = ${id} where account_id = ${account_id}`
}

/** Positions that belong to another database server start over, as those of webhooks do. */
export async function acceptRestoredAutomationFeeds(sql: Sql): Promise<void> {
  await sql`
    /* every account: a database is restored as a whole */
    update automation_feeds set txid = 1 where txid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
}

/** The event that a rule has recorded last, in the transaction that runs. */
export async function findRunEvent(
  sql: Sql,
  accountId: AccountId,
  ruleId: AutomationRuleId,
): Promise<Pick<FeedEvent, 'account_id' | 'id' | 'type' | 'subject_id' | 'txid'>> {
  const [event] = await sql<[Pick<FeedEvent, 'account_id' | 'id' | 'type' | 'subject_id' | 'txid'>]>`
    select account_id, id, type, subject_id, txid from events
    where account_id = ${accountId} and subject_id = ${ruleId} and type = 'automation_rule.ran'
      and txid = pg_current_xact_id()::text::bigint
    order by id desc limit 1`
  return event
}
