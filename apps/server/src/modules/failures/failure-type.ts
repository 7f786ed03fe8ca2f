/** Failure of a print, in the words of the floor. */
export const failureTypes = [
  'adhesion',
  'spaghetti',
  'layer_shift',
  'clog',
  'filament_runout',
  'thermal',
  'power_loss',
  'mechanical',
  'connection',
  'file',
  'cancelled_by_person',
  'other',
  'unknown',
] as const
export type FailureType = (typeof failureTypes)[number]

/** Words of reason codes, as `FILAMENT_RUNOUT` is made of. The first row with one of its words in the code decides. */
const wordsOf: readonly (readonly [FailureType, readonly string[]])[] = [
  ['cancelled_by_person', ['STOPPED', 'CANCELLED', 'GIVEN']],
  ['spaghetti', ['SPAGHETTI']],
  ['adhesion', ['ADHESION', 'DETACHED', 'WARPED']],
  ['layer_shift', ['SHIFT', 'SHIFTED']],
  ['filament_runout', ['RUNOUT', 'FILAMENT']],
  ['clog', ['CLOG', 'CLOGGED', 'JAM', 'JAMMED']],
  ['thermal', ['THERMAL', 'HEATER', 'TEMPERATURE', 'OVERHEATED', 'THERMISTOR']],
  ['power_loss', ['POWER']],
  ['file', ['FILE', 'GCODE', 'CORRUPT', 'CHECKSUM', 'UPLOAD']],
  ['mechanical', ['MECHANICAL', 'HOMING', 'MOTOR', 'AXIS', 'ENDSTOP', 'DOOR']],
  ['connection', ['LOST', 'DISCONNECTED', 'UNREACHABLE', 'OFFLINE', 'CONNECTION', 'SILENCE']],
]

/** The type that a stable reason code speaks of; `unknown` when it does not say. A stopped print was stopped by a person. */
export function failureTypeOf(outcome: 'failed' | 'cancelled', reasonCode: string | null): FailureType {
  if (outcome === 'cancelled') return 'cancelled_by_person'
  const words = new Set((reasonCode ?? '').toUpperCase().split('_'))
  return wordsOf.find(([, its]) => its.some((word) => words.has(word)))?.[0] ?? 'unknown'
}
