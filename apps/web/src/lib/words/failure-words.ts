import type { PrintFailure } from '../api/api-schema.generated.ts'
import { t } from '../i18n/t.ts'

export type FailureType = PrintFailure['type']

/** What went wrong with a print, in the words of the floor. */
export const failureWords: Record<FailureType, string> = {
  adhesion: t('Did not stick'),
  spaghetti: t('Spaghetti'),
  layer_shift: t('Layers shifted'),
  clog: t('Nozzle clogged'),
  filament_runout: t('Filament ran out'),
  thermal: t('Temperature'),
  power_loss: t('Power cut'),
  mechanical: t('Mechanics'),
  connection: t('Connection'),
  file: t('File'),
  cancelled_by_person: t('Stopped by a person'),
  other: t('Something else'),
  unknown: t('Cause not known'),
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
