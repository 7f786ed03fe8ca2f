import type { OrderDetails, OrderSummary } from '../../lib/api/api-schema.generated.ts'
import { parseTimestamp } from '../../lib/format.ts'
import type { Tone } from '../../ui/tone.ts'

export type OrderStatus = OrderSummary['status']
export type Platform = OrderSummary['platform']
export type Priority = OrderSummary['priority']

const statusWords: Record<OrderStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'resting', word: 'Pending' },
  processing: { tone: 'working', word: 'In process' },
  printed: { tone: 'working', word: 'Printed' },
  assembled: { tone: 'working', word: 'Assembled' },
  shipped: { tone: 'done', word: 'Shipped' },
  fulfilled: { tone: 'done', word: 'Fulfilled' },
  cancelled: { tone: 'away', word: 'Cancelled' },
  refunded: { tone: 'away', word: 'Refunded' },
}

export const presentOrderStatus = (status: OrderStatus) => statusWords[status]

export const statusOptions = Object.entries(statusWords).map(([value, { word }]) => ({ value, label: word }))

const platformWords: Record<Platform, string> = {
  shopify: 'Shopify',
  etsy: 'Etsy',
  woocommerce: 'WooCommerce',
  manual: 'By hand',
  other: 'Other',
}

export const platformOptions = Object.entries(platformWords).map(([value, label]) => ({ value, label }))

/** `Etsy`, or `Etsy, Second shop` where the account has several. */
export function placeOf({ platform, shop }: { platform: Platform; shop: string }): string {
  return [platformWords[platform], shop].filter(Boolean).join(', ')
}

/** For a choice, the most pressing first. */
export const priorityOptions: readonly { value: Priority; label: string }[] = [
  { value: 'urgent', label: 'Urgent' },
  { value: 'high', label: 'High' },
  { value: 'normal', label: 'Normal' },
  { value: 'low', label: 'Low' },
]

/** Nothing more will be fulfilled of it, although not all was. */
export const isEnded = (status: OrderStatus) => status === 'cancelled' || status === 'refunded'

/** Something of it is still to be shipped. */
export const isOpen = (status: OrderStatus) => !isEnded(status) && status !== 'shipped' && status !== 'fulfilled'

/** An order that has less time than this is at risk. */
export const riskMs = 24 * 60 * 60 * 1000

/** Whether it should have left by now, or should soon; undefined while there is time, and of orders that have left or ended. */
export function dueState(
  { status, ship_by }: Pick<OrderDetails, 'status' | 'ship_by'>,
  nowMs: number,
): 'late' | 'soon' | undefined {
  const ms = parseTimestamp(ship_by)
  if (ms === undefined || !isOpen(status)) return undefined
  if (ms < nowMs) return 'late'
  return ms - nowMs < riskMs ? 'soon' : undefined
}
