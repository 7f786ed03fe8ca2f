import type {
  LastResult,
  PrinterState,
  PrinterStatus,
  PrintResult,
  RunIdentity,
} from '@printyard/protocol/printer-state'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { countIn, isTrue, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire-values.ts'
import { gatesOf } from './mmu-gates.ts'

/** What Moonraker said so far on this connection. */
export interface MoonrakerPicture {
  /** `klippy_state` of Moonraker: `ready`, `startup`, `error`, `shutdown`, `disconnected`. */
  klippy: string
  klippyMessage: string | null
  /** Klipper's objects by name, each merged from its changes. */
  objects: Record<string, Record<string, unknown>>
  /** The newest job of the history: the only place where runs have numbers. */
  newestJob: unknown
  /**
   * A run begins before it is in the history, by a moment: `waiting` until its number is known, `over` when it does not come.
   * A run that changed its identity would look like two.
   */
  historyWait: 'none' | 'waiting' | 'over'
  /** Metadata of the file that runs, with its name. */
  metadata: { fileName: string; facts: unknown } | null
  firmware: string | null
}

export function emptyPicture(): MoonrakerPicture {
  return {
    klippy: 'disconnected',
    klippyMessage: null,
    objects: {},
    newestJob: undefined,
    historyWait: 'none',
    metadata: null,
    firmware: null,
  }
}

/** Changes of objects merged over what is known; each names only the fields that changed. */
export function mergeObjects(picture: MoonrakerPicture, changed: unknown): MoonrakerPicture {
  if (typeof changed !== 'object' || changed === null) return picture
  const objects = { ...picture.objects }
  for (const [name, fields] of Object.entries(changed)) {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) continue
    objects[name] = { ...(Object.hasOwn(objects, name) ? objects[name] : {}), ...fields }
  }
  return { ...picture, objects }
}

/** The file that Klipper has loaded, running or over; null when none. */
export function fileNameOf(picture: MoonrakerPicture): string | null {
  return textIn(memberOf(picture.objects, 'print_stats', 'filename'))
}

/** What Moonraker says, in our words. */
export function moonrakerState(picture: MoonrakerPicture): PrinterState {
  const { objects } = picture
  const { status, reason } = statusOf(picture)
  const identity = picture.historyWait === 'waiting' ? null : identityOf(picture)
  const run = status === 'printing' || status === 'paused' ? identity : null
  const chamber = chamberOf(objects)
  return {
    ...unknownPrinterState(''),
    // A printer that says it prints and names no file has just begun, or ends: neither idle nor a run yet.
    status: (status === 'printing' || status === 'paused') && run === null ? 'maintenance' : status,
    status_reason: picture.historyWait === 'waiting' ? 'a print begins' : reason,
    run,
    last_result: run === null ? lastResultOf(picture, identity) : null,
    progress: run && progressOf(objects),
    nozzle_temp: temperatureIn(memberOf(objects, 'extruder', 'temperature')),
    target_nozzle_temp: temperatureIn(memberOf(objects, 'extruder', 'target')),
    bed_temp: temperatureIn(memberOf(objects, 'heater_bed', 'temperature')),
    target_bed_temp: temperatureIn(memberOf(objects, 'heater_bed', 'target')),
    chamber_temp: temperatureIn(memberOf(chamber, 'temperature')),
    target_chamber_temp: temperatureIn(memberOf(chamber, 'target')),
    layer_num: run && countIn(memberOf(objects, 'print_stats', 'info', 'current_layer')),
    total_layers:
      run &&
      (countIn(memberOf(objects, 'print_stats', 'info', 'total_layer')) ??
        countIn(memberOf(factsOf(picture), 'layer_count'))),
    remaining_time_minutes: run && remainingMinutes(picture),
    light_on: lightOf(objects),
    filament_type: textIn(memberOf(factsOf(picture), 'filament_type'), 50),
    firmware_version: picture.firmware,
    problems: problemsOf(status, reason, picture),
    slots: gatesOf(objects.mmu),
  }
}

const klippyStatuses: Record<string, PrinterStatus> = {
  startup: 'maintenance',
  error: 'error',
  shutdown: 'error',
  disconnected: 'offline',
}

const printStatuses: Record<string, PrinterStatus> = {
  printing: 'printing',
  paused: 'paused',
  error: 'error',
}

function statusOf({ klippy, klippyMessage, objects }: MoonrakerPicture): {
  status: PrinterStatus
  reason: string | null
} {
  const own = textIn(memberOf(objects, 'webhooks', 'state'))
  // The object tells of a shutdown before Moonraker does.
  const klipper = own !== null && own !== 'ready' && klippy === 'ready' ? own : klippy
  if (klipper !== 'ready') {
    const status = Object.hasOwn(klippyStatuses, klipper) ? (klippyStatuses[klipper] ?? 'offline') : 'offline'
    const message = klippyMessage ?? textIn(memberOf(objects, 'webhooks', 'state_message'), 500)
    return { status, reason: message ?? `Klipper is ${klipper}` }
  }
  const state = textIn(memberOf(objects, 'print_stats', 'state')) ?? 'standby'
  const status = Object.hasOwn(printStatuses, state) ? printStatuses[state] : undefined
  if (status !== undefined) return { status, reason: textIn(memberOf(objects, 'print_stats', 'message'), 500) }
  // Any G-code that moves outside of a job.
  if (memberOf(objects, 'idle_timeout', 'state') === 'Printing')
    return { status: 'maintenance', reason: 'it is moving' }
  return { status: 'idle', reason: null }
}

/** Klipper that has stopped takes no command before a person was there; without Klipper there is only its server. */
function problemsOf(
  status: PrinterStatus,
  reason: string | null,
  { klippy, objects }: MoonrakerPicture,
): ReportedProblem[] {
  const own = textIn(memberOf(objects, 'webhooks', 'state'))
  const isStopped = [klippy, own].some((state) => state === 'error' || state === 'shutdown')
  if (status === 'error' && isStopped) return [{ reason: 'firmware_stopped', message: reason }]
  return status === 'offline' ? [{ reason: 'printer_not_connected', message: null }] : []
}

/** Whether a run goes on whose number the history does not show yet. */
export function lacksItsJob(picture: MoonrakerPicture): boolean {
  return isRunActive(picture) && identityOf(picture)?.job_id === null
}

function isRunActive({ objects }: MoonrakerPicture): boolean {
  const state = memberOf(objects, 'print_stats', 'state')
  return state === 'printing' || state === 'paused'
}

/** What the history says of a run that goes on: the last two when Moonraker was started anew meanwhile. */
const runningJobs = new Set(['in_progress', 'interrupted', 'server_exit'])

function identityOf(picture: MoonrakerPicture): RunIdentity | null {
  const fileName = fileNameOf(picture)
  if (fileName === null) return null
  const job = picture.newestJob
  const isSame = textIn(memberOf(job, 'filename')) === fileName
  // Else it is of an earlier run of the same file.
  const isOfThisRun = isSame && (!isRunActive(picture) || runningJobs.has(textIn(memberOf(job, 'status')) ?? ''))
  return {
    file_name: fileName,
    job_id: isOfThisRun ? textIn(memberOf(job, 'job_id'), 128) : null,
    attempt_id: null,
  }
}

const statsResults: Record<string, PrintResult> = { complete: 'completed', cancelled: 'cancelled', error: 'failed' }

const historyResults: Record<string, PrintResult> = {
  completed: 'completed',
  cancelled: 'cancelled',
  error: 'failed',
  klippy_shutdown: 'failed',
  klippy_disconnect: 'failed',
  interrupted: 'failed',
  server_exit: 'failed',
}

/** `print_stats` keeps the end of the last job until the next; the history still has it after a restart of Klipper. */
function lastResultOf(picture: MoonrakerPicture, identity: RunIdentity | null): LastResult | null {
  const stats = memberOf(picture.objects, 'print_stats')
  const state = textIn(memberOf(stats, 'state')) ?? ''
  const told = Object.hasOwn(statsResults, state) ? statsResults[state] : undefined
  if (identity !== null && told !== undefined) {
    return { run: identity, result: told, reason: told === 'failed' ? textIn(memberOf(stats, 'message'), 500) : null }
  }
  const status = textIn(memberOf(picture.newestJob, 'status')) ?? ''
  const result = Object.hasOwn(historyResults, status) ? historyResults[status] : undefined
  const fileName = textIn(memberOf(picture.newestJob, 'filename'))
  if (result === undefined || fileName === null) return null
  const run = { file_name: fileName, job_id: textIn(memberOf(picture.newestJob, 'job_id'), 128), attempt_id: null }
  return { run, result, reason: result === 'failed' ? status.replaceAll('_', ' ') : null }
}

/** By the slicer's own count of time where it tells, else by the bytes of the file. */
function progressOf(objects: MoonrakerPicture['objects']): number | null {
  const told = numberIn(memberOf(objects, 'display_status', 'progress'))
  const fraction = told !== null && told > 0 ? told : numberIn(memberOf(objects, 'virtual_sdcard', 'progress'))
  return fraction === null ? null : percentIn(fraction * 100)
}

function factsOf(picture: MoonrakerPicture): unknown {
  return picture.metadata?.fileName === fileNameOf(picture) ? picture.metadata?.facts : undefined
}

function remainingMinutes(picture: MoonrakerPicture): number | null {
  const printed = numberIn(memberOf(picture.objects, 'print_stats', 'print_duration'))
  if (printed === null) return null
  const estimated = numberIn(memberOf(factsOf(picture), 'estimated_time'))
  if (estimated !== null) return minutesLeft(estimated - printed)
  const progress = progressOf(picture.objects)
  // Too early to tell from what was printed so far.
  if (progress === null || progress <= 3) return null
  return minutesLeft(printed / (progress / 100) - printed)
}

function chamberOf(objects: MoonrakerPicture['objects']): unknown {
  for (const kind of ['heater_generic', 'temperature_fan', 'temperature_sensor']) {
    const name = Object.keys(objects).find((key) => key.startsWith(`${kind} `) && /chamber|enclosure/i.test(key))
    if (name !== undefined) return objects[name]
  }
  return undefined
}

/** Objects of Klipper that can be a light, the likeliest first. */
export function lightObject(names: Iterable<string>): string | undefined {
  return [...names].find((name) => /^(output_pin|led|neopixel) .*(light|led)/i.test(name))
}

function lightOf(objects: MoonrakerPicture['objects']): boolean | null {
  const name = lightObject(Object.keys(objects))
  const object = name === undefined ? undefined : objects[name]
  const value = numberIn(memberOf(object, 'value'))
  if (value !== null) return value > 0
  const colours = memberOf(object, 'color_data')
  if (!Array.isArray(colours)) return null
  return colours.some((colour) => Array.isArray(colour) && colour.some((part) => (numberIn(part) ?? 0) > 0))
}

/** Whether Moonraker speaks of Klipper as present. */
export function isKlippyReady(info: unknown): boolean {
  return isTrue(memberOf(info, 'klippy_connected')) && memberOf(info, 'klippy_state') === 'ready'
}
