import type { Order, OrderDetails } from '../../../lib/api/api-schema.generated.ts'
import { formatMoney } from '../../../lib/money.ts'
import { Facts } from '../../../ui/lists/facts.tsx'
import { Time } from '../../../ui/time.tsx'
import { priorityWord } from '../order-priority.tsx'
import { placeOf } from '../order-state.ts'
import { ShipMark } from '../ship-mark.tsx'

/** When the order was made and is to leave, and what it is worth in its own currency. */
export function OrderFacts({ order, details }: { order: Order; details: OrderDetails }) {
  const { currency } = details
  const money = (amount: number) => (amount === 0 ? null : formatMoney(amount, currency))
  return (
    <Facts
      isGrid
      facts={[
        ['Placed', placeOf(details)],
        ['External ID', details.external_id],
        ['Ordered', <Time key="ordered" at={details.order_date} as="full" />],
        ['To ship by', <ShipMark key="by" order={details} />],
        ['Priority', priorityWord(details.priority)],
        ['Shipped', order.shipped_at === null ? null : <Time key="shipped" at={order.shipped_at} as="full" />],
        ['Shipping', money(order.shipping_cost)],
        ['Tax', money(order.tax_amount)],
        ['Discount', money(order.discount_amount)],
        ['Total', formatMoney(order.total_revenue, currency)],
        ['Notes', order.notes],
      ]}
    />
  )
}
