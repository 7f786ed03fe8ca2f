import { expect, test } from 'vitest'
import { filamentLevel, materialStatus } from './material-status.ts'

test('nothing left is out of stock, whatever the threshold', () => {
  expect(materialStatus({ remaining: 0, low_threshold: 0 })).toBe('out_of_stock')
  expect(materialStatus({ remaining: 0, low_threshold: 5 })).toBe('out_of_stock')
})

test('at the threshold a material is low, above it in stock', () => {
  expect(materialStatus({ remaining: 5, low_threshold: 5 })).toBe('low')
  expect(materialStatus({ remaining: 6, low_threshold: 5 })).toBe('in_stock')
})

test('a spool is as full as it weighs, never more than full, and unknown without the weight of a full one', () => {
  expect(filamentLevel({ remaining: 333_000, spool_weight: 1_000_000 })).toBe(33.3)
  expect(filamentLevel({ remaining: 1_200_000, spool_weight: 1_000_000 })).toBe(100)
  expect(filamentLevel({ remaining: 1, spool_weight: null })).toBeNull()
})
