import { expect, test } from 'vitest'
import { adjustmentOf } from './stock-change.ts'

test('a count books what differs from what was known', () => {
  const counted = { number: 7, reason: 'manual', notes: ' shelf 2 ' } as const
  expect(adjustmentOf('count', counted, 10)).toEqual({ adjustment: -3, reason: 'inventory_count', notes: 'shelf 2' })
  expect(adjustmentOf('count', counted, 7)).toBeUndefined()
})

test('what is added or taken off is booked with its reason', () => {
  expect(adjustmentOf('restock', { number: 5, reason: 'returned', notes: '' }, 2)).toEqual({
    ...{ adjustment: 5, reason: 'returned' },
  })
  expect(adjustmentOf('adjust', { number: -1, reason: 'damaged', notes: '' }, 2)).toEqual({
    ...{ adjustment: -1, reason: 'damaged' },
  })
})
