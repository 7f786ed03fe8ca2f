import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SkuId } from '../../../kernel/ids.ts'
import { planFulfilment } from './fulfilment-plan.ts'

const skuIds = ['a', 'b', 'c'] as SkuId[]
const sku = fc.constantFrom(...skuIds)
const line = fc
  .record({
    product_sku_id: sku,
    quantity: fc.integer({ min: 1, max: 20 }),
    pack_size: fc.integer({ min: 1, max: 4 }),
    part: fc.nat({ max: 20 }),
  })
  .map(({ part, ...rest }) => ({ ...rest, quantity_fulfilled: Math.min(part, rest.quantity) }))
const lines = fc.array(line, { maxLength: 10 })
const stock = fc.array(fc.tuple(sku, fc.integer({ min: -5, max: 40 }))).map((entries) => new Map(entries))

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

test('the first lines are served first, and the one that meets the end of the stock in part', () => {
  const wanted = [4, 4, 4].map((quantity) => ({
    product_sku_id: 'a' as SkuId,
    quantity,
    pack_size: 1,
    quantity_fulfilled: 1,
  }))
  const plan = planFulfilment(wanted, new Map([['a', 5]]))
  expect(plan.map(({ needed, taken }) => [needed, taken])).toEqual([
    [3, 3],
    [3, 2],
    [3, 0],
  ])
})

test('a line takes what is held for it before what is free, and nothing that is held for another', () => {
  const line = { product_sku_id: 'a' as SkuId, quantity: 3, pack_size: 1, quantity_fulfilled: 0 }
  const named = { ...line, held: 1, takesHeldOnly: true }
  const plan = planFulfilment([named, { ...line, held: 2 }, line], new Map([['a', 2]]))
  expect(plan.map(({ taken }) => taken)).toEqual([1, 3, 1])
})

test('no line takes more than it needs, nor less than nothing', () => {
  fc.assert(
    fc.property(lines, stock, (wanted, ready) => {
      for (const { item, needed, taken } of planFulfilment(wanted, ready)) {
        expect(needed).toBe((item.quantity - item.quantity_fulfilled) * item.pack_size)
        expect(taken % item.pack_size).toBe(0)
        expect(taken).toBeGreaterThanOrEqual(0)
        expect(taken).toBeLessThanOrEqual(needed)
      }
    }),
  )
})

test('of each SKU all that is needed or all that is there is taken, whichever is less, where packs are single units', () => {
  const singles = lines.map((all) => all.map((each) => ({ ...each, pack_size: 1 })))
  fc.assert(
    fc.property(singles, stock, (wanted, ready) => {
      const plan = planFulfilment(wanted, ready)
      for (const id of skuIds) {
        const its = plan.filter(({ item }) => item.product_sku_id === id)
        const there = Math.max(0, ready.get(id) ?? 0)
        expect(sum(its.map(({ taken }) => taken))).toBe(Math.min(there, sum(its.map(({ needed }) => needed))))
      }
    }),
  )
})

test('no more is taken of a SKU than is there, and no line is left open for which a pack is left', () => {
  fc.assert(
    fc.property(lines, stock, (wanted, ready) => {
      const plan = planFulfilment(wanted, ready)
      for (const id of skuIds) {
        const its = plan.filter(({ item }) => item.product_sku_id === id)
        const left = Math.max(0, ready.get(id) ?? 0) - sum(its.map(({ taken }) => taken))
        expect(left).toBeGreaterThanOrEqual(0)
        for (const { item, needed, taken } of its) if (taken < needed) expect(left).toBeLessThan(item.pack_size)
      }
    }),
  )
})

test('a line that stands for no SKU takes nothing', () => {
  const unmapped = { product_sku_id: null, quantity: 2, pack_size: 3, quantity_fulfilled: 0 }
  expect(planFulfilment([unmapped], new Map([['a', 9]]))).toEqual([{ item: unmapped, needed: 6, taken: 0 }])
})
