import { expect, test } from 'vitest'
import { leastPlates } from './least-plates.ts'

const recipe = (outputs: Record<string, number>) => ({
  name: 'plate',
  model: 'MK4S',
  printSeconds: 60,
  outputs: Object.entries(outputs).map(([code, units]) => ({ code, units })),
})
const recipes = [recipe({ A: 1 }), recipe({ A: 4 }), recipe({ B: 1 }), recipe({ C: 1 }), recipe({ B: 3, C: 3 })]
const least = (units: Record<string, number>) => leastPlates(new Map(Object.entries(units)), recipes)

test('the largest batch makes what it can, and a mixed plate counts for both of its SKUs', () => {
  expect(least({})).toBe(0)
  expect(least({ A: 9 })).toBe(3)
  expect(least({ B: 3, C: 2 })).toBe(1)
  expect(least({ B: 7, C: 1 })).toBe(3)
  expect(least({ A: 1, B: 1 })).toBe(2)
})
