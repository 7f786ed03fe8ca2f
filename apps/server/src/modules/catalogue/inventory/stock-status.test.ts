import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stockStatus } from './stock-status.ts'

const quantity = fc.integer({ min: -1000, max: 1000 })
const atLeastOne = fc.integer({ min: 1, max: 1000 })
const threshold = fc.integer({ min: 0, max: 1000 })

const statusOf = (ready: number, needsAssembly: number, low: number) =>
  stockStatus({ ready_stock: ready, quantity_needs_assembly: needsAssembly, low_stock_threshold: low })

test('an item of which nothing is there is out of stock, whatever its threshold', () => {
  const atMostZero = fc.integer({ min: -1000, max: 0 })
  fc.assert(
    fc.property(atMostZero, atMostZero, threshold, (ready, needsAssembly, low) => {
      expect(statusOf(ready, needsAssembly, low)).toBe('out_of_stock')
    }),
  )
})

test('pieces that wait for assembly are said before anything about the ready stock', () => {
  fc.assert(
    fc.property(quantity, atLeastOne, threshold, (ready, needsAssembly, low) => {
      expect(statusOf(ready, needsAssembly, low)).toBe('needs_assembly')
    }),
  )
})

test('with nothing to assemble, stock is low up to and including the threshold, and in stock from one above it', () => {
  fc.assert(
    fc.property(atLeastOne, threshold, (ready, above) => {
      expect(statusOf(ready, 0, ready + above)).toBe('low_stock')
      expect(statusOf(ready + above, 0, ready - 1)).toBe('in_stock')
    }),
  )
})

test('neither a piece more nor a lower threshold makes an item worse', () => {
  const rank = { out_of_stock: 0, low_stock: 1, in_stock: 2, needs_assembly: 3 }
  fc.assert(
    fc.property(quantity, quantity, atLeastOne, (ready, needsAssembly, low) => {
      const before = rank[statusOf(ready, needsAssembly, low)]
      expect(rank[statusOf(ready + 1, needsAssembly, low)]).toBeGreaterThanOrEqual(before)
      expect(rank[statusOf(ready, needsAssembly, low - 1)]).toBeGreaterThanOrEqual(before)
    }),
  )
})
