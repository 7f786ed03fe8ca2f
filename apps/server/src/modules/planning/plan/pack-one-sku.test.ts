import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Batch, compareCosts, type PackingCost, packOneSku } from './pack-one-sku.ts'

const batch = fc.record({
  units: fc.integer({ min: 1, max: 9 }),
  plateSeconds: fc.integer({ min: 1, max: 30 }),
  rank: fc.nat(2),
})
const batches = fc.uniqueArray(batch, { minLength: 1, maxLength: 4, selector: ({ units }) => units })

/** Every way to print, by trying each number of plates of each batch. */
function tryEverything(units: number, [first, ...rest]: readonly Batch[]): PackingCost {
  if (!first) return { uncovered: Math.max(0, units), plates: 0, surplus: Math.max(0, -units), seconds: 0, rank: 0 }
  let best: PackingCost | undefined
  for (let plates = 0; plates <= Math.max(0, Math.ceil(units / first.units)); plates += 1) {
    const others = tryEverything(units - plates * first.units, rest)
    const cost = {
      ...others,
      plates: others.plates + plates,
      seconds: others.seconds + plates * first.plateSeconds,
      rank: others.rank + plates * first.rank,
    }
    if (!best || compareCosts(cost, best) < 0) best = cost
  }
  return best!
}

describe('plates for one SKU', () => {
  test('are the best that trying everything finds: plates, then surplus, then time, then rank', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32 }), batches, (units, its) => {
        expect(packOneSku(units, its).cost).toEqual(tryEverything(units, its))
      }),
      { numRuns: 1_000 },
    )
  })

  test('are as good for a million units as for the same units less many of the largest batch', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), batches, (units, its) => {
        const largest = its.reduce((a, b) => (b.units > a.units ? b : a))
        // All that is not the largest batch fits into as many plates as the slack has units.
        const bulk = Math.max(0, Math.floor(units / largest.units) - largest.units)
        const rest = packOneSku(units - bulk * largest.units, its).cost
        expect(packOneSku(units, its).cost).toEqual({
          ...rest,
          plates: rest.plates + bulk,
          seconds: rest.seconds + bulk * largest.plateSeconds,
          rank: rest.rank + bulk * largest.rank,
        })
      }),
    )
  })

  test('are the plates that the cost counts', () => {
    fc.assert(
      fc.property(fc.nat(500), batches, (units, its) => {
        const { plates, cost } = packOneSku(units, its)
        const made = plates.reduce((sum, { batch, count }) => sum + batch.units * count, 0)
        expect(made).toBe(units + cost.surplus)
        expect(plates.reduce((sum, { count }) => sum + count, 0)).toBe(cost.plates)
      }),
    )
  })

  test('of batches of thousands the largest are the fewest, and the last plate is as small as it can be', () => {
    const its = [2_000, 1_500, 700].map((units) => ({ units, plateSeconds: 1, rank: 0 }))
    const { plates, cost } = packOneSku(1_000_600, its)
    expect(cost).toMatchObject({ plates: 501, surplus: 100 })
    expect(plates.map(({ batch, count }) => [batch.units, count])).toEqual([
      [2_000, 500],
      [700, 1],
    ])
  })

  test('without a batch size nothing is covered', () => {
    expect(packOneSku(5, []).cost.uncovered).toBe(5)
  })
})
