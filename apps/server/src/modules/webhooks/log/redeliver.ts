import type { Sql } from '../../../db/database.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, timeOfId, type WebhookDeliveryId, type WebhookId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { matches } from '../rules/matches.ts'
import { getWebhook } from '../settings/webhooks.service.ts'
import { type DeliveryRow, findDelivery, listPastEvents, makeDueAgain, sendAgain } from './deliveries.queries.ts'
import type { RedeliverRange } from './deliveries.schema.ts'

/** Events that one request looks through. */
const mostEvents = 10_000

export async function getDelivery(
  sql: Sql,
  accountId: AccountId,
  webhookId: WebhookId,
  deliveryId: WebhookDeliveryId,
): Promise<DeliveryRow> {
  const row = await findDelivery(sql, accountId, webhookId, deliveryId)
  if (!row) throw notFound('delivery of this webhook')
  return row
}

/**
 * Sends an event again, with the ID that it had.
 *
 * @throws AppError `NOT_FOUND`, also for a test call
 */
export async function redeliver(work: Work, webhookId: WebhookId, deliveryId: WebhookDeliveryId): Promise<DeliveryRow> {
  await getWebhook(work.sql, work.accountId, webhookId)
  const row = await makeDueAgain(work, webhookId, deliveryId)
  if (!row) throw notFound('delivery of this webhook')
  await work.record({ type: 'webhook.redelivered', subjectId: webhookId, data: { deliveries: 1 } })
  return row
}

/** Sends what happened in a stretch of time and did not arrive, also while the webhook was paused, or before there was one. */
export async function redeliverRange(work: Work, webhookId: WebhookId, range: RedeliverRange) {
  const from = new Date(range.from)
  const to = range.to === undefined ? undefined : new Date(range.to)
  if (to !== undefined && to <= from) throw validationError({ to: ['must be later than from'] })
  const webhook = await getWebhook(work.sql, work.accountId, webhookId)
  const events = await listPastEvents(work.sql, work.accountId, from, to, mostEvents)
  const wanted = events.filter((event) => matches(webhook, event))
  const deliveries = wanted.length === 0 ? 0 : await sendAgain(work, webhookId, wanted, range.also_delivered)
  if (deliveries > 0) await work.record({ type: 'webhook.redelivered', subjectId: webhookId, data: { deliveries } })
  const last = events.at(-1)
  const hasMore = events.length === mostEvents && last !== undefined
  return { deliveries, continue_from: hasMore ? new Date(timeOfId(last.id)).toISOString() : null }
}
