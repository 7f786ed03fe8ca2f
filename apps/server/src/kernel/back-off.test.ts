import { expect, test } from 'vitest'
import { backOffMs } from './back-off.ts'

test('a pause doubles with each failure in a row, up to the longest one', () => {
  const limits = { firstMs: 5_000, longestMs: 60_000 }
  const pauses = [0, 1, 2, 3, 4, 5, 5_000].map((failures) => backOffMs(failures, limits))
  expect(pauses).toEqual([5_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
})
