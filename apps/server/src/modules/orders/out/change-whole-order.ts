import type { OrderId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { replan } from '../../planning/replan/replan.ts'
import type { OrderWithItems } from '../orders.queries.ts'
import type { OrderChanges } from '../orders.schema.ts'
import { changeOrder } from '../orders.service.ts'
import { settlePicks } from '../pick/settle-picks.ts'
import { cancelOrder } from './cancel-order.ts'
import { fulfilWholeOrder } from './fulfil-order.ts'

/**
 * Changes an order by what is given. With the status `cancelled` it is cancelled, with `fulfilled` stock is taken for all open lines:
 * INSUFFICIENT_STOCK when it does not suffice for each of them.
 */
export async function changeWholeOrder(work: Work, orderId: OrderId, changes: OrderChanges): Promise<OrderWithItems> {
  const { status, ...others } = changes
  if (status !== 'cancelled' && status !== 'fulfilled') {
    const changed = await changeOrder(work, orderId, { ...others, ...(status && { status }) })
    await settlePicks(work, orderId)
    return changed
  }
  // Callers that take stock wait for the plan before any row of an order is locked.
  if (status === 'fulfilled') await replan(work, orderId)
  const before = await changeOrder(work, orderId, others)
  if (before.status === status) return before
  return status === 'cancelled' ? (await cancelOrder(work, orderId)).order : fulfilWholeOrder(work, orderId, others)
}
