import type { Context } from '../../../context/context.ts'
import type { AccountId, WebhookId } from '../../../kernel/ids.ts'
import { isAfter } from '../../events/event-feed.queries.ts'
import { type FeedEvent, finalEvents, takeNextEvents } from '../../events/feed-readers.queries.ts'
import { matches } from '../rules/matches.ts'
import {
  insertDeliveries,
  listSubscriptions,
  moveFeeds,
  type NewDelivery,
  type Subscription,
} from './fan-out.queries.ts'

/** Result of one look at the feeds. */
interface FanOut {
  /** Webhooks that have something more to be sent. */
  webhookIds: Set<WebhookId>
  /** True when there may be more events now. */
  hasMore: boolean
  /** True when there are events that another transaction may still come before. */
  isWaiting: boolean
}

/** Looks through what happened since the last time, and notes for each webhook what it is to be sent. */
export async function fanOut({ db, clock }: Context, accountIds: readonly AccountId[]): Promise<FanOut> {
  return db.begin(async (sql) => {
    const { events: looked, hasMore, isWaiting } = finalEvents(await takeNextEvents(sql, 'webhook_feeds', accountIds))
    const deliveries = await deliveriesOf(looked)
    if (looked.length > 0) {
      await insertDeliveries(sql, deliveries, clock.now())
      await moveFeeds(
        sql,
        looked.map((events) => events.at(-1) as FeedEvent),
      )
    }
    return { webhookIds: new Set(deliveries.map((delivery) => delivery.webhook_id)), hasMore, isWaiting }

    async function deliveriesOf(accounts: readonly FeedEvent[][]): Promise<NewDelivery[]> {
      if (accounts.length === 0) return []
      const ids = accounts.flatMap((events) => events[0]?.account_id ?? [])
      const subscriptions = Map.groupBy(await listSubscriptions(sql, ids), (webhook) => webhook.account_id)
      return accounts
        .flat()
        .flatMap((event) =>
          (subscriptions.get(event.account_id) ?? [])
            .filter((webhook) => isFor(webhook, event))
            .map((webhook) => ({ webhook_id: webhook.id, event })),
        )
    }
  })
}

function isFor(webhook: Subscription, event: FeedEvent): boolean {
  return isAfter(event, { txid: webhook.since_txid, id: webhook.since_event_id }) && matches(webhook, event)
}
