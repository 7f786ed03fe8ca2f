import { expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { farmFacts, jobFacts, printerFacts } from '../../test/farm/printer-facts.ts'
import { makeWaitingCause } from './waiting-cause.ts'

type PrinterChange = Parameters<typeof printerFacts>[0]
type JobChange = Parameters<typeof jobFacts>[0]

const black = { filament_type: 'PETG', color: 'Black', color_hex: '#000000' }
const fits = {
  file_model: 'Prusa MK4S',
  nozzle_diameter: 0.4,
  filament_type: 'petg',
  color: 'black',
  any_color: false,
}
const cause = (demand: JobChange[], other: PrinterChange = {}, farm = farmFacts()) =>
  makeWaitingCause(
    demand.map((wanted) => jobFacts({ ...fits, ...wanted })),
    farm,
  )(printerFacts({ ...black, ...other }))

test('an empty queue has no matching job', () => {
  expect(cause([])).toBe('no_matching_job')
})

test('a job that fits and was not started is said so', () => {
  expect(cause([{}])).toBe('not_started')
})

test('jobs for another model, nozzle, size or printer do not match', () => {
  expect(
    cause([
      { file_model: 'P1S' },
      { nozzle_diameter: 0.6 },
      { assigned_printer_id: 'prn_2' as PrinterId },
      { height_mm: 900 },
    ]),
  ).toBe('no_matching_job')
})

test('a job that fits but for its filament type, colour or amount waits for filament', () => {
  expect(cause([{ filament_type: 'PLA' }])).toBe('filament')
  expect(cause([{ color: 'Red' }])).toBe('filament')
  expect(cause([{ filament_type: 'PLA' }, { color: 'Red' }])).toBe('filament')
  expect(cause([{ grams_per_plate: 7.2 }], { loaded_filament_grams: 2.8 })).toBe('filament')
})

test('one job that fits altogether outweighs those that lack filament', () => {
  expect(cause([{ filament_type: 'PLA' }, {}])).toBe('not_started')
})

test('a colour is known by its name or by its hex code', () => {
  expect(cause([{ color: '#000000' }])).toBe('not_started')
})

test('a colour that the account names is loaded where its value is reported', () => {
  const reported = { color: '', color_hex: '#F26B21' }
  expect(cause([{ color: 'Orange' }], reported)).toBe('filament')
  const farm = farmFacts({ colorHexByName: new Map([['orange', '#F26B21']]) })
  expect(cause([{ color: 'Orange' }], reported, farm)).toBe('not_started')
})

test('a nozzle that is not entered matches no file that names one; one a hundredth off is the same', () => {
  expect(cause([{}], { nozzle_size: null })).toBe('no_matching_job')
  expect(cause([{}], { nozzle_size: 0.41 })).toBe('not_started')
})

test('what a job leaves open, any printer has; what a printer does not say is loaded, it has not', () => {
  const open = { file_model: null, nozzle_diameter: null, filament_type: '', color: '' }
  const empty = { nozzle_size: null, filament_type: '', color: '', color_hex: '' }
  expect(cause([open], empty)).toBe('not_started')
  expect(cause([{ nozzle_diameter: null }], empty)).toBe('filament')
})
