import type { Order, OrderDetails } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
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
        [t('Placed'), placeOf(details)],
        [t('External ID'), details.external_id],
        [t('Ordered'), <Time key="ordered" at={details.order_date} as="full" />],
        [t('To ship by'), <ShipMark key="by" order={details} />],
        [t('Priority'), priorityWord(details.priority)],
        [t('Paid'), details.is_paid ? t('Yes') : t('Not yet')],
        [t('Shipped'), order.shipped_at === null ? null : <Time key="shipped" at={order.shipped_at} as="full" />],
        [t('Shipping'), money(order.shipping_cost)],
        [t('Tax'), money(order.tax_amount)],
        [t('Discount'), money(order.discount_amount)],
        [t('Total'), formatMoney(order.total_revenue, currency)],
        [t('Notes'), order.notes],
      ]}
    />
  )
}
