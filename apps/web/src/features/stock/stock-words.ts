import type { StockedItem, StockMovement } from '../../lib/api/api-schema.generated.ts'
import type { Tone } from '../../ui/tone.ts'

export type StockStatus = StockedItem['status']

export const stockStatuses: Record<StockStatus, { tone: Tone; word: string }> = {
  in_stock: { tone: 'done', word: 'In stock' },
  low_stock: { tone: 'waiting', word: 'Low' },
  needs_assembly: { tone: 'working', word: 'Needs assembly' },
  out_of_stock: { tone: 'trouble', word: 'None left' },
}

export const reasonWords: Record<StockMovement['reason'], string> = {
  job_completed: 'Printed',
  units_rejected: 'Rejected',
  assembled: 'Assembled',
  used_in_assembly: 'Used in an assembly',
  order_fulfilled: 'Shipped',
  manual: 'By hand',
  inventory_count: 'Counted',
  correction: 'Corrected',
  damaged: 'Damaged',
  returned: 'Returned',
}

export const quantityWords: Record<StockMovement['stock'], string> = {
  ready: 'Ready',
  needs_assembly: 'Awaiting assembly',
}

/** `+4`, `−2` */
export function formatChange(change: number): string {
  return change > 0 ? `+${change}` : `−${Math.abs(change)}`
}
