import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { pageHeaders } from '../../../http/request/browser-headers.ts'
import {
  anyIdOf,
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  postFailures,
  request as query,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { bytes } from '../../files/files.schema.ts'
import { Order, OrderChangesBody, OrderItemParams, presentOrder } from '../orders.schema.ts'
import { getOrder, getOrderLocked } from '../orders.service.ts'
import { cancelOrder } from './cancel-order.ts'
import { changeWholeOrder } from './change-whole-order.ts'
import { fulfilItem, fulfilOrder } from './fulfil-order.ts'
import { slipPolicy } from './packing-slip.ts'
import { printSlip } from './print-slip.ts'
import { returnItems } from './return-items.ts'
import { listReturns, listShipments } from './shipments.queries.ts'
import {
  CancelledOrderAnswer,
  FulfillBody,
  Fulfilment,
  presentCancelled,
  presentFulfilment,
  presentReturn,
  presentReturned,
  presentShipment,
  ReturnBody,
  ReturnedOrder,
  Returns,
  Shipments,
} from './shipments.schema.ts'

const tags = ['Orders']

const SlipQuery = query({
  shipment_id: Type.Optional(anyIdOf('shipment', 'Only the contents of this parcel; default: all lines of the order')),
})

/** Routes by which units of an order leave the farm, and come back; a change of an order is here because its status may take stock. */
export function outRoutes(app: App, context: Context): void {
  app.patch(
    '/orders/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change an order',
        description:
          'Fields that are left out stay as they are; the total follows. The items of an order do not change here, but with the ' +
          'status `cancelled` those that are open end, and with `fulfilled` ready stock is taken for all of them, or for none.',
        params: idParams('order'),
        body: OrderChangesBody,
        response: {
          200: envelope(Order),
          ...failures(
            'NOT_FOUND',
            'DUPLICATE_ORDER_NUMBER',
            'ALREADY_EXISTS',
            'ORDER_HAS_OPEN_ITEMS',
            'ORDER_ALREADY_FULFILLED',
            'ORDER_CANNOT_FULFILL',
            'ITEM_NOT_MAPPED',
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
          'The order stays, with the status cancelled, and `lines` gives the outcome of each unit. Units that left for it do not go ' +
          'back into stock by themselves: book those that come back by POST /orders/{id}/returns. An order that has ended already ' +
          'is answered as it is.',
        params: idParams('order'),
        response: { 200: envelope(CancelledOrderAnswer), ...failures('NOT_FOUND', 'ORDER_ALREADY_FULFILLED') },
      },
    },
    async ({ actor, params }) =>
      context.db.beginFor(actor.accountId, async (sql) =>
        ok(presentCancelled(await cancelOrder(workOf(context, actor, sql), params.id))),
      ),
  )

  app.post(
    '/orders/:id/fulfill',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Take ready stock for the open lines of an order, as one parcel',
        description:
          'Each line gets as much as there is, the first lines first; missing units stay open, and the answer lists ' +
          'them line by line. It is refused only when there is nothing for any line. With `items` the parcel has only ' +
          'those. When all is ' +
          'taken, the order is fulfilled and `shipped_at` is set. Tracking is kept with the parcel and, as that of the latest one, ' +
          'with the order.',
        params: idParams('order'),
        body: FulfillBody,
        response: {
          200: envelope(Fulfilment),
          ...failures(
            'NOT_FOUND',
            'ORDER_ALREADY_FULFILLED',
            'ORDER_CANNOT_FULFILL',
            'ALL_ITEMS_FULFILLED',
            'ITEM_NOT_MAPPED',
            'INSUFFICIENT_STOCK',
            'USER_NOT_FOUND',
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
        summary: 'Take ready stock for one line of an order, as one parcel',
        description: 'Takes as much as is in stock; refused when nothing is.',
        params: OrderItemParams,
        response: {
          200: envelope(Fulfilment),
          ...failures(
            'NOT_FOUND',
            'ORDER_ALREADY_FULFILLED',
            'ORDER_CANNOT_FULFILL',
            'ALL_ITEMS_FULFILLED',
            'ITEM_NOT_MAPPED',
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

  app.get(
    '/orders/:id/shipments',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'List the parcels of an order, the first one first',
        description: 'Each with its contents. Every fulfilment makes one.',
        params: idParams('order'),
        response: { 200: envelope(Shipments), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { sql } = context.db
      await getOrder(sql, actor.accountId, params.id)
      return ok((await listShipments(sql, actor.accountId, params.id)).map(presentShipment))
    },
  )

  app.get(
    '/orders/:id/returns',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'List the returns of an order',
        description: 'Returns in the order in which they were booked.',
        params: idParams('order'),
        response: { 200: envelope(Returns), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { sql } = context.db
      await getOrder(sql, actor.accountId, params.id)
      const rows = await listReturns(sql, actor.accountId, params.id)
      return ok(rows.map((row) => presentReturn(params.id, row)))
    },
  )

  app.post(
    '/orders/:id/returns',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Book a return of an order',
        description:
          'restock puts units into ready stock, on the ledger as returned; scrap only records them; remake records ' +
          'them and reopens the line for as many units. No more units of a line come back than left for it: INSUFFICIENT_QUANTITY names the lines.',
        params: idParams('order'),
        body: ReturnBody,
        response: {
          201: envelope(ReturnedOrder),
          ...failures('NOT_FOUND', 'INSUFFICIENT_QUANTITY', 'ORDER_CANNOT_FULFILL', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) =>
        ok(
          presentReturned(
            await returnItems(workOf(context, request.actor, sql), request.params.id, request.body.items),
          ),
        ),
      ),
  )

  app.get(
    '/orders/:id/packing-slip',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the packing slip of a parcel, to be printed',
        description:
          'A page without scripts, to be printed by a browser: address, lines and the personalisation of each piece; no prices.',
        params: idParams('order'),
        querystring: SlipQuery,
        response: { 200: bytes(['text/html'], 'The page'), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params, query: { shipment_id } }, reply) => {
      const page = await printSlip(context.db.sql, actor.accountId, params.id, shipment_id)
      return reply
        .headers({ ...pageHeaders, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': slipPolicy })
        .send(page)
    },
  )
}
