import { describe, expect, test } from 'vitest'
import { AmountProblem, readMoney } from '../contract/money.ts'
import { readOrder, withoutRefunded } from './read-order.ts'

const order = {
  id: 727,
  number: 'A-727',
  status: 'processing',
  currency: 'EUR',
  date_created_gmt: '2026-11-20T08:00:00',
  date_paid_gmt: null,
  total: '29.35',
  shipping_total: '10.00',
  total_tax: '1.35',
  discount_total: '2.00',
  customer_note: 'Ring\u0000 twice',
  billing: { first_name: 'Kim', last_name: 'Bill', email: 'kim@example.com', phone: '12', address_1: '1 Bill St' },
  shipping: { first_name: '', last_name: '', address_1: '' },
  line_items: [
    {
      ...{
        id: 315,
        name: 'Sign - Oak, Large',
        product_id: 93,
        variation_id: 94,
        quantity: 3,
        subtotal: '20.00',
        sku: '',
      },
      meta_data: [
        { key: 'pa_wood', value: 'oak', display_key: 'Wood', display_value: 'Oak' },
        { key: 'size', value: 'Large' },
        { key: 'Text', value: '<b>Ann</b> &  Bo' },
        { key: 'Upload', value: { file: 'a.png' } },
        { key: '_internal', value: 'x' },
      ],
    },
  ],
  refunds: [{ id: 1, total: '-4.35' }],
}
const all = { personalisationNames: [] }

test('an order is read in our words', () => {
  expect(readOrder(order, all)).toEqual({
    external_id: '727',
    state: 'open',
    fields: {
      ...{ order_number: 'A-727', order_date: '2026-11-20T08:00:00.000Z', currency: 'EUR', is_paid: true },
      ...{ customer_name: 'Kim Bill', customer_email: 'kim@example.com', customer_phone: '12' },
      ...{
        shipping_street: '1 Bill St',
        shipping_city: '',
        shipping_state: '',
        shipping_zip: '',
        shipping_country: '',
      },
      ...{ shipping_cost: 1000, tax_amount: 135, discount_amount: 200, total_revenue: 2500, notes: 'Ring twice' },
    },
    lines: [
      {
        ...{ external_id: '315', listing_id: '93', variation: '94', product_name: 'Sign - Oak, Large' },
        ...{ quantity: 3, unit_price: 667 },
        personalisation: [
          { name: 'Text', value: 'Ann  &  Bo' },
          { name: 'Upload', value: '{"file":"a.png"}' },
        ],
      },
    ],
  })
})

test('only the names that a shop asks by count when they are given', () => {
  const read = readOrder(order, { personalisationNames: ['text'] })
  expect(read).toMatchObject({ lines: [{ personalisation: [{ name: 'Text' }] }] })
})

test.each([
  ['pending', 'waiting'],
  ['checkout-draft', 'waiting'],
  ['on-hold', 'open'],
  ['being-packed', 'open'],
  ['completed', 'done'],
  ['failed', 'cancelled'],
  ['trash', 'cancelled'],
  ['refunded', 'refunded'],
])('an order that is %s there is %s here', (status, state) => {
  expect(readOrder({ ...order, status }, all)).toMatchObject({ state })
})

test('refunds take off the lines that they name', () => {
  const read = readOrder(order, all)
  if ('problem' in read) throw new Error(read.problem)
  const refund = (quantity: number, id: string) => ({
    line_items: [{ quantity, meta_data: [{ key: '_refunded_item_id', value: id }] }],
  })
  const quantityAfter = (refunds: unknown) => withoutRefunded(read, refunds).lines[0]?.quantity
  expect(quantityAfter([refund(-1, '315'), refund(-1, '315')])).toBe(1)
  expect(quantityAfter([refund(-9, '315')])).toBe(0)
  expect(quantityAfter([refund(-1, '999'), { line_items: [] }])).toBe(3)
})

test.each([{ ...order, currency: 'XYZ' }, { ...order, total: 'NaN' }, {}])(
  'what cannot be read is told, not guessed',
  (given) => {
    expect(readOrder(given, all)).toMatchObject({ problem: expect.stringMatching(/./) })
  },
)

describe('money', () => {
  test.each([
    ['12.5', 'EUR', 1250],
    ['0.005', 'EUR', 1],
    ['-4.35', 'EUR', -435],
    ['1.29', 'JPY', 1],
    ['1.2345', 'KWD', 1235],
    ['90071992547409.91', 'EUR', 9_007_199_254_740_991],
  ])('%s %s is %d of its minor unit', (text, currency, minor) => expect(readMoney(text, currency)).toBe(minor))

  test.each(['', '1,50', '1e3', 'free', '999999999999999'])('"%s" is refused', (text) => {
    expect(() => readMoney(text, 'EUR')).toThrow(AmountProblem)
  })
})
