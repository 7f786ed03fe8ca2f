import type { BodyOf } from '../../lib/api/api-routes.ts'

/** How a person says what changed: how many there are, how many more, or how many more or fewer. */
export type StockChange = 'count' | 'restock' | 'adjust'

/** What is booked for the number that was typed; undefined when nothing changes. */
export function adjustmentOf(
  change: StockChange,
  { number, reason, notes }: { number: number; reason: Adjustment['reason']; notes: string },
  readyStock: number,
): Adjustment | undefined {
  const adjustment = change === 'count' ? number - readyStock : number
  if (adjustment === 0) return undefined
  return {
    adjustment,
    reason: change === 'count' ? 'inventory_count' : reason,
    ...(notes.trim() !== '' && { notes: notes.trim() }),
  }
}

type Adjustment = BodyOf<'POST /inventory/{id}/adjust'>
