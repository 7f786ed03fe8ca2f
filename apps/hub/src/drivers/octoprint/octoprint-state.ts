import type { LastResult, PrinterState, PrinterStatus, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { isTrue, memberOf, minutesLeft, percentIn, temperatureIn, textIn } from '../wire/wire-values.ts'
import {
  dateOf,
  isApart,
  isBusy,
  isConnecting,
  isFaulty,
  isFillingCard,
  type OctoPrintPicture,
  pathOf,
} from './octoprint-picture.ts'

/** Answers what OctoPrint says, in our words. */
export function octoPrintState(picture: OctoPrintPicture): PrinterState {
  const { status, reason } = statusOf(picture.state)
  const run = isBusy(picture.state) && status !== 'error' ? runOf(picture.job) : null
  return {
    ...unknownPrinterState(''),
    status: run === null && (status === 'printing' || status === 'paused') ? 'maintenance' : status,
    status_reason: reason,
    run,
    last_result: run === null ? lastResultOf(picture) : null,
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
    ...(!showsWhatWasPrinted(picture) && { run_mark: null }),
  }
}

/** OctoPrint sets several flags at once; this order says which one counts. */
function statusOf(state: unknown): { status: PrinterStatus; reason: string | null } {
  const text = textIn(memberOf(state, 'text'), 200) ?? ''
  if (state === undefined) return { status: 'offline', reason: 'OctoPrint has not said anything yet' }
  if (isFaulty(state)) {
    const detail = textIn(memberOf(state, 'error'), 400) ?? text
    return { status: 'error', reason: detail || 'OctoPrint reports an error' }
  }
  if (isConnecting(state)) return { status: 'maintenance', reason: text }
  if (isApart(state)) {
    return { status: 'offline', reason: 'OctoPrint is not connected to its printer' }
  }
  if (isFillingCard(state)) return { status: 'maintenance', reason: text }
  // Not yet while it is pausing, which lasts as long as the moves and heating before it: OctoPrint says yes to a resume then, and forgets it.
  if (isTrue(memberOf(state, 'flags', 'paused'))) return { status: 'paused', reason: null }
  if (isBusy(state)) return { status: 'printing', reason: null }
  if (isTrue(memberOf(state, 'flags', 'operational'))) return { status: 'idle', reason: null }
  return { status: 'offline', reason: text || 'OctoPrint does not say what the printer does' }
}

/** Without a line to the printer OctoPrint sees nothing of what it does from its own card. */
function showsWhatWasPrinted({ state, isLookingBack }: OctoPrintPicture): boolean {
  return state !== undefined && !isFaulty(state) && !isApart(state) && !isConnecting(state) && !isLookingBack
}

function runOf(job: unknown): RunIdentity | null {
  const path = pathOf(job)
  return path === null ? null : identityOf(path, dateOf(job, path))
}

function identityOf(path: string, date: number | null): RunIdentity {
  return { file_name: path, job_id: date === null ? null : String(date), attempt_id: null }
}

/**
 * Answers how the newest run ended. That a file is selected at 100 % says nothing: a start pushes the new file with the progress of
 * the one before.
 */
function lastResultOf({ run }: OctoPrintPicture): LastResult | null {
  return run?.end ? { run: identityOf(run.path, run.date), ...run.end } : null
}
