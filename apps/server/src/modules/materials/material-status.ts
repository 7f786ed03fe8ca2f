export const materialStatuses = ['in_stock', 'low', 'out_of_stock'] as const
type MaterialStatus = (typeof materialStatuses)[number]

/** Answers what a remaining quantity means. At the threshold it is low already. */
export function materialStatus(level: { remaining: number; low_threshold: number }): MaterialStatus {
  if (level.remaining <= 0) return 'out_of_stock'
  return level.remaining <= level.low_threshold ? 'low' : 'in_stock'
}

/** Answers how full a spool is in percent, to a tenth; null when no one said what a full one holds. */
export function filamentLevel(spool: { remaining: number; spool_weight: number | null }): number | null {
  if (spool.spool_weight === null) return null
  return Math.min(100, Math.round((spool.remaining * 1_000) / spool.spool_weight) / 10)
}
