import type { PrinterState, PrinterStatus } from '@printyard/protocol/printer-state'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import {
  countIn,
  isTrue,
  memberOf,
  minutesLeft,
  numberIn,
  percentIn,
  temperatureIn,
  textIn,
} from '../wire/wire-values.ts'
import { gatesOf } from './mmu-gates.ts'
import { identityOf, lastResultOf, runMarkOf } from './moonraker-history.ts'
import { fileNameOf, klipperState, loadedRun, type MoonrakerPicture } from './moonraker-picture.ts'

/** Answers what Moonraker says, in our words. */
export function moonrakerState(picture: MoonrakerPicture): PrinterState {
  const { objects } = picture
  const { status, reason } = statusOf(picture)
  const identity = picture.historyWait === 'waiting' ? null : identityOf(picture)
  const run = status === 'printing' || status === 'paused' ? identity : null
  const chamber = chamberOf(objects)
  const runMark = runMarkOf(picture)
  return {
    ...unknownPrinterState(''),
    ...(runMark !== undefined && { run_mark: runMark }),
    // A printer that says it prints and names no file has just started, or ends: neither idle nor a run yet.
    status: (status === 'printing' || status === 'paused') && run === null ? 'maintenance' : status,
    status_reason:
      picture.historyWait === 'waiting' ? 'a print begins' : run ? (picture.commandNote ?? reason) : reason,
    run,
    last_result: run === null && picture.historyWait !== 'waiting' ? lastResultOf(picture) : null,
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

function statusOf(picture: MoonrakerPicture): { status: PrinterStatus; reason: string | null } {
  const { klippyMessage, objects } = picture
  const klipper = klipperState(picture)
  if (klipper !== 'ready') {
    const status = Object.hasOwn(klippyStatuses, klipper) ? (klippyStatuses[klipper] ?? 'offline') : 'offline'
    const message = klippyMessage ?? textIn(memberOf(objects, 'webhooks', 'state_message'), 500)
    return { status, reason: message ?? `Klipper is ${klipper}` }
  }
  const stats = memberOf(objects, 'print_stats')
  const state = textIn(memberOf(stats, 'state')) ?? ''
  if (state === 'printing' || state === 'paused')
    return { status: state, reason: textIn(memberOf(stats, 'message'), 500) }
  if (!restingStates.has(state)) return { status: 'maintenance', reason: 'Klipper does not say whether it prints' }
  // Between the command and its first line, and between the last line and the end, only this one tells of a print.
  if (isTrue(memberOf(objects, 'virtual_sdcard', 'is_active'))) {
    return { status: 'maintenance', reason: 'a print begins or ends' }
  }
  // Any G-code that moves outside of a job.
  if (memberOf(objects, 'idle_timeout', 'state') === 'Printing')
    return { status: 'maintenance', reason: 'it is moving' }
  return { status: 'idle', reason: null }
}

/** In all of them Klipper takes the next print; each but the first is the result of the last one. */
const restingStates = new Set(['standby', 'complete', 'cancelled', 'error'])

/** Klipper that has stopped takes no command before a person was there; without Klipper there is only its server. */
function problemsOf(status: PrinterStatus, reason: string | null, picture: MoonrakerPicture): ReportedProblem[] {
  if (status === 'error') return [{ reason: 'firmware_stopped', message: reason }]
  if (status !== 'offline' && loadedRun(picture)?.state === 'error') {
    return [{ reason: 'print_error', message: textIn(memberOf(picture.objects, 'print_stats', 'message'), 500) }]
  }
  return status === 'offline' ? [{ reason: 'printer_not_connected', message: null }] : []
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

/** True when Moonraker speaks of Klipper as present. */
export function isKlippyReady(info: unknown): boolean {
  return isTrue(memberOf(info, 'klippy_connected')) && memberOf(info, 'klippy_state') === 'ready'
}
