import { expect, test } from 'vitest'
import { readStockSearch, stockFiltersOf } from './stock-search.ts'

test('the address chooses among the items in use', () => {
  expect(stockFiltersOf(readStockSearch({}))).toEqual({ is_active: true })
  expect(stockFiltersOf(readStockSearch({ status: 'short', search: 'LAMP' }))).toEqual({
    ...{ is_active: true, low_stock: true, search: 'LAMP' },
  })
  expect(stockFiltersOf(readStockSearch({ status: 'needs_assembly', use: 'out' }))).toEqual({
    ...{ is_active: false, status: 'needs_assembly' },
  })
})

test('what no one can choose, but stands in the address, is left out', () => {
  expect(readStockSearch({ status: 'toString', use: 'in', search: '' })).toEqual({})
})
