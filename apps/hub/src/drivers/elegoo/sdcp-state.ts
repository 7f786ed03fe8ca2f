import type { LastResult, PrinterState, PrinterStatus, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { countIn, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire/wire-values.ts'
import { plainKeys } from './hex-keys.ts'
import { isSameTask, type SdcpHistory, taskIdIn } from './sdcp-history.ts'

/** Reports of an SDCP printer so far on this connection. */
export interface SdcpPicture {
  /** `Status` of its reports; the newest of each field. */
  status: Readonly<Record<string, unknown>>
  /** `Attributes`: what the machine is. */
  attributes: unknown
  /** The run that was seen running last on this connection; the machine forgets its name when it ends. */
  seen: RunIdentity | null
  /** End of that run; null while it runs, and as long as nothing has told. */
  end: LastResult | null
  history: SdcpHistory
  /** The fault that a person has acknowledged; it keeps the machine from nothing. */
  acknowledged: string | null
}

export const emptySdcpPicture: SdcpPicture = {
  status: {},
  attributes: undefined,
  seen: null,
  end: null,
  history: { kind: 'unread' },
  acknowledged: null,
}

/** The picture with a message taken in; messages that are no report change nothing. */
export function mergeSdcpMessage(picture: SdcpPicture, message: unknown): SdcpPicture {
  const status = plainKeys(memberOf(message, 'Status'))
  const attributes = plainKeys(memberOf(message, 'Attributes'))
  if (typeof status === 'object' && status !== null && !Array.isArray(status)) {
    const next = { ...picture, status: { ...picture.status, ...status } }
    const fault = faultOf(next.status.PrintInfo)
    return withRun(picture, { ...next, acknowledged: fault === picture.acknowledged ? fault : null })
  }
  return typeof attributes === 'object' && attributes !== null ? { ...picture, attributes } : picture
}

/** Follows the run: whose end a status tells of is known only by what ran before, because no name stands beside it. */
function withRun(before: SdcpPicture, now: SdcpPicture): SdcpPicture {
  const info = now.status.PrintInfo
  const identity = identityOf(info)
  const result = resultOf(info)
  const isPrinting = machineStatus(now.status.CurrentStatus) === machine.printing
  const { seen } = before
  const isOfSeen = seen !== null && (identity === null || isSameTask(identity, seen))
  // That the last job failed may still be shown when the next one has started.
  const hasFailed = isPrinting && result?.result === 'failed' && isOfSeen
  if (isPrinting && identity !== null && !hasFailed) return { ...now, seen: identity, end: null }
  return result && seen && isOfSeen && before.end === null ? { ...now, end: { ...result, run: seen } } : now
}

/** True when only the printer's own record can tell how the run ended that was seen last. */
export function lacksEnd({ status, seen, end }: SdcpPicture): boolean {
  return seen !== null && end === null && machineStatus(status.CurrentStatus) !== machine.printing
}

/** `CurrentStatus`. */
const machine = { idle: 0, printing: 1, receiving: 2 } as const

const machineWords: Record<number, string> = {
  4: 'it tests itself',
  5: 'it levels its bed',
  6: 'it measures its resonance',
  7: 'it is busy',
  8: 'it checks a file',
  9: 'it is homing',
  10: 'it feeds filament out',
  11: 'it tunes its heaters',
}

/** `PrintInfo.Status`; it stays after the end of a job. */
const print = { paused: 6, stopped: 8, complete: 9, error: 14 } as const

/** Answers what a Centauri Carbon says, in our words. */
export function sdcpState(picture: SdcpPicture): PrinterState {
  const { status: report, attributes } = picture
  const info = report.PrintInfo
  const identity = identityOf(info)
  const { status, reason } = statusOf(picture, identity)
  const run = status === 'printing' || status === 'paused' ? identity : null
  const mark = markOf(picture, run ?? picture.seen, identity)
  return {
    ...unknownPrinterState(''),
    status,
    status_reason: reason,
    run,
    last_result: run === null ? lastResultOf(picture, identity) : null,
    ...(mark !== undefined && { run_mark: mark }),
    progress: run && percentIn(memberOf(info, 'Progress')),
    nozzle_temp: temperatureIn(report.TempOfNozzle),
    target_nozzle_temp: temperatureIn(report.TempTargetNozzle),
    bed_temp: temperatureIn(report.TempOfHotbed),
    target_bed_temp: temperatureIn(report.TempTargetHotbed),
    chamber_temp: temperatureIn(report.TempOfBox),
    target_chamber_temp: temperatureIn(report.TempTargetBox),
    layer_num: run && countIn(memberOf(info, 'CurrentLayer')),
    total_layers: run && (countIn(memberOf(info, 'TotalLayer')) || null),
    remaining_time_minutes: run && remainingMinutes(info),
    light_on: lightOf(report),
    firmware_version: textIn(memberOf(attributes, 'FirmwareVersion'), 100),
  }
}

/**
 * The newest run that the printer knows of, by its own name, also after it was switched off: the present one, or the newest of
 * its record. Null until that was read; undefined where it has none.
 */
function markOf(
  { history }: SdcpPicture,
  run: RunIdentity | null,
  named: RunIdentity | null,
): string | null | undefined {
  if (history.kind === 'unavailable') return undefined
  if (history.kind === 'unread') return null
  const newest = run ?? history.newest?.run ?? named
  return newest ? `task ${newest.job_id ?? newest.file_name}` : 'no task'
}

function statusOf(
  { status: report, seen, end, acknowledged }: SdcpPicture,
  identity: RunIdentity | null,
): { status: PrinterStatus; reason: string | null } {
  const current = machineStatus(report.CurrentStatus)
  const printing = countIn(memberOf(report.PrintInfo, 'Status'))
  const fault = faultOf(report.PrintInfo)
  if (current === machine.printing) {
    if (identity === null) return { status: 'maintenance', reason: fault ?? 'it prints without naming a file' }
    const hasFailed = end?.result === 'failed' && seen !== null && isSameTask(identity, seen)
    if (hasFailed) return { status: 'error', reason: fault ?? 'the print stopped with an error' }
    // What is on its way into or out of a pause still prints.
    return {
      status: printing === print.paused ? 'paused' : 'printing',
      reason: printing === print.error ? null : fault,
    }
  }
  // Without an error number it only tells how the last job ended.
  if (printing === print.error && fault !== null && fault !== acknowledged) return { status: 'error', reason: fault }
  if (current === machine.idle) return { status: 'idle', reason: null }
  return { status: 'maintenance', reason: machineWords[current ?? -1] ?? 'it is in a state that is not known' }
}

/** Answers what the machine does. Receiving a file is beside that and stands first; alone it keeps the machine from nothing. */
function machineStatus(value: unknown): number | null {
  if (!Array.isArray(value)) return countIn(value)
  const isReceiving = countIn(value[0]) === machine.receiving
  return isReceiving ? (countIn(value[1]) ?? machine.idle) : countIn(value[0])
}

function identityOf(info: unknown): RunIdentity | null {
  const fileName = textIn(textIn(memberOf(info, 'Filename'), 1_024)?.split('/').at(-1))
  return fileName === null
    ? null
    : { file_name: fileName, job_id: taskIdIn(memberOf(info, 'TaskId')), attempt_id: null }
}

/** The end that was seen, else the one that the printer tells of with its name, else the newest of its record. */
function lastResultOf({ status, seen, end, history }: SdcpPicture, identity: RunIdentity | null): LastResult | null {
  if (end !== null) return end
  const newest = history.kind === 'read' ? (history.newest?.end ?? null) : null
  if (seen !== null) return newest !== null && isSameTask(newest.run, seen) ? newest : null
  const result = resultOf(status.PrintInfo)
  if (identity === null) return newest
  return result && { ...result, run: identity }
}

function resultOf(info: unknown): Pick<LastResult, 'result' | 'reason'> | null {
  switch (countIn(memberOf(info, 'Status'))) {
    case print.complete:
      return { result: 'completed', reason: null }
    case print.stopped:
      return { result: 'cancelled', reason: null }
    case print.error:
      return { result: 'failed', reason: faultOf(info) ?? 'the print stopped with an error' }
    default:
      return null
  }
}

/** The fault that keeps a machine without a job in error until a person acknowledges it; null for none. */
export function faultToAcknowledge(picture: SdcpPicture): string | null {
  const isFree = machineStatus(picture.status.CurrentStatus) !== machine.printing
  return isFree && sdcpState(picture).status === 'error' ? faultOf(picture.status.PrintInfo) : null
}

function faultOf(info: unknown): string | null {
  const number = numberIn(memberOf(info, 'ErrorNumber') ?? memberOf(info, 'ErrNum'))
  return number === null || number === 0 ? null : `the printer reports error ${number}`
}

/** Ticks are seconds on this machine. */
function remainingMinutes(info: unknown): number | null {
  const total = numberIn(memberOf(info, 'TotalTicks'))
  const current = numberIn(memberOf(info, 'CurrentTicks'))
  if (total === null || current === null || total <= 0 || total > 1e9) return null
  return minutesLeft(total - current)
}

function lightOf(report: SdcpPicture['status']): boolean | null {
  const value = memberOf(report.LightStatus, 'SecondLight')
  const number = numberIn(value)
  return typeof value === 'boolean' ? value : number === null ? null : number !== 0
}
