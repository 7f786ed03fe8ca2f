import type { Sql } from '../../db/database.ts'
import type { AccountId, EventId } from '../../kernel/ids.ts'
import { oldestRunning } from './event-feed.queries.ts'

/** Accounts, and events of each, that are looked through in one transaction. */
const mostAccounts = 50
const mostEvents = 500

export interface FeedEvent {
  account_id: AccountId
  id: EventId
  type: string
  subject_id: string
  txid: number
  is_final: boolean
}

/** The table in which a reader of the feeds of all accounts keeps its positions: `(account_id, txid, event_id)`. */
type PositionTable = 'webhook_feeds' | 'notification_feeds' | 'automation_feeds'

/** The next events of feeds that no other process looks through; the positions are locked until the transaction ends. */
export async function takeNextEvents(
  sql: Sql,
  positions: PositionTable,
  accountIds: readonly AccountId[],
): Promise<FeedEvent[]> {
  return sql<FeedEvent[]>`
    /* every account: the events of many are looked through together */
    with final as materialized (select ${oldestRunning(sql)} as txid),
    feed as materialized (
      select f.account_id, f.txid, f.event_id from ${sql(positions)} f
      where f.account_id = any(${[...accountIds]})
        and exists (select from events e where e.account_id = f.account_id and (e.txid, e.id) > (f.txid, f.event_id))
      limit ${mostAccounts} for update skip locked
    )
    select e.account_id, e.id, e.type, e.subject_id, e.txid, e.txid < final.txid as is_final
    from feed f cross join final
    cross join lateral (
      select o.account_id, o.id, o.type, o.subject_id, o.txid from events o
      where o.account_id = f.account_id and (o.txid, o.id) > (f.txid, f.event_id)
      order by o.txid, o.id limit ${mostEvents}
    ) e
    order by e.account_id, e.txid, e.id`
}

/** Result of one look at the feeds. */
interface Look {
  /** By account, in the order of the feed: events that no running transaction can come before. */
  events: FeedEvent[][]
  /** True when there may be more events now. */
  hasMore: boolean
  /** True when there are events that another transaction may still come before. */
  isWaiting: boolean
}

/** Answers what may be looked at of what `takeNextEvents` has answered. */
export function finalEvents(read: readonly FeedEvent[]): Look {
  const byAccount = [...Map.groupBy(read, (event) => event.account_id).values()].map(finalOf)
  const events = byAccount.filter((each) => each.length > 0)
  const mostOfOne = Math.max(0, ...events.map((each) => each.length))
  return {
    events,
    hasMore: events.length >= mostAccounts || mostOfOne >= mostEvents,
    isWaiting: read.some((event) => !event.is_final),
  }
}

/** Events before the first that another transaction may still come before. */
function finalOf(events: FeedEvent[]): FeedEvent[] {
  const first = events.findIndex((event) => !event.is_final)
  return first === -1 ? events : events.slice(0, first)
}
