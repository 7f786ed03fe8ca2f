import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SkuId } from '../../kernel/ids.ts'
import { planFulfilment } from './fulfilment-plan.ts'

const skuIds = ['a', 'b', 'c'] as SkuId[]
const sku = fc.constantFrom(...skuIds)
const line = fc
  .record({ product_sku_id: sku, quantity: fc.integer({ min: 1, max: 20 }), part: fc.nat({ max: 20 }) })
  .map(({ part, ...rest }) => ({ ...rest, quantity_fulfilled: Math.min(part, rest.quantity) }))
const lines = fc.array(line, { maxLength: 10 })
const stock = fc.array(fc.tuple(sku, fc.integer({ min: -5, max: 40 }))).map((entries) => new Map(entries))

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

test('the first lines are served first, and the one that meets the end of the stock in part', () => {
  const wanted = [4, 4, 4].map((quantity) => ({ product_sku_id: 'a' as SkuId, quantity, quantity_fulfilled: 1 }))
  const plan = planFulfilment(wanted, new Map([['a', 5]]))
  expect(plan.map(({ needed, taken }) => [needed, taken])).toEqual([
    [3, 3],
    [3, 2],
    [3, 0],
  ])
})

test('no line takes more than it needs, nor less than nothing', () => {
  fc.assert(
    fc.property(lines, stock, (wanted, ready) => {
      for (const { item, needed, taken } of planFulfilment(wanted, ready)) {
        expect(needed).toBe(item.quantity - item.quantity_fulfilled)
        expect(taken).toBeGreaterThanOrEqual(0)
        expect(taken).toBeLessThanOrEqual(needed)
      }
    }),
  )
})

test('of each SKU all that is needed or all that is there is taken, whichever is less', () => {
  fc.assert(
    fc.property(lines, stock, (wanted, ready) => {
      const plan = planFulfilment(wanted, ready)
      for (const id of skuIds) {
        const its = plan.filter(({ item }) => item.product_sku_id === id)
        const there = Math.max(0, ready.get(id) ?? 0)
        expect(sum(its.map(({ taken }) => taken))).toBe(Math.min(there, sum(its.map(({ needed }) => needed))))
      }
    }),
  )
})
