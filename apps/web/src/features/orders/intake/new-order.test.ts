import { expect, test } from 'vitest'
import { emptyLine, emptyOrder, newOrderBody, totalOf } from './new-order.ts'

const order = {
  ...emptyOrder('EUR'),
  lines: [
    { ...emptyLine(), product_sku_id: 'sku_1', quantity: 2, unit_price: 6.5, personalisation: ' Ann ' },
    { ...emptyLine(), product_sku_id: 'sku_2', quantity: '1', unit_price: '20.00' },
  ],
  customer_name: ' A. Customer ',
  shipping_cost: 4.9,
  discount_amount: '1',
}

test('amounts are sent in the minor unit, and nothing of what was left empty', () => {
  expect(newOrderBody(order)).toEqual({
    platform: 'manual',
    priority: 'normal',
    currency: 'EUR',
    customer_name: 'A. Customer',
    shipping_cost: 490,
    discount_amount: 100,
    items: [
      {
        product_sku_id: 'sku_1',
        quantity: 2,
        unit_price: 650,
        personalisation: [{ name: 'Personalisation', value: 'Ann' }],
      },
      { product_sku_id: 'sku_2', quantity: 1, unit_price: 2000 },
    ],
  })
})

test('an order in another currency is in its minor unit, however its code was typed', () => {
  const { currency, items } = newOrderBody({ ...order, currency: ' jpy' })
  expect([currency, items[1]?.unit_price]).toEqual(['JPY', 20])
})

test('the total is the lines, plus shipping and tax, less the discount', () => {
  expect(totalOf({ ...order, tax_amount: 2 })).toBe(1300 + 2000 + 490 + 200 - 100)
})
