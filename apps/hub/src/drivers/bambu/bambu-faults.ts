import { memberOf, numberIn } from '../wire/wire-values.ts'

/** Remedy: where a person switches on what makes a printer take commands from the network again. */
export const developerModeRemedy =
  "the printer refuses commands from the network: switch on Developer mode in the printer's network settings"

/** A cancelled job ends as failed with this error. */
export const CANCELLED_ERROR = 0x0300_400c
export const BUSY_ERROR = 0x0500_4004
export const STORAGE_ERROR = 0x0500_c010
export const VERIFY_FAILED_ERROR = 0x0502_4007
const verifyFailedHms = 'HMS_0500_0500_0001_0007'

const stages: Record<number, string> = {
  1: 'levelling the bed',
  2: 'heating the bed',
  3: 'compensating vibration',
  4: 'changing filament',
  5: 'paused by the print file (M400)',
  6: 'the filament ran out',
  7: 'heating the nozzle',
  8: 'calibrating extrusion',
  9: 'scanning the bed',
  10: 'inspecting the first layer',
  11: 'identifying the plate',
  12: 'calibrating the lidar',
  13: 'homing',
  14: 'cleaning the nozzle',
  16: 'paused by a person',
  17: 'the front cover came off',
  18: 'calibrating the lidar',
  19: 'calibrating the flow',
  20: 'the temperature of the nozzle is faulty',
  21: 'the temperature of the bed is faulty',
  22: 'unloading filament',
  23: 'steps were lost',
  24: 'loading filament',
  25: 'calibrating the motor noise',
  26: 'the AMS was lost',
  27: 'the fan of the heat break is faulty',
  28: 'the temperature of the chamber is faulty',
  29: 'cooling the chamber',
  30: 'paused by the print file',
  32: 'the nozzle is covered with filament',
  33: 'the cutter is faulty',
  34: 'the first layer is faulty',
  35: 'the nozzle is clogged',
  49: 'heating the chamber',
  54: 'waiting for the bed',
  77: 'preparing the AMS',
}

/** Stages of a printer without a job that make it busy with itself. */
const busyStages = new Set([1, 3, 8, 9, 12, 13, 18, 19, 22, 24, 25])
/** Stages of these that a person begins also while the last result is still shown. */
const filamentStages = new Set([22, 24])

/** The stage in words; null when there is none. */
export function stageSentence(value: unknown): string | null {
  const stage = numberIn(value)
  if (stage === null || stage <= 0 || stage === 255) return null
  return (Object.hasOwn(stages, stage) && stages[stage]) || `stage ${stage}`
}

/** True when a printer in this stage is busy although it has no job. */
export function isBusyStage(value: unknown, gcodeState: string): boolean {
  const stage = numberIn(value)
  return stage !== null && (gcodeState === 'IDLE' ? busyStages : filamentStages).has(stage)
}

const errors = new Map<number, string>([
  [CANCELLED_ERROR, 'the job was cancelled'],
  [BUSY_ERROR, 'the printer is busy and takes no new job'],
  [VERIFY_FAILED_ERROR, developerModeRemedy],
  [0x0300_8004, 'the filament ran out'],
  [STORAGE_ERROR, 'the memory card cannot be read or written'],
  [0x0700_8012, 'the print asks for an AMS slot that the printer does not have'],
  [0x07ff_8012, 'the print asks for an AMS slot that the printer does not have'],
])

/** A number of `print_error` or `err_code` as a sentence; null for none. */
export function errorSentence(value: unknown): string | null {
  const code = numberIn(value)
  if (code === null || code <= 0 || code > 0xffff_ffff) return null
  const known = errors.get(code)
  if (code === VERIFY_FAILED_ERROR && known !== undefined) return known
  return known === undefined ? `error ${hex(code)}` : `${known} (error ${hex(code)})`
}

interface HealthMessage {
  code: string
  /** 1 fatal, 2 serious, 3 common, 4 information. */
  severity: number
  sentence: string
}

const modules: Record<number, string> = { 3: 'motion', 5: 'mainboard', 7: 'AMS', 8: 'toolhead', 12: 'camera' }
const severities: Record<number, string> = { 1: 'fatal', 2: 'serious', 3: 'common', 4: 'information' }

/** The printer's list of health messages, worst first; what cannot be read is left out. */
export function healthMessages(hms: unknown): HealthMessage[] {
  if (!Array.isArray(hms)) return []
  return hms
    .slice(0, 50)
    .flatMap((entry) => {
      const attr = numberIn(memberOf(entry, 'attr'))
      const code = numberIn(memberOf(entry, 'code'))
      if (attr === null || code === null || attr < 0 || code < 0 || attr > 0xffff_ffff || code > 0xffff_ffff) return []
      const severity = Math.floor(code / 0x1_0000)
      const module = modules[Math.floor(attr / 0x100_0000)] ?? 'printer'
      const name = `HMS_${hex(attr)}_${hex(code)}`
      if (name === verifyFailedHms) return [{ code: name, severity, sentence: developerModeRemedy }]
      const kind = severities[severity] ?? 'unknown'
      return [{ code: name, severity, sentence: `${kind} fault, ${module} (${name})` }]
    })
    .sort((a, b) => a.severity - b.severity)
}

/** True when a health message keeps a printer without a job from beginning one. */
export const isSerious = ({ severity }: HealthMessage) => severity === 1 || severity === 2

export const isVerifyFailure = ({ code }: HealthMessage) => code === verifyFailedHms

/** `XXXX_XXXX`, as the printer's screen shows it. */
function hex(value: number): string {
  const digits = Math.floor(value).toString(16).toUpperCase().padStart(8, '0')
  return `${digits.slice(0, 4)}_${digits.slice(4)}`
}
