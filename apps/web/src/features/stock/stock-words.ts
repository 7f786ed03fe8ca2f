import type { StockedItem, StockMovement } from '../../lib/api/api-schema.generated.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import type { Tone } from '../../ui/tone.ts'

export type StockStatus = StockedItem['status']

export const stockStatuses: Record<StockStatus, { tone: Tone; word: string }> = {
  in_stock: { tone: 'done', word: t('In stock') },
  low_stock: { tone: 'waiting', word: tc('stock', 'Low') },
  needs_assembly: { tone: 'working', word: t('Needs assembly') },
  out_of_stock: { tone: 'trouble', word: t('None left') },
}

export const reasonWords: Record<StockMovement['reason'], string> = {
  job_completed: t('Printed'),
  units_rejected: t('Rejected'),
  assembled: t('Assembled'),
  used_in_assembly: t('Used in an assembly'),
  order_fulfilled: t('Shipped'),
  manual: t('By hand'),
  inventory_count: t('Counted'),
  correction: t('Corrected'),
  damaged: t('Damaged'),
  returned: t('Returned'),
}

export const quantityWords: Record<StockMovement['stock'], string> = {
  ready: t('Ready'),
  needs_assembly: t('Awaiting assembly'),
}

/** `+4`, `−2` */
export function formatChange(change: number): string {
  return change > 0 ? `+${change}` : `−${Math.abs(change)}`
}
