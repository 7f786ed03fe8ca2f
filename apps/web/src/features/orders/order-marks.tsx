import type { OrderSummary } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { isEnded, isOpen } from './order-state.ts'

/** What keeps an order besides its way: not paid, or lines that stand for no SKU. */
export function OrderMarks({ order }: { order: Pick<OrderSummary, 'status' | 'unmapped_items' | 'is_paid'> }) {
  const { status, unmapped_items, is_paid } = order
  return (
    <>
      {!is_paid && isOpen(status) && <StatusBadge tone="waiting">{t('Not paid')}</StatusBadge>}
      {unmapped_items > 0 && !isEnded(status) && (
        <StatusBadge tone="waiting" icon="unknown">
          {t('{unmapped_items, plural, one {# line} other {# lines}} not mapped', { unmapped_items })}
        </StatusBadge>
      )}
    </>
  )
}
