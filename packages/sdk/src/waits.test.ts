import { expect, test } from 'vitest'
import { backoffMs, readRetryAfter } from './waits.ts'

test('waits double up to the longest, and chance takes at most half of them', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 50, 5_000].map((failures) => backoffMs(failures, 30_000, () => 1))).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
  expect(backoffMs(6, 30_000, () => 0)).toBe(15_000)
})

const now = Date.parse('2026-11-20T09:30:00Z')

test.each([
  ['30', 30],
  [' 17 ', 17],
  ['0', 0],
  ['Fri, 20 Nov 2026 09:31:00 GMT', 60],
  ['Fri, 20 Nov 2026 09:29:00 GMT', 0],
])('Retry-After "%s" asks for %d seconds', (header, seconds) => {
  expect(readRetryAfter(header, now)).toBe(seconds)
})

test.each([null, '', 'soon'])('Retry-After "%s" names no time', (header) => {
  expect(readRetryAfter(header, now)).toBeNull()
})
