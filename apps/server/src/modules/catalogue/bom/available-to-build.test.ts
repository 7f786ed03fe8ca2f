import fc from 'fast-check'
import { expect, test } from 'vitest'
import { availableToBuild } from './available-to-build.ts'

const line = fc.record({
  quantity_required: fc.integer({ min: 1, max: 50 }),
  on_hand: fc.integer({ min: -20, max: 5_000 }),
})
const some = fc.array(line, { minLength: 1, maxLength: 6 })

test('what can be built is covered by every line, and one more is not', () => {
  fc.assert(
    fc.property(some, fc.array(line, { maxLength: 6 }), (children, components) => {
      const units = availableToBuild(children, components)
      const lines = [...children, ...components]
      const covers = (count: number) =>
        lines.every(({ quantity_required, on_hand }) => quantity_required * count <= Math.max(0, on_hand))
      expect(units).toBeGreaterThanOrEqual(0)
      expect([covers(units), covers(units + 1)]).toEqual([true, false])
    }),
  )
})

test('nothing is built of components alone', () => {
  expect(availableToBuild([], [])).toBe(0)
  expect(availableToBuild([], [{ quantity_required: 1, on_hand: 9 }])).toBe(0)
})
