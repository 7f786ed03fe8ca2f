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
