import type { Sql } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/database-errors.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import { type AccountId, newId, type OrderId, type SkuId } from '../../kernel/ids.ts'
import { emptyTextsOfAssemblies } from '../assembly/assembly.service.ts'
import { removeNotesOfOrder } from '../attempts/attempts.queries.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Happening } from '../events/event-catalogue.ts'
import type { Work } from '../events/work.ts'
import { emptyNotesOfOrder } from '../failures/failures.queries.ts'
import { removeNotesFromReasons } from '../jobs/state/job-progress.queries.ts'
import { emptyTextsOfTasks } from '../worklist/farm-tasks.ts'
import { holdListingMaps, type Shop } from './listings/listing-maps.queries.ts'
import { type NamedLine, nameLines } from './listings/name-lines.ts'
import { makeOrderNumber } from './order-number.ts'
import { timeProblems } from './order-times.ts'
import {
  cancelOpenItems,
  emptyPersonalOfItems,
  emptyPersonalOfShipments,
  findOrder,
  findOrderByExternalId,
  hasPersonalShipments,
  insertOrderItems,
  insertOrders,
  type LineToRecord,
  listTrackingNumbers,
  lockOrder,
  type OrderedLine,
  type OrderItemRow,
  type OrderRow,
  type OrderToInsert,
  type OrderWithItems,
  recordErasure,
  updateOrder,
} from './orders.queries.ts'
import type { NewOrder, OrderChanges } from './orders.schema.ts'
import { personalFields } from './personal-fields.ts'
import { writeSearchWords } from './search/search-words.queries.ts'
import { searchWords } from './search/search-words.ts'
import { getOrderSettings, type OrderSettings, requireCurrency } from './settings/order-settings.service.ts'
import { findShipTimes } from './settings/ship-times.ts'
import { canSetStatus, isOpen, orderStatus, type StatusByHand } from './state/order-status.ts'

/** Number of times that a number that was made up may be taken before that is no chance any more. */
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

/** An order to be recorded: by the rules of POST /orders, and with what only its shop knows of its lines. */
type OrderToRecord = Omit<NewOrder, 'items'> & { items: LineToRecord[] }

/**
 * Records an order with its lines.
 *
 * @throws AppError `ALREADY_EXISTS` with the ID of the order that its shop has under this external ID, `DUPLICATE_ORDER_NUMBER`,
 *   `INVALID_PRODUCT_SKU` and `VALIDATION_ERROR`
 */
export async function createOrder(work: Work, body: OrderToRecord): Promise<OrderWithItems> {
  const { sql, accountId, now } = work
  const { items, allow_unmapped: allowUnmapped, ...order } = body
  const shop = { platform: order.platform, shop: order.shop ?? '' }
  if (order.currency !== undefined) requireCurrency(order.currency)
  await refuseKnown(work, shop, order.external_id)
  await holdListingMaps(sql, accountId)
  const lines = await nameOrderedLines(work, shop, items, { allowUnmapped })

  const itemsTotal = totalOf(lines)
  const { shipping_cost = 0, tax_amount = 0, discount_amount = 0 } = order
  checkDiscount({ items_total: itemsTotal, shipping_cost, tax_amount, discount_amount })
  const settings = await getOrderSettings(sql, accountId)
  const orderDate = order.order_date ?? now
  checkTimes(order.order_date ?? null, order.ship_by ?? null)
  const shipBy = order.ship_by === undefined ? await findShipTimes(sql, settings, [orderDate]) : undefined
  const created = await insertNumbered(
    work,
    {
      // What integrations know as the default; imported files say it, or leave it open.
      shipping_country: 'USA',
      ...order,
      ...shop,
      items_total: itemsTotal,
      currency: order.currency ?? statedCurrency(settings),
      ship_by: shipBy ? (shipBy.get(orderDate) ?? null) : (order.ship_by ?? null),
    },
    lines,
  )
  await work.record(orderCreated(created, lines, settings.currency))
  return getOrder(sql, accountId, created.id)
}

/** The currency that is stored of an order which names none. */
export function statedCurrency({ currency, isCurrencyStated }: OrderSettings): string | null {
  return isCurrencyStated ? currency : null
}

/** The total of the lines, in the minor unit. */
export function totalOf(lines: readonly { quantity: number; unit_price: number }[]): number {
  return lines.reduce((total, line) => total + line.quantity * line.unit_price, 0)
}

/** `accountCurrency` is that of an order without one of its own. */
export function orderCreated(
  order: OrderToInsert,
  lines: readonly OrderedLine[],
  accountCurrency: string,
): Happening<'order.created'> {
  const { shipping_cost = 0, tax_amount = 0, discount_amount = 0 } = order
  const unmapped = lines.filter((line) => line.product_sku_id === null).length
  return {
    type: 'order.created',
    subjectId: order.id,
    data: {
      platform: order.platform,
      items: lines.length,
      total_revenue: order.total_revenue ?? order.items_total + shipping_cost + tax_amount - discount_amount,
      currency: order.currency ?? accountCurrency,
      ...(unmapped > 0 && { unmapped }),
    },
  }
}

type Searched = Pick<OrderRow, 'order_number'> &
  Partial<Pick<OrderRow, 'customer_name' | 'customer_email' | 'external_id' | 'tracking_number'>>

/** The words that an order is found by. */
export function wordsOf(order: Searched, lines: readonly Pick<OrderItemRow, 'sku' | 'seller_sku'>[]): string[] {
  const { order_number, customer_name = '', customer_email = '', external_id = '', tracking_number = '' } = order
  const texts = [order_number, customer_name, customer_email, external_id, tracking_number]
  return searchWords([...texts, ...lines.flatMap((line) => [line.sku, line.seller_sku])])
}

/** What an order is found by from now on. */
export async function indexOrder({ sql, accountId }: Work, order: OrderWithItems): Promise<void> {
  const tracking = await listTrackingNumbers(sql, accountId, order.id)
  const words = new Set([...wordsOf(order, order.items), ...searchWords(tracking)])
  await writeSearchWords(sql, accountId, order.id, [...words])
}

async function refuseKnown({ sql, accountId }: Work, shop: Shop, externalId = ''): Promise<void> {
  if (externalId === '') return
  const orderId = await findOrderByExternalId(sql, accountId, shop, externalId)
  if (orderId) throw new AppError('ALREADY_EXISTS', { resource: 'order' }, { details: { order_id: orderId } })
}

/** The lines with what they stand for. @throws AppError `INVALID_PRODUCT_SKU` that names those that stand for nothing. */
async function nameOrderedLines(
  { sql, accountId }: Work,
  shop: Shop,
  lines: readonly LineToRecord[],
  { allowUnmapped }: { allowUnmapped: boolean },
): Promise<OrderedLine[]> {
  const named = await nameLines(sql, accountId, shop, lines)
  const ordered = lines.map((line, index) => ({ ...line, ...(named[index] as NamedLine) }))
  const unknown = ordered.flatMap((line, index): { line: number; product_sku_id?: SkuId; sku?: string }[] => {
    if (line.product_sku_id !== null) return []
    const skuId = lines[index]?.product_sku_id
    if (skuId !== undefined) return [{ line: index, product_sku_id: skuId }]
    return allowUnmapped ? [] : [{ line: index, sku: line.seller_sku }]
  })
  if (unknown.length > 0) throw new AppError('INVALID_PRODUCT_SKU', {}, { details: { lines: unknown } })
  return ordered
}

async function insertNumbered(
  work: Work,
  order: Omit<OrderToInsert, 'id' | 'order_number' | 'words'> & { order_number?: string | undefined },
  lines: readonly OrderedLine[],
): Promise<OrderToInsert> {
  for (let tries = 0; tries < numberTries; tries++) {
    const numbered = { ...order, order_number: order.order_number ?? makeOrderNumber() }
    const id = newId('order', work.now.getTime())
    const row = { ...numbered, id, words: wordsOf(numbered, lines) }
    const [inserted] = await insertOrders(work, [row])
    if (inserted) {
      await insertOrderItems(
        work,
        lines.map((line) => ({ ...line, order_id: id })),
      )
      return row
    }
    // Another request may have recorded it since this one looked.
    await refuseKnown(work, order, order.external_id)
    if (order.order_number !== undefined) throw new AppError('DUPLICATE_ORDER_NUMBER')
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
  const { force = false, ...given } = changes
  const fields = changedFields(order, given)
  if (fields.length === 0) return order
  const { status: wanted = order.status, ...rest } = given
  if (rest.currency !== undefined) requireCurrency(rest.currency)
  if (changes.status !== undefined && !canSetStatus(order.status, changes.status)) {
    throw validationError({ status: [`cannot change from ${order.status} to ${changes.status}`] })
  }
  checkDiscount({ ...order, ...rest })
  if (fields.includes('order_date') || fields.includes('ship_by')) {
    checkTimes(rest.order_date ?? placedAt(order), rest.ship_by === undefined ? order.ship_by : rest.ship_by)
  }
  const openUnits = wanted === 'shipped' && order.status !== 'shipped' ? openUnitsOf(order) : 0
  if (openUnits > 0 && !force) throw openItems(order)
  const isKeyChanged = (['platform', 'shop', 'external_id'] as const).some((field) => fields.includes(field))
  if (isKeyChanged) await refuseKnown(work, { ...order, ...rest }, rest.external_id ?? order.external_id)
  if (wanted === 'refunded' && order.status !== 'refunded') await cancelOpenItems(work, orderId)
  await updateOrder(
    work,
    orderId,
    {
      ...rest,
      ...(changesTotal(rest) && { stated_total: null }),
      ...(isKeyChanged && { external_id_repeated: false }),
      status: orderStatus(wanted, order.items),
    },
    { isShipped: wanted === 'shipped' },
  ).catch(refuseOrder)
  // The names of the fields, never what is in them: events outlive the erasure of a customer.
  await work.record({
    type: 'order.updated',
    subjectId: orderId,
    data: {
      fields,
      ...(changes.status !== undefined && { status: changes.status }),
      ...(openUnits > 0 && { forced: true, open_units: openUnits }),
    },
  })
  const changed = await getOrder(sql, accountId, orderId)
  await indexOrder(work, changed)
  return changed
}

/** Forgets who the customer is and what they wrote. What was ordered, and for how much, stays. */
export async function eraseCustomer(work: Work, orderId: OrderId): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const order = await getOrderLocked(sql, accountId, orderId)
  // Its shop may still tell all of it: what was erased is not filled again.
  await recordErasure(work, orderId)
  // People may have written about the customer into tasks that the order has, though it does not itself.
  const tasks = await emptyTextsOfTasks(work, ['pick', 'pack'], {
    subjectId: orderId,
    title: `Order ${order.order_number}`,
  })
  await removeNotesFromReasons(work, orderId)
  const texts =
    tasks +
    (await removeNotesOfOrder(work, orderId)) +
    (await emptyTextsOfAssemblies(work, orderId)) +
    (await emptyNotesOfOrder(work, orderId))
  const isErased =
    texts === 0 &&
    personalFields.every((field) => order[field] === '') &&
    order.items.every(({ notes, personalisation }) => notes === '' && personalisation.length === 0) &&
    !(await hasPersonalShipments(sql, accountId, orderId))
  if (isErased) return order
  await updateOrder(work, orderId, Object.fromEntries(personalFields.map((field) => [field, ''])))
  await emptyPersonalOfItems(work, orderId)
  await emptyPersonalOfShipments(work, orderId)
  await work.record({
    type: 'order.customer_erased',
    subjectId: orderId,
    data: {},
  })
  const erased = await getOrder(sql, accountId, orderId)
  await indexOrder(work, erased)
  return erased
}

/** Units of the order for which no stock was taken yet. */
function openUnitsOf({ items }: OrderWithItems): number {
  const open = items.filter((item) => isOpen(item))
  return open.reduce((units, item) => units + (item.quantity - item.quantity_fulfilled) * item.pack_size, 0)
}

function openItems(order: OrderWithItems): AppError {
  const lines = order.items.filter(isOpen).map((item) => ({
    order_item_id: item.id,
    sku: item.sku,
    open: (item.quantity - item.quantity_fulfilled) * item.pack_size,
  }))
  return new AppError('ORDER_HAS_OPEN_ITEMS', { open: openUnitsOf(order) }, { details: { lines } })
}

/** A total that was stated is that of other amounts. */
function changesTotal({ shipping_cost, tax_amount, discount_amount }: OrderChanges): boolean {
  return [shipping_cost, tax_amount, discount_amount].some((amount) => amount !== undefined)
}

/**
 * Answers when the customer ordered; null where it was not said: the order has the moment of its entry then, and may have been due
 * before.
 */
function placedAt({ order_date, created_at }: Pick<OrderWithItems, 'order_date' | 'created_at'>): Date | null {
  return order_date.getTime() === created_at.getTime() ? null : order_date
}

function checkTimes(orderDate: Date | string | null, shipBy: Date | string | null): void {
  const dateOf = (at: Date | string | null) => (at === null ? null : new Date(at))
  const problems = timeProblems({ orderDate: dateOf(orderDate), shipBy: dateOf(shipBy) })
  const fields = Object.entries(problems)
  if (fields.length > 0) throw validationError(Object.fromEntries(fields.map(([field, what]) => [field, [what]])))
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
  if (isUniqueViolation(error, 'orders_external_id_key')) {
    throw new AppError('ALREADY_EXISTS', { resource: 'order' }, { cause: error })
  }
  throw error
}
