import { describe, expect, test } from 'vitest'
import { buildHeightOf } from '../printers/models/printer-models.ts'
import type { FarmFacts, JobFacts, PrinterFacts } from './farm-facts.ts'
import { judge, mayStart, type RuleName, ruleNames } from './rules.ts'
import { farmFacts, jobFacts, printerFacts } from './test-facts.ts'

type Changes = { printer?: Partial<PrinterFacts>; job?: Partial<JobFacts>; farm?: Partial<FarmFacts> }

/** The rules that fail, by name, with their failure. */
function failing({ printer, job, farm }: Changes) {
  const verdicts = judge(printerFacts(printer), jobFacts(job), farmFacts(farm))
  return Object.fromEntries(verdicts.flatMap(({ rule, failure }) => (failure ? [[rule.name, failure]] : [])))
}

const at = (time: string) => new Date(`2026-11-16T${time}Z`)
const office = { timeZone: 'UTC', days: [1, 2, 3, 4, 5], fromMinute: 8 * 60, toMinute: 18 * 60 }

test('a job that asks for nothing may start on a free printer', () => {
  expect(failing({})).toEqual({})
  expect(mayStart(printerFacts(), jobFacts(), farmFacts())).toBe(true)
})

const cases: [RuleName, Changes, Date | null][] = [
  ['printer_active', { printer: { is_active: false } }, null],
  ['in_service', { printer: { in_maintenance: true } }, null],
  ['auto_start', { printer: { auto_start: false } }, null],
  ['hub_online', { printer: { hub_online: false, status: null } }, null],
  ['hub_online', { printer: { hub_id: null, hub_online: false, status: null } }, null],
  ['reachable', { printer: { status: null } }, null],
  ['reachable', { printer: { status: 'offline' } }, null],
  ['no_known_problem', { printer: { blocking_problem: 'The printer refuses the credentials.' } }, null],
  ['idle', { printer: { status: 'printing', remaining_minutes: 30 } }, at('12:30:00')],
  ['idle', { printer: { status: 'printing' } }, null],
  ['idle', { printer: { status: 'paused', remaining_minutes: 30 } }, null],
  ['idle', { printer: { status: 'maintenance' } }, null],
  ['idle', { printer: { status: 'error' } }, null],
  ['no_live_attempt', { printer: { has_live_attempt: true } }, null],
  ['plate_clear', { printer: { plate_state: 'occupied' } }, null],
  ['plate_clear', { printer: { plate_state: 'unknown' } }, null],
  [
    'printer_not_pausing',
    { printer: { refusals: { count: 2, lastAt: at('11:59:55'), reason: 'PRINTER_REFUSED' } } },
    at('12:00:05'),
  ],
  [
    'job_not_pausing',
    { job: { refusals: { count: 3, lastAt: at('11:59:58'), reason: 'PRINTER_BUSY' } } },
    at('12:00:03'),
  ],
  ['assigned_here', { job: { assigned_printer_id: 'prn_2' } }, null],
  ['model_matches', { job: { file_model: 'Bambu Lab P1S' } }, null],
  ['nozzle_matches', { job: { nozzle_diameter: 0.6 } }, null],
  ['nozzle_matches', { job: { nozzle_diameter: 0.4 }, printer: { nozzle_size: null } }, null],
  ['filament_type_matches', { job: { filament_type: 'PETG' } }, null],
  ['filament_type_matches', { job: { filament_type: 'PLA' }, printer: { filament_type: '' } }, null],
  ['filament_color_matches', { job: { color: 'Red', any_color: false } }, null],
  ['filament_color_matches', { job: { color: 'Black', any_color: false }, printer: { color: '' } }, null],
  ['enough_filament', { job: { grams_per_plate: 41 }, printer: { loaded_filament_grams: 40 } }, null],
  ['file_fits_printer', { job: { height_mm: 221 } }, null],
  [
    'finishes_in_working_hours',
    { job: { plate_seconds: 8 * 3600 }, farm: { workingHours: office } },
    new Date('2026-11-17T00:00:00Z'),
  ],
  [
    'heating_slot',
    {
      printer: { power_group: 'A' },
      farm: { heatingAtOnce: 2, heatingGroups: new Map([['A', { heating: 2, lastStartAt: null }]]) },
    },
    null,
  ],
  [
    'heating_slot',
    {
      printer: { power_group: 'A' },
      farm: { heatingGapSeconds: 60, heatingGroups: new Map([['A', { heating: 0, lastStartAt: at('11:59:30') }]]) },
    },
    at('12:00:30'),
  ],
]

describe.each(cases)('%s', (name, changes, passesAt) => {
  test(`fails alone where only it is broken: ${JSON.stringify(changes)}`, () => {
    const failures = failing(changes)
    expect(Object.keys(failures)).toEqual([name])
    expect(failures[name]?.passesAt).toEqual(passesAt)
    expect(failures[name]?.sentence).toMatch(/^[A-Z].*\.$/)
  })
})

test('each rule is shown to fail', () => {
  expect([...new Set(cases.map(([name]) => name))].sort()).toEqual([...ruleNames].sort())
})

test.each<[string, Changes]>([
  ['a model by another of its names', { job: { file_model: 'Original Prusa MK4S' } }],
  ['a nozzle entered with another last digit', { job: { nozzle_diameter: 0.4 }, printer: { nozzle_size: 0.401 } }],
  ['a file without a nozzle on a printer without one', { printer: { nozzle_size: null } }],
  ['a material in another case', { job: { filament_type: 'pla' } }],
  ['a colour in another case', { job: { color: ' black ', any_color: false } }],
  ['a colour that the slicer showed', { job: { color: '#FF0000', any_color: true } }],
  ['a colour by its value', { job: { color: '#ff0000', any_color: false }, printer: { color_hex: '#FF0000' } }],
  [
    'a named colour whose value is reported',
    {
      job: { color: 'Red', any_color: false },
      printer: { color: '', color_hex: '#FF0000' },
      farm: { colorHexByName: new Map([['red', '#FF0000']]) },
    },
  ],
  ['a plate that takes the last gram', { job: { grams_per_plate: 40 }, printer: { loaded_filament_grams: 40 } }],
  ['a plate of unknown weight', { printer: { loaded_filament_grams: 1 } }],
  ['an unknown spool', { job: { grams_per_plate: 900 } }],
  ['a high print on an unknown model', { job: { height_mm: 900 }, printer: { build_height_mm: null } }],
  ['the printer it is meant for', { job: { assigned_printer_id: 'prn_1' } }],
  ['a plate of unknown duration', { farm: { workingHours: office } }],
  ['a plate that ends in working hours', { job: { plate_seconds: 3600 }, farm: { workingHours: office } }],
  [
    'a printer in no power group',
    { farm: { heatingAtOnce: 1, heatingGroups: new Map([['A', { heating: 9, lastStartAt: null }]]) } },
  ],
  [
    'a printer whose pause is over',
    { printer: { refusals: { count: 1, lastAt: at('11:59:00'), reason: 'PRINTER_REFUSED' } } },
  ],
])('nothing fails for %s', (_name, changes) => {
  expect(failing(changes)).toEqual({})
})

describe('how high a print may be, by what is known of the model', () => {
  test.each([
    ['Prusa MK4S', 220, true],
    ['Prusa MK4S', 220.1, false],
    ['BambuLab A1 mini', 180.5, false],
    // The slicer that ships with it goes higher than the round figure of its advertisements.
    ['Bambu Lab X2D', 261, true],
    ['Creality Ender-3 V3 KE', 245, true],
    ['Voron 2.4', 500, true],
    ['Built in our shed', 500, true],
  ])('%s and %d mm', (model, height_mm, fits) => {
    const failed = failing({ job: { height_mm }, printer: { build_height_mm: buildHeightOf(model) } })
    expect(Object.keys(failed)).toEqual(fits ? [] : ['file_fits_printer'])
  })
})
