import type {
  LastResult,
  PrinterState,
  PrinterStatus,
  PrintResult,
  RunIdentity,
} from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { countIn, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire/wire-values.ts'
import { type CanvasTray, canvasSlots } from './cc2-canvas.ts'
import { isSameTask, taskIdIn } from './sdcp-history.ts'

/**
 * Answers how the newest job ended in the answer to method 1036: the printer's own record, which it keeps while it is switched off. It
 * names files and no jobs. Null when that has not ended, or when there is none.
 */
export function newestRecorded(answer: unknown): LastResult | null {
  const list = memberOf(answer, 'history_task_list')
  const begunAt = (task: unknown) => numberIn(memberOf(task, 'begin_time')) ?? 0
  const tasks: unknown[] = Array.isArray(list) ? list : []
  const newest = tasks.reduce<unknown>((best, each) => (best && begunAt(best) > begunAt(each) ? best : each), null)
  const fileName = textIn(textIn(memberOf(newest, 'task_name'), 1_024)?.split('/').at(-1))
  const result = recordedResults.get(numberIn(memberOf(newest, 'task_status')))
  if (fileName === null || result === undefined) return null
  return { run: { file_name: fileName, job_id: null, attempt_id: null }, result, reason: null }
}

/** `task_status`. */
const recordedResults: ReadonlyMap<number | null, PrintResult> = new Map([
  [1, 'completed'],
  [2, 'cancelled'],
])

/** Reports of a Centauri Carbon 2 so far on this connection. */
export interface Cc2Picture {
  /** The full status with the changes since merged in; null before the first full one. */
  status: Readonly<Record<string, unknown>> | null
  /** Number of the change that came last; changes are numbered without gaps. */
  lastChangeId: number | null
  attributes: unknown
  /** Trays of a Canvas; none without one, or before it was asked for. */
  trays: readonly CanvasTray[]
  /** The run that was seen running last on this connection; the machine forgets its name when it ends. */
  seen: RunIdentity | null
  /** End of the last run, as it was seen on this connection: the status keeps neither the end nor always the name. */
  end: LastResult | null
  /** The newest job of the printer's own record that has ended; undefined until that was asked for. */
  recorded: LastResult | null | undefined
  /** The faults that a person has acknowledged, as one text; they keep the machine from nothing. */
  acknowledged: string | null
}

export const emptyCc2Picture: Cc2Picture = {
  status: null,
  lastChangeId: null,
  attributes: undefined,
  trays: [],
  seen: null,
  end: null,
  recorded: undefined,
  acknowledged: null,
}

type Fields = Record<string, unknown>

/** The full status, as it was asked for. */
export function withFullStatus(picture: Cc2Picture, result: unknown): Cc2Picture {
  if (!isFields(result)) return picture
  // The row of changes goes on, so that one that is lost right after this is missed too.
  return withRun(picture, { ...picture, status: result })
}

export function withAttributes(picture: Cc2Picture, attributes: unknown): Cc2Picture {
  return isFields(attributes) ? { ...picture, attributes } : picture
}

/** A change merged in. `isWhole` is false when one before it was lost, and the full status has to be asked for. */
export function withChange(picture: Cc2Picture, message: unknown): { picture: Cc2Picture; isWhole: boolean } {
  const result = memberOf(message, 'result')
  const id = numberIn(memberOf(message, 'id'))
  // Without a full status there is nothing that a change could belong to; only its number counts.
  if (picture.status === null) return { picture: { ...picture, lastChangeId: id }, isWhole: true }
  if (!isFields(result)) return { picture, isWhole: true }
  const isWhole = id === null || picture.lastChangeId === null || id === picture.lastChangeId + 1
  const status = merged(picture.status, result, MOST_LEVELS)
  return { picture: withRun(picture, { ...picture, status, lastChangeId: id ?? picture.lastChangeId }), isWhole }
}

/** Deeper than any status is; what lies below is taken as it comes. */
const MOST_LEVELS = 8

function merged(before: Fields, change: Fields, levels: number): Fields {
  const result = { ...before }
  for (const [key, value] of Object.entries(change)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined
    const next = levels > 0 && isFields(old) && isFields(value) ? merged(old, value, levels - 1) : value
    // Plain assignment would change the prototype for one name.
    Object.defineProperty(result, key, { value: next, enumerable: true, configurable: true, writable: true })
  }
  return result
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `machine_status.status`. */
const machine = { starting: 0, idle: 1, printing: 2, emergencyStop: 14 } as const

const machineWords: Record<number, string> = {
  0: 'it is starting',
  3: 'it changes filament',
  4: 'it changes filament',
  5: 'it levels its bed',
  6: 'it tunes its heaters',
  7: 'it measures its resonance',
  8: 'it tests itself',
  9: 'its firmware is being updated',
  10: 'it is homing',
  13: 'it moves filament',
  15: 'it recovers from a power cut',
}

/** A file arrives, or a video is made of the last print: the machine itself is free. */
const freeStatuses: ReadonlySet<number | null> = new Set([machine.idle, 11, 12])

/** `machine_status.sub_status`; 2501 is still on its way into the pause. */
const pausedSubs: ReadonlySet<number | null> = new Set([2502, 2505])
const endSubs: ReadonlyMap<number | null, PrintResult> = new Map([
  [2077, 'completed'],
  [2504, 'cancelled'],
])

/** An `exception_status` that pauses and does not stop. */
const filamentRanOut = 109

/** Answers what a Centauri Carbon 2 says, in our words. */
export function cc2State(picture: Cc2Picture): PrinterState {
  const report = picture.status
  const run = runOf(report)
  const { status, reason } = statusOf(picture, run)
  const active = status === 'printing' || status === 'paused' ? run : null
  const printed = memberOf(report, 'print_status')
  const light = numberIn(memberOf(report, 'led', 'status'))
  const chamber = memberOf(report, 'ztemperature_sensor') ?? memberOf(report, 'chamber')
  return {
    ...unknownPrinterState(''),
    status,
    status_reason: reason,
    run: active,
    last_result: active === null ? lastResultOf(picture) : null,
    progress: active && progressOf(report),
    nozzle_temp: temperatureIn(memberOf(report, 'extruder', 'temperature')),
    target_nozzle_temp: temperatureIn(memberOf(report, 'extruder', 'target')),
    bed_temp: temperatureIn(memberOf(report, 'heater_bed', 'temperature')),
    target_bed_temp: temperatureIn(memberOf(report, 'heater_bed', 'target')),
    chamber_temp: temperatureIn(memberOf(chamber, 'temperature')),
    layer_num: active && countIn(memberOf(printed, 'current_layer')),
    total_layers: active && (countIn(memberOf(printed, 'total_layer')) || null),
    remaining_time_minutes: active && minutesLeft(memberOf(printed, 'remaining_time_sec')),
    light_on: light === null ? null : light > 0,
    slots: canvasSlots(picture.trays),
    firmware_version: textIn(memberOf(picture.attributes, 'software_version', 'ota_version'), 100),
  }
}

function statusOf(
  { status: report, acknowledged, end }: Cc2Picture,
  run: RunIdentity | null,
): { status: PrinterStatus; reason: string | null } {
  const status = countIn(memberOf(report, 'machine_status', 'status'))
  const faults = faultsOf(report)
  const fault = faultText(faults)
  if (status === machine.emergencyStop) return { status: 'error', reason: fault ?? 'it was stopped for an emergency' }
  if (status === machine.printing) {
    if (run === null) return { status: 'maintenance', reason: fault ?? 'it prints without naming a file' }
    // The run is over; what the machine still does is parking, or waiting for a person at its screen.
    if (end !== null && isSameTask(end.run, run)) return { status: 'maintenance', reason: fault ?? 'it ends a print' }
    const isPaused = pausedSubs.has(countIn(memberOf(report, 'machine_status', 'sub_status')))
    return { status: isPaused ? 'paused' : 'printing', reason: fault }
  }
  const isOpen = fault !== acknowledged && faults.some((code) => code !== filamentRanOut)
  if (isOpen) return { status: 'error', reason: fault }
  if (freeStatuses.has(status)) return { status: 'idle', reason: null }
  return { status: 'maintenance', reason: machineWords[status ?? -1] ?? 'it is in a state that is not known' }
}

/** The run that the status names, present or last. */
function runOf(report: unknown): RunIdentity | null {
  const printed = memberOf(report, 'print_status')
  const fileName = textIn(textIn(memberOf(printed, 'filename'), 1_024)?.split('/').at(-1))
  return fileName === null
    ? null
    : { file_name: fileName, job_id: taskIdIn(memberOf(printed, 'uuid')), attempt_id: null }
}

/**
 * Follows the run. Its end shows for a moment only, before the machine is idle again and forgets the name; whose end it is, is
 * known by what ran before.
 */
function withRun(before: Cc2Picture, changed: Cc2Picture): Cc2Picture {
  const fault = faultText(faultsOf(changed.status))
  const now = { ...changed, acknowledged: changed.acknowledged === fault ? fault : null }
  const run = runOf(now.status)
  const { seen } = before
  const isPrinting = countIn(memberOf(now.status, 'machine_status', 'status')) === machine.printing
  const result = endSubs.get(countIn(memberOf(now.status, 'machine_status', 'sub_status')))
  if (isPrinting && result === undefined) return run === null ? now : { ...now, seen: run, end: null }
  const ended = seen ?? run
  if (ended === null || before.end !== null || (run !== null && !isSameTask(run, ended))) return now
  if (result !== undefined) return { ...now, end: { run: ended, result, reason: null } }
  const hasFailed = seen !== null && !isPrinting && faultsOf(now.status).some((code) => code !== filamentRanOut)
  return hasFailed ? { ...now, end: { run: ended, result: 'failed', reason: fault } } : now
}

/** True when only the printer's own record can tell how the last run ended. */
export function lacksEnd({ status, seen, end, recorded }: Cc2Picture): boolean {
  if (end !== null || countIn(memberOf(status, 'machine_status', 'status')) === machine.printing) return false
  return seen === null ? recorded === undefined : !(recorded && isSameTask(recorded.run, seen))
}

/** The faults that keep a machine without a job in error until a person acknowledges them; null for none. */
export function faultToAcknowledge(picture: Cc2Picture): string | null {
  const isError = cc2State(picture).status === 'error'
  return isError ? faultText(faultsOf(picture.status)) : null
}

function lastResultOf({ status: report, seen, end, recorded }: Cc2Picture): LastResult | null {
  const run = runOf(report)
  const isOfLast = (last: RunIdentity) => run === null || isSameTask(run, last)
  if (end !== null && isOfLast(end.run)) return end
  if (seen !== null && isOfLast(seen))
    return recorded && isSameTask(recorded.run, seen) ? { ...recorded, run: seen } : null
  if (run === null) return recorded ?? null
  const progress = progressOf(report)
  if (progress !== null && progress >= 100) return { run, result: 'completed', reason: null }
  const faults = faultsOf(report)
  return faults.length > 0 ? { run, result: 'failed', reason: faultText(faults) } : null
}

function progressOf(report: unknown): number | null {
  const printed = percentIn(memberOf(report, 'print_status', 'progress'))
  return printed ?? percentIn(memberOf(report, 'machine_status', 'progress'))
}

function faultsOf(report: unknown): number[] {
  const codes = memberOf(report, 'machine_status', 'exception_status')
  if (!Array.isArray(codes)) return []
  return codes.slice(0, 20).flatMap((code) => numberIn(code) || [])
}

/** Null for no codes. */
function faultText(codes: readonly number[]): string | null {
  if (codes.length === 0) return null
  const words = codes.map((code) => (code === filamentRanOut ? 'the filament ran out' : `error ${code}`))
  return [...new Set(words)].join(', ').slice(0, 300)
}
