import type { NotificationRuleRow } from '../../../db/rows.generated.ts'
import { isAtLeastAsSevere } from '../message/message.ts'
import type { Kind } from './kinds.ts'
import type { Occurrence } from './occurrence.ts'

type RuleFilter = Pick<
  NotificationRuleRow,
  'is_active' | 'kinds' | 'least_severity' | 'locations' | 'printer_ids' | 'product_ids'
>

/** The kind by which a rule is for an occurrence; undefined when it is not. An empty list filters nothing. */
export function matchedKind(rule: RuleFilter, occurrence: Occurrence): Kind | undefined {
  if (!rule.is_active || !isAtLeastAsSevere(occurrence.severity, rule.least_severity)) return undefined
  if (!isAmong(rule.locations, occurrence.location)) return undefined
  if (!isAmong(rule.printer_ids, occurrence.printerId)) return undefined
  if (!isAmong(rule.product_ids, occurrence.productId)) return undefined
  return occurrence.kinds.find((kind) => rule.kinds.includes(kind))
}

function isAmong(wanted: readonly string[], value: string | null): boolean {
  return wanted.length === 0 || (value !== null && wanted.includes(value))
}
