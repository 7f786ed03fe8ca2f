import { beforeEach, describe, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { addSku, itemOf } from '../test/farm/test-catalogue.ts'
import { drawImage, postImage } from '../test/farm/test-images.ts'
import { dataOf, expectForm, expectRefused, type Form, keepsCommonPromises } from './expectations.ts'

const itemForm: Form = {
  id: 'string',
  product_sku_id: 'string',
  sku: 'string',
  color: 'string',
  material: 'string',
  ready_stock: 'integer',
  low_stock_threshold: 'integer',
  status: 'string',
  image_url: 'string',
  is_active: 'boolean',
  created_at: 'timestamp',
  updated_at: 'timestamp',
}

let sku: { id: string; sku: string; product_id: string }
let itemId: string
const { t, account } = accountForAllTests()
beforeEach(async () => {
  sku = await addSku(account, { color: 'Red', filament_type: 'PETG' })
  itemId = (await itemOf(account, sku)).id
})

const put = (body: unknown) => account.request('PUT', `/inventory/${itemId}/threshold`, body)
const read = async () => dataOf(await account.request('GET', `/inventory/${itemId}`))
const stock = (ready: number, unassembled: number) =>
  t.db.sql`
    update inventory_items set ready_stock = ${ready}, quantity_needs_assembly = ${unassembled}
    where account_id = ${account.id} and id = ${itemId}`

keepsCommonPromises(
  { method: 'PUT', path: '/inventory/:id/threshold', scope: 'write', body: { low_stock_threshold: 1 } },
  () => ({ t, account, id: itemId }),
)

test('200: the item with exactly its fields, and what it is by then', async () => {
  const item = dataOf(await put({ low_stock_threshold: 3 }))
  expectForm(item, itemForm)
  expect(item).toMatchObject({
    id: itemId,
    product_sku_id: sku.id,
    sku: sku.sku,
    color: 'Red',
    material: 'PETG',
    ready_stock: 0,
    low_stock_threshold: 3,
    status: 'out_of_stock',
    image_url: '',
    is_active: true,
  })
  expect(await read()).toMatchObject(item)
})

test('image_url is the address of the first image of the product', async () => {
  const first = (await postImage(t, account, sku.product_id, await drawImage())).json().data
  await postImage(t, account, sku.product_id, await drawImage())
  expect(dataOf(await put({ low_stock_threshold: 1 })).image_url).toBe(first.url)
  expect((await itemOf(account, sku)).image_url).toBe(first.url)
})

test.each([
  { ready: 0, unassembled: 0, threshold: 0, status: 'out_of_stock' },
  { ready: 0, unassembled: 0, threshold: 9, status: 'out_of_stock' },
  { ready: 0, unassembled: 1, threshold: 0, status: 'needs_assembly' },
  { ready: 9, unassembled: 1, threshold: 20, status: 'needs_assembly' },
  { ready: 5, unassembled: 0, threshold: 5, status: 'low_stock' },
  { ready: 4, unassembled: 0, threshold: 5, status: 'low_stock' },
  { ready: 6, unassembled: 0, threshold: 5, status: 'in_stock' },
  { ready: 1, unassembled: 0, threshold: 0, status: 'in_stock' },
])(
  'the status is worked out again: $ready ready, $unassembled to assemble, threshold $threshold: $status',
  async (given) => {
    await stock(given.ready, given.unassembled)
    // The same threshold again would change nothing.
    await put({ low_stock_threshold: given.threshold + 1 })
    const item = dataOf(await put({ low_stock_threshold: given.threshold }))
    expect(item).toMatchObject({ ready_stock: given.ready, status: given.status })
    expect(item).not.toHaveProperty('quantity_needs_assembly')
    expect((await read()).status).toBe(given.status)
  },
)

test.each([
  ['0', 0],
  ['-0', 0],
  ['1', 1],
  ['1e1', 10],
  ['2.0', 2],
  ['2147483647', 2_147_483_647],
])('low_stock_threshold: %s is taken', async (text, kept) => {
  const answer = await put(`{"low_stock_threshold":${text}}`)
  expect(answer.body).toContain(`"low_stock_threshold":${kept},`)
})

describe('400 VALIDATION_ERROR, and the item stays as it is', () => {
  test.each(['-1', '1.5', '"5"', 'null', 'true', '[]', '1e300', '2147483648'])(
    'low_stock_threshold: %s',
    async (text) => {
      const before = await read()
      expectRefused(await put(`{"low_stock_threshold":${text}}`), 'low_stock_threshold')
      expect(await read()).toEqual(before)
    },
  )

  test('left out, and no object at all', async () => {
    expectRefused(await put({}), 'low_stock_threshold')
    for (const body of [undefined, '', [], '5', '{']) expectRefused(await put(body), '_root')
  })
})

test('unknown fields are ignored: neither stock nor status is set by hand', async () => {
  const item = dataOf(await put({ low_stock_threshold: 2, ready_stock: 50, status: 'in_stock', is_active: false }))
  expect(item).toMatchObject({ low_stock_threshold: 2, ready_stock: 0, status: 'out_of_stock', is_active: true })
})
