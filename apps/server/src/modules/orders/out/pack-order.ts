import type { OrderId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { replan } from '../../planning/replan/replan.ts'
import { getOrderLocked } from '../orders.service.ts'
import { listPicks } from '../pick/picks.queries.ts'
import { type Fulfilment, fulfilOrder } from './fulfil-order.ts'

/**
 * Makes a parcel of what was picked for an order.
 *
 * @throws AppError as `fulfilOrder`
 */
export async function packOrder(work: Work, orderId: OrderId): Promise<Fulfilment> {
  await replan(work, orderId)
  const order = await getOrderLocked(work.sql, work.accountId, orderId)
  const picked = new Map((await listPicks(work.sql, work.accountId, orderId)).map((pick) => [pick.order_item_id, pick]))
  // Whole packs leave: what was picked of a pack that is not complete stays picked.
  const items = order.items.flatMap(({ id, pack_size }) => {
    const quantity = Math.floor((picked.get(id)?.units ?? 0) / pack_size)
    return quantity > 0 ? [{ item_id: id, quantity }] : []
  })
  return fulfilOrder(work, orderId, items.length > 0 ? { items } : {})
}
