import { expect, test } from 'vitest'
import type { WorkCard } from '../../lib/api/api-schema.generated.ts'
import { errandsOf } from './errands.ts'

// Only what the rule reads.
const card = (id: string, filament: string | null, status = 'pending') =>
  ({ id, filament_key: filament, status }) as WorkCard

test('equal changes of filament are one errand, where the first of them stands', () => {
  const errands = errandsOf([card('a', null), card('b', 'pla|red'), card('c', null), card('d', 'pla|red')])
  expect(errands.map(({ cards }) => cards.map(({ id }) => id))).toEqual([['a'], ['b', 'd'], ['c']])
})

test('what was started is no longer one errand with what waits', () => {
  expect(errandsOf([card('a', 'pla|red', 'in_progress'), card('b', 'pla|red')])).toHaveLength(2)
})
