import type { ProductionNeed } from '../../lib/api/api-schema.generated.ts'
import { parseTimestamp } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'

const dueGroups = ['late', 'day', 'week', 'later', 'open', 'shelf'] as const
type DueGroup = (typeof dueGroups)[number]

export const groupWords: Record<DueGroup, string> = {
  late: t('Late'),
  day: t('Within a day'),
  week: t('Within seven days'),
  later: t('Later'),
  open: t('Without a date'),
  shelf: t('For the shelf'),
}

const dayMs = 24 * 60 * 60_000

type Due = Pick<ProductionNeed, 'due_at' | 'orders_waiting'>

export function dueGroupOf({ due_at, orders_waiting }: Due, nowMs: number): DueGroup {
  if (orders_waiting === 0) return 'shelf'
  const dueMs = parseTimestamp(due_at)
  if (dueMs === undefined) return 'open'
  if (dueMs < nowMs) return 'late'
  if (dueMs < nowMs + dayMs) return 'day'
  return dueMs < nowMs + 7 * dayMs ? 'week' : 'later'
}

/** The groups that have rows, each with its own. */
export function groupByDue<Row extends Due>(rows: readonly Row[], nowMs: number): { group: DueGroup; rows: Row[] }[] {
  return dueGroups
    .map((group) => ({ group, rows: rows.filter((row) => dueGroupOf(row, nowMs) === group) }))
    .filter((each) => each.rows.length > 0)
}
