import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  postFailures,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { workOf } from '../../events/work.ts'
import { requireProof } from '../../people/proof/proof.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { listWebhooks } from './webhooks.queries.ts'
import {
  NewWebhookAnswer,
  NewWebhookBody,
  presentWebhook,
  RemovedWebhook,
  RotatedSecret,
  RotateSecretBody,
  Webhook,
  WebhookChangesBody,
  WebhooksQuery,
} from './webhooks.schema.ts'
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  getWebhookLocked,
  removeWebhook,
  rotateSecret,
} from './webhooks.service.ts'

const tags = ['Webhooks']

/** What is sent to another place says what a reader may know: entering a URL takes both. */
const sendsElsewhere = { scope: 'write', alsoScope: 'read', role: 'admin' } as const

/** Routes for webhooks: where events are sent, for those who run the account and for keys. */
export function webhookRoutes(app: App, context: Context): void {
  app.post(
    '/webhooks',
    {
      config: { ...sendsElsewhere, needsProof: true },
      schema: {
        tags,
        summary: 'Add a webhook',
        description:
          'Events from now on are sent there, signed by the scheme of Standard Webhooks with the `secret`, which is shown only in this answer.',
        body: NewWebhookBody,
        response: { 201: envelope(NewWebhookAnswer), ...failures('QUOTA_EXCEEDED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'webhooks')
        const { webhook, secret } = await createWebhook(context, workOf(context, request.actor, sql), request.body)
        return ok({ ...presentWebhook(webhook, true), secret })
      }),
  )

  app.get(
    '/webhooks',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        tags,
        summary: 'List the webhooks, the newest first',
        description: 'Each with the state of its receiver. Secrets are never shown again.',
        querystring: WebhooksQuery,
        response: { 200: pageEnvelope(Webhook), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listWebhooks(context.db.sql, request.actor.accountId, bounds),
      )
      return page(
        rows.map((row) => presentWebhook(row, seesUrl(request.actor))),
        meta,
      )
    },
  )

  app.get(
    '/webhooks/:id',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        tags,
        summary: 'Get a webhook',
        description: 'With the state of its receiver. Its secret is never shown again.',
        params: idParams('webhook'),
        response: { 200: envelope(Webhook), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      ok(presentWebhook(await getWebhook(context.db.sql, actor.accountId, params.id), seesUrl(actor))),
  )

  app.patch(
    '/webhooks/:id',
    {
      config: sendsElsewhere,
      schema: {
        tags,
        summary: 'Change, pause or resume a webhook',
        description:
          'Fields that are left out stay as they are. Waiting events are sent at once when it is resumed or its address changes.',
        params: idParams('webhook'),
        body: WebhookChangesBody,
        response: { 200: envelope(Webhook), ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      // A session that was left open could else have all that happens sent to anyone.
      if (body.url !== undefined && actor.sessionId !== undefined) await requireProof(context, context.db.sql, actor)
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presentWebhook(await getWebhookLocked(sql, actor.accountId, params.id), seesUrl(actor)),
      )
      return begin(async (sql) =>
        ok(presentWebhook(await changeWebhook(context, workOf(context, actor, sql), params.id, body), seesUrl(actor))),
      )
    },
  )

  app.post(
    '/webhooks/:id/rotate-secret',
    {
      config: { ...sendsElsewhere, needsProof: true },
      schema: {
        tags,
        summary: 'Rotate the secret of a webhook',
        description:
          'It is shown only in this answer. Until the overlap ends messages carry a signature by each of the two, so that the receiver may change over at any time.',
        params: idParams('webhook'),
        body: RotateSecretBody,
        response: { 200: envelope(RotatedSecret), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const work = workOf(context, request.actor, sql)
        return ok(await rotateSecret(context, work, request.params.id, request.body.overlap_hours))
      }),
  )

  app.delete(
    '/webhooks/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        tags,
        summary: 'Delete a webhook',
        description: 'Nothing more is sent there, and its log is gone.',
        params: idParams('webhook'),
        response: { 200: envelope(RemovedWebhook), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => removeWebhook(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )
}

/** Those who may enter a URL see it. */
function seesUrl({ scopes }: Pick<Actor, 'scopes'>): boolean {
  return scopes.includes('write')
}
