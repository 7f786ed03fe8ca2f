import { expect, test } from 'vitest'
import { orderLabel } from './order-label.ts'

test.each([
  ['etsy', '2911', 'Etsy · 2911'],
  ['shopify', '', 'Shopify'],
  ['other', 'PO-77', 'PO-77'],
  ['manual', '', ''],
  ['woocommerce', '1042', 'WooCommerce'],
] as const)('an order of %s known there as "%s" says "%s" below its number', (platform, external_id, detail) => {
  expect(orderLabel({ order_number: '1042', platform, external_id })).toEqual({ name: 'Order 1042', detail })
})
