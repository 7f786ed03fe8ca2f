import type { LastResult, PrinterState, PrinterStatus, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { countIn, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire-values.ts'
import { plainKeys } from './hex-keys.ts'

/** What an SDCP printer said so far on this connection. */
export interface SdcpPicture {
  /** `Status` of its reports; the newest of each field. */
  status: Readonly<Record<string, unknown>>
  /** `Attributes`: what the machine is. */
  attributes: unknown
}

export const emptySdcpPicture: SdcpPicture = { status: {}, attributes: undefined }

/** The picture with a message taken in; messages that are no report change nothing. */
export function mergeSdcpMessage(picture: SdcpPicture, message: unknown): SdcpPicture {
  const status = plainKeys(memberOf(message, 'Status'))
  const attributes = plainKeys(memberOf(message, 'Attributes'))
  if (typeof status === 'object' && status !== null && !Array.isArray(status)) {
    return { ...picture, status: { ...picture.status, ...status } }
  }
  return typeof attributes === 'object' && attributes !== null ? { ...picture, attributes } : picture
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
const print = { pausing: 5, paused: 6, stopped: 8, complete: 9, error: 14 } as const

/** What a Centauri Carbon says, in our words. */
export function sdcpState({ status: report, attributes }: SdcpPicture): PrinterState {
  const info = report.PrintInfo
  const identity = identityOf(info)
  const { status, reason } = statusOf(report, identity)
  const run = status === 'printing' || status === 'paused' ? identity : null
  return {
    ...unknownPrinterState(''),
    status,
    status_reason: reason,
    run,
    last_result: run === null && identity !== null ? lastResultOf(info, identity) : null,
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

function statusOf(
  report: SdcpPicture['status'],
  identity: RunIdentity | null,
): { status: PrinterStatus; reason: string | null } {
  const current = machineStatus(report.CurrentStatus)
  const printing = countIn(memberOf(report.PrintInfo, 'Status'))
  const fault = faultOf(report.PrintInfo)
  // Without an error number it only tells how the last job ended.
  if (printing === print.error && (fault !== null || current === machine.printing)) {
    return { status: 'error', reason: fault ?? 'the print stopped with an error' }
  }
  if (current === machine.printing) {
    if (identity === null) return { status: 'maintenance', reason: 'it prints without naming a file' }
    const isPaused = printing === print.pausing || printing === print.paused
    return { status: isPaused ? 'paused' : 'printing', reason: fault }
  }
  if (current === machine.idle) return { status: 'idle', reason: null }
  return { status: 'maintenance', reason: machineWords[current ?? -1] ?? 'it is in a state that is not known' }
}

/** What the machine does. Receiving a file is beside that and stands first; alone it keeps the machine from nothing. */
function machineStatus(value: unknown): number | null {
  if (!Array.isArray(value)) return countIn(value)
  const isReceiving = countIn(value[0]) === machine.receiving
  return isReceiving ? (countIn(value[1]) ?? machine.idle) : countIn(value[0])
}

function identityOf(info: unknown): RunIdentity | null {
  const fileName = textIn(textIn(memberOf(info, 'Filename'), 1_024)?.split('/').at(-1))
  return fileName === null
    ? null
    : { file_name: fileName, job_id: textIn(memberOf(info, 'TaskId'), 128), attempt_id: null }
}

function lastResultOf(info: unknown, run: RunIdentity): LastResult | null {
  switch (countIn(memberOf(info, 'Status'))) {
    case print.complete:
      return { run, result: 'completed', reason: null }
    case print.stopped:
      return { run, result: 'cancelled', reason: null }
    case print.error:
      return { run, result: 'failed', reason: faultOf(info) ?? 'the print stopped with an error' }
    default:
      return null
  }
}

function faultOf(info: unknown): string | null {
  const number = numberIn(memberOf(info, 'ErrorNumber'))
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
