import { type PeriodCause, periodCauses } from '@printyard/server/modules/timeline/period-cause'
import type { DayEnd } from './simulate-day.ts'

/** What became of a day. */
export interface DayFigures {
  plates: number
  units: number
  orders_done: number
  /** Orders whose time came within the day, and which were not done by then. */
  late_orders: number
  /** How much too late they were, together, up to the end of the day. */
  late_hours: number
  /** Share of the printers' time in which they printed, 0 to 1. */
  utilisation: number
  filament_changes: number
  spools_renewed: number
  failed_prints: number
  /** From the arrival of a job to its first start or the end of the day: the time that only 1 of 20 exceeds. */
  wait_hours_p95: number
  longest_wait_hours: number
  /** Every cause with its minutes; they sum to the time of all printers. */
  minutes: Record<PeriodCause, number>
}

export function figuresOf({ day, ...end }: DayEnd): DayFigures {
  const seconds = (cause: PeriodCause) =>
    day.printers.reduce((sum, { time }) => sum + (time.seconds.get(cause) ?? 0), 0)
  const late = day.orders
    .filter(({ planned }) => planned.dueAt <= day.now)
    .map(({ planned, completedAt }) => (completedAt ?? day.now) - planned.dueAt)
    .filter((lateness) => lateness > 0)
  const waits = day.jobs
    .map(({ arrivedAt, firstStartAt }) => (firstStartAt ?? day.now) - arrivedAt)
    .sort((a, b) => a - b)
  return {
    plates: end.plates,
    units: end.units,
    orders_done: day.orders.filter(({ completedAt }) => completedAt !== undefined).length,
    late_orders: late.length,
    late_hours: late.reduce((sum, lateness) => sum + lateness, 0) / 3_600,
    utilisation: seconds('printing') / (day.printers.length * day.now),
    filament_changes: end.filamentChanges,
    spools_renewed: end.spoolsRenewed,
    failed_prints: end.failedPrints,
    wait_hours_p95: (waits[Math.floor(waits.length * 0.95)] ?? 0) / 3_600,
    longest_wait_hours: (waits.at(-1) ?? 0) / 3_600,
    minutes: Object.fromEntries(periodCauses.map((cause) => [cause, seconds(cause) / 60])) as Record<
      PeriodCause,
      number
    >,
  }
}
