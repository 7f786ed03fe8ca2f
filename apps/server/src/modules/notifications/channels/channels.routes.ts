import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce, answerOnceOutside } from '../../../http/idempotency.ts'
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
import { workOf } from '../../events/work.ts'
import { requireProof } from '../../people/proof/proof.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { settingNames } from '../adapters/adapter.ts'
import { Notification, presentNotification } from '../log/notifications.schema.ts'
import { listChannels } from './channels.queries.ts'
import {
  Channel,
  ChannelChangesBody,
  ChannelsQuery,
  NewChannelAnswer,
  NewChannelBody,
  presentChannel,
  RemovedChannel,
} from './channels.schema.ts'
import { changeChannel, createChannel, getChannel, removeChannel } from './channels.service.ts'
import { sendTest } from './test-message.ts'

/** Routes for the channels where people are told of what happens, for those who run the account. */
export function channelRoutes(routes: App, context: Context): void {
  routes.post(
    '/notification-channels',
    {
      config: { scope: 'write', role: 'admin', needsProof: true },
      schema: {
        summary: 'Add a channel of notifications',
        description: 'Its credentials are encrypted, and never answered. Rules decide what is sent there.',
        body: NewChannelBody,
        response: {
          201: envelope(NewChannelAnswer),
          ...failures('FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'notification_channels')
        const made = await createChannel(context, workOf(context, request.actor, sql), request.body)
        return ok({ ...presentChannel(made.channel), secret: made.secret })
      }),
  )

  routes.get(
    '/notification-channels',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the notification channels, the newest first',
        querystring: ChannelsQuery,
        response: { 200: pageEnvelope(Channel), ...failures('FORBIDDEN') },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listChannels(context.db.sql, request.actor.accountId, bounds),
      )
      return page(rows.map(presentChannel), meta)
    },
  )

  routes.get(
    '/notification-channels/:id',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get a channel of notifications',
        params: idParams('notificationChannel'),
        response: { 200: envelope(Channel), ...failures('NOT_FOUND', 'FORBIDDEN') },
      },
    },
    async ({ actor, params }) => ok(presentChannel(await getChannel(context.db.sql, actor.accountId, params.id))),
  )

  routes.patch(
    '/notification-channels/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change, pause or resume a channel of notifications',
        description: 'Fields that are left out stay as they are.',
        params: idParams('notificationChannel'),
        body: ChannelChangesBody,
        response: {
          200: envelope(Channel),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      // A session that was left open could else have what happens sent to anyone, or tasks taken in the name of anyone.
      if (['user_id', ...settingNames].some((name) => name in body)) await requireProof(context, context.db.sql, actor)
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presentChannel(await getChannel(sql, actor.accountId, params.id, { isLocked: true })),
      )
      return begin(async (sql) =>
        ok(presentChannel(await changeChannel(context, workOf(context, actor, sql), params.id, body))),
      )
    },
  )

  routes.post(
    '/notification-channels/:id/test',
    {
      config: { scope: 'write', role: 'admin', waitsForOthers: true },
      schema: {
        summary: 'Send a test to a channel of notifications',
        description: 'Sends it once, and waits for the answer, which stands in this answer and in the log.',
        params: idParams('notificationChannel'),
        response: {
          201: envelope(Notification),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 201, async () =>
        ok(presentNotification(await sendTest(context, request.actor, request.params.id))),
      ),
  )

  routes.delete(
    '/notification-channels/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Delete a channel of notifications',
        params: idParams('notificationChannel'),
        response: { 200: envelope(RemovedChannel), ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => removeChannel(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )
}
