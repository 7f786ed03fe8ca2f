import { type AppError, type FieldErrors, validationError } from '../../../kernel/errors.ts'
import type { OrderId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { forgetProgress } from '../../planning/stored/order-units.queries.ts'
import { checkNewOrder } from '../check-new-order.ts'
import type { Shop } from '../listings/listing-maps.queries.ts'
import { type NamedLine, nameLines } from '../listings/name-lines.ts'
import { insertOrderItems, isCustomerErased, type OrderWithItems, updateOrder } from '../orders.queries.ts'
import type { NewOrder } from '../orders.schema.ts'
import { changeOrder, createOrder, getOrder, getOrderLocked, indexOrder } from '../orders.service.ts'
import { cancelOrder } from '../out/cancel-order.ts'
import { personalFields } from '../personal-fields.ts'
import { settlePicks } from '../pick/settle-picks.ts'
import { isEnded, orderStatus } from '../state/order-status.ts'
import { compareLines, hasOpenLines } from './compare-lines.ts'
import { changeLines, sumLines } from './shop-lines.queries.ts'
import type { ShopOrder } from './shop-order.ts'

/** Outcome of an order that a shop told of. */
type Followed = { orderId: OrderId } | { skipped: string }

const skippedReasons = {
  waiting: 'it is not placed yet in the shop',
  done: 'it was completed in the shop before it was read',
  cancelled: 'it is cancelled in the shop',
  refunded: 'it is refunded in the shop',
} as const

/**
 * Brings an order up to what its shop has. One that is not recorded yet is recorded as POST /orders does, with lines that nothing is known
 * of kept as unmapped; one that is over in its shop is not. Telling the same again changes nothing.
 *
 * @param known the order, which is locked; undefined when the account has none
 * @throws AppError for an order that cannot be recorded, `VALIDATION_ERROR` among them
 */
export async function followOrder(
  work: Work,
  shop: Shop,
  told: ShopOrder,
  known: OrderId | undefined,
): Promise<Followed> {
  if (known !== undefined) return { orderId: (await changeToTold(work, shop, known, told)).id }
  if (told.state !== 'open') return { skipped: skippedReasons[told.state] }
  const lines = told.lines.filter((line) => line.quantity > 0)
  if (lines.length === 0) return { skipped: 'nothing of it is wanted any more' }
  const body = checked(shop, told, lines)
  // The check leaves out what requests do not know, and keeps the lines in their order.
  const items = body.items.map((item, index) => ({ ...item, external_id: lines[index]?.external_id ?? '' }))
  return { orderId: (await createOrder(work, { ...body, items })).id }
}

function checked(shop: Shop, { external_id, fields }: ShopOrder, lines: ShopOrder['lines']): NewOrder {
  const items = lines.map(({ external_id: _id, ...line }) => line)
  const total = lines.reduce((sum, line) => sum + line.quantity * line.unit_price, 0)
  const body = { ...fields, discount_amount: discountWithin(fields, total), ...shop, external_id, allow_unmapped: true }
  const result = checkNewOrder({ shipping_country: '', ...body, items })
  if ('errors' in result) throw validationError(result.errors)
  return result.value
}

/** Shops may give a discount on what this order does not count, such as fees. */
function discountWithin(fields: ShopOrder['fields'], itemsTotal: number): number {
  const { shipping_cost = 0, tax_amount = 0, discount_amount = 0 } = fields
  return Math.min(discount_amount, itemsTotal + shipping_cost + tax_amount)
}

async function changeToTold(work: Work, shop: Shop, orderId: OrderId, told: ShopOrder): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  if (told.state === 'waiting') return order
  const isErased = await isCustomerErased(sql, accountId, orderId)
  // What has ended here, or there, is not edited any more; what came back of it is booked by who receives it.
  const isOver = isEnded(order.status) || told.state === 'cancelled' || told.state === 'refunded'
  const linesChanged = isOver ? false : await changeOrderLines(work, shop, order, told, isErased)
  await changeFields(work, orderId, told, { isErased, linesChanged, isOver })
  if (linesChanged) await settlePicks(work, orderId)
  return followState(work, orderId, told.state)
}

async function changeOrderLines(
  work: Work,
  shop: Shop,
  order: OrderWithItems,
  told: ShopOrder,
  isErased: boolean,
): Promise<boolean> {
  const { changed, added } = compareLines(order.items, told.lines, { isErased })
  await changeLines(work, changed)
  if (added.length > 0) {
    const { items } = checked(shop, told, added)
    const names = await nameLines(work.sql, work.accountId, shop, items)
    await insertOrderItems(
      work,
      items.map((item, index) => ({
        ...item,
        ...(names[index] as NamedLine),
        ...(isErased && { personalisation: [], notes: '' }),
        external_id: added[index]?.external_id ?? '',
        order_id: order.id,
      })),
    )
  }
  return changed.length > 0 || added.length > 0
}

async function changeFields(
  work: Work,
  orderId: OrderId,
  { external_id, fields: told }: ShopOrder,
  { isErased, linesChanged, isOver }: { isErased: boolean; linesChanged: boolean; isOver: boolean },
): Promise<void> {
  const { sql, accountId } = work
  const before = await getOrder(sql, accountId, orderId)
  const items_total = linesChanged ? await sumLines(sql, accountId, orderId) : before.items_total
  const { order_number: _number, order_date: _date, currency: _currency, total_revenue, ...rest } = told
  const personal: readonly string[] = isErased ? personalFields : []
  const wanted = {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !personal.includes(name))),
    external_id,
    discount_amount: discountWithin(told, items_total),
  }
  const isTotalOther = total_revenue !== undefined && total_revenue !== before.total_revenue
  const changed = changedFields(before, wanted)
  if (changed.length === 0 && !linesChanged && !isTotalOther) return
  const open = linesChanged && hasOpenLines(before.items)
  const isOpenAgain = open && (before.status === 'fulfilled' || before.status === 'shipped')
  const status = isOver ? before.status : orderStatus(isOpenAgain ? 'processing' : before.status, before.items)
  await updateOrder(work, orderId, {
    ...wanted,
    items_total,
    ...(total_revenue !== undefined && { stated_total: total_revenue }),
    // An order of which nothing is wanted any more is cancelled below, which tells so.
    ...(status !== 'cancelled' && { status }),
  })
  if (isOpenAgain) await forgetProgress(work, orderId)
  await work.record({
    type: 'order.updated',
    subjectId: orderId,
    data: { fields: [...changed, ...(linesChanged ? ['items'] : []), ...(isTotalOther ? ['total_revenue'] : [])] },
  })
  await indexOrder(work, await getOrder(sql, accountId, orderId))
}

async function followState(work: Work, orderId: OrderId, told: ShopOrder['state']): Promise<OrderWithItems> {
  const order = await getOrder(work.sql, work.accountId, orderId)
  if (isEnded(order.status)) return order
  const isUnwanted = order.items.every((item) => item.fulfillment_status === 'cancelled')
  const nothingLeft = order.items.every((item) => item.quantity_fulfilled === 0)
  if (told === 'refunded' || (told === 'cancelled' && order.status === 'fulfilled')) {
    const changed = await changeOrder(work, orderId, { status: 'refunded' })
    await settlePicks(work, orderId)
    return changed
  }
  if (told === 'cancelled' || (isUnwanted && nothingLeft)) return (await cancelOrder(work, orderId)).order
  if (told === 'done' && order.status !== 'fulfilled' && order.status !== 'shipped') {
    // It left by other ways than ours: the event tells how many units were open.
    const changed = await changeOrder(work, orderId, { status: 'shipped', force: true })
    await settlePicks(work, orderId)
    return changed
  }
  return order
}

/** Answers why an order cannot be recorded, for people. */
export function describeRefusal(error: AppError): string {
  if (error.code !== 'VALIDATION_ERROR') return error.message
  return Object.entries((error.details ?? {}) as FieldErrors)
    .map(([field, messages]) => `${field} ${messages.join(', ')}`)
    .join('; ')
}
