import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fractionPrinted, layerAt, shownProgress } from './print-progress.ts'

/** The parts of the printing time that each layer takes, found by looking closely. */
function layerShares(layerCount: number, seed: number): number[] {
  const looks = 100_000
  const counts = new Array<number>(layerCount).fill(0)
  for (let look = 0; look < looks; look++) {
    const layer = layerAt(look / looks, layerCount, seed)
    counts[layer - 1] = (counts[layer - 1] ?? 0) + 1
  }
  return counts.map((count) => count / looks)
}

test('the first layer is the slowest and no two neighbours are of the same length', () => {
  const shares = layerShares(40, 7)
  const [first, ...others] = shares
  expect(first).toBeGreaterThan(Math.max(...others))
  expect(Math.max(...others) / Math.min(...others)).toBeGreaterThan(1.3)
  expect(Math.min(...others)).toBeGreaterThan(0)
})

test('layers only ever go up, from 1 to the last, whatever the print', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20_000 }),
      fc.nat(),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 }),
      (layerCount, seed, fractions) => {
        const layers = fractions.sort((a, b) => a - b).map((fraction) => layerAt(fraction, layerCount, seed))
        expect(layers).toEqual([...layers].sort((a, b) => a - b))
        expect(layers[0]).toBeGreaterThanOrEqual(1)
        expect(layerAt(1, layerCount, seed)).toBe(layerCount)
        expect(layers.at(-1)).toBeLessThanOrEqual(layerCount)
      },
    ),
  )
})

test('progress shows 1 only when the print is done', () => {
  expect(shownProgress(fractionPrinted(99.9999, 100))).toBe(0.9999)
  expect(shownProgress(fractionPrinted(100, 100))).toBe(1)
  expect(fractionPrinted(500, 100)).toBe(1)
})
