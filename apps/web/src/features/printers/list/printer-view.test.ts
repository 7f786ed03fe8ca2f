import { expect, test } from 'vitest'
import { livePrinter } from '../../../test/live-printers.ts'
import { choicesOf, countStatuses, filterPrinters, readPrinterView, sortPrinters } from './printer-view.ts'

const rows = [
  livePrinter({ id: 'a', name: 'Ash', status: 'printing', file_name: 'hook.gcode' }),
  livePrinter({ id: 'b', name: 'Birch', location: 'Hall 2', plate_state: 'occupied' }),
  livePrinter({ id: 'c', name: 'Cedar', model: 'P1S', status: 'offline' }),
  livePrinter({ id: 'd', name: 'Dogwood', status: 'offline', is_active: false }),
]
const ids = (search: Record<string, unknown>) => filterPrinters(rows, readPrinterView(search)).map(({ id }) => id)

test.each([
  [{}, ['a', 'b', 'c']],
  [{ status: 'printing' }, ['a']],
  [{ status: 'needs-person' }, ['b', 'c']],
  [{ location: 'Hall 2' }, ['b']],
  [{ model: 'P1S' }, ['c']],
  [{ search: ' HOOK' }, ['a']],
  [{ search: 'dog' }, ['d']],
  [{ status: 'nonsense', as: 'nonsense' }, ['a', 'b', 'c']],
])('%j shows %j', (search, expected) => {
  expect(ids(search)).toEqual(expected)
})

test('counts are of printers in use', () => {
  expect(countStatuses(rows)).toMatchObject({ printing: 1, idle: 1, offline: 1, 'needs-person': 2 })
})

test('choices are what there is, once and sorted', () => {
  expect([choicesOf(rows, 'location'), choicesOf(rows, 'model')]).toEqual([
    ['Hall 1', 'Hall 2'],
    ['MK4S', 'P1S'],
  ])
})

test.each([
  [undefined, ['a', 'b', 'c', 'd', 'e', 'f']],
  // In error, then paused, then a plate to be cleared, then offline; then those that need no one, by name.
  ['need', ['e', 'd', 'b', 'c', 'a', 'f']],
  ['left', ['f', 'a', 'b', 'c', 'd', 'e']],
] as const)('the order %j shows %j', (order, expected) => {
  const unlike = [
    livePrinter({ id: 'a', status: 'printing', remaining_time_minutes: 90 }),
    livePrinter({ id: 'b', plate_state: 'occupied' }),
    livePrinter({ id: 'c', status: 'offline' }),
    livePrinter({ id: 'd', status: 'paused', remaining_time_minutes: 1 }),
    livePrinter({ id: 'e', status: 'error' }),
    livePrinter({ id: 'f', status: 'printing', remaining_time_minutes: 5 }),
  ]
  expect(sortPrinters(unlike, readPrinterView({ order }).order).map(({ id }) => id)).toEqual(expected)
})
