import type { JobExplanation } from '../../../lib/api/api-schema.generated.ts'

type RuleName = JobExplanation['printers'][number]['rules'][number]['rule']

/** What a person may do about a rule that is in the way. */
export type Remedy =
  /** Lets the printer start jobs by itself. */
  | { kind: 'auto_start' }
  /** Something to do, or to enter, on the page of the printer. */
  | { kind: 'printer'; label: string }
  | { kind: 'hubs'; label: string }

const remedies: Partial<Record<RuleName, Remedy>> = {
  auto_start: { kind: 'auto_start' },
  printer_active: { kind: 'printer', label: 'Put it into use' },
  in_service: { kind: 'printer', label: 'Put it back into service' },
  hub_online: { kind: 'hubs', label: 'Look at the hubs' },
  reachable: { kind: 'printer', label: 'Look at the printer' },
  no_known_problem: { kind: 'printer', label: 'Look at the printer' },
  plate_clear: { kind: 'printer', label: 'Clear the plate' },
  nozzle_matches: { kind: 'printer', label: 'Enter its nozzle' },
  filament_type_matches: { kind: 'printer', label: 'Enter what is loaded' },
  filament_color_matches: { kind: 'printer', label: 'Enter what is loaded' },
  enough_filament: { kind: 'printer', label: 'Enter a new spool' },
}

/** Undefined where only time helps, or another file. */
export function remedyFor(rule: RuleName): Remedy | undefined {
  return remedies[rule]
}
