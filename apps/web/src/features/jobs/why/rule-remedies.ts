import type { JobExplanation } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'

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
  enter_equipment: { kind: 'printer', label: t('Enter its nozzle') },
  clear_plate: { kind: 'printer', label: t('Clear the plate') },
  load_filament: { kind: 'printer', label: t('Enter the loaded filament') },
  change_build_plate: { kind: 'printer', label: t('Enter its build plate') },
  change_nozzle: { kind: 'printer', label: t('Enter its nozzle') },
  wait: undefined,
  look_at_printer: { kind: 'printer', label: t('Look at the printer') },
  none: undefined,
}

/** Where one remedy of the service has several places in the dashboard. */
const ofRule: Partial<Record<RuleVerdict['rule'], Remedy>> = {
  printer_active: { kind: 'printer', label: t('Put it into use') },
  in_service: { kind: 'printer', label: t('Put it back into service') },
  hub_online: { kind: 'hubs', label: t('Look at the hubs') },
  enough_filament: { kind: 'printer', label: t('Enter a new spool') },
}

/** Undefined where only time helps, or another file. */
export function remedyFor({ rule, remedy }: Pick<RuleVerdict, 'rule' | 'remedy'>): Remedy | undefined {
  return remedy === null ? undefined : (ofRule[rule] ?? remedies[remedy])
}
