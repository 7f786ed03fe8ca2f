import { expect, test } from 'vitest'
import type { OrderDetails } from '../../../lib/api/api-schema.generated.ts'
import { unmappedGroups } from './unmapped-groups.ts'

type Item = OrderDetails['items'][number]

const item = (id: string, more: Partial<Item> = {}): Item => ({
  id,
  state: 'unmapped',
  product_sku_id: null,
  sku: '',
  product_name: 'Cable clip',
  seller_sku: '',
  listing_id: '',
  variation: '',
  listing_map_id: null,
  quantity: 1,
  pack_size: 1,
  units: 1,
  units_fulfilled: 0,
  fulfillment_status: 'pending',
  personalisation: [],
  notes: '',
  ...more,
})

const order = (id: string, items: Item[], more: Partial<OrderDetails> = {}): OrderDetails => ({
  id,
  order_number: id,
  platform: 'etsy',
  shop: '',
  currency: 'EUR',
  priority: 'normal',
  is_paid: true,
  ship_by: null,
  external_id: '',
  order_date: '2026-11-20T12:00:00Z',
  status: 'pending',
  updated_at: '2026-11-20T12:00:00Z',
  promise: null,
  items,
  ...more,
})

const linesOf = (orders: OrderDetails[]) => unmappedGroups(orders).map(({ lines }) => lines.map((line) => line.item_id))

test('lines of one shop with the same code, or else the same listing and variation, are mapped together', () => {
  const orders = [
    order('1', [item('a', { seller_sku: 'X' }), item('b', { listing_id: 'L', variation: 'red' })]),
    order('2', [item('c', { seller_sku: 'X' }), item('d', { listing_id: 'L', variation: 'blue' })]),
    order('3', [item('e', { seller_sku: 'X' })], { shop: 'Outlet' }),
    order('4', [item('f', { listing_id: 'L', variation: 'red' })]),
  ]
  expect(linesOf(orders)).toEqual([['a', 'c'], ['b', 'f'], ['d'], ['e']])
})

test('lines that nothing tells apart stay apart', () => {
  expect(linesOf([order('1', [item('a'), item('b')])])).toEqual([['a'], ['b']])
})

test('what is mapped, cancelled or of an order that has ended does not ask for anything', () => {
  const orders = [
    order('1', [item('a', { state: 'mapped' }), item('b', { fulfillment_status: 'cancelled' })]),
    order('2', [item('c')], { status: 'cancelled' }),
  ]
  expect(linesOf(orders)).toEqual([])
})

test('a listing is told beside the name where it says more', () => {
  const [coded, titled] = unmappedGroups([
    order('1', [item('a', { seller_sku: 'CLIP-4' }), item('b', { listing_id: 'Cable clip' })]),
  ])
  expect(coded).toMatchObject({ name: 'Cable clip', listing: 'CLIP-4', place: 'Etsy' })
  expect(titled).toMatchObject({ name: 'Cable clip', listing: '' })
})
