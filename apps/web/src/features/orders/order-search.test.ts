import { expect, test } from 'vitest'
import { orderFiltersOf, readOrderSearch } from './order-search.ts'

test('the filters of the address are those that the service is asked for', () => {
  const search = { search: 'ann 10', status: 'pending', platform: 'etsy', unmapped: 'true' } as const
  expect(readOrderSearch(search)).toEqual(search)
  expect(orderFiltersOf(search)).toEqual({ search: 'ann 10', status: 'pending', platform: 'etsy', unmapped: true })
})

test('what cannot be read in the address filters nothing', () => {
  const search = readOrderSearch({ search: 'x'.repeat(121), status: 'done', platform: ['etsy'], unmapped: 'false' })
  expect(search).toEqual({})
  expect(orderFiltersOf(search)).toEqual({})
})
