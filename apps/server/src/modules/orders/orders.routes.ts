import type { Context } from '../../context/context.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce, emptyInKeptAnswers } from '../../http/idempotency.ts'
import { envelope, failures, idParams, ok, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { listAssembliesOfOrder } from '../assembly/assembly.queries.ts'
import { workOf } from '../events/work.ts'
import { deletePicturesOfOrder } from '../failures/failure-pictures.queries.ts'
import { removeUnreferenced } from '../files/content-references.ts'
import { listJobIdsOfOrder } from '../jobs/state/job-progress.queries.ts'
import { listPromises } from '../promises/shown/promise.queries.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { forgetAnswers } from '../webhooks/log/deliveries.queries.ts'
import { listTaskIdsAbout } from '../worklist/farm-tasks.ts'
import { countOrders, countUnmappedItems, listOrders, readOrderStats } from './orders.queries.ts'
import {
  NewOrderBody,
  Order,
  OrderStats,
  OrderSummary,
  OrdersQuery,
  orderPageEnvelope,
  presentOrder,
  presentOrderSummary,
  presentStats,
} from './orders.schema.ts'
import { createOrder, eraseCustomer, getOrder } from './orders.service.ts'
import { personalFieldsBelow } from './personal-fields.ts'
import { getOrderSettings } from './settings/order-settings.service.ts'

const tags = ['Orders']

/** Days of orders that the statistics sum up by themselves. */
const recentDays = 30

/** Answers to changes are made inside their transaction: what cannot be answered is not kept. */
export function orderRoutes(app: App, context: Context): void {
  app.post(
    '/orders',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Record an order',
        description:
          'Amounts are integers of the minor unit of the currency, such as cents. The totals are worked out from the lines. A line ' +
          'names its SKU by ID or code; else its listing decides, as it was mapped. A shop has one order of each external ID: ' +
          'another one answers ALREADY_EXISTS, with the first in `details.order_id`.',
        body: NewOrderBody,
        response: {
          201: envelope(Order),
          ...failures(
            'INVALID_PRODUCT_SKU',
            'DUPLICATE_ORDER_NUMBER',
            'ALREADY_EXISTS',
            'QUOTA_EXCEEDED',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'orders')
        return ok(presentOrder(await createOrder(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/orders',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List orders, the latest first',
        description: 'Without their items. Amounts are integers of the minor unit of the currency, such as cents.',
        querystring: OrdersQuery,
        response: { 200: orderPageEnvelope(OrderSummary), ...failures() },
      },
    },
    async (request) => {
      const { sql } = context.db
      const { accountId } = request.actor
      const [{ rows, meta }, total, { currency }] = await Promise.all([
        readPage(context, request, (filter) => listOrders(sql, accountId, filter)),
        countOrders(sql, accountId, request.query),
        getOrderSettings(sql, accountId),
      ])
      const ids = rows.map(({ id }) => id)
      const [unmapped, promises] = await Promise.all([
        countUnmappedItems(sql, accountId, ids),
        listPromises(sql, accountId, ids),
      ])
      const data = rows.map((order) =>
        presentOrderSummary(order, {
          accountCurrency: currency,
          unmappedItems: unmapped.get(order.id) ?? 0,
          promise: promises.get(order.id),
        }),
      )
      return { success: true as const, data, meta: { ...meta, total } }
    },
  )

  app.get(
    '/orders/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Count orders and their revenue',
        description:
          'Amounts in different currencies are never summed: `by_currency` has a row for each, and the revenue beside it is that ' +
          'of orders in the currency of the account.',
        response: { 200: envelope(OrderStats), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor }) => {
      const recentFrom = new Date(context.clock.now().getTime() - recentDays * 86_400_000)
      const { currency } = await getOrderSettings(context.db.sql, actor.accountId)
      const known = { recentFrom, accountCurrency: currency }
      return ok(
        presentStats(await readOrderStats(context.db.reportsFor(actor.accountId), actor.accountId, known), currency),
      )
    },
  )

  app.get(
    '/orders/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get an order with its items',
        description: 'Money is integer cents.',
        params: idParams('order'),
        response: { 200: envelope(Order), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(presentOrder(await getOrder(context.db.sql, actor.accountId, params.id))),
  )

  app.post(
    '/orders/:id/erase-customer',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Erase the customer of an order',
        description:
          'Empties name, addresses, telephone, tracking, notes and the personalisation of each piece, for good, with ' +
          'the notes of people on assembly tasks and failures of units that were made for this order alone, also in ' +
          'answers that are kept for an Idempotency-Key, the answers of receivers of webhooks about it, and the camera ' +
          'pictures of its failures. The ordered lines and their prices stay.',
        params: idParams('order'),
        response: { 200: envelope(Order), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    async (request, reply) => {
      let pictures: string[] = []
      await answerOnce(context, request, reply, 200, async (sql) => {
        const { actor, params } = request
        const work = workOf(context, actor, sql)
        const order = await eraseCustomer(work, params.id)
        pictures = await deletePicturesOfOrder(work, params.id)
        const assemblies = await listAssembliesOfOrder(sql, actor.accountId, params.id)
        const jobIds = await listJobIdsOfOrder(sql, actor.accountId, params.id)
        const about = [params.id, ...assemblies.map(({ id }) => id), ...jobIds]
        await emptyInKeptAnswers(context, sql, actor.accountId, about, personalFieldsBelow)
        const taskIds = await listTaskIdsAbout(sql, actor.accountId, about)
        await forgetAnswers(work, [...about, ...taskIds])
        return ok(presentOrder(order))
      })
      await removeUnreferenced(context, pictures)
    },
  )
}
