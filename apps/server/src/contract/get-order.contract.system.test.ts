import { beforeAll, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { addProduct, addSku, itemOf } from '../test/farm/test-catalogue.ts'
import { dataOf, expectForm, type Form, keepsCommonPromises } from './expectations.ts'

const customerTexts = [
  'customer_name',
  'customer_email',
  'customer_phone',
  'shipping_street',
  'shipping_city',
  'shipping_state',
  'shipping_zip',
  'shipping_country',
] as const

const orderForm: Form = {
  id: 'string',
  order_number: 'string',
  platform: 'string',
  ...(Object.fromEntries(customerTexts.map((name) => [name, 'string'])) as Form),
  order_date: 'timestamp',
  status: 'string',
  total_revenue: 'number',
  shipping_cost: 'number',
  tax_amount: 'number',
  discount_amount: 'number',
  tracking_number: 'string',
  tracking_url: 'string',
  shipped_at: 'timestamp?',
  external_id: 'string',
  notes: 'string',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  items: 'list',
}

const orderItemForm: Form = {
  id: 'string',
  product_sku_id: 'string',
  sku: 'string',
  product_name: 'string',
  quantity: 'number',
  unit_price: 'number',
  total_price: 'number',
  quantity_fulfilled: 'number',
  fulfillment_status: 'string',
  notes: 'string',
  created_at: 'timestamp',
}

let lamp: { id: string; sku: string }
let shade: { id: string; sku: string }
let bareId: string
const { t, account } = accountForAllTests()
beforeAll(async () => {
  const product = await addProduct(account, { name: 'Lamp' })
  lamp = await addSku(account, { product_id: product.id })
  shade = await addSku(account)
  bareId = await addOrder({ items: [{ product_sku_id: lamp.id, quantity: 1, unit_price: 0 }] })
})

const addOrder = async (order: object): Promise<string> =>
  dataOf(await account.request('POST', '/orders', order), 201).id
const read = async (id: string) => dataOf(await account.request('GET', `/orders/${id}`))

keepsCommonPromises({ method: 'GET', path: '/orders/:id', scope: 'read' }, () => ({ t, account, id: bareId }))

test('200: the order with exactly its fields; what is not known is empty, and it is not shipped yet', async () => {
  const order = await read(bareId)
  expectForm(order, orderForm)
  for (const item of order.items) expectForm(item, orderItemForm)
  expect(order).toMatchObject({
    id: bareId,
    platform: 'manual',
    status: 'pending',
    total_revenue: 0,
    shipping_cost: 0,
    tax_amount: 0,
    discount_amount: 0,
    tracking_number: '',
    tracking_url: '',
    shipped_at: null,
    external_id: '',
    notes: '',
    ...Object.fromEntries(customerTexts.map((name) => [name, ''])),
    // As integrations know it.
    shipping_country: 'USA',
  })
})

test('200: everything that was given, amounts in cents, with the items inline as they were given', async () => {
  const given = {
    order_number: 'W-1001',
    platform: 'etsy',
    ...Object.fromEntries(customerTexts.map((name) => [name, `the ${name}`])),
    shipping_cost: 490,
    tax_amount: 200,
    discount_amount: 90,
    external_id: 'ext-1',
    notes: 'gift',
  }
  const id = await addOrder({
    ...given,
    order_date: '2026-11-20T10:30:00+01:00',
    items: [
      { product_sku_id: shade.id, quantity: 1, unit_price: 500, notes: 'engrave' },
      { product_sku_id: lamp.id, quantity: 3, unit_price: 1000 },
      { product_sku_id: lamp.id, quantity: 1, unit_price: 900 },
    ],
  })
  const order = await read(id)
  expect(order).toMatchObject({ ...given, order_date: '2026-11-20T09:30:00.000Z', total_revenue: 5000 })
  const fresh = { quantity_fulfilled: 0, fulfillment_status: 'pending' }
  expect(order.items).toMatchObject([
    {
      ...fresh,
      product_sku_id: shade.id,
      sku: shade.sku,
      quantity: 1,
      unit_price: 500,
      total_price: 500,
      notes: 'engrave',
    },
    {
      ...fresh,
      product_sku_id: lamp.id,
      sku: lamp.sku,
      product_name: 'Lamp',
      quantity: 3,
      total_price: 3000,
      notes: '',
    },
    { ...fresh, product_sku_id: lamp.id, quantity: 1, unit_price: 900, total_price: 900 },
  ])
})

test('what was taken from stock shows in the items, and when all of it was, in shipped_at', async () => {
  // A SKU of its own: what is there of the others is held for the orders above.
  const lone = await addSku(account)
  const item = await itemOf(account, lone)
  await account.request('POST', `/inventory/${item.id}/adjust`, { adjustment: 2, reason: 'manual' })
  const id = await addOrder({ items: [{ product_sku_id: lone.id, quantity: 3, unit_price: 100 }] })
  await account.request('POST', `/orders/${id}/fulfill`)
  const partly = await read(id)
  expect(partly).toMatchObject({ shipped_at: null, items: [{ quantity_fulfilled: 2, fulfillment_status: 'partial' }] })
  await account.request('POST', `/inventory/${item.id}/adjust`, { adjustment: 1, reason: 'manual' })
  await account.request('POST', `/orders/${id}/fulfill`)
  const whole = await read(id)
  expect(whole).toMatchObject({
    status: 'fulfilled',
    items: [{ quantity_fulfilled: 3, fulfillment_status: 'fulfilled' }],
  })
  expectForm(whole, { ...orderForm, shipped_at: 'timestamp' })
})

test('no internal reference and nothing of costs leaves with an order', async () => {
  const { body } = await account.request('GET', `/orders/${bareId}`)
  expect(body).not.toMatch(/finished_good|inventory_item|account_id|cost_price|margin|profit/)
})
