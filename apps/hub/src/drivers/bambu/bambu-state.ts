import type { LastResult, PrinterState, PrinterStatus } from '@printyard/protocol/printer-state'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { countIn, memberOf, percentIn, temperatureIn, textIn } from '../wire/wire-values.ts'
import {
  developerModeRemedy,
  errorSentence,
  healthMessages,
  isBusyStage,
  isSerious,
  isVerifyFailure,
  stageSentence,
} from './bambu-faults.ts'
import { activeExtruder, currentTray, slotsOf } from './bambu-filament.ts'
import type { BambuTraits } from './bambu-models.ts'
import { type BambuPicture, fileNameOf, isRunning, jobIdOf, jobOf } from './bambu-report.ts'

/** Answers what a Bambu printer says, in our words. */
export function bambuState(picture: BambuPicture, traits: BambuTraits): PrinterState {
  const { print } = picture
  const { status, reason } = statusOf(picture)
  const fileName = fileNameOf(picture)
  const identity = fileName === null ? null : { file_name: fileName, job_id: jobIdOf(picture), attempt_id: null }
  const run = status === 'printing' || status === 'paused' ? identity : null
  // While a job is unpacked the counters are still those of the last one.
  const counts = run !== null && (picture.gcodeState === 'RUNNING' || picture.gcodeState === 'PAUSE')
  const tray = currentTray(picture)
  const nozzle = nozzleOf(print)
  const bed = unpacked(memberOf(print, 'device', 'bed', 'info', 'temp'))
  const chamber = chamberOf(print, traits)
  return {
    ...unknownPrinterState(''),
    // A printer that says it prints and names no file has just started, or ends: neither idle nor a run yet.
    status: (status === 'printing' || status === 'paused') && run === null ? 'maintenance' : status,
    status_reason: reason,
    run,
    last_result: run === null && identity !== null ? lastResultOf(picture, identity) : null,
    // A change alone names what it does not tell of by leaving it out.
    ...(!picture.isWhole && { run_mark: null }),
    progress: counts ? percentIn(print.mc_percent) : null,
    nozzle_temp: nozzle.actual,
    target_nozzle_temp: nozzle.target,
    bed_temp: bed?.actual ?? temperatureIn(print.bed_temper),
    target_bed_temp: bed?.target ?? temperatureIn(print.bed_target_temper),
    chamber_temp: chamber.actual,
    target_chamber_temp: chamber.target,
    layer_num: counts ? countIn(print.layer_num) : null,
    total_layers: counts && picture.layers?.job === jobOf(picture) ? picture.layers.total : null,
    remaining_time_minutes: counts ? countIn(print.mc_remaining_time) || null : null,
    light_on: lightOf(print.lights_report),
    filament_type: tray?.type ?? null,
    filament_color_hex: tray?.colorHex ?? null,
    firmware_version: picture.firmware,
    problems: problemsOf(picture),
    slots: slotsOf(picture),
  }
}

/** True when the printer takes no commands from the network at all, by its own word. */
export function refusesCommands({ print }: BambuPicture): boolean {
  const fun = textIn(print.fun, 32)
  const flags = fun !== null && /^[0-9a-f]+$/i.test(fun) ? BigInt(`0x${fun}`) : 0n
  return (flags & 0x2000_0000n) !== 0n || healthMessages(print.hms).some(isVerifyFailure)
}

/** Answers what is wrong with the printer's store, as a sentence; null when nothing is, or nothing is said. */
export function storageProblem(picture: BambuPicture): string | null {
  const fault = storageFault(picture)
  return fault && storageSentences[fault]
}

const storageSentences = {
  storage_faulty: 'the memory card is faulty',
  storage_missing: 'there is no memory card in the printer',
} as const

function storageFault({ print }: BambuPicture): keyof typeof storageSentences | null {
  const flags = countIn(print.home_flag)
  if (flags !== null && (flags & 0x200) !== 0) return 'storage_faulty'
  const isMissing = flags === null ? print.sdcard === false : (flags & 0x100) === 0
  return isMissing ? 'storage_missing' : null
}

/** Answers what the printer says of itself that keeps prints from it. */
function problemsOf(picture: BambuPicture): ReportedProblem[] {
  const isRefusing = refusesCommands(picture) || picture.isSignatureNeeded
  const store = storageFault(picture)
  return [
    ...(isRefusing ? [{ reason: 'developer_mode_off', message: null }] : []),
    ...(store === null ? [] : [{ reason: store, message: null }]),
  ]
}

const statuses: Record<string, PrinterStatus> = {
  IDLE: 'idle',
  FINISH: 'idle',
  FAILED: 'idle',
  PREPARE: 'printing',
  SLICING: 'printing',
  RUNNING: 'printing',
  PAUSE: 'paused',
}

/** Steps of an update that a printer does by itself. */
const busyUpdates = /^(UPGRADE_REQUEST|PRE_FLASH_\w+|DOWNLOADING|FLASHING)$/

function statusOf(picture: BambuPicture): { status: PrinterStatus; reason: string | null } {
  const { print, gcodeState } = picture
  if (gcodeState === null) return { status: 'offline', reason: 'the printer has not said yet what it does' }
  const status = statuses[gcodeState] ?? 'idle'
  const health = healthMessages(print.hms).filter(isSerious)
  const worst = health[0]?.sentence ?? null
  const isRefusing = refusesCommands(picture) || picture.isSignatureNeeded
  if (status === 'paused') {
    const why = errorSentence(print.print_error) ?? stageSentence(print.stg_cur) ?? worst
    return { status, reason: why ?? (isRefusing ? developerModeRemedy : null) }
  }
  if (status === 'printing') return { status, reason: worst ?? (isRefusing ? developerModeRemedy : null) }
  if (busyUpdates.test(textIn(memberOf(print, 'upgrade_state', 'status')) ?? '')) {
    return { status: 'maintenance', reason: 'the printer updates its firmware' }
  }
  if (isBusyStage(print.stg_cur, gcodeState)) return { status: 'maintenance', reason: stageSentence(print.stg_cur) }
  // Nothing that it is asked works before a person was there: the very meaning of an error.
  if (isRefusing) return { status: 'error', reason: developerModeRemedy }
  const isOpen = health.some(({ code }) => !picture.acknowledged.includes(code))
  return { status: isOpen ? 'error' : 'idle', reason: worst }
}

/** Codes of the faults that keep a printer without a job in error; none for any other printer. */
export function openFaults(picture: BambuPicture): string[] {
  if (isRunning(picture)) return []
  return healthMessages(picture.print.hms)
    .filter(isSerious)
    .map(({ code }) => code)
}

function lastResultOf(picture: BambuPicture, run: LastResult['run']): LastResult | null {
  if (picture.gcodeState === 'FINISH') return { run, result: 'completed', reason: null }
  if (picture.gcodeState !== 'FAILED' || isRunning(picture)) return null
  if (picture.cancelled !== null) return { run, result: 'cancelled', reason: null }
  const worst = healthMessages(picture.print.hms).find(isSerious)?.sentence
  return { run, result: 'failed', reason: errorSentence(picture.print.print_error) ?? worst ?? 'the print failed' }
}

interface Reading {
  actual: number | null
  target: number | null
}

/** Whole degrees, the actual in the low half of the number and the target in the high one; null when it is no such number. */
function unpacked(value: unknown): { actual: number; target: number } | null {
  const packed = countIn(value)
  if (packed === null || packed > 0xffff_ffff) return null
  const actual = packed % 0x1_0000
  const target = Math.floor(packed / 0x1_0000)
  return actual > 1_000 || target > 1_000 ? null : { actual, target }
}

function nozzleOf(print: Record<string, unknown>): Reading {
  const packed = unpacked(memberOf(activeExtruder(print), 'temp'))
  return packed ?? { actual: temperatureIn(print.nozzle_temper), target: temperatureIn(print.nozzle_target_temper) }
}

function chamberOf(print: Record<string, unknown>, { hasChamberSensor, chamberHeater }: BambuTraits): Reading {
  if (!hasChamberSensor) return { actual: null, target: null }
  const packed = unpacked(memberOf(print, 'device', 'ctc', 'info', 'temp'))
  const target = chamberHeater === 'none' ? null : (packed?.target ?? temperatureIn(print.chamber_target_temper))
  return { actual: packed?.actual ?? temperatureIn(print.chamber_temper), target }
}

function lightOf(lights: unknown): boolean | null {
  if (!Array.isArray(lights)) return null
  const mode = textIn(
    memberOf(
      lights.find((light) => memberOf(light, 'node') === 'chamber_light'),
      'mode',
    ),
  )
  if (mode === null) return null
  return mode !== 'off'
}
