import { expect, test } from 'vitest'
import { productFiltersOf, readProductSearch } from './product-search.ts'

test('products in use are listed unless the address says otherwise', () => {
  expect(productFiltersOf(readProductSearch({}))).toEqual({ is_active: true })
  expect(productFiltersOf(readProductSearch({ use: 'out', search: 'lamp' }))).toEqual({
    is_active: false,
    search: 'lamp',
  })
  expect(productFiltersOf(readProductSearch({ use: 'all', category: 'Lamps' }))).toEqual({ category: 'Lamps' })
})

test('what no one can choose, but stands in the address, is left out', () => {
  expect(readProductSearch({ use: 'some', search: '', category: '', page: '3' })).toEqual({})
})
