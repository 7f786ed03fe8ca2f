import { expect, test } from 'vitest'
import { readDuration } from './duration.ts'

test.each([
  ['45s', 45_000],
  ['30m', 1_800_000],
  ['12h', 43_200_000],
  ['90d', 7_776_000_000],
  ['3650d', 315_360_000_000],
])('%s is %d ms', (text, ms) => {
  expect(readDuration(text)).toBe(ms)
})

test.each(['', '0d', '90', 'd', '1.5h', '-1d', '1w', '90 d', '90D', '3651d', '9999999999s', '1d1h'])(
  '"%s" is not taken for a duration',
  (text) => {
    expect(readDuration(text)).toBeUndefined()
  },
)
