import type { Job } from '../../lib/api-types.ts'
import { formatMinutes, formatMoment, formatPercent, parseTimestamp, type Reader } from '../../lib/format.ts'
import type { Tone } from '../../ui/tone.ts'

export type JobPresentation = {
  id: string
  tone: Tone
  word: string
  name: string
  /** What it is made of and how many, in one line. */
  detail: string
  printer: string
  /** Queue: how far, or how long it will take. History: how long it took. */
  time: string
  /** Queue: since when. History: when it ended. */
  moment: string
  reason: string | undefined
  percent: number | undefined
}

const words: Record<string, { tone: Tone; word: string }> = {
  queued: { tone: 'resting', word: 'Queued' },
  processing: { tone: 'working', word: 'Starting' },
  printing: { tone: 'working', word: 'Printing' },
  paused: { tone: 'waiting', word: 'Paused' },
  completed: { tone: 'done', word: 'Completed' },
  failed: { tone: 'trouble', word: 'Failed' },
  cancelled: { tone: 'away', word: 'Cancelled' },
}

/** `printerNames` by id; a printer not in it is shown by its id. */
export function presentJob(
  job: Job,
  printerNames: ReadonlyMap<string, string>,
  nowMs: number,
  reader: Reader = {},
): JobPresentation {
  const momentMs = parseTimestamp(job.time_completed ?? job.time_started ?? job.time_submitted)
  const isUnderWay = job.status === 'printing' || job.status === 'paused'
  return {
    id: job.id,
    ...((job.status !== null && words[job.status]) || { tone: 'unknown', word: job.status || 'Not known' }),
    name: job.product_name || job.file_name,
    detail: [`${job.number_of_units} ${job.number_of_units === 1 ? 'piece' : 'pieces'}`, job.color, job.filament_type]
      .filter(Boolean)
      .join(' · '),
    printer: presentPrinter(job, printerNames),
    time: presentTime(job),
    moment: momentMs === undefined ? '–' : formatMoment(momentMs, nowMs, reader),
    reason: job.failure_reason || undefined,
    percent: isUnderWay && job.progress_percentage !== null ? job.progress_percentage : undefined,
  }
}

function presentPrinter(job: Job, printerNames: ReadonlyMap<string, string>): string {
  if (job.printer_id !== null) return printerNames.get(job.printer_id) ?? job.printer_id
  return job.time_completed === null ? 'Any free printer' : 'No printer'
}

function presentTime(job: Job): string {
  if (job.actual_print_time_minutes !== null) return formatMinutes(job.actual_print_time_minutes)
  if ((job.status === 'printing' || job.status === 'paused') && job.progress_percentage !== null) {
    return `${formatPercent(job.progress_percentage)} done`
  }
  if (job.time_completed === null && job.estimated_print_time_minutes !== null) {
    return `about ${formatMinutes(job.estimated_print_time_minutes)}`
  }
  return '–'
}
