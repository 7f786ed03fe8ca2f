import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packingSlip, type Slip, slipPolicy } from './packing-slip.ts'

const slip: Slip = {
  farm: 'North farm',
  order_number: '#1001',
  order_day: '2026-11-20',
  shipTo: ['A. Buyer', '1 Lane', '00501 Town'],
  carrier: '',
  tracking_number: '1Z9',
  lines: [
    {
      product_name: 'Clip',
      sku: 'CLIP-R',
      variation: 'Red',
      quantity: 2,
      pack_size: 3,
      personalisation: [{ name: 'Name', value: 'Ann\nB' }],
    },
  ],
  toFollow: 1,
}

test('says what is in the parcel, for whom, and what follows', () => {
  const page = packingSlip(slip)
  for (const text of [
    'North farm',
    '#1001',
    'A. Buyer\n1 Lane',
    'Tracking: 1Z9',
    'CLIP-R',
    'packs of 3',
    'Ann\nB',
    '1 more of this order follows',
  ]) {
    expect(page).toContain(text)
  }
  expect(page).not.toContain('Carrier')
  expect(packingSlip({ ...slip, toFollow: 0 })).not.toContain('more of this order')
})

test('shows what customers wrote and never obeys it', () => {
  const tags = packingSlip(slip).match(/<[a-z/!][^>]*>/gi)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const hostile = `${text}<script>alert(1)</script>"'><img src=x onerror=alert(1)>&`
      const page = packingSlip({
        ...slip,
        order_number: hostile,
        shipTo: [hostile],
        lines: [
          {
            ...slip.lines[0],
            product_name: hostile,
            sku: hostile,
            variation: hostile,
            personalisation: [{ name: hostile, value: hostile }],
          } as Slip['lines'][0],
        ],
      })
      expect(page.match(/<[a-z/!][^>]*>/gi)).toEqual(tags)
    }),
  )
})

test('its policy allows its own style and nothing else', () => {
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(packingSlip(slip)) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(slipPolicy).toContain(`style-src 'sha256-${hash}'`)
  expect(slipPolicy).toMatch(/^default-src 'none'/)
  expect(slipPolicy).not.toMatch(/script|unsafe/)
})
