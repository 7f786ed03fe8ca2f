import type { PrinterTimeline } from '../../lib/api/api-schema.generated.ts'

export type Cause = PrinterTimeline['totals'][number]['cause']

export interface DaySegment {
  cause: Cause
  startedAt: string
  endedAt: string
  /** Of the whole bar, 0 to 100. */
  offsetPercent: number
  widthPercent: number
}

const words: Record<Cause, string> = {
  printing: 'Printing',
  transferring: 'Starting',
  paused: 'Paused',
  plate_not_clear: 'Plate not clear',
  filament: 'Other filament needed',
  no_matching_job: 'No job fits',
  not_started: 'Job not started',
  error: 'Error',
  offline: 'Out of reach',
  maintenance: 'Maintenance',
  inactive: 'Out of use',
}

/** A cause of a later service is shown as it is spelt. */
export function causeWord(cause: string): string {
  return words[cause as Cause] ?? cause.replaceAll('_', ' ')
}

/** Where each segment lies in a bar from `from` to `until`, both in ms since 1970. */
export function layOutDay(segments: PrinterTimeline['segments'], from: number, until: number): DaySegment[] {
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
