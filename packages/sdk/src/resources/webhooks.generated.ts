// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on webhooks. */
export class Webhooks {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the webhooks, the newest first.
   *
   * Each with the state of its receiver. Secrets are never shown again.
   *
   * Scope: `read`. Least role: `admin`.
   *
   * Operation: `listWebhooks`.
   */
  list(query?: Query<api.ListWebhooksData>, options?: RequestOptions): List<api.ListWebhooksResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/webhooks', query, options })
  }

  /**
   * Add a webhook.
   *
   * Events from now on are sent there, signed by the scheme of Standard Webhooks with the `secret`, which is shown only in this answer.
   *
   * Scopes: `write` and `read`. Least role: `admin`.
   *
   * Operation: `createWebhook`.
   */
  create(body: Body<api.CreateWebhookData>, options?: RequestOptions): Call<api.CreateWebhookResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/webhooks', json: body, options })
  }

  /**
   * Get a webhook.
   *
   * With the state of its receiver. Its secret is never shown again.
   *
   * Scope: `read`. Least role: `admin`.
   *
   * Operation: `getWebhook`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetWebhookResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/webhooks/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change, pause or resume a webhook.
   *
   * Fields that are left out stay as they are. Waiting events are sent at once when it is resumed or its address changes.
   *
   * Scopes: `write` and `read`. Least role: `admin`.
   *
   * Operation: `updateWebhook`.
   */
  update(id: string, body: Body<api.UpdateWebhookData>, options?: RequestOptions): Call<api.UpdateWebhookResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/webhooks/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a webhook.
   *
   * Nothing more is sent there, and its log is gone.
   *
   * Scope: `write`. Least role: `admin`.
   *
   * Operation: `deleteWebhook`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteWebhookResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/webhooks/${encodeURIComponent(id)}`, options })
  }

  /**
   * List the deliveries of a webhook, the newest first.
   *
   * Kept for 30 days, with the answer of the receiver and the duration.
   *
   * Scope: `read`. Least role: `admin`.
   *
   * Operation: `listWebhookDeliveries`.
   */
  listDeliveries(id: string, query?: Query<api.ListWebhookDeliveriesData>, options?: RequestOptions): List<api.ListWebhookDeliveriesResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/webhooks/${encodeURIComponent(id)}/deliveries`, query, options })
  }

  /**
   * Get a delivery of a webhook.
   *
   * The attempts before the last one are included.
   *
   * Scope: `read`. Least role: `admin`.
   *
   * Operation: `getWebhookDelivery`.
   */
  getDelivery(id: string, deliveryId: string, options?: RequestOptions): Call<api.GetWebhookDeliveryResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}`, options })
  }

  /**
   * Redeliver an event to a webhook.
   *
   * Keeps its `webhook-id` and is tried as often as a new event. Test calls are not sent again.
   *
   * Scope: `write`. Least role: `admin`.
   *
   * Operation: `redeliverWebhookDelivery`.
   */
  redeliverDelivery(id: string, deliveryId: string, options?: RequestOptions): Call<api.RedeliverWebhookDeliveryResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`, options })
  }

  /**
   * Redeliver the events of a period to a webhook.
   *
   * Sends the events for this webhook that did not arrive: given up, or never sent because it was paused or not there yet. One request looks through 10,000 events; `continue_from` tells where to go on.
   *
   * Scope: `write`. Least role: `admin`.
   *
   * Operation: `redeliverWebhook`.
   */
  redeliver(id: string, body: Body<api.RedeliverWebhookData>, options?: RequestOptions): Call<api.RedeliverWebhookResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/webhooks/${encodeURIComponent(id)}/redeliver`, json: body, options })
  }

  /**
   * Rotate the secret of a webhook.
   *
   * It is shown only in this answer. Until the overlap ends messages carry a signature by each of the two, so that the receiver may change over at any time.
   *
   * Scopes: `write` and `read`. Least role: `admin`.
   *
   * Operation: `rotateWebhookSecret`.
   */
  rotateSecret(id: string, body?: Body<api.RotateWebhookSecretData>, options?: RequestOptions): Call<api.RotateWebhookSecretResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/webhooks/${encodeURIComponent(id)}/rotate-secret`, json: body, options })
  }

  /**
   * Send a test call to a webhook.
   *
   * Sends `webhook.tested` once and waits up to 15 s for the answer, also while the webhook is paused. The outcome is in the answer and in the log.
   *
   * Scope: `write`. Least role: `admin`.
   *
   * Operation: `testWebhook`.
   */
  test(id: string, options?: RequestOptions): Call<api.TestWebhookResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/webhooks/${encodeURIComponent(id)}/test`, options })
  }
}
