import { AppError, validationError } from '../../../kernel/errors.ts'
import type { OrderId, OrderItemId } from '../../../kernel/ids.ts'
import { lockItemsOfSkus, moveStocks } from '../../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../../events/work.ts'
import { forgetProgress } from '../../planning/stored/order-units.queries.ts'
import { type OrderItemRow, type OrderWithItems, updateItemFulfilments, updateOrder } from '../orders.queries.ts'
import { getOrder, getOrderLocked } from '../orders.service.ts'
import { isEnded, itemStatus } from '../state/order-status.ts'
import { insertReturns, listReturns, type OrderReturn, readItemFlow } from './shipments.queries.ts'
import type { ReturnedItems } from './shipments.schema.ts'

/** An order after units of it came back, and all that came back of it. */
export interface Returned {
  order: OrderWithItems
  returns: OrderReturn[]
}

/**
 * Books what came back of an order. No more of a line comes back than left for it.
 *
 * @throws AppError `INSUFFICIENT_QUANTITY`, `ORDER_CANNOT_FULFILL` for a remake of an order that has ended
 */
export async function returnItems(work: Work, orderId: OrderId, items: ReturnedItems): Promise<Returned> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  const byId = new Map(order.items.map((item) => [item.id, item]))
  const unknown = items.flatMap(({ item_id }, index) => (byId.has(item_id) ? [] : [index]))
  if (unknown.length > 0) {
    throw validationError(
      Object.fromEntries(unknown.map((index) => [`items.${index}.item_id`, ['names no line of this order']])),
    )
  }
  await requireLeft(work, order, items)
  const remade = items.filter(({ disposition }) => disposition === 'remake')
  if (remade.length > 0 && isEnded(order.status)) {
    throw new AppError('ORDER_CANNOT_FULFILL', { status: order.status }, { details: { status: order.status } })
  }
  const booked = items.map(({ item_id, quantity, disposition, notes = '' }) => {
    const item = byId.get(item_id) as OrderItemRow
    return { order_item_id: item_id, quantity, units: quantity * item.pack_size, disposition, notes, item }
  })
  await restock(
    work,
    orderId,
    booked.filter(({ disposition }) => disposition === 'restock'),
  )
  await reopen(work, order, quantities(remade))
  await insertReturns(
    work,
    orderId,
    booked.map(({ item: _item, ...row }) => row),
  )
  await work.record({
    type: 'order.items_returned',
    subjectId: orderId,
    data: {
      lines: booked.map(({ order_item_id, units, disposition, item }) => ({
        order_item_id,
        product_sku_id: item.product_sku_id,
        quantity: units,
        disposition,
      })),
    },
  })
  return { order: await getOrder(sql, accountId, orderId), returns: await listReturns(sql, accountId, orderId) }
}

function quantities(items: ReturnedItems): Map<OrderItemId, number> {
  const sums = new Map<OrderItemId, number>()
  for (const { item_id, quantity } of items) sums.set(item_id, (sums.get(item_id) ?? 0) + quantity)
  return sums
}

async function requireLeft({ sql, accountId }: Work, order: OrderWithItems, items: ReturnedItems): Promise<void> {
  const flow = await readItemFlow(sql, accountId, order.id)
  const lines = [...quantities(items)].flatMap(([itemId, asked]) => {
    const { shipped = 0, returned = 0 } = flow.get(itemId) ?? {}
    const available = shipped - returned
    return asked > available ? [{ item_id: itemId, asked, available }] : []
  })
  if (lines.length === 0) return
  const available = Math.min(...lines.map((line) => line.available))
  throw new AppError('INSUFFICIENT_QUANTITY', { available }, { details: { available, lines } })
}

/** The stock is locked after the order, and always in the same order. */
async function restock(
  work: Work,
  orderId: OrderId,
  booked: readonly { units: number; notes: string; item: OrderItemRow }[],
): Promise<void> {
  const skuIds = [...new Set(booked.flatMap(({ item }) => item.product_sku_id ?? []))]
  const stock = new Map(
    (await lockItemsOfSkus(work.sql, work.accountId, skuIds)).map((row) => [row.product_sku_id, row]),
  )
  // What a person wrote about a customer's return stays with the order, where it is erased.
  const returned = { stock: 'ready', reason: 'returned', jobId: null, orderId, notes: '' } as const
  await moveStocks(
    work,
    [...Map.groupBy(booked, ({ item }) => item.product_sku_id)].map(([skuId, its]) => {
      const item = skuId === null ? undefined : stock.get(skuId)
      if (!item) throw new Error(`units of order item ${its[0]?.item.id} left without an inventory item`)
      return { item, movements: its.map(({ units }) => ({ ...returned, change: units })) }
    }),
  )
}

/** Lines are open again for what is to be made again, and so is the order. */
async function reopen(work: Work, order: OrderWithItems, remade: ReadonlyMap<OrderItemId, number>): Promise<void> {
  await updateItemFulfilments(
    work,
    order.items.flatMap(({ id, quantity, quantity_fulfilled: fulfilled }) => {
      const again = remade.get(id)
      if (again === undefined) return []
      const quantity_fulfilled = fulfilled - again
      return [{ id, quantity_fulfilled, fulfillment_status: itemStatus({ quantity, quantity_fulfilled }) }]
    }),
  )
  const status = remade.size > 0 && ['fulfilled', 'shipped'].includes(order.status) ? 'processing' : order.status
  await updateOrder(work, order.id, { status })
  if (remade.size > 0) await forgetProgress(work, order.id)
}
