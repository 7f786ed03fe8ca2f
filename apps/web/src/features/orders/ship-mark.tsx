import type { OrderDetails } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time, useNowMs } from '../../ui/time.tsx'
import { dueState } from './order-state.ts'
import './orders.css'

/** By when an order is to be shipped: plain while there is time, marked when it is late or soon will be. */
export function ShipMark({ order }: { order: Pick<OrderDetails, 'status' | 'ship_by'> }) {
  const due = dueState(order, useNowMs())
  if (order.ship_by === null) return '–'
  return (
    <span className="order-marks">
      {due === 'late' && <StatusBadge tone="trouble">{t('Late')}</StatusBadge>}
      {due === 'soon' && (
        <StatusBadge tone="waiting" icon="clock">
          {t('Due soon')}
        </StatusBadge>
      )}
      <Time at={order.ship_by} as="clock" />
    </span>
  )
}
