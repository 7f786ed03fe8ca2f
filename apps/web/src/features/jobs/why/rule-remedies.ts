import type { JobExplanation } from '../../../lib/api/api-schema.generated.ts'

type RuleVerdict = JobExplanation['printers'][number]['rules'][number]

/** What a person may do about a rule that is in the way. */
export type Remedy =
  /** Lets the printer start jobs by itself. */
  | { kind: 'auto_start' }
  /** Something to do, or to enter, on the page of the printer. */
  | { kind: 'printer'; label: string }
  | { kind: 'hubs'; label: string }

const remedies: Record<NonNullable<RuleVerdict['remedy']>, Remedy | undefined> = {
  moment: undefined,
  auto_start: { kind: 'auto_start' },
  enter_equipment: { kind: 'printer', label: 'Enter its nozzle' },
  clear_plate: { kind: 'printer', label: 'Clear the plate' },
  load_filament: { kind: 'printer', label: 'Enter what is loaded' },
  change_build_plate: { kind: 'printer', label: 'Enter its build plate' },
  change_nozzle: { kind: 'printer', label: 'Enter its nozzle' },
  wait: undefined,
  look_at_printer: { kind: 'printer', label: 'Look at the printer' },
  none: undefined,
}

/** Where one remedy of the service has several places in the dashboard. */
const ofRule: Partial<Record<RuleVerdict['rule'], Remedy>> = {
  printer_active: { kind: 'printer', label: 'Put it into use' },
  in_service: { kind: 'printer', label: 'Put it back into service' },
  hub_online: { kind: 'hubs', label: 'Look at the hubs' },
  enough_filament: { kind: 'printer', label: 'Enter a new spool' },
}

/** Undefined where only time helps, or another file. */
export function remedyFor({ rule, remedy }: Pick<RuleVerdict, 'rule' | 'remedy'>): Remedy | undefined {
  return remedy === null ? undefined : (ofRule[rule] ?? remedies[remedy])
}
