import type { OrderId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { getOrderLocked } from '../orders.service.ts'
import { cancelOrder } from '../out/cancel-order.ts'
import { isEnded } from '../state/order-status.ts'

/** An order that its shop has deleted: what is open of it is cancelled; what has left, or ended, stays as it is. */
export async function cancelGone(work: Work, orderId: OrderId): Promise<void> {
  const { status } = await getOrderLocked(work.sql, work.accountId, orderId)
  if (!isEnded(status) && status !== 'fulfilled' && status !== 'shipped') await cancelOrder(work, orderId)
}
