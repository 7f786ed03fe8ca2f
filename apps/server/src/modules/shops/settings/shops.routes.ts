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
import { settingNames } from '../connectors/contract/connector.ts'
import { askForTokens, authorisationUrl, letIn, shopOfState } from './authorise-shop.ts'
import { countOfShops, listShops, listTroubles, type ShopRow } from './shops.queries.ts'
import {
  AuthorisedBody,
  NewShopAnswer,
  NewShopBody,
  presentShop,
  presentTroubles,
  RemovedShop,
  Shop,
  ShopAsked,
  ShopAuthorisation,
  ShopChangesBody,
  ShopsQuery,
  ShopTest,
  ShopTroubles,
} from './shops.schema.ts'
import { askShop, changeShop, connectShop, disconnectShop, getShop, testShop } from './shops.service.ts'

/** The shops of an account, for those who run it. */
export function shopRoutes(routes: App, context: Context): void {
  const presented = async (sql: Context['db']['sql'], accountId: Parameters<typeof getShop>[1], row: ShopRow) =>
    presentShop(row, (await countOfShops(sql, accountId, [row.id])).get(row.id))

  routes.post(
    '/shops',
    {
      config: { scope: 'write', role: 'admin', needsProof: true },
      schema: {
        summary: 'Connect a shop',
        description: 'Its credentials are encrypted, and never answered. Its orders are read from now on.',
        body: NewShopBody,
        response: {
          201: envelope(NewShopAnswer),
          ...failures(
            'FORBIDDEN',
            'PROOF_REQUIRED',
            'ORIGIN_REFUSED',
            'QUOTA_EXCEEDED',
            'ALREADY_EXISTS',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'shops')
        const made = await connectShop(context, workOf(context, request.actor, sql), request.body)
        return ok({ ...presentShop(made.shop), webhook_secret: made.webhookSecret })
      }),
  )

  routes.get(
    '/shops',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the connected shops, the newest first',
        querystring: ShopsQuery,
        response: { 200: pageEnvelope(Shop), ...failures('FORBIDDEN') },
      },
    },
    async (request) => {
      const { sql } = context.db
      const { accountId } = request.actor
      const { rows, meta } = await readPage(context, request, (bounds) => listShops(sql, accountId, bounds))
      const counts = await countOfShops(
        sql,
        accountId,
        rows.map(({ id }) => id),
      )
      return page(
        rows.map((row) => presentShop(row, counts.get(row.id))),
        meta,
      )
    },
  )

  routes.get(
    '/shops/:id',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get a connected shop',
        params: idParams('shop'),
        response: { 200: envelope(Shop), ...failures('NOT_FOUND', 'FORBIDDEN') },
      },
    },
    async ({ actor, params }) => {
      const row = await getShop(context.db.sql, actor.accountId, params.id)
      return ok(await presented(context.db.sql, actor.accountId, row))
    },
  )

  routes.get(
    '/shops/:id/troubles',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'List the problems of a shop that a person should look at',
        params: idParams('shop'),
        response: { 200: envelope(ShopTroubles), ...failures('NOT_FOUND', 'FORBIDDEN') },
      },
    },
    async ({ actor, params }) => {
      const { id } = await getShop(context.db.sql, actor.accountId, params.id)
      return ok(presentTroubles(await listTroubles(context.db.sql, actor.accountId, id)))
    },
  )

  routes.patch(
    '/shops/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change, pause or resume a connected shop',
        description: 'Fields that are left out stay as they are.',
        params: idParams('shop'),
        body: ShopChangesBody,
        response: {
          200: envelope(Shop),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      if (settingNames.some((name) => name in body)) await requireProof(context, context.db.sql, actor)
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presented(sql, actor.accountId, await getShop(sql, actor.accountId, params.id, { isLocked: true })),
      )
      return begin(async (sql) => {
        const row = await changeShop(context, workOf(context, actor, sql), params.id, body)
        return ok(await presented(sql, actor.accountId, row))
      })
    },
  )

  routes.post(
    '/shops/:id/test',
    {
      config: { scope: 'write', role: 'admin', waitsForOthers: true },
      schema: {
        summary: 'Test the connection to a shop',
        description:
          'Asks the shop whether it answers and accepts the credentials, and waits for its answer. It changes nothing there.',
        params: idParams('shop'),
        response: { 200: envelope(ShopTest), ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () =>
        ok(await testShop(context, await getShop(context.db.sql, request.actor.accountId, request.params.id))),
      ),
  )

  routes.post(
    '/shops/:id/authorise',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Start authorising the connection at a shop',
        description:
          'Answers the page of the shop on which a person authorises the connection. Of shops at Etsy alone.',
        params: idParams('shop'),
        response: {
          200: envelope(ShopAuthorisation),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () => {
        const { actor, params } = request
        await requireProof(context, context.db.sql, actor)
        const row = await getShop(context.db.sql, actor.accountId, params.id)
        return ok({ url: authorisationUrl(context, row, actor.label) })
      }),
  )

  routes.post(
    '/shops/authorised',
    {
      config: { scope: 'write', role: 'admin', waitsForOthers: true },
      schema: {
        summary: 'Finish authorising the connection at a shop',
        description: 'Takes what the shop gave the browser of the person who authorised the connection.',
        body: AuthorisedBody,
        response: {
          200: envelope(Shop),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () => {
        const { actor, body } = request
        const { shopId, bare } = shopOfState(context, body.state, actor.label)
        const row = await getShop(context.db.sql, actor.accountId, shopId)
        const tokens = await askForTokens(context, row, { bare, code: body.code })
        return context.db.beginFor(actor.accountId, async (sql) =>
          ok(await presented(sql, actor.accountId, await letIn(context, workOf(context, actor, sql), row, tokens))),
        )
      }),
  )

  routes.post(
    '/shops/:id/read',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Read a shop now',
        description: 'Retries orders that could not be recorded, and parcels that the shop did not take, as well.',
        params: idParams('shop'),
        response: {
          200: envelope(ShopAsked),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        await askShop(workOf(context, request.actor, sql), request.params.id)
        return ok({ id: request.params.id, asked: true })
      }),
  )

  routes.delete(
    '/shops/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Disconnect a shop',
        description: 'Its credentials and settings are erased. Its orders stay.',
        params: idParams('shop'),
        response: { 200: envelope(RemovedShop), ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => disconnectShop(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )
}
