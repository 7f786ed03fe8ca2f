import { t } from './i18n/t.ts'
import { ageWriter, numberWriter, timeWriter } from './i18n/writers.ts'

const hours = { style: 'unit', unit: 'hour', unitDisplay: 'narrow' } as const
const minutes = { style: 'unit', unit: 'minute', unitDisplay: 'short' } as const
const wholeDays = { style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 1 } as const
const percents = { style: 'percent', maximumFractionDigits: 0 } as const
const ago = { numeric: 'always', style: 'short' } as const
const wholeNumbers = { maximumFractionDigits: 0 }
const fineNumbers = { maximumFractionDigits: 1 }

/** `45 min`, `1h 35 min`; anything below a minute is `less than 1 min`. */
export function formatMinutes(value: number): string {
  if (value < 1) return t('less than 1 min')
  const whole = Math.round(value)
  const parts = []
  if (whole >= 60) parts.push(numberWriter(hours).format(Math.floor(whole / 60)))
  if (whole % 60 > 0) parts.push(numberWriter(minutes).format(whole % 60))
  return parts.join(' ')
}

/** `1 day`, `2.5 days`. */
export function formatDays(value: number): string {
  return numberWriter(wholeDays).format(value)
}

/** From 0–100. Rounded down, so that only a finished print reads 100%. */
export function formatPercent(value: number): string {
  return numberWriter(percents).format(Math.floor(value) / 100)
}

/** `214 °C`, or `214 / 220 °C` while a target is set. */
export function formatTemperature(value: number, target: number | null): string {
  const degrees = numberWriter(wholeNumbers)
  const present = degrees.format(value)
  return target !== null && target > 0 ? `${present} / ${degrees.format(target)} °C` : `${present} °C`
}

/** How long ago in one unit: `12 sec. ago`, `3 min. ago`. A moment in the future (our clock is behind) is now. */
export function formatAge(timestampMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - timestampMs) / 1000))
  if (seconds < 90) return ageWriter(ago).format(-seconds, 'second')
  if (seconds < 90 * 60) return ageWriter(ago).format(-Math.round(seconds / 60), 'minute')
  if (seconds < 48 * 3600) return ageWriter(ago).format(-Math.round(seconds / 3600), 'hour')
  return ageWriter(ago).format(-Math.round(seconds / 86_400), 'day')
}

type Reader = { locale?: string; timeZone?: string }

const clockOf = ({ locale, timeZone }: Reader, options: Intl.DateTimeFormatOptions) =>
  timeWriter(locale, { ...options, timeZone })

/** Time of day, in the one form that it has everywhere: `7:05 AM`, `07:05`. By default as the reader's language and browser have it. */
export function formatClock(timestampMs: number, reader: Reader = {}): string {
  return clockOf(reader, { timeStyle: 'short' }).format(timestampMs)
}

/** Time of day for today, else with the date. */
export function formatMoment(timestampMs: number, nowMs: number, reader: Reader = {}): string {
  const day = clockOf(reader, { dateStyle: 'medium' })
  const clock = formatClock(timestampMs, reader)
  if (day.format(timestampMs) === day.format(nowMs)) return clock
  return `${clockOf(reader, { day: 'numeric', month: 'short' }).format(timestampMs)}, ${clock}`
}

/** Milliseconds since 1970, or undefined when there is no time or it cannot be read. */
export function parseTimestamp(text: string | null): number | undefined {
  if (text === null) return undefined
  const milliseconds = Date.parse(text)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

/** How long until then in one unit: `in 5 min.`; a moment that has passed is now. */
export function formatUntil(timestampMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((timestampMs - nowMs) / 1000))
  if (seconds < 90) return ageWriter(ago).format(seconds, 'second')
  if (seconds < 90 * 60) return ageWriter(ago).format(Math.round(seconds / 60), 'minute')
  if (seconds < 48 * 3600) return ageWriter(ago).format(Math.round(seconds / 3600), 'hour')
  return ageWriter(ago).format(Math.round(seconds / 86_400), 'day')
}

/**
 * The zone of a moment's clock where it is not that of the reader's browser: `GMT+1`, `PST`; else nothing. Two zones whose clocks
 * show the same are one for who reads them.
 */
export function zoneOf(timestampMs: number, { timeZone, ...reader }: Reader): string {
  if (timeZone === undefined) return ''
  const offset = (zone: Reader) => zoneName(timestampMs, { locale: 'en', ...zone }, 'longOffset')
  if (offset({ timeZone }) === offset({})) return ''
  return zoneName(timestampMs, { ...reader, timeZone }, 'short')
}

function zoneName(timestampMs: number, reader: Reader, timeZoneName: 'short' | 'longOffset'): string {
  const parts = clockOf(reader, { hour: 'numeric', timeZoneName }).formatToParts(timestampMs)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** Date and time of day, for hovering and for lists of records. */
export function formatStamp(timestampMs: number, reader: Reader = {}): string {
  return clockOf(reader, { dateStyle: 'medium', timeStyle: 'short' }).format(timestampMs)
}

/** `24 Nov 2026`, of a date of the calendar as the API writes it; other text stays as it is. */
export function formatDay(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date)
    ? clockOf({ timeZone: 'UTC' }, { dateStyle: 'medium' }).format(Date.parse(date))
    : date
}

/** `1,204` */
export function formatCount(value: number): string {
  return numberWriter(wholeNumbers).format(value)
}

/** `640 g`, from a kilogram on `1.2 kg`. */
export function formatGrams(grams: number): string {
  return Math.abs(grams) < 1000
    ? `${numberWriter(wholeNumbers).format(grams)} g`
    : t('{grams} kg', { grams: numberWriter(fineNumbers).format(grams / 1000) })
}

/** `512 B`, `34 KB`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return t('{bytes} KB', { bytes: numberWriter(wholeNumbers).format(bytes / 1000) })
  if (bytes < 1_000_000_000) return t('{bytes} MB', { bytes: numberWriter(fineNumbers).format(bytes / 1_000_000) })
  return t('{bytes} GB', { bytes: numberWriter(fineNumbers).format(bytes / 1_000_000_000) })
}

/** `9:05`, from an hour on `1:02:09`. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  const tail = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${tail}` : tail.replace(/^0/, '')
}
