import type { Context } from '../../../context/context.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { WebhookId } from '../../../kernel/ids.ts'
import { workOf } from '../../events/work.ts'
import { senderOf } from '../delivery/follow-events.ts'
import { makeMessage } from '../delivery/message.ts'
import { testType } from '../rules/matches.ts'
import { getWebhook } from '../settings/webhooks.service.ts'
import { type DeliveryRow, findTestEvent, insertTest } from './deliveries.queries.ts'

/** Sends an event to a webhook once and at once, whatever it filters and also while it is paused, and logs what came of it. */
export async function sendTestCall(context: Context, actor: Actor, webhookId: WebhookId): Promise<DeliveryRow> {
  const { db, clock, secrets } = context
  const { webhook, event } = await db.beginFor(actor.accountId, async (sql) => {
    const found = await getWebhook(sql, actor.accountId, webhookId)
    await workOf(context, actor, sql).record({ type: testType, subjectId: webhookId, data: {} })
    return { webhook: found, event: await findTestEvent(sql, actor.accountId, webhookId) }
  })
  const sentAt = clock.now()
  const message = makeMessage(secrets, { ...webhook, webhook_id: webhookId }, event, sentAt)
  const outcome = await senderOf(context).send(message)
  return insertTest(db.sql, actor.accountId, webhookId, event, outcome, sentAt)
}
