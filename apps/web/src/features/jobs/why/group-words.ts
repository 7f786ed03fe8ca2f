import type { WaitingGroup } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'

type Group = Pick<WaitingGroup, 'rule' | 'remedy' | 'jobs' | 'nozzle'> & { printers: readonly unknown[] }

const ofRule: Partial<Record<WaitingGroup['rule'], string>> = {
  filament_type_matches: t('other filament is needed'),
  filament_color_matches: t('another colour is needed'),
  enough_filament: t('too little filament is left'),
  filament_places_match: t('not all filaments are loaded'),
  no_known_problem: t('a problem is to be looked at'),
  build_plate_matches: t('another build plate is needed'),
}

const ofRemedy: Partial<Record<WaitingGroup['remedy'], string>> = {
  auto_start: t('jobs do not start by themselves there'),
  clear_plate: t('the plate was not confirmed to be clear'),
  load_filament: t('other filament is needed'),
  change_build_plate: t('another build plate is needed'),
  look_at_printer: t('a person is to look at it'),
}

/** The one thing that is in the way, in a few words. */
export function causeOfGroup({ rule, remedy, nozzle }: Pick<Group, 'rule' | 'remedy' | 'nozzle'>): string {
  const size = nozzle === null ? '' : t(' of {nozzle} mm', { nozzle })
  if (rule === 'nozzle_matches') {
    return remedy === 'enter_equipment' ? t('nozzle not entered') : t('another nozzle{size} is needed', { size })
  }
  return ofRule[rule] ?? ofRemedy[remedy] ?? t('something is in the way')
}

/** `13 jobs could start on 11 idle printers: nozzle not entered` */
export function groupSentence(group: Group): string {
  const { jobs, printers } = group
  return t(
    '{jobs, plural, one {# job} other {# jobs}} could start on {printers, plural, one {# idle printer} other {# idle printers}}: {causeOfGroup}',
    { jobs, printers: printers.length, causeOfGroup: causeOfGroup(group) },
  )
}
