import type { Context } from '../../context/context.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce, emptyInKeptAnswers } from '../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { workOf } from '../events/work.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { changeWholeOrder, fulfilItem, fulfilOrder } from './fulfil-order.ts'
import { countOrders, listOrders, readOrderStats } from './orders.queries.ts'
import {
  FulfillBody,
  Fulfilment,
  NewOrderBody,
  Order,
  OrderChangesBody,
  OrderItemParams,
  OrderStats,
  OrderSummary,
  OrdersQuery,
  orderPageEnvelope,
  presentFulfilment,
  presentOrder,
  presentOrderSummary,
  presentStats,
} from './orders.schema.ts'
import { cancelOrder, createOrder, eraseCustomer, getOrder, getOrderLocked } from './orders.service.ts'
import { personalFields } from './personal-fields.ts'

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
        description: 'Money is integer cents. The totals are worked out from the lines.',
        body: NewOrderBody,
        response: {
          201: envelope(Order),
          ...failures('INVALID_PRODUCT_SKU', 'DUPLICATE_ORDER_NUMBER', 'QUOTA_EXCEEDED', ...postFailures),
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
        description: 'Without their items. Money is integer cents.',
        querystring: OrdersQuery,
        response: { 200: orderPageEnvelope(OrderSummary), ...failures() },
      },
    },
    async (request) => {
      const { sql } = context.db
      const { accountId } = request.actor
      const [{ rows, meta }, total] = await Promise.all([
        readPage(context, request, (filter) => listOrders(sql, accountId, filter)),
        countOrders(sql, accountId, request.query),
      ])
      return { success: true as const, data: rows.map(presentOrderSummary), meta: { ...meta, total } }
    },
  )

  app.get(
    '/orders/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Count orders and their revenue',
        description: 'Money is integer cents.',
        response: { 200: envelope(OrderStats), ...failures() },
      },
    },
    async ({ actor }) => {
      const recentFrom = new Date(context.clock.now().getTime() - recentDays * 86_400_000)
      return ok(presentStats(await readOrderStats(context.db.reports, actor.accountId, recentFrom)))
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

  app.patch(
    '/orders/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change an order',
        description:
          'Fields that are left out stay as they are; the total follows. The items of an order do not change, but with the status ' +
          '`cancelled` those that are open end, and with `fulfilled` ready stock is taken for all of them, or for none.',
        params: idParams('order'),
        body: OrderChangesBody,
        response: {
          200: envelope(Order),
          ...failures(
            'NOT_FOUND',
            'DUPLICATE_ORDER_NUMBER',
            'ORDER_ALREADY_FULFILLED',
            'ORDER_CANNOT_FULFILL',
            'INSUFFICIENT_STOCK',
            ...bodyFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presentOrder(await getOrderLocked(sql, actor.accountId, params.id)),
      )
      return begin(async (sql) =>
        ok(presentOrder(await changeWholeOrder(workOf(context, actor, sql), params.id, body))),
      )
    },
  )

  app.delete(
    '/orders/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Cancel an order',
        description:
          'The order stays, with the status cancelled. Units already taken for it do not go back into stock by ' +
          'themselves: book those that come back as returned. An order that has ended already is answered as it is.',
        params: idParams('order'),
        response: { 200: envelope(Order), ...failures('NOT_FOUND', 'ORDER_ALREADY_FULFILLED') },
      },
    },
    async ({ actor, params }) =>
      context.db.begin(async (sql) => ok(presentOrder(await cancelOrder(workOf(context, actor, sql), params.id)))),
  )

  app.post(
    '/orders/:id/fulfill',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Take ready stock for all open lines of an order',
        description:
          'Each line gets as much as there is, the first lines first; what is missing stays open and is answered line ' +
          'by line. It is refused only when there is nothing for any line. When all is taken, the order is fulfilled ' +
          'and `shipped_at` is set. Tracking is kept with the order.',
        params: idParams('order'),
        body: FulfillBody,
        response: {
          200: envelope(Fulfilment),
          ...failures(
            'NOT_FOUND',
            'ORDER_ALREADY_FULFILLED',
            'ORDER_CANNOT_FULFILL',
            'INSUFFICIENT_STOCK',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(presentFulfilment(await fulfilOrder(workOf(context, request.actor, sql), request.params.id, request.body))),
      ),
  )

  app.post(
    '/orders/:id/items/:itemId/fulfill',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Take ready stock for one line of an order',
        description: 'As much as there is; refused when there is nothing.',
        params: OrderItemParams,
        response: {
          200: envelope(Fulfilment),
          ...failures(
            'NOT_FOUND',
            'ORDER_ALREADY_FULFILLED',
            'ORDER_CANNOT_FULFILL',
            'ALL_ITEMS_FULFILLED',
            'INSUFFICIENT_STOCK',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(
          presentFulfilment(
            await fulfilItem(workOf(context, request.actor, sql), request.params.id, request.params.itemId),
          ),
        ),
      ),
  )

  app.post(
    '/orders/:id/erase-customer',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Forget the customer of an order',
        description:
          'Empties name, addresses, telephone and tracking, for good, also in answers that are kept for an ' +
          'Idempotency-Key. Items, money and notes stay.',
        params: idParams('order'),
        response: { 200: envelope(Order), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { actor, params } = request
        const order = await eraseCustomer(workOf(context, actor, sql), params.id)
        await emptyInKeptAnswers(context, sql, actor.accountId, params.id, personalFields)
        return ok(presentOrder(order))
      }),
  )
}
