import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce, answerOnceOutside } from '../../../http/idempotency.ts'
import { envelope, failures, idParams, ok, page, pageEnvelope, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { getWebhook } from '../settings/webhooks.service.ts'
import { listDeliveries } from './deliveries.queries.ts'
import {
  DeliveriesQuery,
  Delivery,
  DeliveryParams,
  presentDelivery,
  RedeliverBody,
  Redelivered,
} from './deliveries.schema.ts'
import { getDelivery, redeliver, redeliverRange } from './redeliver.ts'
import { sendTestCall } from './test-call.ts'

const tags = ['Webhooks']

/** Routes for what was sent to webhooks, and sending it again. */
export function deliveryRoutes(app: App, context: Context): void {
  app.post(
    '/webhooks/:id/test',
    {
      config: { scope: 'write', role: 'admin', waitsForOthers: true },
      schema: {
        tags,
        summary: 'Send a test call to a webhook',
        description:
          'Sends `webhook.tested` once and waits up to 15 s for the answer, also while the webhook is paused. The outcome is in the answer and in the log.',
        params: idParams('webhook'),
        response: { 201: envelope(Delivery), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 201, async () =>
        ok(presentDelivery(await sendTestCall(context, request.actor, request.params.id))),
      ),
  )

  app.get(
    '/webhooks/:id/deliveries',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        tags,
        summary: 'List the deliveries of a webhook, the newest first',
        description: 'Kept for 30 days, with the answer of the receiver and the duration.',
        params: idParams('webhook'),
        querystring: DeliveriesQuery,
        response: { 200: pageEnvelope(Delivery), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const { sql } = context.db
      const { actor, params } = request
      await getWebhook(sql, actor.accountId, params.id)
      const { rows, meta } = await readPage(context, request, (filter) =>
        listDeliveries(sql, actor.accountId, params.id, filter),
      )
      return page(rows.map(presentDelivery), meta)
    },
  )

  app.get(
    '/webhooks/:id/deliveries/:deliveryId',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        tags,
        summary: 'Get a delivery of a webhook',
        description: 'The attempts before the last one are included.',
        params: DeliveryParams,
        response: { 200: envelope(Delivery), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { sql } = context.db
      await getWebhook(sql, actor.accountId, params.id)
      return ok(presentDelivery(await getDelivery(sql, actor.accountId, params.id, params.deliveryId)))
    },
  )

  app.post(
    '/webhooks/:id/deliveries/:deliveryId/redeliver',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        tags,
        summary: 'Redeliver an event to a webhook',
        description: 'Keeps its `webhook-id` and is tried as often as a new event. Test calls are not sent again.',
        params: DeliveryParams,
        response: { 200: envelope(Delivery), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { id, deliveryId } = request.params
        return ok(presentDelivery(await redeliver(workOf(context, request.actor, sql), id, deliveryId)))
      }),
  )

  app.post(
    '/webhooks/:id/redeliver',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        tags,
        summary: 'Redeliver the events of a period to a webhook',
        description:
          'Sends the events for this webhook that did not arrive: given up, or never sent because it was paused or not there yet. One request looks through 10,000 events; `continue_from` tells where to go on.',
        params: idParams('webhook'),
        body: RedeliverBody,
        response: { 200: envelope(Redelivered), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(await redeliverRange(workOf(context, request.actor, sql), request.params.id, request.body)),
      ),
  )
}
