import type { LastResult, PrinterState, PrinterStatus, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { countIn, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire-values.ts'
import { filamentSlots, slotsOf } from './material-boxes.ts'

/** Everything that the printer said on this connection, the newest of each field. */
export type CrealityFields = Readonly<Record<string, unknown>>

/** A fragment merged over what is known; each names only what changed. What is no object says nothing. */
export function mergeFields(fields: CrealityFields, fragment: unknown): CrealityFields {
  if (typeof fragment !== 'object' || fragment === null || Array.isArray(fragment)) return fields
  return { ...fields, ...fragment }
}

/** Printing, paused and whatever else `state` says; the document gives no meaning to other numbers. */
const states = { processing: 0, printing: 1, completed: 2, stopped: 4, paused: 5 } as const
const deviceStateHoming = 7

/**
 * What a printer of the K series says, in our words. `nameOf` gives the name that a file was given by us for the one that
 * the printer made of it.
 */
export function crealityState(fields: CrealityFields, nameOf = (fileName: string) => fileName): PrinterState {
  const identity = identityOf(fields, nameOf)
  const { status, reason } = statusOf(fields, identity)
  const run = status === 'printing' || status === 'paused' ? identity : null
  const slot = slotsOf(fields.boxsInfo).find(({ isSelected }) => isSelected)
  return {
    ...unknownPrinterState(''),
    status,
    status_reason: reason,
    run,
    last_result: run === null && identity !== null ? lastResultOf(fields, identity) : null,
    progress: run && progressOf(fields),
    nozzle_temp: temperatureIn(fields.nozzleTemp),
    target_nozzle_temp: temperatureIn(fields.targetNozzleTemp),
    bed_temp: temperatureIn(fields.bedTemp0),
    target_bed_temp: temperatureIn(fields.targetBedTemp0),
    chamber_temp: temperatureIn(fields.boxTemp),
    target_chamber_temp: temperatureIn(fields.targetBoxTemp),
    layer_num: run && countIn(fields.layer),
    total_layers: run && (countIn(fields.TotalLayer) || null),
    remaining_time_minutes: run && minutesLeft(fields.printLeftTime),
    light_on: lightOf(fields),
    filament_type: slot?.type ?? null,
    filament_color_hex: slot?.colorHex ?? null,
    firmware_version: firmwareOf(fields),
    slots: filamentSlots(fields.boxsInfo),
  }
}

function statusOf(
  fields: CrealityFields,
  identity: RunIdentity | null,
): { status: PrinterStatus; reason: string | null } {
  const state = countIn(fields.state)
  const fault = faultOf(fields)
  const isRun = state === states.printing || state === states.paused
  if (isRun && identity === null) return { status: 'maintenance', reason: fault ?? 'it prints without naming a file' }
  if (state === states.printing) return { status: 'printing', reason: fault }
  if (state === states.paused) {
    const ranOut = countIn(fields.materialStatus) === 1 ? 'the filament ran out' : null
    return { status: 'paused', reason: fault ?? ranOut }
  }
  // A fault beside a job is told with the job: it has not ended by it.
  if (fault !== null) return { status: 'error', reason: fault }
  const selfTest = numberIn(fields.withSelfTest)
  if (selfTest !== null && selfTest >= 1 && selfTest <= 99) return { status: 'maintenance', reason: 'it tests itself' }
  if (countIn(fields.deviceState) === deviceStateHoming) return { status: 'maintenance', reason: 'it is homing' }
  if (state === states.stopped) return { status: 'idle', reason: null }
  if (state === states.processing || state === states.completed) {
    // Also while a material box changes filament in the middle of a print.
    return isUnfinished(fields, identity)
      ? { status: 'maintenance', reason: 'it is busy with a print' }
      : { status: 'idle', reason: null }
  }
  return { status: 'maintenance', reason: 'it is in a state that is not known' }
}

function isUnfinished(fields: CrealityFields, identity: RunIdentity | null): boolean {
  const progress = progressOf(fields)
  const leftSeconds = numberIn(fields.printLeftTime)
  return identity !== null && progress !== null && progress < 100 && leftSeconds !== null && leftSeconds > 0
}

function identityOf(fields: CrealityFields, nameOf: (fileName: string) => string): RunIdentity | null {
  const path = textIn(fields.printFileName, 1_024)
  const fileName = textIn(path?.split('/').at(-1))
  // The series has no number for a run.
  return fileName === null ? null : { file_name: nameOf(fileName), job_id: null, attempt_id: null }
}

function lastResultOf(fields: CrealityFields, run: RunIdentity): LastResult | null {
  const state = countIn(fields.state)
  const fault = faultOf(fields)
  if (fault !== null) return { run, result: 'failed', reason: fault }
  if (state === states.stopped) return { run, result: 'cancelled', reason: null }
  const isDone = state === states.completed || state === states.processing
  return isDone && (progressOf(fields) ?? 0) >= 100 ? { run, result: 'completed', reason: null } : null
}

function progressOf(fields: CrealityFields): number | null {
  return percentIn(fields.printProgress) ?? percentIn(fields.dProgress)
}

function faultOf(fields: CrealityFields): string | null {
  const code = numberIn(memberOf(fields.err, 'errcode'))
  if (code === null || code === 0) return null
  const key = numberIn(memberOf(fields.err, 'key'))
  return `the printer reports error ${code}${key === null ? '' : ` (key ${key})`}`
}

function lightOf(fields: CrealityFields): boolean | null {
  const value = numberIn(fields.lightSw)
  return value === null ? null : value !== 0
}

function firmwareOf(fields: CrealityFields): string | null {
  const parts = textIn(fields.modelVersion, 1_024)?.split(';') ?? []
  const marker = 'printer sw ver:'
  const part = parts.find((text) => text.trim().startsWith(marker))
  return textIn(part?.trim().slice(marker.length), 100)
}
