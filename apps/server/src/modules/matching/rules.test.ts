import { describe, expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { farmFacts, jobFacts, printerFacts } from '../../test/farm/printer-facts.ts'
import { type Changes, office, ruleCases } from '../../test/farm/rule-cases.ts'
import { buildVolumeOf } from '../printers/models/printer-models.ts'
import { canStart, judge } from './judge.ts'
import { ruleNames } from './rules.ts'

/** The rules that fail, by name, with their failure. */
function failing({ printer, job, farm }: Changes) {
  const verdicts = judge(printerFacts(printer), jobFacts(job), farmFacts(farm))
  return Object.fromEntries(verdicts.flatMap(({ rule, failure }) => (failure ? [[rule.name, failure]] : [])))
}

test('a job that asks for nothing may start on a free printer', () => {
  expect(failing({})).toEqual({})
  expect(canStart(printerFacts(), jobFacts(), farmFacts())).toBe(true)
})

test.each(ruleCases)('$rule fails alone: $what', ({ rule, changes, passesAt, binds }) => {
  const failures = failing(changes)
  expect(Object.keys(failures)).toEqual([rule])
  expect(failures[rule]).toMatchObject({ passesAt: passesAt ?? null, binds })
  expect(failures[rule]?.sentence).toMatch(/^[A-Z].*\.$/)
})

test('each rule is shown to fail', () => {
  expect([...new Set(ruleCases.map(({ rule }) => rule))].sort()).toEqual([...ruleNames].sort())
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
  ['a high print on an unknown model', { job: { height_mm: 900 }, printer: { volume_mm: null } }],
  ['the printer it is meant for', { job: { assigned_printer_id: 'prn_1' as PrinterId } }],
  ['a plate of unknown duration', { farm: { workingHours: office } }],
  ['a plate that ends in working hours', { job: { plate_seconds: 3600 }, farm: { workingHours: office } }],
  [
    'a printer in no power group',
    { farm: { heatingAtOnce: 1, heatingGroups: new Map([['A', { heating: 9, lastStartAt: null }]]) } },
  ],
  [
    'a printer whose pause is over',
    { printer: { refusals: { count: 1, lastAt: new Date('2026-11-16T11:59:00Z'), reason: 'PRINTER_REFUSED' } } },
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
    const failed = failing({ job: { height_mm }, printer: { volume_mm: buildVolumeOf(model) } })
    expect(Object.keys(failed)).toEqual(fits ? [] : ['file_fits_printer'])
  })
})
