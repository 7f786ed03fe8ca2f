import type { PrintFailure } from './api/api-schema.generated.ts'

export type FailureType = PrintFailure['type']

/** What went wrong with a print, in the words of the floor. */
export const failureWords: Record<FailureType, string> = {
  adhesion: 'Did not stick',
  spaghetti: 'Spaghetti',
  layer_shift: 'Layers shifted',
  clog: 'Nozzle clogged',
  filament_runout: 'Filament ran out',
  thermal: 'Temperature',
  power_loss: 'Power cut',
  mechanical: 'Mechanics',
  connection: 'Connection',
  file: 'File',
  cancelled_by_person: 'Stopped by a person',
  other: 'Something else',
  unknown: 'Cause not known',
}

/** What a person sees who stands at the printer; the other types are told by printers and by the service. */
export const seenFailures = (
  [
    'adhesion',
    'spaghetti',
    'layer_shift',
    'clog',
    'filament_runout',
    'power_loss',
    'mechanical',
    'file',
    'other',
  ] as const
).map((value) => ({ value, label: failureWords[value] }))
