import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EndedPrint, portionsOf, spread, usedMilligrams } from './printed-usage.ts'

const failed: EndedPrint = {
  isDone: false,
  plateGrams: 12.345,
  plateSeconds: 1_000,
  progress: null,
  printedSeconds: 250,
}
const used = (print: Partial<EndedPrint>) => usedMilligrams({ ...failed, ...print })

test('a whole plate takes what its slicer said', () => {
  expect(used({ isDone: true, printedSeconds: 1 })).toBe(12_345)
})

test('a print that failed took its share by the progress that was shown, else by time', () => {
  expect(used({ progress: 40 })).toBe(4_938)
  expect(used({})).toBe(3_086)
})

test('a share is never less than nothing nor more than a plate', () => {
  expect(used({ printedSeconds: 5_000 })).toBe(12_345)
  expect(used({ progress: -1 })).toBe(0)
})

test('what is not known is not booked', () => {
  expect(used({ printedSeconds: null, progress: 40 })).toBe(0)
  expect(used({ plateSeconds: null })).toBe(0)
  expect(used({ isDone: true, plateGrams: null })).toBe(0)
})

describe('what a plate took', () => {
  const filaments = [
    { index: 0, grams: 9 },
    { index: 2, grams: 3 },
  ]
  const map = [
    { filament: 0, slot: 254 },
    { filament: 2, slot: 0 },
  ]

  test('is taken from one spool where the printer was told nothing', () => {
    expect(portionsOf(1_200, null, filaments)).toEqual([{ slot: null, milligrams: 1_200 }])
  })

  test('is divided as the file says, also of a print that ended early', () => {
    expect(portionsOf(1_200, map, filaments)).toEqual([
      { slot: 254, milligrams: 900 },
      { slot: 0, milligrams: 300 },
    ])
  })

  test('is divided equally where the file does not say it', () => {
    expect(portionsOf(1_200, map, []).map(({ milligrams }) => milligrams)).toEqual([600, 600])
  })

  test('of two filaments from one slot is one portion', () => {
    const one = map.map(({ filament }) => ({ filament, slot: 3 }))
    expect(portionsOf(1_200, one, filaments)).toEqual([{ slot: 3, milligrams: 1_200 }])
  })
})

test('what is divided adds up to the whole, and no part is further than a milligram from its share', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 10_000_000 }),
      fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 16 }),
      (whole, weights) => {
        const sum = weights.reduce((total, weight) => total + weight, 0)
        const parts = spread(whole, weights)
        expect(parts.reduce((total, part) => total + part, 0)).toBe(whole)
        for (const [at, part] of parts.entries()) {
          expect(Math.abs(part - (whole * (weights[at] ?? 0)) / sum)).toBeLessThanOrEqual(1)
        }
      },
    ),
  )
})
