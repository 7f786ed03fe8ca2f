import type { PrinterId } from '../../kernel/ids.ts'
import type { FarmFacts } from '../../modules/matching/farm-facts.ts'
import type { Bound, RuleName } from '../../modules/matching/rules.ts'
import { filamentNeed, filamentPlace, type jobFacts, type printerFacts } from './printer-facts.ts'

export interface Changes {
  printer?: Parameters<typeof printerFacts>[0]
  job?: Parameters<typeof jobFacts>[0]
  farm?: Partial<FarmFacts>
}

/** Facts of which one rule, and no other, says that the job may not start there. */
export interface RuleCase {
  rule: RuleName
  what: string
  changes: Changes
  binds: Bound
  passesAt?: Date
}

const at = (time: string) => new Date(`2026-11-16T${time}Z`)
export const office = { timeZone: 'UTC', days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 18 * 60 }

const slots = (...places: Parameters<typeof filamentPlace>[0][]) => ({
  feeding: 'told' as const,
  places: places.map((place, slot) => filamentPlace({ slot, name: `slot ${slot}`, ...place })),
})
const red = { type: 'PLA', color: 'Red' }
const white = { type: 'PLA', color: 'White' }
const twoColors = {
  any_color: false,
  filaments: [filamentNeed({ indexes: [0], ...red }), filamentNeed({ indexes: [1], ...white })],
}

/** At least one case of each rule. */
export const ruleCases: RuleCase[] = [
  { rule: 'printer_active', what: 'put out of use', changes: { printer: { is_active: false } }, binds: 'anybody' },
  { rule: 'in_service', what: 'in maintenance', changes: { printer: { in_maintenance: true } }, binds: 'anybody' },
  { rule: 'auto_start', what: 'not by itself', changes: { printer: { auto_start: false } }, binds: 'scheduler' },
  {
    rule: 'hub_online',
    what: 'hub away',
    changes: { printer: { hub_online: false, status: null } },
    binds: 'anybody',
  },
  {
    rule: 'hub_online',
    what: 'no hub',
    changes: { printer: { hub_id: null, hub_online: false, status: null } },
    binds: 'anybody',
  },
  { rule: 'reachable', what: 'not reported yet', changes: { printer: { status: null } }, binds: 'anybody' },
  { rule: 'reachable', what: 'no answer', changes: { printer: { status: 'offline' } }, binds: 'anybody' },
  {
    rule: 'no_known_problem',
    what: 'a problem that keeps prints from succeeding',
    changes: { printer: { blocking_problem: 'The printer refuses the credentials.' } },
    binds: 'scheduler',
  },
  {
    rule: 'idle',
    what: 'prints, and says how long',
    changes: { printer: { status: 'printing', remaining_minutes: 30 } },
    binds: 'anybody',
    passesAt: at('12:30:00'),
  },
  { rule: 'idle', what: 'prints', changes: { printer: { status: 'printing' } }, binds: 'anybody' },
  {
    rule: 'idle',
    what: 'is paused',
    changes: { printer: { status: 'paused', remaining_minutes: 30 } },
    binds: 'anybody',
  },
  { rule: 'idle', what: 'is busy without a job', changes: { printer: { status: 'maintenance' } }, binds: 'anybody' },
  { rule: 'idle', what: 'reports an error', changes: { printer: { status: 'error' } }, binds: 'anybody' },
  {
    rule: 'no_live_attempt',
    what: 'held by another job',
    changes: { printer: { has_live_attempt: true } },
    binds: 'anybody',
  },
  { rule: 'plate_clear', what: 'occupied', changes: { printer: { plate_state: 'occupied' } }, binds: 'anybody' },
  { rule: 'plate_clear', what: 'not known', changes: { printer: { plate_state: 'unknown' } }, binds: 'anybody' },
  {
    rule: 'printer_not_pausing',
    what: 'refused twice',
    changes: { printer: { refusals: { count: 2, lastAt: at('11:59:55'), reason: 'PRINTER_REFUSED' } } },
    binds: 'scheduler',
    passesAt: at('12:00:05'),
  },
  {
    rule: 'job_not_pausing',
    what: 'refused three times',
    changes: { job: { refusals: { count: 3, lastAt: at('11:59:58'), reason: 'PRINTER_BUSY' } } },
    binds: 'scheduler',
    passesAt: at('12:00:03'),
  },
  {
    rule: 'assigned_here',
    what: 'given to another printer',
    changes: { job: { assigned_printer_id: 'prn_2' as PrinterId } },
    binds: 'anybody',
  },
  {
    rule: 'model_matches',
    what: 'another model',
    changes: { job: { file_model: 'Bambu Lab P1S' } },
    binds: 'anybody',
  },
  { rule: 'nozzle_matches', what: 'another nozzle', changes: { job: { nozzle_diameter: 0.6 } }, binds: 'anybody' },
  {
    rule: 'nozzle_matches',
    what: 'a nozzle that is not entered',
    changes: { job: { nozzle_diameter: 0.4 }, printer: { nozzle_size: null } },
    binds: 'scheduler',
  },
  {
    rule: 'build_plate_matches',
    what: 'another build plate',
    changes: { job: { bed_type: 'Cool Plate' }, printer: { build_plate: 'Textured PEI' } },
    binds: 'anybody',
  },
  {
    rule: 'filament_type_matches',
    what: 'another material',
    changes: { job: { filament_type: 'PETG' } },
    binds: 'anybody',
  },
  {
    rule: 'filament_type_matches',
    what: 'a material that is not known',
    changes: { job: { filament_type: 'PLA' }, printer: { filament_type: '' } },
    binds: 'scheduler',
  },
  {
    rule: 'filament_type_matches',
    what: 'a material in no slot',
    changes: { job: { filament_type: 'PETG' }, printer: slots(red, white) },
    binds: 'anybody',
  },
  {
    rule: 'filament_type_matches',
    what: 'a material only in a slot that is empty',
    changes: { job: { filament_type: 'PETG' }, printer: slots(red, { type: 'PETG', is_empty: true }) },
    binds: 'anybody',
  },
  {
    rule: 'filament_type_matches',
    what: 'a tool that has nothing',
    changes: {
      job: { filaments: [filamentNeed(), filamentNeed({ indexes: [1], type: 'PLA', color: 'White' })] },
      printer: { feeding: 'fixed', places: [filamentPlace({ slot: 0 }), filamentPlace({ slot: 2 })] },
    },
    binds: 'anybody',
  },
  {
    rule: 'filament_color_matches',
    what: 'another colour',
    changes: { job: { color: 'Red', any_color: false } },
    binds: 'anybody',
  },
  {
    rule: 'filament_color_matches',
    what: 'a colour that is not known',
    changes: { job: { color: 'Black', any_color: false }, printer: { color: '' } },
    binds: 'scheduler',
  },
  {
    rule: 'filament_color_matches',
    what: 'one of two colours in no slot',
    changes: { job: twoColors, printer: slots(red, { ...white, color: 'Blue' }) },
    binds: 'anybody',
  },
  {
    rule: 'enough_filament',
    what: 'too little on the spool',
    changes: { job: { grams_per_plate: 7.2 }, printer: { loaded_filament_grams: 2.8 } },
    binds: 'anybody',
  },
  {
    rule: 'enough_filament',
    what: 'enough only of another material',
    changes: {
      job: { filament_type: 'PLA', grams_per_plate: 20 },
      printer: slots({ type: 'PLA', grams: 10 }, { type: 'PETG', grams: 900 }),
    },
    binds: 'anybody',
  },
  {
    rule: 'filament_tool_matches',
    what: 'the filament is loaded at the other tool',
    changes: {
      job: { filaments: [filamentNeed({ type: 'PLA', tool: 1 })] },
      printer: slots({ type: 'PLA', tool: 0 }),
    },
    binds: 'anybody',
  },
  {
    rule: 'filament_type_matches',
    what: 'another filament at the tool',
    changes: {
      job: { filaments: [filamentNeed({ type: 'PLA', tool: 1 })] },
      printer: slots({ type: 'PLA', tool: 0 }, { type: 'PETG', tool: 1 }),
    },
    binds: 'anybody',
  },
  {
    rule: 'filament_places_match',
    what: 'two colours and one place',
    changes: { job: { ...twoColors, any_color: true } },
    binds: 'anybody',
  },
  {
    rule: 'filament_places_match',
    what: 'two materials that only one place has room for',
    changes: {
      job: { filaments: [filamentNeed(), filamentNeed({ indexes: [1], type: 'PLA' })] },
      printer: slots({ type: 'PLA' }),
    },
    binds: 'anybody',
  },
  { rule: 'file_fits_printer', what: 'too high', changes: { job: { height_mm: 221 } }, binds: 'anybody' },
  { rule: 'file_fits_printer', what: 'too wide', changes: { job: { width_mm: 251, depth_mm: 10 } }, binds: 'anybody' },
  { rule: 'file_fits_printer', what: 'too deep', changes: { job: { width_mm: 10, depth_mm: 211 } }, binds: 'anybody' },
  {
    rule: 'finishes_in_working_hours',
    what: 'ends at night',
    changes: { job: { plate_seconds: 8 * 3600 }, farm: { workingHours: office } },
    binds: 'scheduler',
    passesAt: new Date('2026-11-17T00:00:00Z'),
  },
  {
    rule: 'heating_slot',
    what: 'as many heat as may',
    changes: {
      printer: { power_group: 'A' },
      farm: { heatingAtOnce: 2, heatingGroups: new Map([['A', { heating: 2, lastStartAt: null }]]) },
    },
    binds: 'scheduler',
  },
  {
    rule: 'heating_slot',
    what: 'another has just started',
    changes: {
      printer: { power_group: 'A' },
      farm: { heatingGapSeconds: 60, heatingGroups: new Map([['A', { heating: 0, lastStartAt: at('11:59:30') }]]) },
    },
    binds: 'scheduler',
    passesAt: at('12:00:30'),
  },
]
