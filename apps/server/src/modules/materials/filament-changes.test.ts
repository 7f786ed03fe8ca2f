import { expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { farmFacts, jobFacts, printerFacts } from '../../test/farm/printer-facts.ts'
import { filamentChanges, type LoadedPrinter } from './filament-changes.ts'

const printerWith = (change: Parameters<typeof printerFacts>[0], isFree = false): LoadedPrinter => ({
  ...printerFacts({ name: 'One', filament_type: 'PLA', color: 'Red', loaded_filament_grams: 500, ...change }),
  is_free: isFree,
  is_in_sight: true,
})
const printer = printerWith({})
const second = printerWith({ id: 'prn_2' as PrinterId, name: 'Two' })

interface Wanted extends NonNullable<Parameters<typeof jobFacts>[0]> {
  jobs?: number
  print_seconds?: number
}

function changes(printers: LoadedPrinter[], demand: Wanted[], asked: { printerId: PrinterId; key: string }[] = []) {
  const wishes = demand.map(({ jobs = 1, print_seconds = 3_600, ...wanted }) => ({
    ...jobFacts({
      file_model: 'MK4S',
      nozzle_diameter: 0.4,
      filament_type: 'PETG',
      color: 'Black',
      any_color: false,
      grams_per_plate: 100,
      ...wanted,
    }),
    jobs,
    print_seconds,
  }))
  return filamentChanges(printers, wishes, asked, farmFacts()).map(({ printerId, key, jobs }) => [printerId, key, jobs])
}

test('a filament that no fitting printer has is asked for once', () => {
  expect(changes([printer, second], [{}])).toEqual([['prn_1', 'petg|black', 1]])
})

test('one fitting printer that has it is enough', () => {
  expect(changes([printer, second], [{ filament_type: 'PLA', color: 'Red' }])).toEqual([])
})

test('a spool with less than the next plate needs is asked to be changed, one of which nothing is known is not', () => {
  const same = { filament_type: 'PLA', color: 'Red', grams_per_plate: 600 }
  expect(changes([printer], [same])).toEqual([['prn_1', 'pla|red', 1]])
  expect(changes([printerWith({ loaded_filament_grams: null })], [same])).toEqual([])
})

test('jobs for the same printer and filament are one change, different filaments go to different printers', () => {
  expect(changes([printer, second], [{ jobs: 2 }, { color: 'BLACK', jobs: 3 }, { color: 'White' }])).toEqual([
    ['prn_1', 'petg|black', 5],
    ['prn_2', 'petg|white', 1],
  ])
})

test('the printer that was asked for before stays the one', () => {
  expect(changes([printer, second], [{}], [{ printerId: 'prn_2' as PrinterId, key: 'petg|black' }])).toEqual([
    ['prn_2', 'petg|black', 1],
  ])
})

test('a bound job asks its own printer; a job that fits none asks no one', () => {
  expect(changes([printer, second], [{ assigned_printer_id: 'prn_2' as PrinterId }, { file_model: 'P1S' }])).toEqual([
    ['prn_2', 'petg|black', 1],
  ])
})

const red = { filament_type: 'PLA', color: 'Red' }
const greys = (count: number, isFree = true) =>
  Array.from({ length: count }, (_, index) =>
    printerWith({ id: `grey_${index + 1}` as PrinterId, color: 'Grey' }, isFree),
  )

test('free printers without a job get the filament of which much waits, as many as there is work for', () => {
  const fourHours = { ...red, jobs: 9, print_seconds: 4 * 3_600 }
  const given = changes([printer, ...greys(12)], [fourHours])
  // With eight printers half an hour is left for each: one more is not worth it.
  expect(given.map(([, key]) => key)).toEqual(Array.from({ length: 7 }, () => 'pla|red'))
  expect(changes([printer, ...greys(12)], [{ ...fourHours, jobs: 2 }])).toHaveLength(2)
})

test('a printer that prints, or has a job for what it is loaded with, keeps its filament', () => {
  const days = { ...red, jobs: 9, print_seconds: 48 * 3_600 }
  expect(changes([printer, ...greys(3, false)], [days])).toEqual([])
  expect(changes([printer, ...greys(1)], [days, { filament_type: 'PLA', color: 'Grey', jobs: 1 }])).toEqual([])
})

test('free printers that have the filament take its jobs first', () => {
  const free = printerWith({}, true)
  expect(changes([free, ...greys(1)], [{ ...red, jobs: 1, print_seconds: 8 * 3_600 }])).toEqual([])
})

test('a change that is no longer quite worth it stays asked for, one that is worth little is not', () => {
  const asked = [{ printerId: 'grey_1' as PrinterId, key: 'pla|red' }]
  expect(changes([printer, ...greys(2)], [{ ...red, print_seconds: 1_200 }], asked)).toEqual([['grey_1', 'pla|red', 1]])
  expect(changes([printer, ...greys(2)], [{ ...red, print_seconds: 1_200 }])).toEqual([])
  expect(changes([printer, ...greys(2)], [{ ...red, print_seconds: 500 }], asked)).toEqual([])
})

test('a printer that reports the filament by a colour of the account needs none', () => {
  const reported = printerWith({ filament_type: 'PLA', color: '', color_hex: '#F26B21' })
  const wish = { ...jobFacts({ filament_type: 'PLA', color: 'Orange', any_color: false }), jobs: 1, print_seconds: 60 }
  const farm = farmFacts({ colorHexByName: new Map([['orange', '#F26B21']]) })
  expect(filamentChanges([reported], [wish], [], farm)).toEqual([])
  expect(filamentChanges([reported], [wish], [], farmFacts())).toHaveLength(1)
})

test('a printer of which it is not known what is loaded is not asked for, and yet has what it had', () => {
  const away = { ...printer, is_in_sight: false }
  expect(changes([away], [{}])).toEqual([])
  expect(changes([away, second], [{ filament_type: 'PLA', color: 'Red' }])).toEqual([])
})
