import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnceOutside } from '../../../http/idempotency.ts'
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
import { personOf } from '../../../kernel/actor.ts'
import { workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { loadPushKeys } from '../adapters/push-keys.ts'
import { sendTest } from '../channels/test-message.ts'
import { Notification, presentNotification } from '../log/notifications.schema.ts'
import { listDevices } from './push-devices.queries.ts'
import { Device, DevicesQuery, NewDeviceBody, PushKey, presentDevice, RemovedDevice } from './push-devices.schema.ts'
import { addDevice, removeDevice } from './push-devices.service.ts'

/** The browsers by which a person is told, each person's own. */
export function pushDeviceRoutes(routes: App, context: Context): void {
  routes.get(
    '/push-key',
    {
      config: { scope: 'read', role: 'viewer' },
      schema: {
        summary: 'Get the key that browsers subscribe with',
        response: { 200: envelope(PushKey), ...failures() },
      },
    },
    async () => ok({ public_key: (await loadPushKeys(context)).publicKey }),
  )

  routes.get(
    '/push-devices',
    {
      config: { scope: 'read', role: 'viewer' },
      schema: {
        summary: 'List your browsers that are told of notifications, the newest first',
        querystring: DevicesQuery,
        response: { 200: pageEnvelope(Device), ...failures() },
      },
    },
    async (request) => {
      const { accountId, userId } = personOf(request.actor)
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listDevices(context.db.sql, accountId, userId, bounds),
      )
      return page(rows.map(presentDevice), meta)
    },
  )

  routes.post(
    '/push-devices',
    {
      // It is told when the session is over, too.
      config: { scope: 'read', role: 'viewer', needsProof: true },
      schema: {
        summary: 'Add this browser to those that get notifications',
        description: 'A browser that subscribes again stays the same one.',
        body: NewDeviceBody,
        response: {
          201: envelope(Device),
          ...failures('PROOF_REQUIRED', 'ORIGIN_REFUSED', 'QUOTA_EXCEEDED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const person = personOf(request.actor)
      const device = await context.db.beginFor(person.accountId, async (sql) => {
        await requireRoom(context, sql, person.accountId, 'notification_channels')
        return addDevice(context, workOf(context, person, sql), person.userId, request.body)
      })
      return reply.code(201).send(ok(presentDevice(device)))
    },
  )

  routes.post(
    '/push-devices/:id/test',
    {
      config: { scope: 'read', role: 'viewer', waitsForOthers: true },
      schema: {
        summary: 'Send a test to one of your browsers',
        params: idParams('notificationChannel'),
        response: { 201: envelope(Notification), ...failures('NOT_FOUND', 'ORIGIN_REFUSED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 201, async () => {
        const person = personOf(request.actor)
        return ok(presentNotification(await sendTest(context, person, request.params.id, person.userId)))
      }),
  )

  routes.delete(
    '/push-devices/:id',
    {
      config: { scope: 'read', role: 'viewer' },
      schema: {
        summary: 'Remove one of your browsers from those that get notifications',
        params: idParams('notificationChannel'),
        response: { 200: envelope(RemovedDevice), ...failures('NOT_FOUND', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      const person = personOf(actor)
      await context.db.beginFor(person.accountId, (sql) =>
        removeDevice(workOf(context, person, sql), person.userId, params.id),
      )
      return ok({ id: params.id, deleted: true })
    },
  )
}
