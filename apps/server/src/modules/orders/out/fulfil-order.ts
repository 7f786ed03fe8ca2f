import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import {
  type OrderId,
  type OrderItemId,
  readId,
  type ShipmentId,
  type SkuId,
  type UserId,
} from '../../../kernel/ids.ts'
import { loadBoms } from '../../catalogue/bom/bom.service.ts'
import { lockItemsOfSkus, moveStocks, type StockLevels } from '../../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../../events/work.ts'
import { holdMembersAmong } from '../../people/accounts/members.queries.ts'
import { takeFromPins } from '../../planning/pegs/pins.queries.ts'
import { listHeldByItems, listReserved, takeFromReserved } from '../../planning/pegs/reserved.queries.ts'
import { replan } from '../../planning/replan/replan.ts'
import { queuePush } from '../../shops/state/queue-push.ts'
import { type OrderItemRow, type OrderWithItems, updateItemFulfilments, updateOrder } from '../orders.queries.ts'
import { getOrder, getOrderLocked, indexOrder } from '../orders.service.ts'
import { takeFromPicks } from '../pick/picks.queries.ts'
import { settlePicks } from '../pick/settle-picks.ts'
import { type ItemStatus, isEnded, isOpen, itemStatus, orderStatus } from '../state/order-status.ts'
import { type PlannedLine, planFulfilment } from './fulfilment-plan.ts'
import { insertShipment } from './shipments.queries.ts'
import type { Fulfill } from './shipments.schema.ts'
import { type TakenPackaging, takePackaging } from './take-packaging.ts'

/** What keeps the units of a composite SKU from being there: its parts are not either, or no one has put them together. */
type KitProblem = 'KIT_NOT_PRODUCED' | 'KIT_NOT_ASSEMBLED'

type FulfilledLine = PlannedLine<LineToFulfil> & { fulfillment_status: ItemStatus; kitProblem?: KitProblem }

/** An open line, and the most that is to be taken of its quantity. */
type LineToFulfil = OrderItemRow & { most?: number; held?: number; takesHeldOnly?: boolean }

type Tracking = Pick<Fulfill, 'tracking_number' | 'tracking_url'>

/** What is known of a parcel besides what is in it. */
type Parcel = Pick<Fulfill, 'carrier' | 'tracking_number' | 'tracking_url' | 'packed_by'>

/** An order after stock was taken for it, and what became of each line that was open. */
export interface Fulfilment {
  order: OrderWithItems
  lines: FulfilledLine[]
  /** The parcel that what was taken is in. */
  shipmentId: ShipmentId
  packaging: TakenPackaging[]
}

/**
 * Takes ready stock for the open lines of an order, or for those that are named: as much of each as there is, but for what other
 * orders hold by the plan. What is taken leaves in one parcel. INSUFFICIENT_STOCK only when there is nothing for any of them.
 *
 * @throws AppError `ITEM_NOT_MAPPED`, `ALL_ITEMS_FULFILLED`, `USER_NOT_FOUND`
 */
export async function fulfilOrder(work: Work, orderId: OrderId, { items, ...parcel }: Fulfill): Promise<Fulfilment> {
  const { sql, accountId } = work
  if (parcel.packed_by !== undefined) await requireMember(work, parcel.packed_by)
  await replan(work, orderId)
  const order = await getOrderLocked(sql, accountId, orderId)
  refuseUnlessOpen(order)
  // By itself a line that is personalised gets what was made for it; a person who names it knows what they send.
  const takesHeldOnly = items === undefined
  return takeStock(work, order, items ? namedLines(order, items) : order.items.filter(isOpen), parcel, {
    takesHeldOnly,
  })
}

/** The same for all that is open of an order, or for nothing: INSUFFICIENT_STOCK when it does not suffice for each line. */
export async function fulfilWholeOrder(work: Work, orderId: OrderId, tracking: Tracking): Promise<OrderWithItems> {
  await replan(work, orderId)
  const order = await getOrderLocked(work.sql, work.accountId, orderId)
  refuseUnlessOpen(order)
  return (await takeStock(work, order, order.items.filter(isOpen), tracking, { isWhole: true, takesHeldOnly: true }))
    .order
}

function namedLines(order: OrderWithItems, items: NonNullable<Fulfill['items']>): LineToFulfil[] {
  const most = new Map<OrderItemId, number>()
  for (const { item_id, quantity } of items) most.set(item_id, (most.get(item_id) ?? 0) + quantity)
  const unknown = items.flatMap(({ item_id }, index) => (order.items.some(({ id }) => id === item_id) ? [] : [index]))
  if (unknown.length > 0) {
    throw validationError(
      Object.fromEntries(unknown.map((index) => [`items.${index}.item_id`, ['names no line of this order']])),
    )
  }
  const lines = order.items.flatMap((item) => {
    const quantity = most.get(item.id)
    return quantity === undefined || !isOpen(item) ? [] : [{ ...item, most: quantity }]
  })
  if (lines.length === 0) throw new AppError('ALL_ITEMS_FULFILLED')
  return lines
}

async function requireMember({ sql, accountId }: Work, userId: UserId): Promise<void> {
  const members = await holdMembersAmong(sql, accountId, [userId])
  if (!members.has(userId)) {
    throw new AppError(
      'USER_NOT_FOUND',
      {},
      { message: 'No member of this account has the user ID given in packed_by.' },
    )
  }
}

/** The same for one line of the order. */
export async function fulfilItem(work: Work, orderId: OrderId, itemId: OrderItemId): Promise<Fulfilment> {
  const { sql, accountId } = work
  await replan(work, orderId)
  const order = await getOrderLocked(sql, accountId, orderId)
  const item = order.items.find(({ id }) => id === itemId)
  if (!item) throw notFound('order item')
  refuseUnlessOpen(order)
  if (!isOpen(item)) throw new AppError('ALL_ITEMS_FULFILLED')
  return takeStock(work, order, [item], {})
}

function refuseUnlessOpen({ status }: OrderWithItems): void {
  if (status === 'fulfilled') throw new AppError('ORDER_ALREADY_FULFILLED')
  if (isEnded(status)) throw new AppError('ORDER_CANNOT_FULFILL', { status }, { details: { status } })
}

/**
 * The plan is waited for before the order is locked, and the order is locked before the stock, and the stock always in the same order: anyone who needs the same rows waits, so
 * that no unit is taken twice and none of them waits for ever.
 */
async function takeStock(
  work: Work,
  order: OrderWithItems,
  open: LineToFulfil[],
  parcel: Parcel,
  { isWhole = false, takesHeldOnly = false } = {},
): Promise<Fulfilment> {
  const { sql, accountId } = work
  const skuIds = [...new Set(open.flatMap((item) => item.product_sku_id ?? []))]
  const stock = new Map((await lockItemsOfSkus(sql, accountId, skuIds)).map((row) => [row.product_sku_id, row]))
  const reserved = await listReserved(sql, accountId, skuIds)
  const held = await listHeldByItems(
    sql,
    accountId,
    open.map(({ id }) => id),
  )
  const free = new Map(
    [...stock].map(([skuId, row]) => [skuId, Math.max(0, row.ready_stock - (reserved.get(skuId) ?? 0))]),
  )
  const left = new Map([...stock].map(([skuId, row]) => [skuId, Math.max(0, row.ready_stock)]))
  const plan = planFulfilment(
    open.map((item) => ({
      ...item,
      held: takeUpTo(held.get(item.id) ?? 0, left, item.product_sku_id),
      takesHeldOnly: takesHeldOnly && item.personalisation.length > 0,
    })),
    free,
  )
  const unnamed = open.filter((item) => item.product_sku_id === null)
  if (unnamed.length === open.length || (isWhole && unnamed.length > 0)) throw unmapped(unnamed)
  const short = plan.filter(({ needed, taken }) => taken < needed)
  if (plan.every(({ taken }) => taken === 0) || (isWhole && short.length > 0)) throw outOfStock(short, plan, free)

  const lines = await findKitProblems(work, await takeLines(work, order.id, plan, stock))
  await takeFromPicks(
    work,
    lines.flatMap(({ item, taken }) => (taken > 0 ? [{ order_item_id: item.id, units: taken }] : [])),
  )
  const { carrier = '', tracking_number = '', tracking_url = '', packed_by } = parcel
  const shipmentId = await insertShipment(work, {
    order_id: order.id,
    carrier,
    tracking_number,
    tracking_url,
    packed_by: packed_by ?? personOf(work.actor),
    items: lines
      .filter(({ taken }) => taken > 0)
      .map(({ item, taken }) => ({ order_item_id: item.id, quantity: taken / item.pack_size, units: taken })),
  })
  await queuePush(work, order.id, shipmentId)
  const packaging = await takePackaging(
    work,
    shipmentId,
    lines.flatMap(({ item, taken }) =>
      item.product_sku_id === null || taken === 0 ? [] : [{ skuId: item.product_sku_id, units: taken }],
    ),
  )
  const followed = await followItems(work, order.id, { lines, shipmentId, packaging }, parcel)
  await settlePicks(work, order.id)
  return { order: followed, lines, shipmentId, packaging }
}

/** What the plan holds is not all there where the shelf was counted since it was made. */
function takeUpTo(units: number, left: Map<SkuId, number>, skuId: SkuId | null): number {
  if (skuId === null) return 0
  const there = left.get(skuId) ?? 0
  const taken = Math.min(units, there)
  left.set(skuId, there - taken)
  return taken
}

/** Takes what was planned of each line off the shelf. The same few statements for any number of lines. */
async function takeLines(
  work: Work,
  orderId: OrderId,
  plan: readonly PlannedLine<LineToFulfil>[],
  stock: ReadonlyMap<string, StockLevels>,
): Promise<FulfilledLine[]> {
  const leaving = plan.filter(({ item, taken }) => taken > 0 && stock.has(item.product_sku_id ?? ''))
  const bySku = Map.groupBy(leaving, ({ item }) => item.product_sku_id)
  await moveStocks(
    work,
    [...bySku].flatMap(([skuId, its]) => {
      const item = stock.get(skuId ?? '')
      const left = { stock: 'ready', reason: 'order_fulfilled', jobId: null, orderId, notes: '' } as const
      return item ? [{ item, movements: its.map(({ taken }) => ({ ...left, change: -taken })) }] : []
    }),
  )
  const gone = leaving.flatMap(({ item: { id, product_sku_id }, taken }) =>
    product_sku_id === null
      ? []
      : [{ order_item_id: id, product_sku_id, supply_kind: 'ready_stock' as const, units: taken }],
  )
  await takeFromPins(work, gone)
  await takeFromReserved(work, gone)
  const after = new Map(
    leaving.map(({ item, taken }) => {
      const quantity_fulfilled = item.quantity_fulfilled + taken / item.pack_size
      const fulfillment_status = itemStatus({ quantity: item.quantity, quantity_fulfilled })
      return [item.id, { id: item.id, quantity_fulfilled, fulfillment_status }]
    }),
  )
  await updateItemFulfilments(work, [...after.values()])
  return plan.map((line) => ({
    ...line,
    fulfillment_status: after.get(line.item.id)?.fulfillment_status ?? line.item.fulfillment_status,
  }))
}

/** Says of each line that stays open, and is of a composite SKU, why it does. */
async function findKitProblems({ sql, accountId }: Work, lines: FulfilledLine[]): Promise<FulfilledLine[]> {
  const skusOf = ({ item, needed, taken }: FulfilledLine) => (taken < needed ? (item.product_sku_id ?? []) : [])
  const boms = await loadBoms(sql, accountId, [...new Set(lines.flatMap(skusOf))])
  return lines.map((line) => {
    const { product_sku_id: skuId } = line.item
    const bom = skuId === null ? undefined : boms.get(skuId)
    if (bom === undefined || bom.children.length === 0 || line.taken === line.needed) return line
    const isMakeable = bom.available_to_build >= line.needed - line.taken
    return { ...line, kitProblem: isMakeable ? 'KIT_NOT_ASSEMBLED' : 'KIT_NOT_PRODUCED' }
  })
}

/** The person who is signed in; null for a key or a rule. */
function personOf(actor: string): UserId | null {
  const [, id] = /^user:(.+)$/.exec(actor) ?? []
  return id === undefined ? null : (readId('user', id) ?? null)
}

/** The status of the order by what its items are now. */
async function followItems(
  work: Work,
  orderId: OrderId,
  { lines, shipmentId, packaging }: Omit<Fulfilment, 'order'>,
  { tracking_number, tracking_url }: Parcel,
): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const order = await getOrder(sql, accountId, orderId)
  const missing = packaging.filter(({ needed, taken }) => taken < needed)
  // What a part has left is in process, however far the rest is.
  const status = orderStatus(order.status === 'shipped' ? 'shipped' : 'pending', order.items)
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
      shipment_id: shipmentId,
      lines: lines
        .filter(({ taken }) => taken > 0)
        .map(({ item, taken }) => ({
          order_item_id: item.id,
          product_sku_id: item.product_sku_id,
          quantity: taken,
        })),
      ...(missing.length > 0 && {
        packaging_missing: missing.map(({ inventory_item_id, needed, taken }) => ({
          material_id: inventory_item_id,
          quantity: needed - taken,
        })),
      }),
    },
  })
  const followed = await getOrder(sql, accountId, orderId)
  if (tracking_number !== undefined) await indexOrder(work, followed)
  return followed
}

function unmapped(items: OrderItemRow[]): AppError {
  const lines = items.map(({ id, sku, product_name }) => ({ order_item_id: id, sku, product_name }))
  return new AppError('ITEM_NOT_MAPPED', {}, { details: { lines } })
}

/** What the other lines leave may be less than one pack of a line. */
function outOfStock(
  short: PlannedLine<LineToFulfil>[],
  plan: PlannedLine<LineToFulfil>[],
  free: ReadonlyMap<string, number>,
): AppError {
  const lines = short.map(({ item, needed }) => {
    const { held = 0, takesHeldOnly = false, product_sku_id: skuId } = item
    const others = plan.filter((line) => line.item !== item && line.item.product_sku_id === skuId)
    const elsewhere = others.reduce((units, line) => units + Math.max(0, line.taken - (line.item.held ?? 0)), 0)
    const left = skuId === null || takesHeldOnly ? 0 : Math.max(0, (free.get(skuId) ?? 0) - elsewhere)
    return { order_item_id: item.id, sku: item.sku, needed, available: held + left }
  })
  const available = Math.max(...lines.map((line) => line.available))
  return new AppError('INSUFFICIENT_STOCK', { available }, { details: { available, lines } })
}
