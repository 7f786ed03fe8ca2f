import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { addSku, itemOf, setStock } from '../../../test/farm/test-catalogue.ts'

let t: TestApp
let farm: TestAccount
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
})

async function addItem(stock = 0, fields: Record<string, unknown> = {}) {
  const sku = await addSku(farm, fields)
  await setStock(farm, sku, stock)
  return itemOf(farm, sku)
}

const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  farm.request(method, path, body)
const data = async (path: string) => (await send('GET', path)).json().data
const updates = (itemId: string) => t.db.sql`
  select data from events where account_id = ${farm.id} and subject_id = ${itemId} and type = 'inventory.updated'`

test('alerts are the active items that are short, the largest deficit first, with the names of their products', async () => {
  await addItem(9, { low_stock_threshold: 3 })
  const low = await addItem(2, { sku: 'B', low_stock_threshold: 5 })
  const also = await addItem(0, { sku: 'A', low_stock_threshold: 3 })
  const worst = await addItem(1, { low_stock_threshold: 50 })
  const retired = await addItem()
  await send('PATCH', `/inventory/${retired.id}`, { is_active: false })
  const answer = await send('GET', '/inventory/alerts')
  expect(Object.keys(answer.json())).toEqual(['success', 'data'])
  expect(answer.json().data).toEqual(
    [worst, also, low].map((item) => ({ ...item, product_name: expect.stringMatching(/^Product/) })),
  )
})

test('stats count active items and their units by status', async () => {
  await addItem(9, { low_stock_threshold: 3 })
  await addItem(2, { low_stock_threshold: 5 })
  await addItem()
  const retired = await addItem()
  await send('DELETE', `/inventory/${retired.id}`)
  expect(await data('/inventory/stats')).toEqual({
    total_items: 3,
    total_ready: 11,
    total_needs_assembly: 0,
    by_status: { in_stock: 1, low_stock: 1, out_of_stock: 1, needs_assembly: 0 },
  })
})

describe('PATCH /inventory/{id}', () => {
  test('sets an image of its own, which null takes off again', async () => {
    const item = await addItem()
    const image_url = 'https://example.com/a.jpg'
    expect((await send('PATCH', `/inventory/${item.id}`, { image_url })).json().data.image_url).toBe(image_url)
    expect((await itemOf(farm, item)).image_url).toBe(image_url)
    expect((await send('PATCH', `/inventory/${item.id}`, { image_url: null })).json().data.image_url).toBe('')
    expect(await updates(item.id)).toEqual([{ data: { fields: ['image_url'] } }, { data: { fields: ['image_url'] } }])
  })

  test('sets threshold and use; what changes nothing says nothing', async () => {
    const item = await addItem(4)
    const changed = await send('PATCH', `/inventory/${item.id}`, { is_active: false, low_stock_threshold: 4 })
    expect(changed.json().data).toMatchObject({ is_active: false, status: 'low_stock', low_stock_threshold: 4 })
    const again = await send('PATCH', `/inventory/${item.id}`, { is_active: false, assembly_status: 'printed' })
    expect(again.json().data).toEqual(changed.json().data)
    expect(await updates(item.id)).toHaveLength(1)
  })

  test.each([
    [{ image_url: 'javascript:alert(1)' }, 'image_url'],
    [{ image_url: 5 }, 'image_url'],
    [{ is_active: 'no' }, 'is_active'],
    [{ assembly_status: 'done' }, 'assembly_status'],
    [{}, '_root'],
  ])('refuses %j', async (body, field) => {
    const item = await addItem()
    const answer = await send('PATCH', `/inventory/${item.id}`, body)
    expect([answer.statusCode, Object.keys(answer.json().error.details)]).toEqual([400, [field]])
  })

  test('the tag of the detail is that which changes of the item go by, the threshold included', async () => {
    const item = await addItem()
    const path = `/inventory/${item.id}`
    const { etag } = (await send('GET', path)).headers
    const put = (tag: unknown) =>
      farm.request('PUT', `${path}/threshold`, { low_stock_threshold: 7 }, { 'if-match': String(tag) })
    const changed = await put(etag)
    expect(changed.statusCode).toBe(200)
    expect(changed.headers.etag).toBe((await send('GET', path)).headers.etag)
    expect((await put(etag)).json().error.code).toBe('PRECONDITION_FAILED')
  })
})

describe('DELETE /inventory/{id}', () => {
  test('takes an item out of use, and POST /inventory brings it back with a count', async () => {
    const item = await addItem()
    expect((await send('DELETE', `/inventory/${item.id}`)).json().data).toEqual({ id: item.id, deleted: true })
    expect(await data('/inventory?is_active=true')).toEqual([])
    expect((await data(`/inventory/${item.id}`)).is_active).toBe(false)
    const body = { product_sku_id: item.product_sku_id, ready_stock: 6 }
    const answer = await send('POST', '/inventory', body)
    expect(answer.statusCode).toBe(201)
    expect(answer.json().data).toMatchObject({
      id: item.id,
      is_active: true,
      ready_stock: 6,
      low_stock_threshold: 5,
      status: 'in_stock',
    })
    expect(await data(`/inventory/${item.id}/movements`)).toMatchObject([{ reason: 'inventory_count', change: 6 }])
    const again = await send('POST', '/inventory', body)
    expect([again.statusCode, again.json().error]).toEqual([
      409,
      expect.objectContaining({ code: 'ALREADY_EXISTS', details: { id: item.id } }),
    ])
  })

  test('is refused while it holds units or an order waits for its SKU', async () => {
    const item = await addItem(1)
    const remove = async () => (await send('DELETE', `/inventory/${item.id}`)).json()
    expect((await remove()).error).toMatchObject({ code: 'RESOURCE_IN_USE', message: expect.stringContaining('units') })
    const items = [{ product_sku_id: item.product_sku_id, quantity: 1, unit_price: 1 }]
    const order = (await send('POST', '/orders', { customer_name: 'A', items })).json().data
    await setStock(farm, item, 0)
    expect((await remove()).error).toMatchObject({ code: 'RESOURCE_IN_USE', message: expect.stringContaining('order') })
    await send('DELETE', `/orders/${order.id}`)
    expect((await remove()).data).toEqual({ id: item.id, deleted: true })
  })
})

test('POST /inventory: an unknown SKU, one of another account, and impossible numbers are refused', async () => {
  const foreign = await addSku(await t.account())
  for (const product_sku_id of [foreign.id, 'sku_unknown']) {
    const answer = await send('POST', '/inventory', { product_sku_id })
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'SKU_NOT_FOUND'])
  }
  const answer = await send('POST', '/inventory', {
    product_sku_id: 'sku_x',
    ready_stock: -1,
    low_stock_threshold: 0.5,
  })
  expect(Object.keys(answer.json().error.details).toSorted()).toEqual(['low_stock_threshold', 'ready_stock'])
})

test('items of another account are as unknown as those that never were', async () => {
  const item = await addItem()
  const stranger = await t.account()
  for (const [method, body] of [['GET'], ['PATCH', { is_active: false }], ['DELETE']] as const) {
    const answer = await stranger.request(method, `/inventory/${item.id}`, body)
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND'])
  }
  expect((await data(`/inventory/${item.id}`)).is_active).toBe(true)
})
