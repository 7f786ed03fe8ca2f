import { expect, test } from 'vitest'
import { queueFiltersOf, readQueueSearch } from './queue-search.ts'

test('the filters of the address are those that the service is asked for', () => {
  const search = { running: 'all', search: 'hook', printer: 'prn_1', filament: 'PETG', priority: 'urgent' } as const
  expect(readQueueSearch(search)).toEqual(search)
  expect(queueFiltersOf(search)).toEqual({
    search: 'hook',
    of_printer_id: 'prn_1',
    filament_type: 'PETG',
    priority: 'urgent',
  })
})

test('what cannot be read in the address filters nothing', () => {
  const search = readQueueSearch({
    running: 'few',
    search: '',
    printer: ['a'],
    filament: 'x'.repeat(51),
    priority: 'soon',
  })
  expect(search).toEqual({})
  expect(queueFiltersOf(search)).toEqual({})
})

test('the timeline and how far it looks ahead stand in the address', () => {
  expect(readQueueSearch({ view: 'timeline', hours: '72' })).toEqual({ view: 'timeline', hours: '72' })
  expect(readQueueSearch({ view: 'clock', hours: '73' })).toEqual({})
})
