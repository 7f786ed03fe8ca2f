import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { addSku, itemOf } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'

let t: TestApp
let farm: TestAccount
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
})

const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
  farm.request('POST', path, body, headers)
const get = async (path: string) => (await farm.request('GET', path)).json().data

async function stocked(units: number) {
  const sku = await addSku(farm)
  const item = await itemOf(farm, sku)
  await post(`/inventory/${item.id}/adjust`, { adjustment: units, reason: 'manual' })
  return { ...sku, item_id: item.id }
}

const stockOf = async (sku: { item_id: string }) => (await get(`/inventory/${sku.item_id}`)).ready_stock

async function balanced(sku: { item_id: string }) {
  const [row] = await t.db.sql`
    select i.ready_stock, coalesce(sum(m.change), 0)::int8 as moved
    from inventory_items i left join stock_movements m on m.account_id = i.account_id and m.inventory_item_id = i.id
    where i.account_id = ${farm.id} and i.id = ${sku.item_id} group by i.ready_stock`
  expect(row?.moved).toBe(row?.ready_stock)
}

async function addOrder(lines: [sku: { id: string }, quantity: number][], fields: object = {}) {
  const items = lines.map(([sku, quantity]) => ({ product_sku_id: sku.id, quantity, unit_price: 100 }))
  const answer = await post('/orders', { items, ...fields })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

function expectFailure(answer: { statusCode: number; json(): unknown }, status: number, code: string) {
  expect({ status: answer.statusCode, body: answer.json() }).toMatchObject({ status, body: { error: { code } } })
}

describe('shipments', () => {
  test('an order leaves in several parcels, each with what is in it, and is fulfilled by the last', async () => {
    const [lamp, shade] = [await stocked(5), await stocked(1)]
    const order = await addOrder([
      [lamp, 3],
      [shade, 2],
    ])
    const [lampItem, shadeItem] = order.items
    const tracking = { carrier: 'UPS', tracking_number: '1Z-1', tracking_url: 'https://example.com/1' }
    const body = { ...tracking, items: [{ item_id: lampItem.id, quantity: 2 }] }
    const first = (await post(`/orders/${order.id}/fulfill`, body)).json().data
    expect(first).toMatchObject({ status: 'processing', lines: [{ needed: 2, taken: 2, missing: 0 }] })
    const second = (await post(`/orders/${order.id}/fulfill`, { tracking_number: '1Z-2' })).json().data
    expect(second).toMatchObject({ tracking_number: '1Z-2', lines: [{ taken: 1 }, { needed: 2, taken: 1 }] })
    await post(`/inventory/${shade.item_id}/adjust`, { adjustment: 1, reason: 'manual' })
    const third = (await post(`/orders/${order.id}/items/${shadeItem.id}/fulfill`)).json().data
    expect(third.status).toBe('fulfilled')
    expect(await get(`/orders/${order.id}/shipments`)).toEqual([
      {
        id: first.shipment_id,
        order_id: order.id,
        ...tracking,
        packed_by: null,
        shipped_at: expect.any(String),
        items: [{ item_id: lampItem.id, quantity: 2, units: 2 }],
      },
      expect.objectContaining({
        id: second.shipment_id,
        tracking_number: '1Z-2',
        items: [
          { item_id: lampItem.id, quantity: 1, units: 1 },
          { item_id: shadeItem.id, quantity: 1, units: 1 },
        ],
      }),
      expect.objectContaining({ id: third.shipment_id, carrier: '' }),
    ])
    // Found by the number of every parcel, not of the latest alone.
    for (const search of ['1z-1', '1z-2']) {
      expect((await farm.request('GET', `/orders?search=${search}`)).json().meta.total).toBe(1)
    }
    for (const sku of [lamp, shade]) await balanced(sku)
  })

  test('say who packed them: who is signed in, or the member who is named', async () => {
    const sku = await stocked(5)
    const order = await addOrder([[sku, 3]])
    const packer = await createTestPerson(t, farm, 'operator')
    const items = [{ item_id: order.items[0].id, quantity: 1 }]
    await packer.request('POST', `/orders/${order.id}/fulfill`, { items })
    await post(`/orders/${order.id}/fulfill`, { items, packed_by: packer.userId })
    const packed = (await get(`/orders/${order.id}/shipments`)).map(({ packed_by: by }: { packed_by: string }) => by)
    expect(packed).toEqual([packer.userId, packer.userId])
    const stranger = await createTestPerson(t, await t.account(), 'operator')
    const refused = await post(`/orders/${order.id}/fulfill`, { packed_by: stranger.userId })
    expectFailure(refused, 404, 'USER_NOT_FOUND')
    expect(await stockOf(sku)).toBe(3)
  })

  test('take no more than what is open, name no foreign line, and are made once under one key', async () => {
    const sku = await stocked(9)
    const [order, other] = [await addOrder([[sku, 2]]), await addOrder([[sku, 1]])]
    const path = `/orders/${order.id}/fulfill`
    const foreign = await post(path, { items: [{ item_id: other.items[0].id, quantity: 1 }] })
    expect(foreign.json().error.details).toEqual({ 'items.0.item_id': ['names no line of this order'] })
    for (const quantity of [0, -1, 1.5]) {
      expectFailure(await post(path, { items: [{ item_id: order.items[0].id, quantity }] }), 400, 'VALIDATION_ERROR')
    }
    const key = { 'idempotency-key': crypto.randomUUID() }
    const whole = { items: [{ item_id: order.items[0].id, quantity: 50 }] }
    const first = await post(path, whole, key)
    expect(first.json().data.lines).toMatchObject([{ needed: 2, taken: 2 }])
    expect((await post(path, whole, key)).body).toBe(first.body)
    expectFailure(await post(path, whole), 400, 'ORDER_ALREADY_FULFILLED')
    expect(await get(`/orders/${order.id}/shipments`)).toHaveLength(1)
    expect(await stockOf(sku)).toBe(7)
    expectFailure(await (await t.account()).request('GET', `/orders/${order.id}/shipments`), 404, 'NOT_FOUND')
  })

  test('an order said to be fulfilled leaves whole as one parcel, or not at all', async () => {
    const sku = await stocked(3)
    const order = await addOrder([
      [sku, 2],
      [sku, 2],
    ])
    const patch = (body: object) => farm.request('PATCH', `/orders/${order.id}`, body)
    const short = await patch({ status: 'fulfilled' })
    expectFailure(short, 400, 'INSUFFICIENT_STOCK')
    // The first line takes two of the three.
    expect(short.json().error.details).toEqual({
      available: 1,
      lines: [{ order_item_id: order.items[1].id, sku: sku.sku, needed: 2, available: 1 }],
    })
    expect([await stockOf(sku), await get(`/orders/${order.id}/shipments`)]).toEqual([3, []])
    await post(`/inventory/${sku.item_id}/adjust`, { adjustment: 1, reason: 'manual' })
    expect((await patch({ status: 'fulfilled', tracking_number: '1Z-9' })).json().data).toMatchObject({
      status: 'fulfilled',
      tracking_number: '1Z-9',
    })
    expect(await get(`/orders/${order.id}/shipments`)).toMatchObject([
      { tracking_number: '1Z-9', items: [{ units: 2 }, { units: 2 }] },
    ])
    await balanced(sku)
  })

  test('an order with a line that stands for no SKU is not said to be fulfilled', async () => {
    const sku = await stocked(1)
    const known = { product_sku_id: sku.id, quantity: 1, unit_price: 1 }
    const unknown = { sku: 'ETSY-CLIP', product_name: 'Clip', quantity: 1, unit_price: 1 }
    const body = { platform: 'etsy', allow_unmapped: true, items: [known, unknown] }
    const order = (await post('/orders', body)).json().data
    const refused = await farm.request('PATCH', `/orders/${order.id}`, { status: 'fulfilled' })
    expectFailure(refused, 400, 'ITEM_NOT_MAPPED')
    expect(refused.json().error.details.lines).toMatchObject([{ order_item_id: order.items[1].id }])
    expect(await stockOf(sku)).toBe(1)
  })

  test('50 requests for one unit each at once make as many parcels as there are units', async () => {
    const sku = await stocked(8)
    const order = await addOrder([[sku, 10]])
    const items = [{ item_id: order.items[0].id, quantity: 1 }]
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(`/orders/${order.id}/fulfill`, { items })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(8)
    expect(await get(`/orders/${order.id}/shipments`)).toHaveLength(8)
    expect(await stockOf(sku)).toBe(0)
    await balanced(sku)
  })
})

describe('returns', () => {
  const back = (order: { id: string; items: { id: string }[] }, quantity: number, disposition: string, notes = '') =>
    post(`/orders/${order.id}/returns`, { items: [{ item_id: order.items[0]?.id, quantity, disposition, notes }] })

  test('go into stock, are scrapped, or open the line again; the ledger tells what is in stock', async () => {
    const sku = await stocked(6)
    const order = await addOrder([[sku, 5]])
    await post(`/orders/${order.id}/fulfill`)
    const restocked = await back(order, 2, 'restock', 'Unopened')
    expect(restocked.statusCode).toBe(201)
    expect(restocked.json().data).toMatchObject({
      order: { status: 'fulfilled', items: [{ quantity_fulfilled: 5 }] },
      returns: [{ quantity: 2, units: 2, disposition: 'restock', notes: 'Unopened' }],
    })
    expect(await stockOf(sku)).toBe(3)
    const [movement] = (await farm.request('GET', `/inventory/${sku.item_id}/movements`)).json().data
    expect(movement).toMatchObject({ change: 2, reason: 'returned', order_id: order.id, notes: '' })
    expect((await back(order, 1, 'scrap')).json().data.order.items).toMatchObject([{ quantity_fulfilled: 5 }])
    expect(await stockOf(sku)).toBe(3)
    expect((await back(order, 2, 'remake')).json().data.order).toMatchObject({
      status: 'processing',
      items: [{ quantity_fulfilled: 3, fulfillment_status: 'partial' }],
    })
    const none = await back(order, 1, 'restock')
    expectFailure(none, 400, 'INSUFFICIENT_QUANTITY')
    expect(none.json().error.details).toEqual({
      available: 0,
      lines: [{ item_id: order.items[0].id, asked: 1, available: 0 }],
    })
    expect((await post(`/orders/${order.id}/fulfill`)).json().data).toMatchObject({
      status: 'fulfilled',
      lines: [{ taken: 2 }],
    })
    expect((await back(order, 2, 'scrap')).statusCode).toBe(201)
    expect(await get(`/orders/${order.id}/returns`)).toHaveLength(4)
    await balanced(sku)
  })

  test('are of what left and of this order, and are booked once', async () => {
    const sku = await stocked(6)
    const [order, other] = [await addOrder([[sku, 2]]), await addOrder([[sku, 2]])]
    expectFailure(await back(order, 1, 'restock'), 400, 'INSUFFICIENT_QUANTITY')
    await post(`/orders/${order.id}/fulfill`)
    const wrong = await post(`/orders/${order.id}/returns`, {
      items: [{ item_id: other.items[0].id, quantity: 1, disposition: 'restock' }],
    })
    expect(wrong.json().error.details).toEqual({ 'items.0.item_id': ['names no line of this order'] })
    expectFailure(await back(order, 1, 'burn'), 400, 'VALIDATION_ERROR')
    expectFailure(await back(order, 0, 'scrap'), 400, 'VALIDATION_ERROR')
    const twice = { item_id: order.items[0].id, quantity: 2, disposition: 'scrap' }
    expectFailure(await post(`/orders/${order.id}/returns`, { items: [twice, twice] }), 400, 'INSUFFICIENT_QUANTITY')
    const answers = await Promise.all(Array.from({ length: 10 }, () => back(order, 1, 'restock')))
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2)
    expect(await stockOf(sku)).toBe(6)
    const stranger = await t.account()
    expectFailure(await stranger.request('GET', `/orders/${order.id}/returns`), 404, 'NOT_FOUND')
    await balanced(sku)
  })

  test('count in units where a listing is a pack', async () => {
    const sku = await stocked(6)
    await post('/listing-maps', { platform: 'etsy', seller_sku: 'PACK', product_sku_id: sku.id, pack_size: 3 })
    const answer = await post('/orders', { platform: 'etsy', items: [{ sku: 'PACK', quantity: 2, unit_price: 1 }] })
    const order = answer.json().data
    await post(`/orders/${order.id}/fulfill`)
    expect((await get(`/orders/${order.id}/shipments`))[0].items).toMatchObject([{ quantity: 2, units: 6 }])
    await back(order, 1, 'restock')
    expect(await stockOf(sku)).toBe(3)
  })
})

describe('an order that is cancelled', () => {
  test('after a part of it left says what became of each unit', async () => {
    const [lamp, shade] = [await stocked(4), await stocked(0)]
    const order = await addOrder([
      [lamp, 5],
      [shade, 2],
    ])
    await post(`/orders/${order.id}/fulfill`)
    await post(`/orders/${order.id}/returns`, {
      items: [{ item_id: order.items[0].id, quantity: 1, disposition: 'restock' }],
    })
    const cancelled = await farm.request('DELETE', `/orders/${order.id}`)
    expect(cancelled.json().data).toMatchObject({
      status: 'cancelled',
      lines: [
        { order_item_id: order.items[0].id, units: 5, shipped: 3, returned: 1, cancelled: 1 },
        { order_item_id: order.items[1].id, units: 2, shipped: 0, returned: 0, cancelled: 2 },
      ],
    })
    const again = (await farm.request('DELETE', `/orders/${order.id}`)).json().data
    expect(again.lines).toEqual(cancelled.json().data.lines)
    const remake = { items: [{ item_id: order.items[0].id, quantity: 1, disposition: 'remake' }] }
    expectFailure(await post(`/orders/${order.id}/returns`, remake), 400, 'ORDER_CANNOT_FULFILL')
    const restock = { items: [{ item_id: order.items[0].id, quantity: 3, disposition: 'restock' }] }
    expect((await post(`/orders/${order.id}/returns`, restock)).statusCode).toBe(201)
    expect(await stockOf(lamp)).toBe(4)
    await balanced(lamp)
  })
})

describe('the packing slip', () => {
  test('of an order and of one parcel: what is in it and what follows, without prices', async () => {
    const sku = await stocked(1)
    const hostile = '<script>alert(1)</script>'
    const items = [
      { product_sku_id: sku.id, quantity: 2, unit_price: 98_765, personalisation: [{ name: 'Name', value: hostile }] },
    ]
    const address = { customer_name: 'A. Buyer', shipping_city: 'Town' }
    const order = (await post('/orders', { order_number: '#1001', items, ...address, notes: 'internal' })).json().data
    const taken = { items: [{ item_id: order.items[0].id, quantity: 1 }] }
    const { shipment_id: shipmentId } = (await post(`/orders/${order.id}/fulfill`, taken)).json().data
    const slip = (query = '') => farm.request('GET', `/orders/${order.id}/packing-slip${query}`)
    const whole = await slip()
    expect(whole.statusCode).toBe(200)
    expect(whole.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    })
    for (const text of ['Test farm', '#1001', 'A. Buyer', 'Town', sku.sku]) expect(whole.body).toContain(text)
    for (const text of [hostile, '987', 'internal', 'follows']) expect(whole.body).not.toContain(text)
    const parcel = await slip(`?shipment_id=${shipmentId}`)
    expect(parcel.body).toContain('1 more of this order follows')
    expectFailure(await slip('?shipment_id=shp_none'), 404, 'NOT_FOUND')
    const stranger = await t.account()
    expectFailure(await stranger.request('GET', `/orders/${order.id}/packing-slip`), 404, 'NOT_FOUND')
  })
})

test('erase-customer empties parcels and returns, also in answers that are kept', async () => {
  const order = await addOrder([[await stocked(2), 2]])
  const key = { 'idempotency-key': crypto.randomUUID() }
  const returned = {
    items: [{ item_id: order.items[0].id, quantity: 1, disposition: 'scrap', notes: 'Ms Smith called' }],
  }
  await post(`/orders/${order.id}/fulfill`, { tracking_number: 'TRACK-7', tracking_url: 'https://example.com/TRACK-7' })
  expect((await post(`/orders/${order.id}/returns`, returned, key)).body).toContain('Smith')
  await farm.request('PATCH', `/orders/${order.id}`, { tracking_number: '', tracking_url: '' })
  await post(`/orders/${order.id}/erase-customer`)
  const shown = [
    (await post(`/orders/${order.id}/returns`, returned, key)).body,
    JSON.stringify([await get(`/orders/${order.id}/shipments`), await get(`/orders/${order.id}/returns`)]),
    JSON.stringify(
      await t.db.sql`
      select (select json_agg(e) from events e where account_id = ${farm.id}) as events,
             (select json_agg(s) from shipments s where account_id = ${farm.id}) as shipments,
             (select json_agg(r) from order_returns r where account_id = ${farm.id}) as returns,
             (select json_agg(o) from orders o where account_id = ${farm.id}) as orders`,
    ),
  ]
  for (const text of shown) {
    for (const word of ['TRACK-7', 'track-7', 'Smith']) expect(text).not.toContain(word)
  }
  expect((await farm.request('GET', '/orders?search=track-7')).json().meta.total).toBe(0)
})
