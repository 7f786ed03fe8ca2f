import type {
  LastResult,
  PrinterState,
  PrinterStatus,
  PrintResult,
  RunIdentity,
} from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { isTrue, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire-values.ts'

/** The newest of what OctoPrint said, each part as it came. */
export interface OctoPrintPicture {
  /** `state`: text, flags, error. */
  state: unknown
  job: unknown
  progress: unknown
  /** One sample: tool0, bed, chamber with actual and target. */
  temps: unknown
  /** How the last run ended, told by an event while we listened; valid as long as that file stays selected. */
  ended: { path: string; result: PrintResult; reason: string | null } | null
  firmware: string | null
}

export function emptyPicture(): OctoPrintPicture {
  return { state: undefined, job: undefined, progress: undefined, temps: undefined, ended: null, firmware: null }
}

/**
 * A message of the push socket merged into the picture: `history` and `current` replace the parts that they carry, events
 * tell results and the firmware. The message is whatever came; anything else in it is ignored.
 */
export function mergeMessage(picture: OctoPrintPicture, message: unknown): OctoPrintPicture {
  const report = memberOf(message, 'current') ?? memberOf(message, 'history')
  if (report !== undefined) return mergeReport(picture, report)
  const event = memberOf(message, 'event')
  const payload = memberOf(event, 'payload')
  const type = memberOf(event, 'type')
  if (type === 'FirmwareData') return { ...picture, firmware: textIn(memberOf(payload, 'name'), 100) }
  const told = typeof type === 'string' && Object.hasOwn(results, type) ? results[type] : undefined
  const path = textIn(memberOf(payload, 'path'))
  if (told === undefined || path === null) return picture
  // A print that is cancelled is told twice: as cancelled, and as failed for that reason.
  const isCancelled = told === 'cancelled' || memberOf(payload, 'reason') === 'cancelled'
  const result = isCancelled ? 'cancelled' : told
  const reason = result === 'failed' ? (textIn(memberOf(payload, 'reason'), 500) ?? 'the print failed') : null
  return { ...picture, ended: { path, result, reason } }
}

const results: Record<string, PrintResult> = {
  PrintDone: 'completed',
  PrintFailed: 'failed',
  PrintCancelled: 'cancelled',
}

function mergeReport(picture: OctoPrintPicture, report: unknown): OctoPrintPicture {
  const samples = memberOf(report, 'temps')
  const next = {
    ...picture,
    state: memberOf(report, 'state') ?? picture.state,
    job: memberOf(report, 'job') ?? picture.job,
    progress: memberOf(report, 'progress') ?? picture.progress,
    temps: (Array.isArray(samples) ? samples.at(-1) : undefined) ?? picture.temps,
  }
  // A new run, of whatever file, leaves the old result behind. While one ends it is said to be running a little longer.
  const isBeginning = !isBusy(picture.state) && isBusy(next.state)
  return isBeginning || next.ended?.path !== pathOf(next.job) ? { ...next, ended: null } : next
}

/** What OctoPrint says, in our words. */
export function octoPrintState(picture: OctoPrintPicture): PrinterState {
  const { status, reason } = statusOf(picture.state)
  const identity = identityOf(picture.job)
  const run = identity !== null && isBusy(picture.state) && status !== 'error' ? identity : null
  return {
    ...unknownPrinterState(''),
    status: run === null && (status === 'printing' || status === 'paused') ? 'maintenance' : status,
    status_reason: reason,
    run,
    last_result: run === null && identity !== null ? lastResultOf(picture, identity) : null,
    progress: run && percentIn(memberOf(picture.progress, 'completion')),
    nozzle_temp: temperatureIn(memberOf(picture.temps, 'tool0', 'actual')),
    bed_temp: temperatureIn(memberOf(picture.temps, 'bed', 'actual')),
    chamber_temp: temperatureIn(memberOf(picture.temps, 'chamber', 'actual')),
    target_nozzle_temp: temperatureIn(memberOf(picture.temps, 'tool0', 'target')),
    target_bed_temp: temperatureIn(memberOf(picture.temps, 'bed', 'target')),
    target_chamber_temp: temperatureIn(memberOf(picture.temps, 'chamber', 'target')),
    remaining_time_minutes: run && minutesLeft(memberOf(picture.progress, 'printTimeLeft')),
    firmware_version: picture.firmware,
    problems: isApart(picture.state) ? [{ reason: 'printer_not_connected', message: null }] : [],
  }
}

function flag(state: unknown, name: string): boolean {
  return isTrue(memberOf(state, 'flags', name))
}

/** OctoPrint sets several flags at once; this order says which one counts. */
function statusOf(state: unknown): { status: PrinterStatus; reason: string | null } {
  const text = textIn(memberOf(state, 'text'), 200) ?? ''
  if (state === undefined) return { status: 'offline', reason: 'OctoPrint has not said anything yet' }
  if (flag(state, 'error') || /^(error|offline after error)/i.test(text)) {
    const detail = textIn(memberOf(state, 'error'), 400) ?? text
    return { status: 'error', reason: detail || 'OctoPrint reports an error' }
  }
  if (/^(opening|detecting|connecting)/i.test(text)) return { status: 'maintenance', reason: text }
  if (isApart(state)) {
    return { status: 'offline', reason: 'OctoPrint is not connected to its printer' }
  }
  if (/^transferring/i.test(text)) return { status: 'maintenance', reason: text }
  // Not yet while it is pausing: OctoPrint says yes to a resume then, and forgets it.
  if (flag(state, 'paused')) return { status: 'paused', reason: null }
  if (isBusy(state)) return { status: 'printing', reason: null }
  if (flag(state, 'operational')) return { status: 'idle', reason: null }
  return { status: 'offline', reason: text || 'OctoPrint does not say what the printer does' }
}

/** Whether OctoPrint is there and its printer is not: the line between them is closed, or broke. */
function isApart(state: unknown): boolean {
  const text = textIn(memberOf(state, 'text'), 200) ?? ''
  if (/^(opening|detecting|connecting)/i.test(text)) return false
  return /^(offline|closed)/i.test(text) || (flag(state, 'closedOrError') && !flag(state, 'error'))
}

/** Whether a print was asked for and its first line may still be to come. */
export function isStarting({ state }: OctoPrintPicture): boolean {
  const text = textIn(memberOf(state, 'text'))
  return text === null || text === 'Starting'
}

/** Whether a job holds the printer. */
function isBusy(state: unknown): boolean {
  const busy = ['printing', 'paused', 'pausing', 'resuming', 'cancelling', 'finishing']
  return busy.some((name) => flag(state, name)) || memberOf(state, 'text') === 'Starting'
}

function pathOf(job: unknown): string | null {
  return textIn(memberOf(job, 'file', 'path')) ?? textIn(memberOf(job, 'file', 'name'))
}

/** OctoPrint gives a run no number; the file with the moment it was stored is what tells one from another. */
function identityOf(job: unknown): RunIdentity | null {
  const path = pathOf(job)
  if (path === null) return null
  const date = numberIn(memberOf(job, 'file', 'date'))
  return { file_name: path, job_id: date === null ? null : String(date), attempt_id: null }
}

/** After a finished job the file stays selected at 100 %; after a cancelled or failed one only the event tells. */
function lastResultOf({ ended, progress, job }: OctoPrintPicture, run: RunIdentity): LastResult | null {
  if (ended && ended.path === pathOf(job)) return { run, result: ended.result, reason: ended.reason }
  const completion = numberIn(memberOf(progress, 'completion'))
  return completion !== null && completion >= 100 ? { run, result: 'completed', reason: null } : null
}
