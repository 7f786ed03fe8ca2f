import { expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')

it.each([
  ['17', 17_000],
  [' 17 ', 17_000],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['0', 1000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 1000],
  ['86400', 120_000],
])('Retry-After "%s" waits %d ms', (header, waitMs) => {
  expect(parseRetryAfter(header, now)).toBe(waitMs)
})

it.each([null, '', 'later'])('Retry-After "%s" names no time', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined()
})
