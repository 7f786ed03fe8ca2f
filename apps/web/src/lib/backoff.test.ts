import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test('waits double up to half a minute, and chance takes at most half of them', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ])
  expect(backoffMs(5, () => 0)).toBe(15_000)
})
