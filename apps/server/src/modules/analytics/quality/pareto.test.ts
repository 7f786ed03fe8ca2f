import { expect, test } from 'vitest'
import { paretoOf, percentOf } from './pareto.ts'

test('what costs the most units comes first, with its share and that of all before it', () => {
  const losses = [
    { reason: 'clog', count: 1, units_lost: 2 },
    { reason: 'spaghetti', count: 2, units_lost: 6 },
    { reason: 'never', count: 0, units_lost: 0 },
    { reason: 'adhesion', count: 3, units_lost: 2 },
  ]
  expect(paretoOf(losses)).toEqual([
    { reason: 'spaghetti', count: 2, units_lost: 6, share: 60, cumulative_share: 60 },
    { reason: 'adhesion', count: 3, units_lost: 2, share: 20, cumulative_share: 80 },
    { reason: 'clog', count: 1, units_lost: 2, share: 20, cumulative_share: 100 },
  ])
})

test('plates of no units have no share', () => {
  expect(paretoOf([{ reason: 'clog', count: 1, units_lost: 0 }])).toEqual([
    { reason: 'clog', count: 1, units_lost: 0, share: 0, cumulative_share: 0 },
  ])
  expect(percentOf(1, 3)).toBe(33.3)
})
