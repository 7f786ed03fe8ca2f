import type { Context } from '../../../context/context.ts'
import type { AccountId, WebhookId } from '../../../kernel/ids.ts'
import { isAfter } from '../../events/event-feed.queries.ts'
import { matches } from '../rules/matches.ts'
import {
  type FeedEvent,
  insertDeliveries,
  listSubscriptions,
  mayBeMore,
  moveFeeds,
  type NewDelivery,
  type Subscription,
  takeNextEvents,
} from './fan-out.queries.ts'

/** What one look at the feeds came to. */
interface FanOut {
  /** Webhooks that have something more to be sent. */
  webhookIds: Set<WebhookId>
  /** Whether there may be more events now. */
  hasMore: boolean
  /** Whether there are events that another transaction may still come before. */
  isWaiting: boolean
}

/** Looks through what happened since the last time, and notes for each webhook what it is to be sent. */
export async function fanOut({ db, clock }: Context, accountIds: readonly AccountId[]): Promise<FanOut> {
  return db.begin(async (sql) => {
    const read = await takeNextEvents(sql, accountIds)
    const byAccount = [...Map.groupBy(read, (event) => event.account_id).values()].map(finalOf)
    const looked = byAccount.filter((events) => events.length > 0)
    const deliveries = await deliveriesOf(looked)
    if (looked.length > 0) {
      await insertDeliveries(sql, deliveries, clock.now())
      await moveFeeds(
        sql,
        looked.map((events) => events.at(-1) as FeedEvent),
      )
    }
    return {
      webhookIds: new Set(deliveries.map((delivery) => delivery.webhook_id)),
      hasMore: mayBeMore(looked.length, Math.max(0, ...looked.map((events) => events.length))),
      isWaiting: read.some((event) => !event.is_final),
    }

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

/** Events before the first that another transaction may still come before. */
function finalOf(events: FeedEvent[]): FeedEvent[] {
  const first = events.findIndex((event) => !event.is_final)
  return first === -1 ? events : events.slice(0, first)
}

function isFor(webhook: Subscription, event: FeedEvent): boolean {
  return isAfter(event, { txid: webhook.since_txid, id: webhook.since_event_id }) && matches(webhook, event)
}
