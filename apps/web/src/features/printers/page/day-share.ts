import type { PrinterTimeline } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { timeWriter } from '../../../lib/i18n/writers.ts'

type Cause = PrinterTimeline['totals'][number]['cause']

interface DaySegment {
  cause: Cause
  startedAt: string
  endedAt: string
  /** Of the whole bar, 0 to 100. */
  offsetPercent: number
  widthPercent: number
}

const words: Record<Cause, string> = {
  printing: t('Printing'),
  transferring: t('Starting'),
  paused: t('Paused'),
  plate_not_clear: t('Plate not clear'),
  filament: t('Other filament needed'),
  no_matching_job: t('No job fits'),
  not_started: t('Job not started'),
  error: t('Error'),
  offline: t('Out of reach'),
  maintenance: t('Maintenance'),
  inactive: t('Out of use'),
}

/** A cause of a later service is shown as it is spelt. */
export function causeWord(cause: string): string {
  return words[cause as Cause] ?? cause.replaceAll('_', ' ')
}

/** When a day of the calendar begins there, in ms since 1970: `2026-11-20` in `Europe/Berlin`. */
export function startOfDay(date: string, timeZone: string | undefined): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  let atMs = midnight
  // The second round is for days on which the clocks change between the first guess and midnight.
  for (let round = 0; round < 2; round += 1) atMs = midnight - offsetMs(atMs, timeZone)
  return atMs
}

/** The date after this one: `2026-11-30` gives `2026-12-01`. */
export const nextDate = (date: string): string => dateBeside(date, 1)

/** The date before this one. */
export const previousDate = (date: string): string => dateBeside(date, -1)

function dateBeside(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** How far the clocks of a zone are before UTC at a moment. */
function offsetMs(atMs: number, timeZone: string | undefined): number {
  const shown = timeWriter('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(atMs)
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(atMs / 1000) * 1000
}

/** Where each segment lies in a bar from `from` to `until`, both in ms since 1970. */
export function layOutDay(
  segments: readonly Pick<PrinterTimeline['segments'][number], 'cause' | 'started_at' | 'ended_at'>[],
  from: number,
  until: number,
): DaySegment[] {
  const span = Math.max(1, until - from)
  const percent = (at: number) => (Math.min(Math.max(at, from), until) - from) / (span / 100)
  return segments.map(({ cause, started_at, ended_at }) => {
    const offsetPercent = percent(Date.parse(started_at))
    const widthPercent = percent(Date.parse(ended_at)) - offsetPercent
    return { cause, startedAt: started_at, endedAt: ended_at, offsetPercent, widthPercent }
  })
}

/** The causes to which any time went, the longest first. */
export function rankTotals(totals: PrinterTimeline['totals']): PrinterTimeline['totals'] {
  return totals.filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds)
}
