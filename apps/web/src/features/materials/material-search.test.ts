import { expect, test } from 'vitest'
import { materialFiltersOf, readMaterialSearch } from './material-search.ts'

test('the address says which materials are meant; without it spools, whatever their state', () => {
  expect(readMaterialSearch({ kind: 'filament' })).toEqual({})
  expect(readMaterialSearch({ kind: 'parts', status: 'low' })).toEqual({ kind: 'parts', status: 'low' })
  expect(readMaterialSearch({ tab: 'forecast', kind: 'parts' })).toEqual({ tab: 'forecast' })
  expect(materialFiltersOf({})).toEqual({})
  expect(materialFiltersOf({ status: 'short' })).toEqual({ low_stock: true })
  expect(materialFiltersOf({ status: 'low' })).toEqual({ status: 'low' })
})

test('what no one can choose, but stands in the address, is left out', () => {
  expect(readMaterialSearch({ kind: 'screws', status: 'toString' })).toEqual({})
})
