import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canSetStatus,
  isEnded,
  itemStatus,
  type OrderStatus,
  orderStatus,
  orderStatuses,
  statusesByHand,
} from './order-status.ts'

const pending = { quantity_fulfilled: 0, fulfillment_status: 'pending' } as const
const partial = { quantity_fulfilled: 1, fulfillment_status: 'partial' } as const
const fulfilled = { quantity_fulfilled: 2, fulfillment_status: 'fulfilled' } as const
const cancelled = { quantity_fulfilled: 0, fulfillment_status: 'cancelled' } as const

const anyStatus = fc.constantFrom(...orderStatuses)
const open: OrderStatus[] = ['pending', 'processing', 'printed', 'assembled', 'shipped']
const openStatus = fc.constantFrom(...open)
const items = fc.array(fc.constantFrom(pending, partial, fulfilled, cancelled), { minLength: 1, maxLength: 6 })

test('an item is pending, then partial, then fulfilled, and nothing in between', () => {
  expect([0, 1, 2, 3].map((taken) => itemStatus({ quantity: 3, quantity_fulfilled: taken }))).toEqual([
    'pending',
    'partial',
    'partial',
    'fulfilled',
  ])
})

describe('the status of an order', () => {
  test.each([
    ['pending', [pending, pending], 'pending'],
    ['pending', [partial, pending], 'processing'],
    ['pending', [fulfilled, pending], 'processing'],
    ['assembled', [fulfilled, pending], 'assembled'],
    ['shipped', [fulfilled, partial], 'shipped'],
    ['printed', [fulfilled, fulfilled], 'fulfilled'],
    ['pending', [fulfilled, cancelled], 'fulfilled'],
    ['pending', [pending, cancelled], 'pending'],
    ['processing', [cancelled, cancelled], 'cancelled'],
    ['refunded', [fulfilled, fulfilled], 'refunded'],
    ['cancelled', [fulfilled, pending], 'cancelled'],
  ] as const)('%s with the items %j is %s', (present, its, status) => {
    expect(orderStatus(present, its)).toBe(status)
  })

  test('asked again it says the same', () => {
    fc.assert(
      fc.property(anyStatus, items, (present, its) => {
        const once = orderStatus(present, its)
        expect(orderStatus(once, its)).toBe(once)
      }),
    )
  })

  test('an open order is fulfilled exactly when each item that is still wanted is', () => {
    fc.assert(
      fc.property(openStatus, items, (present, its) => {
        const wanted = its.filter((item) => item !== cancelled)
        const isFulfilled = wanted.length > 0 && wanted.every((item) => item === fulfilled)
        expect(orderStatus(present, its) === 'fulfilled').toBe(isFulfilled)
      }),
    )
  })

  test('what has ended stays ended, whatever its items say', () => {
    fc.assert(
      fc.property(fc.constantFrom<OrderStatus>('cancelled', 'refunded'), items, (present, its) => {
        expect(orderStatus(present, its)).toBe(present)
      }),
    )
  })
})

describe('by hand', () => {
  test('an open order moves to any status that people set', () => {
    for (const from of open) for (const to of statusesByHand) expect(canSetStatus(from, to)).toBe(true)
  })

  test('what is fulfilled, cancelled or refunded can only be refunded', () => {
    const from: OrderStatus[] = ['fulfilled', 'cancelled', 'refunded']
    const possible = from.map((status) => statusesByHand.filter((to) => canSetStatus(status, to)))
    expect(possible).toEqual([['refunded'], ['refunded'], ['refunded']])
  })

  test('cancelled and refunded are the ends', () => {
    expect(orderStatuses.filter(isEnded)).toEqual(['cancelled', 'refunded'])
  })
})
