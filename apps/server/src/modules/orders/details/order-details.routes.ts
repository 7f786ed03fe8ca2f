import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { workOf } from '../../events/work.ts'
import { listPromises } from '../../promises/shown/promise.queries.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { MapItemBody } from '../listings/listing-maps.schema.ts'
import type { OrderWithItems } from '../orders.queries.ts'
import { OrderItemParams } from '../orders.schema.ts'
import { getOrder } from '../orders.service.ts'
import { getOrderSettings } from '../settings/order-settings.service.ts'
import { mapItem } from './map-item.ts'
import { OrderDetails, presentDetails } from './order-details.schema.ts'

const tags = ['Orders']

export function orderDetailRoutes(app: App, context: Context): void {
  app.get(
    '/orders/:id/details',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'Get an order as the farm handles it',
        description:
          'Fields that the order itself does not show: its shop, currency, priority and latest time to ship, and for ' +
          'each line its name there, its SKU and its personalisation.',
        params: idParams('order'),
        response: { 200: envelope(OrderDetails), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { sql } = context.db
      return ok(await readDetails(sql, actor.accountId, await getOrder(sql, actor.accountId, params.id)))
    },
  )

  app.post(
    '/orders/:id/items/:itemId/map',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Map a line of an order to a SKU',
        description:
          'One of its quantity is `pack_size` units of the SKU; its price stays. With `remember` it holds for all lines of the same ' +
          'shop with the same code, or else the same listing and variation: open ones that nothing mapped, and those to come. ' +
          'A line of which units left cannot be mapped again; what was picked of another SKU goes back to its bin.',
        params: OrderItemParams,
        body: MapItemBody,
        response: {
          200: envelope(OrderDetails),
          ...failures('NOT_FOUND', 'SKU_NOT_FOUND', 'RESOURCE_IN_USE', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { actor, params, body } = request
        if (body.remember) await requireRoom(context, sql, actor.accountId, 'listing_maps')
        const order = await mapItem(workOf(context, actor, sql), params.id, params.itemId, body)
        return ok(await readDetails(sql, actor.accountId, order))
      }),
  )
}

async function readDetails(sql: Sql, accountId: AccountId, order: OrderWithItems) {
  const [{ currency }, promises] = await Promise.all([
    getOrderSettings(sql, accountId),
    listPromises(sql, accountId, [order.id]),
  ])
  return presentDetails(order, { accountCurrency: currency, promise: promises.get(order.id) })
}
