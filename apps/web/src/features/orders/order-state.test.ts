import { expect, test } from 'vitest'
import { dueState, isOpen, placeOf } from './order-state.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

test.each([
  ['pending', '2026-11-20T11:59:00Z', 'late'],
  ['assembled', '2026-11-20T11:59:00Z', 'late'],
  ['processing', '2026-11-21T11:59:00Z', 'soon'],
  ['pending', '2026-11-21T12:00:00Z', undefined],
  ['pending', null, undefined],
  ['shipped', '2026-11-01T00:00:00Z', undefined],
  ['fulfilled', '2026-11-01T00:00:00Z', undefined],
  ['cancelled', '2026-11-01T00:00:00Z', undefined],
] as const)('an order that is %s and to be shipped by %s is %s', (status, ship_by, state) => {
  expect(dueState({ status, ship_by }, now)).toBe(state)
})

test('what was cancelled, refunded or has left is not open', () => {
  const open = (['pending', 'processing', 'printed', 'assembled'] as const).map(isOpen)
  const over = (['shipped', 'fulfilled', 'cancelled', 'refunded'] as const).map(isOpen)
  expect([open, over]).toEqual([Array(4).fill(true), Array(4).fill(false)])
})

test('the name of a shop stands behind its platform where there are several', () => {
  expect(placeOf({ platform: 'etsy', shop: '' })).toBe('Etsy')
  expect(placeOf({ platform: 'woocommerce', shop: 'Outlet' })).toBe('WooCommerce, Outlet')
})
