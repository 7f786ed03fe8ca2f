import { expect, test } from 'vitest'
import { orderFiltersOf, readOrderSearch } from './order-search.ts'

const now = Date.parse('2026-11-20T12:03:00Z')

test('the filters of the address are those that the service is asked for', () => {
  const search = { search: 'ann 10', status: 'pending', platform: 'etsy', unmapped: 'true' } as const
  expect(readOrderSearch(search)).toEqual(search)
  const filters = { search: 'ann 10', status: 'pending', platform: 'etsy', unmapped: true }
  expect(orderFiltersOf(search, now)).toEqual(filters)
  // How they are shown is none.
  expect(orderFiltersOf(readOrderSearch({ ...search, as: 'board' }), now)).toEqual(filters)
})

test('what cannot be read in the address filters nothing', () => {
  const search = readOrderSearch({
    search: 'x'.repeat(121),
    status: 'done',
    platform: ['etsy'],
    unmapped: 'false',
    due: 'now',
    as: 'cards',
  })
  expect(search).toEqual({})
  expect(orderFiltersOf(search, now)).toEqual({})
})

test('what is late, or soon will be, is asked for by one moment for minutes', () => {
  expect(orderFiltersOf({ due: 'risk' }, now)).toEqual({ at_risk: true })
  expect(orderFiltersOf({ due: 'late' }, now)).toEqual({ ship_before: '2026-11-20T12:00:00.000Z' })
  expect(orderFiltersOf({ due: 'soon' }, now)).toEqual({ ship_before: '2026-11-21T12:00:00.000Z' })
  expect(orderFiltersOf({ due: 'soon' }, now + 60_000)).toEqual(orderFiltersOf({ due: 'soon' }, now))
})
