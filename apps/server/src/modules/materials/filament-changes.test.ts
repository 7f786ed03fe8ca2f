import { expect, test } from 'vitest'
import { type FilamentDemand, filamentChanges, type LoadedPrinter } from './filament-changes.ts'

const printer: LoadedPrinter = {
  id: 'prn_1',
  name: 'One',
  model: 'MK4S',
  nozzle_size: 0.4,
  current_filament_type: 'PLA',
  current_color: 'Red',
  current_color_hex: '',
  remaining: 500_000,
}
const second: LoadedPrinter = { ...printer, id: 'prn_2', name: 'Two' }
const wanted: FilamentDemand = {
  printer_id: null,
  printer_model: 'MK4S',
  nozzle_diameter: 0.4,
  filament_type: 'PETG',
  color: 'Black',
  jobs: 1,
  plate_grams: 100,
}
const changes = (
  printers: LoadedPrinter[],
  demand: Partial<FilamentDemand>[],
  asked: { printerId: string; key: string }[] = [],
) =>
  filamentChanges(
    printers,
    demand.map((each) => ({ ...wanted, ...each })),
    asked,
  ).map(({ printerId, key, jobs }) => [printerId, key, jobs])

test('a filament that no fitting printer has is asked for once', () => {
  expect(changes([printer, second], [{}])).toEqual([['prn_1', 'petg|black', 1]])
})

test('one fitting printer that has it is enough', () => {
  expect(changes([printer, second], [{ filament_type: 'PLA', color: 'Red' }])).toEqual([])
})

test('a spool with less than the next plate needs is asked to be changed, one of which nothing is known is not', () => {
  const same = { filament_type: 'PLA', color: 'Red', plate_grams: 600 }
  expect(changes([printer], [same])).toEqual([['prn_1', 'pla|red', 1]])
  expect(changes([{ ...printer, remaining: null }], [same])).toEqual([])
})

test('jobs for the same printer and filament are one change, different filaments go to different printers', () => {
  expect(changes([printer, second], [{ jobs: 2 }, { color: 'BLACK', jobs: 3 }, { color: 'White' }])).toEqual([
    ['prn_1', 'petg|black', 5],
    ['prn_2', 'petg|white', 1],
  ])
})

test('the printer that was asked for before stays the one', () => {
  expect(changes([printer, second], [{}], [{ printerId: 'prn_2', key: 'petg|black' }])).toEqual([
    ['prn_2', 'petg|black', 1],
  ])
})

test('a bound job asks its own printer; a job that fits none asks nobody', () => {
  expect(changes([printer, second], [{ printer_id: 'prn_2' }, { printer_model: 'P1S' }])).toEqual([
    ['prn_2', 'petg|black', 1],
  ])
})
