import type { Context } from '../../../context/context.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { pageHeaders } from '../../../http/request/browser-headers.ts'
import { envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { bytes } from '../../files/files.schema.ts'
import { getOrder } from '../orders.service.ts'
import { pickUnits } from './pick-units.ts'
import { pickingList, pickingListPolicy } from './picking-list.ts'
import { listPickLines } from './picks.queries.ts'
import { OrderPicks, PickBody, presentPicks } from './picks.schema.ts'

const tags = ['Orders']

/** Routes for what people take off the shelves for an order, before it is packed. */
export function pickRoutes(app: App, context: Context): void {
  const { sql } = context.db

  app.get(
    '/orders/:id/picks',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'Get the picking list of an order, by bin',
        description: 'The open lines with where they lie, and how many of their units were picked already.',
        params: idParams('order'),
        response: { 200: envelope(OrderPicks), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await getOrder(sql, actor.accountId, params.id)
      return ok(presentPicks(params.id, await listPickLines(sql, actor.accountId, params.id)))
    },
  )

  app.post(
    '/orders/:id/picks',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Pick units for an order',
        description:
          'Picks the units in the bin that was scanned, or all that the order still needs. A bin that is scanned twice is picked once. The ' +
          'units stay ready stock until they leave, and no other order gets them; when all are picked, a task asks for the parcel.',
        params: idParams('order'),
        body: PickBody,
        response: {
          200: envelope(OrderPicks),
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
      answerOnce(context, request, reply, 200, async (transaction) => {
        const { actor, params, body } = request
        return ok(presentPicks(params.id, await pickUnits(workOf(context, actor, transaction), params.id, body.bin)))
      }),
  )

  app.get(
    '/orders/:id/picking-list',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the picking list of an order, to be printed',
        description:
          'A page without scripts, to be printed by a browser: the units to take, by bin, with their personalisation.',
        params: idParams('order'),
        response: { 200: bytes(['text/html'], 'The page'), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }, reply) => {
      const order = await getOrder(sql, actor.accountId, params.id)
      const lines = await listPickLines(sql, actor.accountId, params.id)
      return reply
        .headers({
          ...pageHeaders,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': pickingListPolicy,
        })
        .send(pickingList(order.order_number, lines))
    },
  )
}
