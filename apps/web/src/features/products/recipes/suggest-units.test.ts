import { expect, test } from 'vitest'
import { suggestUnits } from './suggest-units.ts'

test('what was entered for a file goes before the objects that its slicer named', () => {
  expect(suggestUnits({ number_of_units: 6, object_count: 4 }, 0)).toBe(6)
  expect(suggestUnits({ number_of_units: 1, object_count: 4 }, 0)).toBe(4)
  expect(suggestUnits({ number_of_units: 1, object_count: null }, 0)).toBe(1)
})

test('what a plate also makes is taken off, and one is left', () => {
  expect(suggestUnits({ number_of_units: 1, object_count: 4 }, 1)).toBe(3)
  expect(suggestUnits({ number_of_units: 1, object_count: 2 }, 5)).toBe(1)
})
