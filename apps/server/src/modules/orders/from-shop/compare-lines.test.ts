import { expect, test } from 'vitest'
import type { OrderItemId } from '../../../kernel/ids.ts'
import { compareLines } from './compare-lines.ts'
import type { ShopLine } from './shop-order.ts'

const line = (external_id: string, fields: Partial<ShopLine> = {}): ShopLine => ({
  ...{ external_id, sku: 'CLIP', product_name: 'Clip', quantity: 2, unit_price: 500, personalisation: [] },
  ...fields,
})
const item = (external_id: string, fields: object = {}) => ({
  // Tests name items as they like.
  id: `itm_${external_id}` as OrderItemId,
  ...{ external_id, seller_sku: 'CLIP', listing_id: '', variation: '', quantity: 2, unit_price: 500 },
  ...{ quantity_fulfilled: 0, fulfillment_status: 'pending' as const, personalisation: [], notes: '' },
  ...fields,
})

test('the same lines change nothing', () => {
  const engraved = [{ value: 'Ann', name: 'Text' }]
  const items = [item('1', { personalisation: engraved }), item('2')]
  const lines = [line('2'), line('1', { personalisation: [{ name: 'Text', value: 'Ann' }] })]
  expect(compareLines(items, lines)).toEqual({ changed: [], added: [] })
})

test('a line that is gone, or wanted no more, is cancelled; what has left stays', () => {
  const items = [item('1'), item('2'), item('3', { quantity: 5, quantity_fulfilled: 3, fulfillment_status: 'partial' })]
  const { changed } = compareLines(items, [line('2', { quantity: 0 }), line('3', { quantity: 1 })])
  expect(changed).toMatchObject([
    { id: 'itm_2', fulfillment_status: 'cancelled', quantity: 2 },
    { id: 'itm_3', fulfillment_status: 'fulfilled', quantity: 3 },
    { id: 'itm_1', fulfillment_status: 'cancelled' },
  ])
})

test('a line that comes back is open again', () => {
  const { changed } = compareLines([item('1', { fulfillment_status: 'cancelled' })], [line('1', { quantity: 4 })])
  expect(changed).toMatchObject([{ quantity: 4, fulfillment_status: 'pending' }])
})

test('lines that came another way are taken for those like them, once each, and are else left alone', () => {
  const items = [item('', { id: 'itm_a' }), item('', { id: 'itm_b' }), item('', { id: 'itm_c', seller_sku: 'OTHER' })]
  const { changed, added } = compareLines(items, [line('1'), line('2', { quantity: 3 }), line('3')])
  expect(changed).toMatchObject([
    { id: 'itm_a', external_id: '1', quantity: 2 },
    { id: 'itm_b', external_id: '2', quantity: 3 },
  ])
  expect(added).toMatchObject([{ external_id: '3' }])
})

test('what the shop tells of an erased customer is left out', () => {
  const told = line('1', { notes: 'for Ann', personalisation: [{ name: 'Text', value: 'Ann' }] })
  expect(compareLines([item('1')], [told], { isErased: true })).toEqual({ changed: [], added: [] })
})
