import type { PeriodCause } from './period-cause.ts'

/**
 * Answers how busy printers were, in % with one decimal: the share of their time on record that they printed, pauses and transfers left out.
 * Undefined where none of their time is on record.
 */
export function busyPercent(times: readonly { cause: PeriodCause; ms: number }[]): number | undefined {
  const sumOf = (some: readonly { ms: number }[]) => some.reduce((sum, { ms }) => sum + ms, 0)
  const recordedMs = sumOf(times)
  if (recordedMs === 0) return undefined
  return Math.round((sumOf(times.filter(({ cause }) => cause === 'printing')) / recordedMs) * 1_000) / 10
}
