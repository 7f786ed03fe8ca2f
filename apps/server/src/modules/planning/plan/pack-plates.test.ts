import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SkuId } from '../../../kernel/ids.ts'
import { recipeFact, sku } from '../../../test/farm/plan-facts.ts'
import type { RecipeFact } from './facts.ts'
import { type PlateCounts, packPlates } from './pack-plates.ts'
import { patternsFor, patternsOf } from './patterns.ts'

const ids = ['a', 'b', 'c'].map(sku)
const few = fc.integer({ min: 1, max: 4 })
const names = fc.constantFrom('a', 'b', 'c')
const singles = fc.array(fc.record({ id: names, units: few }), { maxLength: 4 })
const mixed = fc.array(fc.dictionary(names, few, { minKeys: 2, maxKeys: 3 }), { maxLength: 3 })
const needs = fc
  .tuple(...ids.map(() => fc.nat(9)))
  .map((units) => new Map(ids.map((id, index) => [id, units[index]!] as const).filter(([, count]) => count > 0)))

const singleRecipes = (list: readonly { id: string; units: number }[]) =>
  list.map(({ id, units }, index) => recipeFact(`one${index}`, { [id]: units }))
const mixedRecipes = (list: readonly Record<string, number>[]) =>
  list.map((outputs, index) => recipeFact(`mix${index}`, outputs))

const plateTotal = (counts: PlateCounts) => [...counts.values()].reduce((sum, count) => sum + count, 0)

function madeOf(counts: PlateCounts, skuId: SkuId): number {
  const made = [...counts].map(
    ([{ outputs }, count]) => count * (outputs.find((output) => output.skuId === skuId)?.units ?? 0),
  )
  return made.reduce((sum, units) => sum + units, 0)
}

const surplusOf = (counts: PlateCounts, wanted: ReadonlyMap<SkuId, number>) =>
  ids.reduce((sum, id) => sum + madeOf(counts, id) - (wanted.get(id) ?? 0), 0)

/** The fewest plates and the least surplus, by trying every number of plates of every pattern. */
function tryEverything(
  wanted: ReadonlyMap<SkuId, number>,
  recipes: readonly RecipeFact[],
): [number, number] | undefined {
  const patterns = patternsFor(ids, patternsOf(recipes)).map(({ outputs }) => outputs)
  let best: [number, number] | undefined
  function walk(index: number, plates: number, left: ReadonlyMap<SkuId, number>): void {
    if ([...left.values()].every((units) => units <= 0)) {
      const surplus = [...left.values()].reduce((sum, units) => sum - units, 0)
      if (!best || plates < best[0] || (plates === best[0] && surplus < best[1])) best = [plates, surplus]
    }
    const outputs = patterns[index]
    if (!outputs || (best && plates > best[0])) return
    const next = new Map(left)
    for (let count = 0; count <= 9; count += 1) {
      walk(index + 1, plates + count, next)
      for (const { skuId, units } of outputs) next.set(skuId, (next.get(skuId) ?? 0) - units)
    }
  }
  walk(0, 0, wanted)
  return best
}

describe('plates for several SKUs', () => {
  test('make everything that a recipe makes', () => {
    fc.assert(
      fc.property(needs, singles, mixed, (wanted, one, many) => {
        const recipes = [...singleRecipes(one), ...mixedRecipes(many)]
        const counts = packPlates(wanted, patternsOf(recipes))
        for (const [skuId, units] of wanted) {
          if (!recipes.some(({ outputs }) => outputs.some((output) => output.skuId === skuId))) continue
          expect(madeOf(counts, skuId)).toBeGreaterThanOrEqual(units)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('are the best that trying everything finds, as long as there are few choices', () => {
    fc.assert(
      fc.property(needs, singles, mixed, (wanted, one, many) => {
        const recipes = [...singleRecipes(one), ...mixedRecipes(many)]
        const best = tryEverything(wanted, recipes)
        fc.pre(best !== undefined)
        const counts = packPlates(wanted, patternsOf(recipes))
        expect([plateTotal(counts), surplusOf(counts, wanted)]).toEqual(best)
      }),
      { numRuns: 300 },
    )
  })

  test('are never worse than without mixed plates, however many choices there are', () => {
    const many = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(fc.tuple(many, many, many), singles, mixed, (units, one, more) => {
        const wanted = new Map(ids.map((id, index) => [id, units[index]!]))
        const recipes = singleRecipes([...one, ...ids.map((id) => ({ id, units: 2 }))])
        const without = packPlates(wanted, patternsOf(recipes))
        const counts = packPlates(wanted, patternsOf([...recipes, ...mixedRecipes(more)]))
        for (const id of ids) expect(madeOf(counts, id)).toBeGreaterThanOrEqual(wanted.get(id)!)
        expect(plateTotal(counts)).toBeLessThanOrEqual(plateTotal(without))
        if (plateTotal(counts) < plateTotal(without)) return
        expect(surplusOf(counts, wanted)).toBeLessThanOrEqual(surplusOf(without, wanted))
      }),
      { numRuns: 100 },
    )
  })

  test('are mixed where that saves plates, and not where it only makes more', () => {
    const recipes = [recipeFact('a', { a: 4 }), recipeFact('b', { b: 4 }), recipeFact('mix', { a: 2, b: 2 })]
    const told = (units: Record<string, number>) => {
      const wanted = new Map(Object.entries(units).map(([id, count]) => [sku(id), count]))
      return Object.fromEntries(
        [...packPlates(wanted, patternsOf(recipes))].map(([{ recipeIds }, count]) => [recipeIds[0], count]),
      )
    }
    expect(told({ a: 2, b: 2 })).toEqual({ mix: 1 })
    expect(told({ a: 6, b: 2 })).toEqual({ a: 1, mix: 1 })
    expect(told({ a: 4 })).toEqual({ a: 1 })
  })

  test('that only a mixed plate makes are found where the choices are too many to try', () => {
    const recipes = [recipeFact('mix', { a: 1, b: 3 }), recipeFact('other', { b: 5, c: 2 })]
    const wanted = new Map([sku('a'), sku('b'), sku('c')].map((id) => [id, 700_000]))
    const counts = packPlates(wanted, patternsOf(recipes))
    expect(plateTotal(counts)).toBe(1_050_000)
  })

  test('cover a thousand SKUs that only mixed plates make, though the search ends before it has seen them all', () => {
    const recipes = Array.from({ length: 999 }, (_, index) =>
      recipeFact(`mix${index}`, { [`x${index}`]: 1, [`x${index + 1}`]: 2 }),
    )
    const wanted = new Map(Array.from({ length: 1_000 }, (_, index) => [sku(`x${index}`), 3 + (index % 5)]))
    const counts = packPlates(wanted, patternsOf(recipes))
    for (const [skuId, units] of wanted) expect(madeOf(counts, skuId)).toBeGreaterThanOrEqual(units)
  })
})
