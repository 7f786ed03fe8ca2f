import { expect, test } from 'vitest'
import { settleUsage } from './settle-usage.ts'

test.each([
  [1_000, 250, 1_250, 'took'],
  [1_000, 250, 1_000, 'missed'],
  [1_000, 250, 1_500, 'unclear'],
  [1_000, 250, 900, 'unclear'],
  [0, 1, 1, 'took'],
])('a spool used %d mg, told of %d mg and now used %d mg: %s', (from, milligrams, usedNow, outcome) => {
  expect(settleUsage({ from, milligrams }, usedNow)).toBe(outcome)
})
