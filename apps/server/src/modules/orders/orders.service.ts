import type { Sql } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import { type AccountId, newId, type OrderId, type SkuId } from '../../kernel/ids.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Work } from '../events/work.ts'
import { makeOrderNumber } from './order-number.ts'
import { canSetStatus, isEnded, orderStatus, type StatusByHand } from './order-status.ts'
import {
  cancelOpenItems,
  findOrder,
  insertOrder,
  insertOrderItems,
  listOrderedSkus,
  lockOrder,
  type OrderedLine,
  type OrderWithItems,
  updateOrder,
} from './orders.queries.ts'
import type { NewOrder, OrderChanges } from './orders.schema.ts'
import { personalFields } from './personal-fields.ts'

/** How often a number that was made up may be taken before that is no chance any more. */
const numberTries = 5

export async function getOrder(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OrderWithItems> {
  const order = await findOrder(sql, accountId, orderId)
  if (!order) throw notFound('order')
  return order
}

/** The order, locked until the transaction ends. */
export async function getOrderLocked(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OrderWithItems> {
  const order = await lockOrder(sql, accountId, orderId)
  if (!order) throw notFound('order')
  return order
}

/** Records an order with its lines. */
export async function createOrder(work: Work, order: NewOrder): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const lines = await namedLines(work, order.items)

  const itemsTotal = lines.reduce((total, line) => total + line.quantity * line.unit_price, 0)
  const { shipping_cost = 0, tax_amount = 0, discount_amount = 0 } = order
  checkDiscount({ items_total: itemsTotal, shipping_cost, tax_amount, discount_amount })
  const orderId = await insertNumbered(work, { ...order, items_total: itemsTotal })
  await insertOrderItems(work, orderId, lines)
  const created = await getOrder(sql, accountId, orderId)
  await work.record({
    type: 'order.created',
    subjectId: orderId,
    data: { platform: created.platform, items: lines.length, total_revenue: created.total_revenue },
  })
  return created
}

/** The lines with the SKUs that they name: by ID, or else by code. */
async function namedLines({ sql, accountId }: Work, lines: NewOrder['items']): Promise<OrderedLine[]> {
  const ids = new Set(lines.flatMap((line) => line.product_sku_id ?? []))
  const codes = new Set(lines.flatMap((line) => (line.product_sku_id === undefined ? (line.sku ?? []) : [])))
  const found = await listOrderedSkus(sql, accountId, { ids: [...ids], codes: [...codes] })
  const byId = new Map(found.map((sku) => [sku.id, sku]))
  const byCode = new Map(found.map((sku) => [sku.sku, sku]))
  const unknown: { line: number; product_sku_id?: SkuId; sku?: string }[] = []
  const named = lines.flatMap((line, index) => {
    const { product_sku_id, sku: code = '' } = line
    const sku = product_sku_id === undefined ? byCode.get(code) : byId.get(product_sku_id)
    if (sku)
      return [{ ...line, product_sku_id: sku.id, sku: sku.sku, product_name: line.product_name ?? sku.product_name }]
    unknown.push({ line: index, ...(product_sku_id === undefined ? { sku: code } : { product_sku_id }) })
    return []
  })
  if (unknown.length > 0) throw new AppError('INVALID_PRODUCT_SKU', {}, { details: { lines: unknown } })
  return named
}

async function insertNumbered(work: Work, order: NewOrder & { items_total: number }): Promise<OrderId> {
  const orderId = newId('order', work.now.getTime())
  if (order.order_number !== undefined) {
    const isNew = await insertOrder(work, orderId, { ...order, order_number: order.order_number })
    if (isNew) return orderId
    throw new AppError('DUPLICATE_ORDER_NUMBER')
  }
  for (let tries = 0; tries < numberTries; tries++) {
    if (await insertOrder(work, orderId, { ...order, order_number: makeOrderNumber() })) return orderId
  }
  throw new Error(`${numberTries} order numbers in a row were taken`)
}

/** Changes what is given. A refund also cancels what is still open of the order. */
export async function changeOrder(
  work: Work,
  orderId: OrderId,
  changes: Omit<OrderChanges, 'status'> & { status?: StatusByHand },
): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  const fields = changedFields(order, changes)
  if (fields.length === 0) return order
  const { status: wanted = order.status, ...rest } = changes
  if (changes.status !== undefined && !canSetStatus(order.status, changes.status)) {
    throw validationError({ status: [`cannot change from ${order.status} to ${changes.status}`] })
  }
  checkDiscount({ ...order, ...rest })
  if (wanted === 'refunded' && order.status !== 'refunded') await cancelOpenItems(work, orderId)
  await updateOrder(
    work,
    orderId,
    { ...rest, ...(changesTotal(rest) && { stated_total: null }), status: orderStatus(wanted, order.items) },
    { isShipped: wanted === 'shipped' },
  ).catch(refuseOrder)
  // The names of the fields, never what is in them: events outlive the erasure of a customer.
  await work.record({
    type: 'order.updated',
    subjectId: orderId,
    data: { fields, ...(changes.status !== undefined && { status: changes.status }) },
  })
  return getOrder(sql, accountId, orderId)
}

/**
 * Nothing more of the order will be fulfilled. Units already taken for it stay taken: whether they come back into stock
 * is known when they do. One that has ended already is answered as it is.
 */
export async function cancelOrder(work: Work, orderId: OrderId): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  if (isEnded(order.status)) return order
  if (order.status === 'fulfilled') throw new AppError('ORDER_ALREADY_FULFILLED')
  await cancelOpenItems(work, orderId)
  await updateOrder(work, orderId, { status: 'cancelled' })
  await work.record({
    type: 'order.cancelled',
    subjectId: orderId,
    data: { previous_status: order.status },
  })
  return getOrder(sql, accountId, orderId)
}

/** Forgets who the customer is. What was ordered, and for how much, stays. */
export async function eraseCustomer(work: Work, orderId: OrderId): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  if (personalFields.every((field) => order[field] === '')) return order
  await updateOrder(work, orderId, Object.fromEntries(personalFields.map((field) => [field, ''])))
  await work.record({
    type: 'order.customer_erased',
    subjectId: orderId,
    data: {},
  })
  return getOrder(sql, accountId, orderId)
}

/** A total that was stated is that of other amounts. */
function changesTotal({ shipping_cost, tax_amount, discount_amount }: OrderChanges): boolean {
  return [shipping_cost, tax_amount, discount_amount].some((amount) => amount !== undefined)
}

function checkDiscount(order: {
  items_total: number
  shipping_cost: number
  tax_amount: number
  discount_amount: number
}): void {
  if (order.discount_amount > order.items_total + order.shipping_cost + order.tax_amount) {
    throw validationError({ discount_amount: ['must be at most the total of items, shipping and tax'] })
  }
}

function refuseOrder(error: unknown): never {
  if (isUniqueViolation(error, 'orders_number_key')) {
    throw new AppError('DUPLICATE_ORDER_NUMBER', {}, { cause: error })
  }
  throw error
}
