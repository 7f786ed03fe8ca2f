import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beyond, firstBeyond, oneEach, plus, type Steps, times, valueAt } from './steps.ts'

/** The same, written down unit by unit: the value for 1, 2, … units. */
interface Written {
  steps: Steps
  values: number[]
}

const length = 40
const counted = (value: (n: number) => number) => Array.from({ length }, (_, index) => value(index + 1))

const anySteps: fc.Arbitrary<Written> = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constant({ steps: oneEach, values: counted((n) => n) }),
    fc.tuple(tie('written'), fc.nat(60)).map(([{ steps, values }, covered]) => ({
      steps: beyond(steps, covered),
      values: values.map((value) => Math.max(0, value - covered)),
    })),
    fc.tuple(tie('written'), fc.integer({ min: 1, max: 4 })).map(([{ steps, values }, factor]) => ({
      steps: times(steps, factor),
      values: values.map((value) => value * factor),
    })),
    fc.tuple(tie('written'), tie('written')).map(([a, b]) => ({
      steps: plus(a.steps, b.steps),
      values: a.values.map((value, index) => value + b.values[index]!),
    })),
  ),
})).written

test('covering, multiplying and adding give what counting unit by unit gives', () => {
  fc.assert(
    fc.property(anySteps, ({ steps, values }) => {
      expect(counted((n) => valueAt(steps, n))).toEqual(values)
    }),
    { numRuns: 500 },
  )
})

test('the first unit beyond a limit is the one that counting finds', () => {
  fc.assert(
    fc.property(anySteps, fc.nat(80), ({ steps, values }, limit) => {
      const first = values.findIndex((value) => value > limit)
      const found = firstBeyond(steps, limit)
      if (first >= 0) expect(found).toBe(first + 1)
      else expect(found).toBeGreaterThan(length)
    }),
    { numRuns: 500 },
  )
})

test('needs beyond every farm stay finite', () => {
  let steps = oneEach
  for (let level = 0; level < 200; level += 1) steps = plus(times(beyond(steps, 3), 2_000), oneEach)
  expect(Number.isFinite(valueAt(steps, 1_000_000))).toBe(true)
  expect(firstBeyond(steps, 1e12)).toBeLessThan(10)
})
