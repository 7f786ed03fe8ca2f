import type { Context } from '../../context/context.ts'
import { lockRow } from '../../db/lock-row.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce, answerOnceOutside } from '../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, page, pageEnvelope, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { workOf } from '../events/work.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { listFoundPrinters } from './discovered.ts'
import { hubPresence } from './hub-presence.ts'
import { type HubRow, listHubs } from './hubs.queries.ts'
import {
  DeletedHub,
  DiscoverBody,
  DiscoveredPrinter,
  DiscoveryStarted,
  Hub,
  HubBody,
  HubPageQuery,
  ListedHub,
  NewHub,
  NewJoinCode,
  presentFound,
  presentHub,
  presentListedHub,
} from './hubs.schema.ts'
import {
  changeHub,
  createHub,
  deleteHub,
  getHub,
  presentHubsNow,
  renewJoinCode,
  startDiscovery,
} from './hubs.service.ts'
import { ConnectionTest, TestConnectionBody, testConnection } from './test-connection.ts'

const tags = ['Hubs']

/** A machine that joins is told the credentials of its printers, and moves them: to write alone is not enough. */
const joining = { scope: 'write', alsoScope: 'control', role: 'admin', needsProof: true } as const

export function hubRoutes(routes: App, context: Context): void {
  routes.post(
    '/hubs',
    {
      config: joining,
      schema: {
        tags,
        summary: 'Create a hub and a code to join it',
        description: 'On the machine that is to be the hub, `printyard hub join URL CODE` swaps the code for a token.',
        body: HubBody,
        response: { 201: envelope(NewHub), ...failures('DUPLICATE_NAME', 'QUOTA_EXCEEDED', ...postFailures) },
      },
    },
    async (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        const { actor } = request
        await requireRoom(context, sql, actor.accountId, 'hubs')
        const { hub, code } = await createHub(workOf(context, actor, sql), request.body.name)
        const presence = hubPresence(context.hubs, actor.accountId, hub, context.clock.now())
        return ok({ ...presentHub(hub, presence, []), ...code, ca_fingerprint: caFingerprintOf(context) })
      }),
  )

  routes.get(
    '/hubs',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List hubs by name, with their printers',
        description:
          '`is_online` is whether a hub is connected at this moment; `is_stale` that no heartbeat came for two minutes.',
        querystring: HubPageQuery,
        response: { 200: pageEnvelope(ListedHub), ...failures() },
      },
    },
    async (request) => {
      const { accountId } = request.actor
      const { rows, meta } = await readPage(context, request, (bounds) => listHubs(context.db.sql, accountId, bounds))
      const shown = await presentHubsNow(context, context.db.sql, request.actor, rows)
      // As many as there are rows, and in their order.
      return page(
        shown.map((hub, index) => presentListedHub(rows[index] as HubRow, hub)),
        meta,
      )
    },
  )

  routes.get(
    '/hubs/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a hub with its connection and its printers',
        description:
          'Works while the hub is away too: the answer then tells when it was last seen. Its printers are offline meanwhile.',
        params: idParams('hub'),
        response: { 200: envelope(Hub), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(await getHub(context, context.db.sql, actor, params.id)),
  )

  routes.patch(
    '/hubs/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Rename a hub',
        description: 'The hub itself is not notified and keeps running; its printers stay with it.',
        params: idParams('hub'),
        body: HubBody,
        response: {
          200: envelope(Hub),
          ...failures('NOT_FOUND', 'DUPLICATE_NAME', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'hubs', actor.accountId, params.id)
        const { accountId } = actor
        return getHub(context, sql, { accountId }, params.id)
      })
      return ok(await changeHub(context, actor, params.id, body.name, begin))
    },
  )

  routes.delete(
    '/hubs/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a hub',
        description: 'Only without attached printers and without a history of prints. Its token is void at once.',
        params: idParams('hub'),
        response: { 200: envelope(DeletedHub), ...failures('NOT_FOUND', 'RESOURCE_IN_USE') },
      },
    },
    async ({ actor, params }) => {
      await deleteHub(context, actor, params.id)
      return ok({ id: params.id, deleted: true })
    },
  )

  routes.post(
    '/hubs/:id/join-code',
    {
      config: joining,
      schema: {
        tags,
        summary: 'Create a new join code for a hub',
        description:
          'For a code that has expired, or a machine that was replaced. Earlier codes stop working; a connected ' +
          'machine stays connected until another one joins.',
        params: idParams('hub'),
        response: { 201: envelope(NewJoinCode), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    async (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) =>
        ok({
          ...(await renewJoinCode(workOf(context, request.actor, sql), request.params.id)),
          ca_fingerprint: caFingerprintOf(context),
        }),
      ),
  )

  routes.post(
    '/hubs/:id/discover',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Let a hub search for printers',
        description:
          'Printers that it finds appear under `discovered` within seconds. Nothing is added by itself. With an address the hub also ' +
          'looks there, whether something announces itself or not; only in its local network, unless its operator allows more.',
        params: idParams('hub'),
        body: DiscoverBody,
        response: { 200: envelope(DiscoveryStarted), ...failures('NOT_FOUND', 'HUB_OFFLINE', ...postFailures) },
      },
    },
    async (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () =>
        ok(await startDiscovery(context, request.actor.accountId, request.params.id, request.body?.address)),
      ),
  )

  routes.post(
    '/hubs/:id/test-connection',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Test a connection to a printer from a hub',
        description:
          'Nothing is stored and nothing moves. Problems are part of the answer, with their remedies. A printer with a ' +
          'certificate that no known authority vouches for is sent no credentials until its fingerprint is given as `pinned_fingerprint`.',
        params: idParams('hub'),
        body: TestConnectionBody,
        response: {
          200: envelope(ConnectionTest),
          ...failures('NOT_FOUND', 'HUB_OFFLINE', 'HUB_COMMAND_FAILED', ...postFailures),
        },
      },
    },
    async (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () =>
        ok(await testConnection(context, request.actor.accountId, request.params.id, request.body)),
      ),
  )

  routes.get(
    '/hubs/:id/discovered',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the printers that a hub has found, by name',
        description: 'Known while the hub is connected; nothing is listed for a hub that is not.',
        params: idParams('hub'),
        querystring: HubPageQuery,
        response: { 200: pageEnvelope(DiscoveredPrinter), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listFoundPrinters(context, request.actor.accountId, request.params.id, bounds),
      )
      return page(rows.map(presentFound), meta)
    },
  )
}

/** Answers what a hub needs to trust this service, where Node does not know its authority. */
function caFingerprintOf({ certificate }: Pick<Context, 'certificate'>): string | null {
  return certificate?.pair.authority?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null
}
