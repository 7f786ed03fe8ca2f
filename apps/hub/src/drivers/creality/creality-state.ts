import type { LastResult, PrinterState, PrinterStatus, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { countIn, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from '../wire/wire-values.ts'
import { filamentSlots, slotsOf } from './material-boxes.ts'

/** Everything that the printer said on this connection, the newest of each field. */
export type CrealityFields = Readonly<Record<string, unknown>>

/** A fragment merged over what is known; each names only what changed. What is no object says nothing. */
export function mergeFields(fields: CrealityFields, fragment: unknown): CrealityFields {
  if (typeof fragment !== 'object' || fragment === null || Array.isArray(fragment)) return fields
  return { ...fields, ...fragment }
}

/** What the fields of now alone do not tell. */
interface CrealityMemory {
  isRunning: boolean
  /** The fault that is shown now. */
  fault: string | null
  /** The fault that was shown already when the present or last run began: it says nothing about how that ended. */
  faultBefore: string | null
  /** The fault that a person has acknowledged; it keeps the printer from nothing. */
  acknowledged: string | null
}

export const freshMemory: CrealityMemory = { isRunning: false, fault: null, faultBefore: null, acknowledged: null }

/** The memory after one more report. */
export function follow(memory: CrealityMemory, fields: CrealityFields): CrealityMemory {
  const state = countIn(fields.state)
  const isRunning = state === states.printing || state === states.paused
  const fault = faultOf(fields)
  const hasBegun = isRunning && !memory.isRunning
  return {
    isRunning,
    fault,
    faultBefore: hasBegun ? memory.fault : memory.faultBefore,
    acknowledged: fault === memory.acknowledged ? fault : null,
  }
}

/** Printing, paused and whatever else `state` says; the document gives no meaning to other numbers. */
const states = { processing: 0, printing: 1, completed: 2, stopped: 4, paused: 5 } as const
const deviceStateHoming = 7

/**
 * Answers what a printer of the K series says, in our words. `nameOf` gives the name that a file was given by us for the one that
 * the printer made of it.
 */
export function crealityState(
  fields: CrealityFields,
  memory: CrealityMemory = follow(freshMemory, fields),
  nameOf = (fileName: string) => fileName,
): PrinterState {
  const identity = identityOf(fields, nameOf)
  const { status, reason } = statusOf(fields, memory, identity)
  const run = status === 'printing' || status === 'paused' ? identity : null
  const slot = slotsOf(fields.boxsInfo).find(({ isSelected }) => isSelected)
  return {
    ...unknownPrinterState(''),
    status,
    status_reason: reason,
    run,
    last_result: run === null && identity !== null ? lastResultOf(fields, memory, identity) : null,
    // A fragment alone may leave out the name of the file.
    ...(!isWhole(fields) && { run_mark: null }),
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

/** Only the answer to the question for everything names the model. */
export function isWhole(fields: CrealityFields): boolean {
  return fields.model !== undefined
}

function statusOf(
  fields: CrealityFields,
  { acknowledged }: CrealityMemory,
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
  if (fault !== null && fault !== acknowledged) return { status: 'error', reason: fault }
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

/** What broke off, as by a power cut, leaves its progress behind, but no machine prints with a cold nozzle. */
function isUnfinished(fields: CrealityFields, identity: RunIdentity | null): boolean {
  if (temperatureIn(fields.targetNozzleTemp) === 0) return false
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

function lastResultOf(fields: CrealityFields, { faultBefore }: CrealityMemory, run: RunIdentity): LastResult | null {
  const state = countIn(fields.state)
  const fault = faultOf(fields)
  const isThrough = (progressOf(fields) ?? 0) >= 100
  if (state === states.completed && isThrough) return { run, result: 'completed', reason: null }
  if (fault !== null && fault !== faultBefore) return { run, result: 'failed', reason: fault }
  if (state === states.stopped) return { run, result: 'cancelled', reason: null }
  return state === states.processing && isThrough ? { run, result: 'completed', reason: null } : null
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
