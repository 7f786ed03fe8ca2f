import { timeWriter } from './i18n/writers.ts'

/** A moment as a field for date and time of day shows it, by the clock of `timeZone` (the browser's without one): `2026-03-01T14:05`. */
export function toZoneTime(ms: number, timeZone?: string): string {
  const parts = timeWriter('en', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(ms)
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/**
 * The other way round; undefined for what is no date and time. An hour that the clock leaves out in spring is read as the
 * one after it, one that it goes through twice as the first.
 */
export function fromZoneTime(text: string, timeZone?: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return undefined
  const wanted = Date.parse(`${text.slice(0, 16)}Z`)
  if (Number.isNaN(wanted)) return undefined
  const offsetAt = (ms: number) => Date.parse(`${toZoneTime(ms, timeZone)}Z`) - Math.floor(ms / 60_000) * 60_000
  // The clock changes at most once within a day of any moment.
  const [before, after] = [offsetAt(wanted - 86_400_000), offsetAt(wanted + 86_400_000)]
  const early = wanted - Math.max(before, after)
  if (early + offsetAt(early) === wanted) return early
  const late = wanted - Math.min(before, after)
  return late
}
