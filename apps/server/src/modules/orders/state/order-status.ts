export const orderStatuses = [
  'pending',
  'processing',
  'printed',
  'assembled',
  'shipped',
  'fulfilled',
  'cancelled',
  'refunded',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const itemStatuses = ['pending', 'partial', 'fulfilled', 'cancelled'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/** What a person says of an order and nothing else follows from. `fulfilled` takes stock, `cancelled` ends its items. */
export const statusesByHand = ['pending', 'processing', 'printed', 'assembled', 'shipped', 'refunded'] as const
export type StatusByHand = (typeof statusesByHand)[number]

/** Statuses of orders of which something is still to be made, packed or shipped. */
export const waitingStatuses = ['pending', 'processing', 'printed', 'assembled'] as const satisfies OrderStatus[]

/** True when nothing of the order will be fulfilled any more, although not all of it was. */
export function isEnded(status: OrderStatus): boolean {
  return status === 'cancelled' || status === 'refunded'
}

/**
 * True when a person may take an order from one status to the other. Every order can be refunded; beyond that, one that is
 * fulfilled or has ended stays as it is, and all others move freely: production goes back a step now and then.
 */
export function canSetStatus(from: OrderStatus, to: StatusByHand): boolean {
  return from === to || to === 'refunded' || !(isEnded(from) || from === 'fulfilled')
}

/** Answers how far an item is that has not been cancelled. */
export function itemStatus(item: { quantity: number; quantity_fulfilled: number }): ItemStatus {
  if (item.quantity_fulfilled >= item.quantity) return 'fulfilled'
  return item.quantity_fulfilled > 0 ? 'partial' : 'pending'
}

/**
 * The status of an order by its items. They decide when all of them are fulfilled or cancelled, and when the first unit
 * has been taken for an order that had not started; otherwise the order stays what it is.
 */
export function orderStatus(
  present: OrderStatus,
  items: readonly { quantity_fulfilled: number; fulfillment_status: ItemStatus }[],
): OrderStatus {
  if (isEnded(present)) return present
  const wanted = items.filter((item) => item.fulfillment_status !== 'cancelled')
  if (wanted.length === 0) return 'cancelled'
  if (wanted.every((item) => item.fulfillment_status === 'fulfilled')) return 'fulfilled'
  if (present === 'pending' && wanted.some((item) => item.quantity_fulfilled > 0)) return 'processing'
  return present
}

/** True when units of an item are still to be taken. */
export function isOpen({ fulfillment_status }: { fulfillment_status: ItemStatus }): boolean {
  return fulfillment_status === 'pending' || fulfillment_status === 'partial'
}
