import { expect, test } from 'vitest'
import { median, percentile } from './statistics.ts'

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

test('a percentile is the smallest value that so many do not exceed', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index)
  expect(percentile(values, 99)).toBe(198)
  expect(percentile([5, 3], 50)).toBe(3)
  expect(percentile([4], 99)).toBe(4)
  expect(percentile([], 99)).toBeNaN()
})
