import type { Order, OrderDetails, OrderReturn, Shipment } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { Tone } from '../../../ui/tone.ts'

type DetailedItem = OrderDetails['items'][number]

/** A line of an order with all that is known of it. Quantities count what was ordered and priced, not units of a pack. */
export interface OrderLine
  extends Pick<
    DetailedItem,
    | 'id'
    | 'state'
    | 'product_sku_id'
    | 'sku'
    | 'product_name'
    | 'seller_sku'
    | 'listing_id'
    | 'variation'
    | 'quantity'
    | 'pack_size'
    | 'units'
    | 'fulfillment_status'
    | 'personalisation'
    | 'notes'
  > {
  fulfilled: number
  /** Still to be shipped. */
  open: number
  returned: number
  /** Left and did not come back. */
  away: number
  unit_price: number
  total_price: number
}

interface OrderParts {
  order: Pick<Order, 'items'>
  details: Pick<OrderDetails, 'items'>
  shipments: readonly Pick<Shipment, 'items'>[]
  returns: readonly Pick<OrderReturn, 'item_id' | 'quantity'>[]
}

export function orderLines({ order, details, shipments, returns }: OrderParts): OrderLine[] {
  const shipped = sumsOf(shipments.flatMap(({ items }) => items))
  const returned = sumsOf(returns)
  return details.items.map((item) => {
    const priced = order.items.find(({ id }) => id === item.id)
    const fulfilled = item.pack_size > 0 ? item.units_fulfilled / item.pack_size : 0
    const isOpen = item.fulfillment_status === 'pending' || item.fulfillment_status === 'partial'
    const back = returned.get(item.id) ?? 0
    return {
      ...item,
      fulfilled,
      open: isOpen ? item.quantity - fulfilled : 0,
      returned: back,
      away: (shipped.get(item.id) ?? 0) - back,
      unit_price: priced?.unit_price ?? 0,
      total_price: priced?.total_price ?? 0,
    }
  })
}

function sumsOf(rows: readonly { item_id: string; quantity: number }[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { item_id, quantity } of rows) sums.set(item_id, (sums.get(item_id) ?? 0) + quantity)
  return sums
}

/** Where a line stands. */
export function presentLine({
  state,
  fulfillment_status: status,
  fulfilled,
  quantity,
}: Pick<OrderLine, 'state' | 'fulfillment_status' | 'fulfilled' | 'quantity'>): { tone: Tone; word: string } {
  if (status === 'cancelled') return { tone: 'away', word: t('Cancelled') }
  if (status === 'fulfilled') return { tone: 'done', word: t('Fulfilled') }
  if (state === 'unmapped') return { tone: 'waiting', word: t('Not mapped') }
  if (status === 'partial')
    return { tone: 'working', word: t('{fulfilled} of {quantity} fulfilled', { fulfilled, quantity }) }
  return { tone: 'resting', word: t('Open') }
}

/** What the shop calls a line that stands for no SKU yet. */
export function listingWords({
  seller_sku,
  listing_id,
  variation,
}: Pick<OrderLine, 'seller_sku' | 'listing_id' | 'variation'>) {
  return seller_sku !== '' ? seller_sku : [listing_id, variation].filter(Boolean).join(', ')
}
