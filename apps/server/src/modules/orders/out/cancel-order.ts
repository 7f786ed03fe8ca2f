import { AppError } from '../../../kernel/errors.ts'
import type { OrderId, OrderItemId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { cancelOpenItems, type OrderWithItems, updateOrder } from '../orders.queries.ts'
import { getOrder, getOrderLocked } from '../orders.service.ts'
import { settlePicks } from '../pick/settle-picks.ts'
import { isEnded } from '../state/order-status.ts'
import { readItemFlow } from './shipments.queries.ts'

/** An order that was cancelled, and what became of the units of its lines. */
export interface CancelledOrder {
  order: OrderWithItems
  lines: {
    order_item_id: OrderItemId
    sku: string
    units: number
    shipped: number
    returned: number
    cancelled: number
  }[]
}

/**
 * Nothing more of the order will be fulfilled. Units that left for it stay away until they come back. One that has ended already is
 * answered as it is.
 */
export async function cancelOrder(work: Work, orderId: OrderId): Promise<CancelledOrder> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  if (isEnded(order.status)) return { order, lines: await readCancelledLines(work, order) }
  if (order.status === 'fulfilled') throw new AppError('ORDER_ALREADY_FULFILLED')
  await cancelOpenItems(work, orderId)
  await updateOrder(work, orderId, { status: 'cancelled' })
  await settlePicks(work, orderId)
  await work.record({
    type: 'order.cancelled',
    subjectId: orderId,
    data: { previous_status: order.status },
  })
  const cancelled = await getOrder(sql, accountId, orderId)
  return { order: cancelled, lines: await readCancelledLines(work, cancelled) }
}

async function readCancelledLines({ sql, accountId }: Work, order: OrderWithItems): Promise<CancelledOrder['lines']> {
  const flow = await readItemFlow(sql, accountId, order.id)
  return order.items.map((item) => {
    const { shipped, returned } = flow.get(item.id) ?? { shipped: 0, returned: 0 }
    return {
      order_item_id: item.id,
      sku: item.sku,
      units: item.quantity * item.pack_size,
      shipped: (shipped - returned) * item.pack_size,
      returned: returned * item.pack_size,
      cancelled: (item.quantity - item.quantity_fulfilled) * item.pack_size,
    }
  })
}
