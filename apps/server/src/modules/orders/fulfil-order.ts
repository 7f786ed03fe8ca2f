import { AppError, notFound } from '../../kernel/errors.ts'
import type { OrderId, OrderItemId } from '../../kernel/ids.ts'
import { lockItemsOfSkus, moveStock } from '../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../events/work.ts'
import { type PlannedLine, planFulfilment } from './fulfilment-plan.ts'
import { type ItemStatus, isEnded, itemStatus, orderStatus } from './order-status.ts'
import { type OrderItemRow, type OrderWithItems, updateItemFulfilment, updateOrder } from './orders.queries.ts'
import type { OrderChanges, Tracking } from './orders.schema.ts'
import { cancelOrder, changeOrder, getOrder, getOrderLocked } from './orders.service.ts'

type FulfilledLine = PlannedLine<OrderItemRow> & { fulfillment_status: ItemStatus }

/** An order after stock was taken for it, and what became of each line that was open. */
export interface Fulfilment {
  order: OrderWithItems
  lines: FulfilledLine[]
}

/**
 * Takes ready stock for all open lines of an order: as much of each as there is. INSUFFICIENT_STOCK only when there is
 * nothing for any of them.
 */
export async function fulfilOrder(work: Work, orderId: OrderId, tracking: Tracking = {}): Promise<Fulfilment> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  refuseUnlessOpen(order)
  return takeStock(work, order, order.items.filter(isOpen), tracking)
}

/**
 * Changes an order by what is given. With the status \`cancelled\` it is cancelled, with \`fulfilled\` stock is taken for all open lines:
 * INSUFFICIENT_STOCK when it does not suffice for each of them.
 */
export async function changeWholeOrder(work: Work, orderId: OrderId, changes: OrderChanges): Promise<OrderWithItems> {
  const { status, ...others } = changes
  if (status !== 'cancelled' && status !== 'fulfilled')
    return changeOrder(work, orderId, { ...others, ...(status && { status }) })
  const before = await changeOrder(work, orderId, others)
  if (before.status === status) return before
  if (status === 'cancelled') return cancelOrder(work, orderId)
  const { order, lines } = await fulfilOrder(work, orderId)
  if (order.status !== 'fulfilled') throw outOfStock(lines)
  return order
}

/** The same for one line of the order. */
export async function fulfilItem(work: Work, orderId: OrderId, itemId: OrderItemId): Promise<Fulfilment> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  const item = order.items.find(({ id }) => id === itemId)
  if (!item) throw notFound('order item')
  refuseUnlessOpen(order)
  if (!isOpen(item)) throw new AppError('ALL_ITEMS_FULFILLED')
  return takeStock(work, order, [item])
}

function isOpen(item: OrderItemRow): boolean {
  return item.fulfillment_status === 'pending' || item.fulfillment_status === 'partial'
}

function refuseUnlessOpen({ status }: OrderWithItems): void {
  if (status === 'fulfilled') throw new AppError('ORDER_ALREADY_FULFILLED')
  if (isEnded(status)) throw new AppError('ORDER_CANNOT_FULFILL', { status }, { details: { status } })
}

/**
 * The order is locked before the stock, and the stock always in the same order: anyone who needs the same rows waits, so
 * that no unit is taken twice and none of them waits for ever.
 */
async function takeStock(
  work: Work,
  order: OrderWithItems,
  open: OrderItemRow[],
  tracking: Tracking = {},
): Promise<Fulfilment> {
  const { sql, accountId } = work
  const skuIds = [...new Set(open.map((item) => item.product_sku_id))]
  const stock = new Map((await lockItemsOfSkus(sql, accountId, skuIds)).map((row) => [row.product_sku_id, row]))
  const plan = planFulfilment(open, new Map([...stock].map(([skuId, row]) => [skuId, row.ready_stock])))
  if (plan.every(({ taken }) => taken === 0)) throw outOfStock(plan)

  const lines: FulfilledLine[] = []
  for (const line of plan) {
    const { item, taken } = line
    const levels = stock.get(item.product_sku_id)
    if (taken === 0 || !levels) {
      lines.push({ ...line, fulfillment_status: item.fulfillment_status })
      continue
    }
    const after = await moveStock(work, levels, {
      stock: 'ready',
      reason: 'order_fulfilled',
      change: -taken,
      jobId: null,
      orderId: order.id,
      notes: '',
    })
    stock.set(item.product_sku_id, { ...levels, ...after })
    const quantityFulfilled = item.quantity_fulfilled + taken
    const status = itemStatus({ quantity: item.quantity, quantity_fulfilled: quantityFulfilled })
    await updateItemFulfilment(work, item.id, {
      quantity_fulfilled: quantityFulfilled,
      fulfillment_status: status,
    })
    lines.push({ ...line, fulfillment_status: status })
  }
  return { order: await followItems(work, order.id, lines, tracking), lines }
}

/** The status of the order by what its items are now. */
async function followItems(
  work: Work,
  orderId: OrderId,
  lines: FulfilledLine[],
  { tracking_number, tracking_url }: Tracking,
): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const order = await getOrder(sql, accountId, orderId)
  const status = orderStatus(order.status, order.items)
  const changes = {
    status,
    ...(tracking_number !== undefined && { tracking_number }),
    ...(tracking_url !== undefined && { tracking_url }),
  }
  await updateOrder(work, orderId, changes, { isShipped: status === 'fulfilled' })
  await work.record({
    type: status === 'fulfilled' ? 'order.fulfilled' : 'order.partially_fulfilled',
    subjectId: orderId,
    data: {
      status,
      lines: lines
        .filter(({ taken }) => taken > 0)
        .map(({ item, taken }) => ({
          order_item_id: item.id,
          product_sku_id: item.product_sku_id,
          quantity: taken,
        })),
    },
  })
  return getOrder(sql, accountId, orderId)
}

function outOfStock(plan: PlannedLine<OrderItemRow>[]): AppError {
  const short = plan.filter(({ needed, taken }) => taken < needed)
  const lines = short.map(({ item, needed, taken }) => ({
    order_item_id: item.id,
    sku: item.sku,
    needed,
    available: taken,
  }))
  const available = lines.reduce((sum, line) => sum + line.available, 0)
  return new AppError('INSUFFICIENT_STOCK', { available }, { details: { available, lines } })
}
