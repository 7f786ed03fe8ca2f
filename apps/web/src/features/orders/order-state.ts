import type { OrderDetails, OrderSummary } from '../../lib/api/api-schema.generated.ts'
import { parseTimestamp } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import type { Tone } from '../../ui/tone.ts'

export type OrderStatus = OrderSummary['status']
export type Platform = OrderSummary['platform']
export type Priority = OrderSummary['priority']

const statusWords: Record<OrderStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'resting', word: t('Pending') },
  processing: { tone: 'working', word: t('In process') },
  printed: { tone: 'working', word: t('Printed') },
  assembled: { tone: 'working', word: t('Assembled') },
  shipped: { tone: 'done', word: t('Shipped') },
  fulfilled: { tone: 'done', word: t('Fulfilled') },
  cancelled: { tone: 'away', word: t('Cancelled') },
  refunded: { tone: 'away', word: t('Refunded') },
}

export const presentOrderStatus = (status: OrderStatus) => statusWords[status]

export const statusOptions = Object.entries(statusWords).map(([value, { word }]) => ({ value, label: word }))

const platformWords: Record<Platform, string> = {
  shopify: 'Shopify',
  etsy: 'Etsy',
  woocommerce: 'WooCommerce',
  manual: t('By hand'),
  other: t('Other'),
}

export const platformOptions = Object.entries(platformWords).map(([value, label]) => ({ value, label }))

/** `Etsy`, or `Etsy, Second shop` where the account has several. */
export function placeOf({ platform, shop }: { platform: Platform; shop: string }): string {
  return [platformWords[platform], shop].filter(Boolean).join(', ')
}

/** For a choice, the most pressing first. */
export const priorityOptions: readonly { value: Priority; label: string }[] = [
  { value: 'urgent', label: t('Urgent') },
  { value: 'high', label: t('High') },
  { value: 'normal', label: t('Normal') },
  { value: 'low', label: t('Low') },
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
