import { expect, test } from 'vitest'
import { median } from './statistics.ts'

test('the median is the value in the middle, whatever the order', () => {
  expect(median([30, 10, 20])).toBe(20)
  expect(median([7])).toBe(7)
})

test('the median of an even number of values is the mean of the two in the middle', () => {
  expect(median([4, 1, 100, 2])).toBe(3)
})

test('there is no median of nothing', () => {
  expect(median([])).toBeNaN()
})
