import type { WaitingGroup } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount } from '../../../lib/format.ts'

type Group = Pick<WaitingGroup, 'rule' | 'remedy' | 'jobs' | 'nozzle'> & { printers: readonly unknown[] }

const ofRule: Partial<Record<WaitingGroup['rule'], string>> = {
  filament_type_matches: 'other filament is needed',
  filament_color_matches: 'another colour is needed',
  enough_filament: 'too little filament is left',
  filament_places_match: 'not all filaments are loaded',
  no_known_problem: 'a problem is to be looked at',
  build_plate_matches: 'another build plate is needed',
}

const ofRemedy: Partial<Record<WaitingGroup['remedy'], string>> = {
  auto_start: 'jobs do not start by themselves there',
  clear_plate: 'the plate was not confirmed to be clear',
  load_filament: 'other filament is needed',
  change_build_plate: 'another build plate is needed',
  look_at_printer: 'a person is to look at it',
}

/** The one thing that is in the way, in a few words. */
export function causeOfGroup({ rule, remedy, nozzle }: Pick<Group, 'rule' | 'remedy' | 'nozzle'>): string {
  const size = nozzle === null ? '' : ` of ${nozzle} mm`
  if (rule === 'nozzle_matches') {
    return remedy === 'enter_equipment' ? 'nozzle not entered' : `another nozzle${size} is needed`
  }
  return ofRule[rule] ?? ofRemedy[remedy] ?? 'something is in the way'
}

/** `13 jobs could start on 11 idle printers: nozzle not entered` */
export function groupSentence(group: Group): string {
  const { jobs, printers } = group
  return `${formatAmount(jobs, 'job')} could start on ${formatAmount(printers.length, 'idle printer')}: ${causeOfGroup(group)}`
}
