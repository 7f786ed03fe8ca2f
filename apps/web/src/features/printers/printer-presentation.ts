import type { ApiError } from '../../lib/api-client.ts'
import type { Job, Printer, PrinterStatus } from '../../lib/api-types.ts'
import { formatAge, formatMinutes, formatPercent, formatTemperature, parseTimestamp } from '../../lib/format.ts'
import type { Tone } from '../../ui/tone.ts'

export type StatusReading = { readAtMs: number } & ({ live: PrinterStatus } | { problem: ApiError })

export type PrinterPresentation = {
  tone: Tone
  word: string
  /** Why, when the word alone would leave a person guessing. */
  note: string | undefined
  jobName: string | undefined
  progress: { percent: number; text: string } | undefined
  facts: { name: string; value: string }[]
}

const words: Record<string, { tone: Tone; word: string }> = {
  idle: { tone: 'resting', word: 'Idle' },
  printing: { tone: 'working', word: 'Printing' },
  paused: { tone: 'waiting', word: 'Paused' },
  error: { tone: 'trouble', word: 'Error' },
  offline: { tone: 'away', word: 'Offline' },
  maintenance: { tone: 'waiting', word: 'In maintenance' },
}

/** Tone and word of a printer's status; a status this page does not know is shown as it is spelt. */
export function presentPrinterStatus(status: string | null): { tone: Tone; word: string } {
  return (status !== null && words[status]) || { tone: 'unknown', word: status || 'Not known' }
}

/** The list is read more often than each live status: of the two the newer says what the printer does. */
export function presentPrinter(
  printer: Printer,
  listReadAtMs: number,
  reading: StatusReading | undefined,
  jobs: readonly Job[],
  nowMs: number,
): PrinterPresentation {
  const live = reading !== undefined && 'live' in reading ? reading.live : undefined
  const isLiveNewer = reading !== undefined && reading.readAtMs >= listReadAtMs
  const liveStatus = live && (live.hub_online ? live.status : 'offline')
  // Maintenance is set by people: only the list knows it.
  const isListRight = printer.status === 'maintenance' || !isLiveNewer || !liveStatus
  const status = isListRight ? printer.status : liveStatus
  const isBusy = status === 'printing' || status === 'paused'
  const job = live?.current_job_id ? jobs.find(({ id }) => id === live.current_job_id) : undefined

  return {
    ...presentPrinterStatus(status),
    note: explain(status, live, reading, nowMs),
    jobName:
      isBusy && live?.current_job_id ? (job ? job.product_name || job.file_name : live.current_job_id) : undefined,
    progress: isBusy && live ? presentProgress(live) : undefined,
    facts: live && status !== 'offline' ? listFacts(live) : [],
  }
}

function explain(
  status: string,
  live: PrinterStatus | undefined,
  reading: StatusReading | undefined,
  nowMs: number,
): string | undefined {
  if (reading !== undefined && 'problem' in reading) {
    const { message, code, requestId } = reading.problem
    return `Live status: ${message} (${code}${requestId ? `, request ${requestId}` : ''})`
  }
  if (status !== 'offline' || live === undefined) return undefined
  const heardAtMs = parseTimestamp(live.last_telemetry_at)
  const heard = heardAtMs === undefined ? 'never heard' : `last heard ${formatAge(heardAtMs, nowMs)}`
  return live.hub_online ? `Its hub cannot reach it, ${heard}` : `Its hub is not connected, ${heard}`
}

function presentProgress(live: PrinterStatus): PrinterPresentation['progress'] {
  if (live.progress === null) return undefined
  const percent = Math.min(100, Math.max(0, live.progress))
  const remaining = live.remaining_time_minutes
  return {
    percent,
    text: remaining === null ? formatPercent(percent) : `${formatPercent(percent)}, ${formatMinutes(remaining)} left`,
  }
}

function listFacts(live: PrinterStatus): PrinterPresentation['facts'] {
  const facts = []
  if (live.nozzle_temp !== null) {
    facts.push({ name: 'Nozzle', value: formatTemperature(live.nozzle_temp, live.target_nozzle_temp) })
  }
  if (live.bed_temp !== null) facts.push({ name: 'Bed', value: formatTemperature(live.bed_temp, live.target_bed_temp) })
  if (live.chamber_temp !== null) facts.push({ name: 'Chamber', value: formatTemperature(live.chamber_temp, null) })
  if (live.layer_num !== null && live.total_layers) {
    facts.push({ name: 'Layer', value: `${live.layer_num} of ${live.total_layers}` })
  }
  return facts
}

const countOrder = ['error', 'paused', 'offline', 'maintenance', 'printing', 'idle']

/** How many printers are in each status, what needs a person first. */
export function countStatuses(printers: readonly Printer[]): { tone: Tone; word: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { status } of printers) counts.set(status, (counts.get(status) ?? 0) + 1)
  const rank = (status: string) => (countOrder.includes(status) ? countOrder.indexOf(status) : countOrder.length)
  return [...counts]
    .sort(([left], [right]) => rank(left) - rank(right))
    .map(([status, count]) => ({ ...presentPrinterStatus(status), count }))
}
