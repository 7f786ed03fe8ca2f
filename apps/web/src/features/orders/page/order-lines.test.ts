import { expect, test } from 'vitest'
import type { Order, OrderDetails } from '../../../lib/api/api-schema.generated.ts'
import { listingWords, orderLines, presentLine } from './order-lines.ts'

type Detailed = OrderDetails['items'][number]

const item: Detailed = {
  id: 'itm_1',
  state: 'mapped',
  product_sku_id: 'sku_1',
  sku: 'CLIP-RED',
  product_name: 'Cable clip',
  seller_sku: 'CLIP-4',
  listing_id: '',
  variation: '',
  listing_map_id: null,
  quantity: 3,
  pack_size: 4,
  units: 12,
  units_fulfilled: 4,
  fulfillment_status: 'partial',
  personalisation: [],
  notes: '',
}
const order = { items: [{ id: 'itm_1', unit_price: 650, total_price: 1950 }] } as unknown as Pick<Order, 'items'>

test('a line counts packs: what is open, what left and what came back', () => {
  const shipments = [{ items: [{ item_id: 'itm_1', quantity: 2, units: 8 }] }]
  const returns = [{ item_id: 'itm_1', quantity: 1 }]
  expect(orderLines({ order, details: { items: [item] }, shipments, returns })).toMatchObject([
    { fulfilled: 1, open: 2, away: 1, returned: 1, unit_price: 650, total_price: 1950 },
  ])
})

test('nothing is open of a line that was cancelled', () => {
  const details = { items: [{ ...item, fulfillment_status: 'cancelled' as const }] }
  expect(orderLines({ order, details, shipments: [], returns: [] })).toMatchObject([{ open: 0, away: 0, returned: 0 }])
})

test.each([
  [{ state: 'mapped', fulfillment_status: 'pending' }, 'Open'],
  [{ state: 'mapped', fulfillment_status: 'partial' }, '1 of 3 fulfilled'],
  [{ state: 'mapped', fulfillment_status: 'fulfilled' }, 'Fulfilled'],
  [{ state: 'unmapped', fulfillment_status: 'pending' }, 'Not mapped'],
  [{ state: 'unmapped', fulfillment_status: 'cancelled' }, 'Cancelled'],
] as const)('a line that is %o is told as %s', (line, word) => {
  expect(presentLine({ ...line, fulfilled: 1, quantity: 3 }).word).toBe(word)
})

test('a listing is known by the code of the seller, or else by its name and variation', () => {
  expect(listingWords(item)).toBe('CLIP-4')
  expect(listingWords({ seller_sku: '', listing_id: 'Cable clip', variation: 'red' })).toBe('Cable clip, red')
})
