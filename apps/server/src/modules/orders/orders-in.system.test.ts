import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { findFaults } from '../../test/farm/farm-books.ts'
import { addProduct, addSku, itemOf } from '../../test/farm/test-catalogue.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { listOrders } from './orders.queries.ts'

let t: TestApp
let farm: TestAccount
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
})

const post = (path: string, body: object, key?: string) =>
  farm.request('POST', path, body, key === undefined ? {} : { 'idempotency-key': key })

async function made(path: string, body: object) {
  const answer = await post(path, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

async function details(order: { id: string }) {
  const answer = await farm.request('GET', `/orders/${order.id}/details`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

function expectFailure(answer: { statusCode: number; json(): unknown }, status: number, code: string) {
  expect({ status: answer.statusCode, body: answer.json() }).toMatchObject({ status, body: { error: { code } } })
}

const etsy = { platform: 'etsy', shop: 'north' }
const sellerLine = { sku: 'E-1', product_name: 'Engraved clip', quantity: 2, unit_price: 650 }
const addUnmapped = (line: object = sellerLine, order: object = {}) =>
  made('/orders', { ...etsy, allow_unmapped: true, items: [line], ...order })
const map = (order: { id: string; items: { id: string }[] }, body: object, key?: string) =>
  post(`/orders/${order.id}/items/${order.items[0]?.id}/map`, body, key)

const eventsOf = async (id: string) => {
  const rows = await t.db.sql<{ type: string; data: object }[]>`
    select type, data from events where account_id = ${farm.id} and subject_id = ${id} order by id`
  return rows
}

async function stocked(units: number, fields: object = {}) {
  const sku = await addSku(farm, { ...fields })
  const item = await itemOf(farm, sku)
  await post(`/inventory/${item.id}/adjust`, { adjustment: units, reason: 'manual' })
  return sku
}

describe('a line that stands for no SKU', () => {
  test('is kept as the shop tells it, without breaking what the contract shows of an order', async () => {
    const line = {
      ...sellerLine,
      listing_id: '77',
      variation: 'Red',
      personalisation: [{ name: 'Name', value: 'Ann' }],
    }
    const order = await addUnmapped(line)
    expect(order.items).toEqual([
      expect.objectContaining({ product_sku_id: '', sku: 'E-1', product_name: 'Engraved clip', total_price: 1300 }),
    ])
    expect(order).not.toHaveProperty('shop')
    expect(await details(order)).toMatchObject({
      ...etsy,
      items: [
        {
          state: 'unmapped',
          product_sku_id: null,
          sku: 'E-1',
          seller_sku: 'E-1',
          listing_id: '77',
          variation: 'Red',
          pack_size: 1,
          units: 2,
          listing_map_id: null,
          personalisation: [{ name: 'Name', value: 'Ann' }],
        },
      ],
    })
    expect((await eventsOf(order.id))[0]).toMatchObject({ type: 'order.created', data: { items: 1, unmapped: 1 } })
    const [listed] = (await farm.request('GET', '/orders?unmapped=true')).json().data
    expect(listed).toMatchObject({ id: order.id, unmapped_items: 1, ...etsy })
    expect((await farm.request('GET', '/orders?unmapped=false')).json().data).toEqual([])
  })

  test('is refused unless it may be kept, and an unknown ID of a SKU is always', async () => {
    const refused = await post('/orders', { items: [sellerLine] })
    expectFailure(refused, 400, 'INVALID_PRODUCT_SKU')
    expect(refused.json().error.details).toEqual({ lines: [{ line: 0, sku: 'E-1' }] })
    const wrongId = { product_sku_id: 'sku_none', quantity: 1, unit_price: 1 }
    expectFailure(await post('/orders', { items: [wrongId], allow_unmapped: true }), 400, 'INVALID_PRODUCT_SKU')
    const nothing = await post('/orders', { items: [{ quantity: 1, unit_price: 1 }], allow_unmapped: true })
    expect(nothing.json().error.details).toEqual({ 'items.0.product_sku_id': ['is required'] })
    expect((await farm.request('GET', '/orders')).json().data).toEqual([])
  })

  test('cannot be fulfilled, and says why; the other lines can', async () => {
    const order = await addUnmapped()
    const refused = await post(`/orders/${order.id}/fulfill`, {})
    expectFailure(refused, 400, 'ITEM_NOT_MAPPED')
    expect(refused.json().error.details).toEqual({
      lines: [{ order_item_id: order.items[0].id, sku: 'E-1', product_name: 'Engraved clip' }],
    })
    expectFailure(await post(`/orders/${order.id}/items/${order.items[0].id}/fulfill`, {}), 400, 'ITEM_NOT_MAPPED')
    const sku = await stocked(1)
    const mixed = await made('/orders', {
      allow_unmapped: true,
      items: [sellerLine, { product_sku_id: sku.id, quantity: 1, unit_price: 1 }],
    })
    expect((await post(`/orders/${mixed.id}/fulfill`, {})).json().data).toMatchObject({
      status: 'processing',
      fulfillment_errors: ['E-1: is mapped to no SKU'],
      lines: [{ taken: 0, product_sku_id: '' }, { taken: 1 }],
    })
  })
})

describe('mapping a line', () => {
  test('maps all lines like it of its shop, open ones and those to come, and no others', async () => {
    const sku = await addSku(farm, { sku: 'CLIP' })
    const [first, second] = [await addUnmapped(), await addUnmapped({ ...sellerLine, product_name: 'Clip' })]
    const elsewhere = await addUnmapped(sellerLine, { shop: 'south' })
    const other = await addUnmapped({ ...sellerLine, sku: 'E-2' })
    const cancelled = await addUnmapped()
    await farm.request('DELETE', `/orders/${cancelled.id}`)

    const answer = await map(first, { product_sku_id: sku.id, pack_size: 3 })
    expect(answer.statusCode, answer.body).toBe(200)
    const mapped = { state: 'mapped', product_sku_id: sku.id, sku: 'CLIP', seller_sku: 'E-1', pack_size: 3, units: 6 }
    expect(answer.json().data.items).toMatchObject([{ ...mapped, product_name: 'Engraved clip' }])
    expect((await details(second)).items).toMatchObject([{ ...mapped, product_name: 'Clip' }])
    for (const untouched of [elsewhere, other, cancelled]) {
      expect((await details(untouched)).items).toMatchObject([{ state: 'unmapped' }])
    }
    const next = await made('/orders', { ...etsy, items: [sellerLine] })
    expect((await details(next)).items).toMatchObject([mapped])
    // The price is that of what was ordered, however many units it stands for.
    expect(next.items).toMatchObject([{ quantity: 2, total_price: 1300, product_sku_id: sku.id }])

    const mapEvents = await eventsOf(second.id)
    const mapId = (await details(next)).items[0].listing_map_id
    expect(mapEvents.at(-1)).toEqual({
      type: 'order.items_mapped',
      data: { product_sku_id: sku.id, items: 1, listing_map_id: mapId },
    })
    const orderOfFirst = (await eventsOf(first.id)).filter(({ type }) => type === 'order.items_mapped')
    expect(orderOfFirst).toHaveLength(1)
    expect((await farm.request('GET', '/orders?search=clip')).json().meta.total).toBe(3)
  })

  test('goes by listing and variation where there is no code, and is not remembered when that is said', async () => {
    const sku = await addSku(farm)
    const listing = { listing_id: '77', variation: 'Red', quantity: 1, unit_price: 1 }
    const [red, also, blue] = [
      await addUnmapped(listing),
      await addUnmapped(listing),
      await addUnmapped({ ...listing, variation: 'Blue' }),
    ]
    await map(red, { product_sku_id: sku.id, remember: false })
    expect((await details(red)).items).toMatchObject([{ state: 'mapped', listing_map_id: null }])
    expect((await details(also)).items).toMatchObject([{ state: 'unmapped' }])
    await map(also, { product_sku_id: sku.id })
    expect((await farm.request('GET', '/listing-maps')).json().data).toMatchObject([
      { ...etsy, seller_sku: '', listing_id: '77', variation: 'Red', product_sku_id: sku.id, pack_size: 1 },
    ])
    expect((await details(blue)).items).toMatchObject([{ state: 'unmapped' }])
  })

  test('is repeatable, and changes nothing of a line of which units were taken', async () => {
    const sku = await stocked(10)
    const order = await addUnmapped()
    const key = crypto.randomUUID()
    const once = await map(order, { product_sku_id: sku.id }, key)
    expect((await map(order, { product_sku_id: sku.id }, key)).body).toBe(once.body)
    await map(order, { product_sku_id: sku.id })
    expect((await eventsOf(order.id)).filter(({ type }) => type === 'order.items_mapped')).toHaveLength(1)
    expect((await map(order, { product_sku_id: sku.id, pack_size: 2 })).json().data.items).toMatchObject([{ units: 4 }])
    await post(`/orders/${order.id}/fulfill`, {})
    expectFailure(await map(order, { product_sku_id: sku.id }), 409, 'RESOURCE_IN_USE')
    expect((await farm.request('GET', `/inventory/${(await itemOf(farm, sku)).id}`)).json().data.ready_stock).toBe(6)
  })

  test('changes nothing of a line of which units left and are made again: what left was of its SKU', async () => {
    const [sku, other] = [await stocked(10), await stocked(10)]
    const order = await addUnmapped()
    const item_id = order.items[0].id
    await map(order, { product_sku_id: sku.id })
    await post(`/orders/${order.id}/fulfill`, {})
    await post(`/orders/${order.id}/returns`, {
      items: [{ item_id, quantity: order.items[0].quantity, disposition: 'remake' }],
    })
    expect((await details(order)).items).toMatchObject([{ fulfillment_status: 'pending' }])
    expectFailure(await map(order, { product_sku_id: other.id, remember: false }), 409, 'RESOURCE_IN_USE')
    expectFailure(await map(order, { product_sku_id: other.id }), 409, 'RESOURCE_IN_USE')
    const [known] = (await farm.request('GET', '/listing-maps')).json().data
    expect(known).toMatchObject({ product_sku_id: sku.id })
    await farm.request('PATCH', `/listing-maps/${known.id}`, { product_sku_id: other.id })
    expect((await details(order)).items).toMatchObject([{ product_sku_id: sku.id }])
    expect(await findFaults(t.db.sql, farm.id)).toMatchObject({ left: [] })
  })

  test('refuses unknown SKUs, orders, lines and pack sizes, and other accounts', async () => {
    const sku = await addSku(farm)
    const order = await addUnmapped()
    const foreign = await addSku(await t.account())
    for (const id of ['sku_none', foreign.id]) {
      expectFailure(await map(order, { product_sku_id: id }), 404, 'SKU_NOT_FOUND')
    }
    for (const pack_size of [0, -1, 1001, 1.5, '2']) {
      expectFailure(await map(order, { product_sku_id: sku.id, pack_size }), 400, 'VALIDATION_ERROR')
    }
    expectFailure(await post(`/orders/${order.id}/items/itm_x/map`, { product_sku_id: sku.id }), 404, 'NOT_FOUND')
    const stranger = await t.account()
    const path = `/orders/${order.id}/items/${order.items[0].id}/map`
    expectFailure(await stranger.request('POST', path, { product_sku_id: foreign.id }), 404, 'NOT_FOUND')
    expect((await details(order)).items).toMatchObject([{ state: 'unmapped' }])
  })

  test('of 20 orders that arrive while their listing is mapped, none stays unmapped', async () => {
    const sku = await addSku(farm)
    const first = await addUnmapped()
    const arriving = Array.from({ length: 20 }, () => addUnmapped())
    const mapping = map(first, { product_sku_id: sku.id })
    const orders = await Promise.all(arriving)
    await mapping
    for (const order of orders) expect((await details(order)).items).toMatchObject([{ state: 'mapped' }])
  })
})

describe('listing maps', () => {
  test('are made, changed and deleted; open lines follow, and those of which units were taken do not', async () => {
    const [sku, better] = [await stocked(5), await addSku(farm)]
    const [open, taken] = [await addUnmapped(), await addUnmapped()]
    const listing = await made('/listing-maps', { ...etsy, seller_sku: 'E-1', product_sku_id: sku.id })
    expect(listing).toMatchObject({ ...etsy, seller_sku: 'E-1', sku: sku.sku, pack_size: 1, mapped_items: 2 })
    await post(`/orders/${taken.id}/fulfill`, {})
    const path = `/listing-maps/${listing.id}`
    const changed = await farm.request('PATCH', path, { product_sku_id: better.id, pack_size: 4 })
    expect(changed.json().data).toMatchObject({ product_sku_id: better.id, pack_size: 4 })
    expect((await farm.request('GET', path)).json().data).toEqual(changed.json().data)
    expect((await details(open)).items).toMatchObject([{ product_sku_id: better.id, units: 8 }])
    expect((await details(taken)).items).toMatchObject([{ product_sku_id: sku.id, units: 2 }])
    expect((await farm.request('DELETE', path)).json().data.id).toBe(listing.id)
    expect((await details(open)).items).toMatchObject([{ product_sku_id: better.id, listing_map_id: null }])
    expect((await details(await addUnmapped())).items).toMatchObject([{ state: 'unmapped' }])
    expectFailure(await farm.request('GET', path), 404, 'NOT_FOUND')
  })

  test('there is one for each listing of a shop; what is wrong is named', async () => {
    const sku = await addSku(farm)
    const body = { ...etsy, seller_sku: 'E-1', product_sku_id: sku.id }
    const first = await made('/listing-maps', body)
    const again = await post('/listing-maps', body)
    expectFailure(again, 409, 'ALREADY_EXISTS')
    expect(again.json().error.details).toEqual({ listing_map_id: first.id })
    await made('/listing-maps', { ...body, shop: 'south' })
    for (const [wrong, field] of [
      [{ ...body, seller_sku: undefined }, 'seller_sku'],
      [{ ...body, listing_id: '77' }, 'listing_id'],
      [{ ...body, variation: 'Red' }, 'variation'],
      [{ ...body, platform: 'amazon' }, 'platform'],
      [{ ...body, pack_size: -2 }, 'pack_size'],
    ] as const) {
      const answer = await post('/listing-maps', wrong)
      expectFailure(answer, 400, 'VALIDATION_ERROR')
      expect(Object.keys(answer.json().error.details)).toEqual([field])
    }
    expectFailure(await post('/listing-maps', { ...body, product_sku_id: 'sku_none' }), 404, 'SKU_NOT_FOUND')
  })

  test('decide before a code that is one of ours', async () => {
    const [own, other] = [await addSku(farm, { sku: 'SAME' }), await addSku(farm)]
    const line = { sku: 'SAME', quantity: 1, unit_price: 1 }
    expect((await made('/orders', { ...etsy, items: [line] })).items[0].product_sku_id).toBe(own.id)
    await made('/listing-maps', { ...etsy, seller_sku: 'SAME', product_sku_id: other.id })
    expect((await made('/orders', { ...etsy, items: [line] })).items[0].product_sku_id).toBe(other.id)
    expect((await made('/orders', { items: [line] })).items[0].product_sku_id).toBe(own.id)
  })
})

describe('packs', () => {
  test('leave the stock whole, by their units, and money stays by quantity', async () => {
    const sku = await stocked(7)
    await made('/listing-maps', { ...etsy, seller_sku: 'E-1', product_sku_id: sku.id, pack_size: 3 })
    const order = await made('/orders', { ...etsy, items: [{ ...sellerLine, quantity: 3 }] })
    const fulfilled = (await post(`/orders/${order.id}/fulfill`, {})).json().data
    expect(fulfilled.lines).toMatchObject([{ needed: 9, taken: 6, missing: 3 }])
    expect(fulfilled.items).toMatchObject([{ quantity: 3, quantity_fulfilled: 2, fulfillment_status: 'partial' }])
    expect(fulfilled.total_revenue).toBe(1950)
    const refused = await post(`/orders/${order.id}/fulfill`, {})
    expectFailure(refused, 400, 'INSUFFICIENT_STOCK')
    expect(refused.json().error.details).toMatchObject({ available: 1, lines: [{ needed: 3, available: 1 }] })
    expect((await farm.request('GET', '/orders/stats')).json().data.units_to_fulfill).toBe(3)
  })
})

describe('one order arrives once', () => {
  const items = async () => [{ product_sku_id: (await addSku(farm)).id, quantity: 1, unit_price: 100 }]

  test('of 20 equal ones at once one is recorded, and the others tell which', async () => {
    const body = { ...etsy, external_id: '4711', order_number: '#1', items: await items() }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/orders', body)))
    const [first] = answers.filter(({ statusCode }) => statusCode === 201)
    const others = answers.filter(({ statusCode }) => statusCode !== 201)
    expect(others).toHaveLength(19)
    for (const other of others) {
      expectFailure(other, 409, 'ALREADY_EXISTS')
      expect(other.json().error.details).toEqual({ order_id: first?.json().data.id })
    }
    expect((await farm.request('GET', '/orders')).json().meta.total).toBe(1)
  })

  test('of its shop: another shop, platform or account may have the same ID and number', async () => {
    const body = { ...etsy, external_id: '4711', order_number: '#1', items: await items() }
    await made('/orders', body)
    await made('/orders', { ...body, shop: 'south' })
    const third = await made('/orders', { ...body, platform: 'shopify' })
    const wrong = await farm.request('PATCH', `/orders/${third.id}`, { platform: 'etsy' })
    expectFailure(wrong, 409, 'ALREADY_EXISTS')
    expect((await farm.request('GET', `/orders?shop=south`)).json().data).toMatchObject([{ shop: 'south' }])
    await made('/orders', { ...body, external_id: '', order_number: '#2' })
    await made('/orders', { ...body, external_id: '', order_number: '#3' })
  })

  test('orders that were recorded twice before stay, and the first one is the one that is told', async () => {
    const lines = await items()
    const first = await made('/orders', { ...etsy, external_id: '1', items: lines })
    const second = await made('/orders', { ...etsy, external_id: '2', items: lines })
    await t.db.sql`
      update orders set external_id = '1', external_id_repeated = true where account_id = ${farm.id} and id = ${second.id}`
    const again = await post('/orders', { ...etsy, external_id: '1', items: lines })
    expect(again.json().error.details).toEqual({ order_id: first.id })
    const corrected = await farm.request('PATCH', `/orders/${second.id}`, { external_id: '2' })
    expect(corrected.statusCode, corrected.body).toBe(200)
    expectFailure(await post('/orders', { ...etsy, external_id: '2', items: lines }), 409, 'ALREADY_EXISTS')
  })
})

describe('settings of orders', () => {
  const set = (body: object) => farm.request('PATCH', '/orders/settings', body)
  const order = async (fields: object = {}) =>
    details(
      await made('/orders', {
        items: [{ product_sku_id: (await addSku(farm)).id, quantity: 1, unit_price: 100 }],
        ...fields,
      }),
    )

  test('are defaults until they are set; what is wrong is named and nothing is changed', async () => {
    const defaults = {
      auto_produce: 'off',
      currency: 'USD',
      handling_days: null,
      ship_lines_alone: false,
      working_days: [1, 2, 3, 4, 5],
      time_zone: 'UTC',
    }
    expect((await farm.request('GET', '/orders/settings')).json().data).toEqual(defaults)
    for (const [body, field] of [
      [{}, '_root'],
      [{ currency: 'EURO' }, 'currency'],
      [{ currency: 'XXX' }, 'currency'],
      [{ handling_days: -1 }, 'handling_days'],
      [{ working_days: [] }, 'working_days'],
      [{ working_days: [8] }, 'working_days.0'],
      [{ working_days: [1, 1] }, 'working_days'],
    ] as const) {
      const answer = await set(body)
      expectFailure(answer, 400, 'VALIDATION_ERROR')
      expect(Object.keys(answer.json().error.details)).toEqual([field])
    }
    expect((await set({ handling_days: 2, working_days: [6, 1] })).json().data).toEqual({
      ...defaults,
      handling_days: 2,
      working_days: [1, 6],
    })
    const [event] = await t.db.sql`
      select data from events where account_id = ${farm.id} and type = 'order_settings.updated'`
    expect(event).toEqual({ data: { fields: ['handling_days', 'working_days'] } })
  })

  test('give an order the end of a working day to be shipped by, in the zone of the account', async () => {
    // 2026-11-20 is a Friday; at half past eleven in the evening in UTC it is Saturday already in Berlin.
    const late = { order_date: '2026-11-20T23:30:00Z' }
    expect(await order(late)).toMatchObject({ ship_by: null })
    await set({ handling_days: 1 })
    expect(await order(late)).toMatchObject({ ship_by: '2026-11-24T00:00:00.000Z' })
    await farm.request('PATCH', '/orders/settings', { handling_days: 0 })
    expect(await order({ order_date: '2026-11-20T10:00:00Z' })).toMatchObject({ ship_by: '2026-11-21T00:00:00.000Z' })
    await t.db.sql`update accounts set time_zone = 'Europe/Berlin' where id = ${farm.id}`
    expect(await order(late)).toMatchObject({ ship_by: '2026-11-23T23:00:00.000Z' })
    expect(await order({ ...late, ship_by: '2026-12-01T10:00:00+01:00' })).toMatchObject({
      ship_by: '2026-12-01T09:00:00.000Z',
    })
    expect(await order({ ...late, ship_by: null, priority: 'urgent' })).toMatchObject({
      ship_by: null,
      priority: 'urgent',
    })
  })

  test('the first currency that an account names is that of all its orders until then, a later one of those to come', async () => {
    const before = await order()
    expect(before.currency).toBe('USD')
    await set({ currency: 'EUR' })
    const euro = await order()
    expect([await details(before), euro].map(({ currency }) => currency)).toEqual(['EUR', 'EUR'])
    await set({ currency: 'CZK' })
    const seen = await Promise.all([before, euro, await order(), await order({ currency: 'JPY' })].map(details))
    expect(seen.map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'CZK', 'JPY'])
    expectFailure(
      await post('/orders', { currency: 'ABC', items: [{ sku: 'x', quantity: 1, unit_price: 1 }] }),
      400,
      'VALIDATION_ERROR',
    )
    const changed = await farm.request('PATCH', `/orders/${euro.id}`, { currency: 'AAA' })
    expect(changed.json().error.details).toHaveProperty('currency')
  })

  test('revenue is never summed across currencies', async () => {
    const line = { product_sku_id: (await addSku(farm)).id, quantity: 1 }
    await set({ currency: 'EUR' })
    for (const [currency, unit_price] of [
      ['EUR', 100],
      ['EUR', 300],
      ['JPY', 5000],
    ]) {
      await made('/orders', { currency, items: [{ ...line, unit_price }] })
    }
    const stats = (await farm.request('GET', '/orders/stats')).json().data
    const rows = [
      { currency: 'EUR', total_orders: 2, total_revenue: 400 },
      { currency: 'JPY', total_orders: 1, total_revenue: 5000 },
    ]
    expect(stats).toMatchObject({
      total_orders: 3,
      currency: 'EUR',
      total_revenue: 400,
      average_order_value: 200,
      by_currency: rows,
      last_30_days: { total_orders: 3, total_revenue: 400, avg_order_value: 200, by_currency: rows },
    })
  })
})

describe('search', () => {
  const found = async (search: string) => {
    const answer = await farm.request('GET', `/orders?search=${encodeURIComponent(search)}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data.map((order: { id: string }) => order.id)
  }

  test('finds an order by number, customer, external ID, SKU and tracking, by the beginnings of all words', async () => {
    const product = await addProduct(farm, { name: 'Lamp' })
    const sku = await addSku(farm, { product_id: product.id, sku: 'LAMP-RED' })
    const items = [{ product_sku_id: sku.id, quantity: 1, unit_price: 1 }]
    const order = await made('/orders', {
      order_number: 'W-1001',
      customer_name: 'Åsa Müller',
      customer_email: 'asa@example.com',
      external_id: '5530198270182',
      items,
    })
    await made('/orders', { order_number: 'W-2002', customer_name: 'B. Other', items })
    await farm.request('PATCH', `/orders/${order.id}`, { tracking_number: '1Z-9' })
    for (const text of ['W-1001', '1001', 'müller', 'MULLER asa', 'asa@ex', '55301', '1z-9', 'lamp-red åsa', 'Å']) {
      expect(await found(text), text).toEqual([order.id])
    }
    expect(await found('lamp')).toHaveLength(2)
    for (const text of ['uller', 'Åsa 2002', "O'Neil\\ & | !:*", '%']) expect(await found(text), text).toEqual([])
    await post(`/orders/${order.id}/erase-customer`, {})
    for (const text of ['müller', 'asa@ex', '1z-9']) expect(await found(text), text).toEqual([])
    expect(await found('1001')).toEqual([order.id])
    const stranger = await t.account()
    expect((await stranger.request('GET', '/orders?search=1001')).json().data).toEqual([])
  })

  test('ship_before gives the orders that wait to be shipped, by a time before it', async () => {
    const sku = await addSku(farm)
    const items = [{ product_sku_id: sku.id, quantity: 1, unit_price: 1 }]
    const late = await made('/orders', { ship_by: '2026-03-01T12:00:00Z', items })
    const later = await made('/orders', { ship_by: '2026-03-01T12:00:01Z', items })
    await made('/orders', { items })
    const cancelled = await made('/orders', { ship_by: '2026-02-01T12:00:00Z', items })
    await farm.request('DELETE', `/orders/${cancelled.id}`)
    const before = async (moment: string) => {
      const answer = (await farm.request('GET', `/orders?ship_before=${moment}`)).json()
      return [answer.data.map(({ id }: { id: string }) => id), answer.meta.total]
    }
    expect(await before('2026-03-01T12:00:00Z')).toEqual([[], 0])
    expect(await before('2026-03-01T12:00:01Z')).toEqual([[late.id], 1])
    expect(await before('2026-03-01T14:00:00%2B01:00')).toEqual([[later.id, late.id], 2])
    expectFailure(await farm.request('GET', '/orders?ship_before=soon'), 400, 'VALIDATION_ERROR')
  })

  test('and the filters for unmapped lines and for what is due read their indexes with 20,000 orders', async () => {
    const sku = await addSku(farm)
    await t.db.sql`
      insert into orders (account_id, id, order_number, platform, status, order_date, items_total, search_words)
      select ${farm.id}, 'ord_' || n, n::text, 'etsy', 'fulfilled', now() - n * interval '1 minute', 100,
             array_to_tsvector(array[n::text, 'name' || n % 5000])
      from generate_series(1, 20000) n`
    await t.db.sql`
      insert into order_items
        (account_id, id, order_id, product_sku_id, sku, product_name, quantity, unit_price, seller_sku)
      select ${farm.id}, 'itm_' || n, 'ord_' || n, case when n % 500 > 0 then ${sku.id} end, 'S', 'P', 1, 1, 'S-' || n
      from generate_series(1, 20000) n`
    await t.db.sql`analyze orders, order_items`
    const unmapped = readPlan(await listOrders(explaining(t.db.sql), farm.id, { limit: 51, offset: 0, unmapped: true }))
    expect(unmapped.indexes).toContain('order_items_unmapped')
    expect(unmapped.nodes).not.toContain('Seq Scan')
    expect((await farm.request('GET', '/orders?unmapped=true')).json().meta.total).toBe(40)
    const plan = readPlan(await listOrders(explaining(t.db.sql), farm.id, { limit: 51, offset: 0, search: 'name4711' }))
    expect(plan.indexes).toEqual(['orders_by_word'])
    expect(await found('name4711')).toHaveLength(4)
    const shipBefore = { limit: 51, offset: 0, ship_before: '2100-01-01T00:00:00Z' }
    expect(readPlan(await listOrders(explaining(t.db.sql), farm.id, shipBefore)).nodes).not.toContain('Seq Scan')
  })
})

test('what the orders of a shop are is not told to a key that may not read, nor changed by one that may not write', async () => {
  const reader = await t.account({ scopes: ['read'] })
  expect((await reader.request('GET', '/orders/settings')).statusCode).toBe(200)
  expectFailure(await reader.request('PATCH', '/orders/settings', { handling_days: 1 }), 403, 'INSUFFICIENT_SCOPE')
  const writer = await t.account({ scopes: ['write'] })
  expectFailure(await writer.request('GET', '/listing-maps'), 403, 'INSUFFICIENT_SCOPE')
})
