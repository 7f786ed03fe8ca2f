import type { NotificationRuleRow } from '../../../db/rows.generated.ts'
import { minuteOfDay, nextWorkingMoment } from '../../matching/working-hours.ts'
import type { Severity } from '../message/message.ts'

/** Times at which a rule lets messages be sent. */
export type Timing = Pick<
  NotificationRuleRow,
  'quiet_from' | 'quiet_to' | 'time_zone' | 'urgent_passes' | 'digest_minutes'
>

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const midnight = 24 * 60

/**
 * Answers when a message of a rule is sent: at once, at the end of the digest that it is collected for, and not in quiet hours. What is
 * urgent waits for no digest, and passes quiet hours where the rule says so.
 */
export function dueTime(rule: Timing, severity: Severity, now: Date): Date {
  const isUrgent = severity === 'high'
  const collected = isUrgent ? now : new Date(now.getTime() + rule.digest_minutes * 60_000)
  return isUrgent && rule.urgent_passes ? collected : (quietUntil(rule, collected) ?? collected)
}

/** The end of the quiet hours in which a moment lies; undefined outside of them. */
export function quietUntil(rule: Timing, at: Date): Date | undefined {
  if (rule.quiet_from === null || rule.quiet_to === null) return undefined
  const [from, to] = [minuteOfDay(rule.quiet_from), minuteOfDay(rule.quiet_to)]
  const hours = (fromMinute: number, toMinute: number) => ({
    timeZone: rule.time_zone,
    days: everyDay,
    fromMinute,
    toMinute,
  })
  if (from < to) {
    const isQuiet = nextWorkingMoment(hours(from, to), at)?.getTime() === at.getTime()
    return isQuiet ? (nextWorkingMoment(hours(to, midnight), at) ?? undefined) : undefined
  }
  // Over midnight: what is left is one stretch of each day.
  const end = nextWorkingMoment(hours(to, from), at)
  return end === null || end.getTime() === at.getTime() ? undefined : end
}
