import { describe, expect, test } from 'vitest'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { addProduct, addSku } from '../../test/farm/test-catalogue.ts'
import { expectFailure, lineOf, ordersOf } from '../../test/farm/test-orders.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { listOrders } from './orders.queries.ts'

const { t, account: farm } = accountForEachTest()
const { stockedSku, addOrder, readOrder, fulfil, eventsOf, countOrdersOf, balancedStock } = ordersOf(t, farm)

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const customer = {
  customer_name: 'A. Buyer',
  customer_email: 'buyer@example.com',
  customer_phone: '+00 555 0100',
  shipping_street: '1 Sample Lane',
  shipping_city: 'Sampleton',
  shipping_state: 'Samplia',
  shipping_zip: '00501',
  shipping_country: 'Sampland',
}
describe('POST /orders', () => {
  test('records an order with the smallest body: number, date and totals are filled in', async () => {
    const product = await addProduct(farm, { name: 'Lamp' })
    const sku = await addSku(farm, { product_id: product.id, sku: 'LAMP-RED' })
    const order = await addOrder([lineOf(sku, 3, 1250)])
    expect(order).toEqual({
      id: expect.stringMatching(/^ord_/),
      order_number: expect.stringMatching(/^ORD-[0-9A-HJKMNP-TV-Z]{8}$/),
      platform: 'manual',
      customer_name: '',
      customer_email: '',
      customer_phone: '',
      order_date: moment,
      status: 'pending',
      total_revenue: 3750,
      shipping_cost: 0,
      tax_amount: 0,
      discount_amount: 0,
      shipping_street: '',
      shipping_city: '',
      shipping_state: '',
      shipping_zip: '',
      shipping_country: 'USA',
      tracking_number: '',
      tracking_url: '',
      shipped_at: null,
      external_id: '',
      notes: '',
      created_at: moment,
      updated_at: order.created_at,
      items: [
        {
          id: expect.stringMatching(/^itm_/),
          product_sku_id: sku.id,
          sku: 'LAMP-RED',
          product_name: 'Lamp',
          quantity: 3,
          unit_price: 1250,
          total_price: 3750,
          quantity_fulfilled: 0,
          fulfillment_status: 'pending',
          notes: '',
          created_at: order.created_at,
        },
      ],
    })
    expect(await readOrder(order)).toEqual(order)
    expect(await eventsOf(order.id)).toEqual([
      { type: 'order.created', data: { platform: 'manual', items: 1, total_revenue: 3750, currency: 'USD' } },
    ])
  })

  test('keeps every field that is given, and the lines in their order', async () => {
    const [first, second] = [await addSku(farm), await addSku(farm)]
    const fields = {
      ...customer,
      order_number: '#1001',
      platform: 'etsy',
      shipping_cost: 490,
      tax_amount: 210,
      discount_amount: 100,
      notes: 'Gift wrap',
      external_id: 'etsy-77',
    }
    const items = [lineOf(second, 1, 500), { ...lineOf(first, 2, 300), notes: 'Engrave "A"' }, lineOf(second, 1, 0)]
    const order = await addOrder(items, { ...fields, order_date: '2026-03-01T12:00:00+02:00' })
    expect(order).toMatchObject({
      ...fields,
      order_date: '2026-03-01T10:00:00.000Z',
      total_revenue: 500 + 600 + 490 + 210 - 100,
      items: items.map((each) => ({ ...each, total_price: each.quantity * each.unit_price })),
    })
  })

  test('500 lines of the largest numbers add up exactly', async () => {
    const sku = await addSku(farm)
    const order = await addOrder(Array.from({ length: 500 }, () => lineOf(sku, 100_000, 100_000_000)))
    expect(order.total_revenue).toBe(5_000_000_000_000_000)
    expect(order.items).toHaveLength(500)
  })

  test.each([
    [{ items: undefined }, { items: ['is required'] }],
    [{ items: [] }, { items: ['must have at least 1 item'] }],
    [{ platform: 'ebay' }, { platform: ['must be one of shopify, etsy, woocommerce, manual, other'] }],
    [{ order_number: '' }, { order_number: ['must not be empty'] }],
    [{ customer_name: null }, { customer_name: ['must be a string'] }],
    [{ order_date: 'yesterday' }, { order_date: ['must be an ISO 8601 timestamp'] }],
    [{ order_date: '1899-12-30' }, { order_date: ['must not be before the year 2000'] }],
    [
      { order_date: '2026-11-10', ship_by: '2026-11-08' },
      { ship_by: ['must not be before the order was placed, 2026-11-10'] },
    ],
    [{ shipping_cost: -1 }, { shipping_cost: ['must be at least 0'] }],
    [{ tax_amount: 1.5 }, { tax_amount: ['must be a whole number'] }],
    [{ discount_amount: 1001 }, { discount_amount: ['must be at most the total of items, shipping and tax'] }],
  ])('refuses %j and says what is wrong', async (fields, details) => {
    const answer = await farm.request('POST', '/orders', { items: [lineOf(await addSku(farm))], ...fields })
    expectFailure(answer, 400, 'VALIDATION_ERROR')
    expect(answer.json().error.details).toEqual(details)
    expect(await countOrdersOf(farm.id)).toEqual({ orders: 0, items: 0 })
  })

  test.each([
    [{ quantity: 0 }, 'items.0.quantity', 'must be at least 1'],
    [{ quantity: 100_001 }, 'items.0.quantity', 'must be at most 100000'],
    [{ unit_price: -1 }, 'items.0.unit_price', 'must be at least 0'],
    [{ unit_price: 9.99 }, 'items.0.unit_price', 'must be a whole number'],
    [{ product_sku_id: '' }, 'items.0.product_sku_id', 'must not be empty'],
  ])('refuses a line with %j', async (fields, field, message) => {
    const answer = await farm.request('POST', '/orders', { items: [{ ...lineOf(await addSku(farm)), ...fields }] })
    expectFailure(answer, 400, 'VALIDATION_ERROR')
    expect(answer.json().error.details).toEqual({ [field]: [message] })
  })

  test('refuses more than 500 lines', async () => {
    const sku = await addSku(farm)
    const answer = await farm.request('POST', '/orders', { items: Array.from({ length: 501 }, () => lineOf(sku)) })
    expectFailure(answer, 400, 'VALIDATION_ERROR')
  })

  test('names the lines whose SKU is unknown or of another account, and records nothing', async () => {
    const foreign = await addSku(await t.account())
    const items = [lineOf({ id: 'sku_none' }), lineOf(await addSku(farm)), lineOf(foreign)]
    const answer = await farm.request('POST', '/orders', { items })
    expectFailure(answer, 400, 'INVALID_PRODUCT_SKU')
    expect(answer.json().error.details).toEqual({
      lines: [
        { line: 0, product_sku_id: 'sku_none' },
        { line: 2, product_sku_id: foreign.id },
      ],
    })
    expect(await countOrdersOf(farm.id)).toEqual({ orders: 0, items: 0 })
  })

  test('of 20 equal orders at once one is recorded: a number can be used once per shop', async () => {
    const items = [lineOf(await addSku(farm))]
    const send = () => farm.request('POST', '/orders', { items, order_number: '#1' })
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.json().error?.code === 'DUPLICATE_ORDER_NUMBER')).toHaveLength(19)
    expect(await countOrdersOf(farm.id)).toEqual({ orders: 1, items: 1 })
    const ofOtherShop = { items, order_number: '#1', shop: 'second' }
    expect((await farm.request('POST', '/orders', ofOtherShop)).statusCode).toBe(201)
    expectFailure(await farm.request('POST', '/orders', ofOtherShop), 409, 'DUPLICATE_ORDER_NUMBER')
    const other = await t.account()
    const elsewhere = { items: [lineOf(await addSku(other))], order_number: '#1' }
    expect((await other.request('POST', '/orders', elsewhere)).statusCode).toBe(201)
  })

  test('the same request with the same Idempotency-Key is answered again and recorded once', async () => {
    const body = { items: [lineOf(await addSku(farm))] }
    const send = () => farm.request('POST', '/orders', body, { 'idempotency-key': 'k' })
    const first = await send()
    const second = await send()
    expect(first.statusCode).toBe(201)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toBe(first.body)
    expect(await countOrdersOf(farm.id)).toEqual({ orders: 1, items: 1 })
  })
})

describe('GET /orders/{id}', () => {
  test('needs a key with the scope read, and knows only orders of its account', async () => {
    const order = await addOrder([lineOf(await addSku(farm))])
    const anonymous = await t.app.inject({ url: `/public/v1/orders/${order.id}` })
    expectFailure(anonymous, 401, 'UNAUTHORIZED')
    const writer = await t.account({ scopes: ['write'] })
    expectFailure(await writer.request('GET', `/orders/${order.id}`), 403, 'INSUFFICIENT_SCOPE')
    const foreign = await (await t.account()).request('GET', `/orders/${order.id}`)
    expectFailure(foreign, 404, 'NOT_FOUND')
    expect(foreign.body).toBe((await farm.request('GET', '/orders/ord_none')).body)
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/fulfill'],
      ['POST', `/items/${order.items[0].id}/fulfill`],
      ['POST', '/erase-customer'],
    ] as const) {
      const other = await t.account()
      const body = method === 'PATCH' ? { notes: 'x' } : undefined
      expectFailure(await other.request(method, `/orders/${order.id}${path}`, body), 404, 'NOT_FOUND')
    }
    expect(await readOrder(order)).toEqual(order)
  })

  test('never shows where the stock lies', async () => {
    const order = await addOrder([lineOf(await addSku(farm))])
    const answer = await farm.request('GET', `/orders/${order.id}`)
    expect(answer.body).not.toMatch(/finished_good_id|inventory_item_id|items_total|account_id/)
  })
})

describe('GET /orders', () => {
  test('lists the latest first without items, filters, and says how many match on all pages', async () => {
    const sku = await addSku(farm)
    const make = (date: string, platform: string) => addOrder([lineOf(sku)], { order_date: date, platform })
    const march = await make('2026-03-01T00:00:00Z', 'etsy')
    const may = await make('2026-05-01T00:00:00Z', 'etsy')
    const april = await make('2026-04-01T00:00:00Z', 'shopify')
    await farm.request('DELETE', `/orders/${march.id}`)
    const listed = async (query: string) => {
      const { data, meta } = (await farm.request('GET', `/orders?${query}`)).json()
      return { ids: data.map((order: { id: string }) => order.id), meta }
    }
    expect(await listed('')).toEqual({
      ids: [may.id, april.id, march.id],
      meta: { limit: 50, offset: 0, count: 3, total: 3, next_cursor: null },
    })
    expect(await listed('limit=1&offset=1')).toEqual({
      ids: [april.id],
      meta: { limit: 1, offset: 1, count: 1, total: 3 },
    })
    expect((await listed('offset=9')).meta).toEqual({ limit: 50, offset: 9, count: 0, total: 3 })
    expect((await listed('platform=etsy')).ids).toEqual([may.id, march.id])
    expect((await listed('status=cancelled')).ids).toEqual([march.id])
    expect((await listed('platform=etsy&status=pending')).meta.total).toBe(1)
    expect((await listed('from=2026-04-01&to=2026-05-01')).ids).toEqual([may.id, april.id])
    expect((await listed('to=2026-04-01T00:00:00%2B01:00')).ids).toEqual([march.id])
    const [row] = (await farm.request('GET', '/orders?limit=1')).json().data
    const { items: _, ...summary } = may
    const own = { shop: '', currency: 'USD', priority: 'normal', is_paid: true, ship_by: null, unmapped_items: 0 }
    expect(row).toEqual({ ...summary, ...own, promise: null })
    expect((await (await t.account()).request('GET', '/orders')).json().meta.total).toBe(0)
    expectFailure(await farm.request('GET', '/orders?status=open'), 400, 'VALIDATION_ERROR')
  })

  test('a page is read from an index in its order, however many orders there are', async () => {
    for (const { id } of [farm, await t.account()]) {
      await t.db.sql`
        insert into orders (account_id, id, order_number, platform, status, order_date, items_total)
        select ${id}, 'ord_' || n, n::text, 'etsy', case when n % 50 = 0 then 'pending' else 'fulfilled' end,
               now() - n * interval '1 minute', 100
        from generate_series(1, 5000) n`
    }
    await t.db.sql`analyze orders`
    const planOf = async (filter: object) =>
      readPlan(await listOrders(explaining(t.db.sql), farm.id, { limit: 50, offset: 0, ...filter }))
    expect(await planOf({})).toEqual({ nodes: ['Limit', 'Index Scan'], indexes: ['orders_by_date'] })
    expect(await planOf({ status: 'pending' })).toEqual({
      nodes: ['Limit', 'Index Scan'],
      indexes: ['orders_by_status'],
    })
  })
})

describe('GET /orders/stats', () => {
  test('counts orders by status and platform, and the revenue without cancelled and refunded ones', async () => {
    const empty = (await farm.request('GET', '/orders/stats')).json().data
    expect(empty).toMatchObject({ total_orders: 0, total_revenue: 0, average_order_value: 0, units_to_fulfill: 0 })
    const sku = await stockedSku(1)
    const first = await addOrder([lineOf(sku, 3, 100)], { platform: 'etsy' })
    await addOrder([lineOf(sku, 1, 201)])
    const cancelled = await addOrder([lineOf(sku, 5, 7777)])
    await farm.request('DELETE', `/orders/${cancelled.id}`)
    const refunded = await addOrder([lineOf(sku, 5, 8888)])
    await farm.request('PATCH', `/orders/${refunded.id}`, { status: 'refunded' })
    await fulfil(first)
    expect((await farm.request('GET', '/orders/stats')).json().data).toEqual({
      total_orders: 4,
      by_status: {
        pending: 1,
        processing: 1,
        printed: 0,
        assembled: 0,
        shipped: 0,
        fulfilled: 0,
        cancelled: 1,
        refunded: 1,
      },
      by_platform: { shopify: 0, etsy: 1, woocommerce: 0, manual: 3, other: 0 },
      currency: 'USD',
      total_revenue: 501,
      average_order_value: 251,
      by_currency: [{ currency: 'USD', total_orders: 2, total_revenue: 501, average_order_value: 251 }],
      pending_fulfillment: 2,
      last_30_days: {
        total_orders: 2,
        total_revenue: 501,
        total_shipping: expect.any(Number),
        total_tax: expect.any(Number),
        total_discount: expect.any(Number),
        avg_order_value: 251,
        by_currency: [
          {
            currency: 'USD',
            total_orders: 2,
            total_revenue: 501,
            total_shipping: 0,
            total_tax: 0,
            total_discount: 0,
            avg_order_value: 251,
          },
        ],
      },
      units_to_fulfill: 3,
    })
  })
})

describe('PATCH /orders/{id}', () => {
  const patch = (order: { id: string }, body: object) => farm.request('PATCH', `/orders/${order.id}`, body)

  test('changes what is given; the total follows', async () => {
    const order = await addOrder([lineOf(await addSku(farm), 2, 1000)], { ...customer, notes: 'Old' })
    const changes = {
      order_number: 'N-2',
      platform: 'other',
      customer_name: '',
      shipping_cost: 500,
      discount_amount: 2500,
      tracking_number: 'T1',
      tracking_url: 'https://example.com/T1',
      order_date: '2026-01-02',
      status: 'printed',
    }
    const answer = await patch(order, changes)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual({
      ...order,
      ...changes,
      order_date: '2026-01-02T00:00:00.000Z',
      total_revenue: 0,
      updated_at: moment,
    })
    expect((await eventsOf(order.id)).at(-1)).toEqual({
      type: 'order.updated',
      data: { fields: expect.arrayContaining(Object.keys(changes)), status: 'printed' },
    })
  })

  test('may have been due before the day of its entry, as long as nothing says when it was placed', async () => {
    const order = await addOrder([lineOf(await addSku(farm))])
    const due = new Date(Date.parse(order.order_date) - 5 * 86_400_000).toISOString()
    expect((await patch(order, { ship_by: due })).statusCode).toBe(200)
    const [listed] = (await farm.request('GET', '/orders?limit=1')).json().data
    expect(listed).toMatchObject({ id: order.id, ship_by: due, order_date: order.order_date })
    const placed = new Date(Date.parse(due) + 3 * 86_400_000).toISOString()
    const refused = await patch(order, { order_date: placed })
    expectFailure(refused, 400, 'VALIDATION_ERROR')
    expect(Object.keys(refused.json().error.details)).toEqual(['ship_by'])
  })

  test('refuses what does not fit, and then changes nothing', async () => {
    const sku = await addSku(farm)
    await addOrder([lineOf(sku)], { order_number: 'taken' })
    const order = await addOrder([lineOf(sku)])
    for (const [body, details] of [
      [{}, { _root: ['must have at least one field'] }],
      [{ discount_amount: 1001 }, { discount_amount: ['must be at most the total of items, shipping and tax'] }],
      [{ tracking_url: 'javascript:alert(1)' }, { tracking_url: ['has an invalid form'] }],
      [
        { order_date: '2026-11-10', ship_by: '2026-11-08' },
        { ship_by: ['must not be before the order was placed, 2026-11-10'] },
      ],
      [
        { status: 'lost' },
        {
          status: ['must be one of pending, processing, printed, assembled, shipped, fulfilled, cancelled, refunded'],
        },
      ],
    ] as const) {
      const answer = await patch(order, body)
      expectFailure(answer, 400, 'VALIDATION_ERROR')
      expect(answer.json().error.details).toEqual(details)
    }
    expectFailure(await patch(order, { order_number: 'taken', notes: 'x' }), 409, 'DUPLICATE_ORDER_NUMBER')
    expect(await readOrder(order)).toEqual(order)
  })

  test('shipped is refused while units are open, and taken with force, which the event tells', async () => {
    const order = await addOrder([lineOf(await addSku(farm), 3)])
    const refused = await patch(order, { status: 'shipped', notes: 'x' })
    expectFailure(refused, 409, 'ORDER_HAS_OPEN_ITEMS')
    expect(refused.json().error.details).toEqual({
      lines: [{ order_item_id: order.items[0].id, sku: order.items[0].sku, open: 3 }],
    })
    expect(await readOrder(order)).toEqual(order)
    expect((await patch(order, { status: 'shipped', force: true })).json().data.status).toBe('shipped')
    expect((await eventsOf(order.id)).at(-1)).toEqual({
      type: 'order.updated',
      data: { fields: ['status'], status: 'shipped', forced: true, open_units: 3 },
    })
  })

  test('shipped stamps the order once', async () => {
    const order = await addOrder([lineOf(await addSku(farm))])
    const first = (await patch(order, { status: 'shipped', force: true })).json().data
    expect(first).toMatchObject({ status: 'shipped', shipped_at: moment })
    await patch(order, { status: 'processing' })
    expect((await patch(order, { status: 'shipped', force: true })).json().data.shipped_at).toBe(first.shipped_at)
  })

  test('an order of which units were taken is not pending any more, whatever is said', async () => {
    const sku = await stockedSku(1)
    const order = await addOrder([lineOf(sku, 2)])
    await fulfil(order)
    expect((await patch(order, { status: 'pending' })).json().data.status).toBe('processing')
  })

  test('a refund ends the order: what is open is cancelled, and it goes no further', async () => {
    const sku = await stockedSku(1)
    const order = await addOrder([lineOf(sku, 2)])
    await fulfil(order)
    const refunded = (await patch(order, { status: 'refunded' })).json().data
    expect(refunded).toMatchObject({
      status: 'refunded',
      items: [{ fulfillment_status: 'cancelled', quantity_fulfilled: 1 }],
    })
    const answer = await patch(order, { status: 'processing' })
    expectFailure(answer, 400, 'VALIDATION_ERROR')
    expect(answer.json().error.details).toEqual({ status: ['cannot change from refunded to processing'] })
    expect((await patch(order, { notes: 'Money is back' })).json().data.status).toBe('refunded')
    expectFailure(await fulfil(order), 400, 'ORDER_CANNOT_FULFILL')
  })
})

describe('DELETE /orders/{id}', () => {
  test('cancels the order and its open items once; what was taken stays taken', async () => {
    const sku = await stockedSku(1)
    const order = await addOrder([lineOf(sku, 2), lineOf(sku, 1)])
    await fulfil(order)
    const answer = await farm.request('DELETE', `/orders/${order.id}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({
      status: 'cancelled',
      items: [
        { fulfillment_status: 'cancelled', quantity_fulfilled: 1 },
        { fulfillment_status: 'cancelled', quantity_fulfilled: 0 },
      ],
    })
    expect(await balancedStock(sku)).toBe(0)
    expect((await farm.request('DELETE', `/orders/${order.id}`)).json()).toEqual(answer.json())
    const cancellations = (await eventsOf(order.id)).filter(({ type }) => type === 'order.cancelled')
    expect(cancellations).toEqual([{ type: 'order.cancelled', data: { previous_status: 'processing' } }])
    const late = await fulfil(order)
    expectFailure(late, 400, 'ORDER_CANNOT_FULFILL')
    expect(late.json().error.details).toEqual({ status: 'cancelled' })
  })

  test('an order that is fulfilled is not cancelled', async () => {
    const order = await addOrder([lineOf(await stockedSku(1))])
    await fulfil(order)
    expectFailure(await farm.request('DELETE', `/orders/${order.id}`), 400, 'ORDER_ALREADY_FULFILLED')
    expect((await readOrder(order)).status).toBe('fulfilled')
  })
})

describe('personal data', () => {
  const tracking = { tracking_number: 'TRACK-9', tracking_url: 'https://example.com/TRACK-9' }

  const personalLine = async () => ({
    ...lineOf(await stockedSku(5)),
    notes: 'For A. Child',
    personalisation: [{ name: 'Name to engrave', value: 'Annabel' }],
  })

  test('is emptied by erase-customer, notes and what the customer wanted included, and the rest of the order stays', async () => {
    const order = await addOrder([await personalLine()], { ...customer, notes: 'Gift wrap' })
    await farm.request('PATCH', `/orders/${order.id}`, tracking)
    const answer = await farm.request('POST', `/orders/${order.id}/erase-customer`)
    expect(answer.statusCode).toBe(200)
    const emptied = { ...Object.fromEntries(Object.keys(customer).map((field) => [field, ''])), notes: '' }
    const items = order.items.map((item: object) => ({ ...item, notes: '' }))
    expect(answer.json().data).toEqual({ ...order, ...emptied, items, updated_at: moment })
    expect((await farm.request('GET', `/orders/${order.id}/details`)).json().data.items).toMatchObject([
      { notes: '', personalisation: [] },
    ])
    expect(await readOrder(order)).toEqual(answer.json().data)
    await farm.request('POST', `/orders/${order.id}/erase-customer`)
    const erasures = (await eventsOf(order.id)).filter(({ type }) => type === 'order.customer_erased')
    expect(erasures).toEqual([{ type: 'order.customer_erased', data: {} }])
  })

  test('does not come back by a request that is sent again under its Idempotency-Key', async () => {
    const sku = await stockedSku(5)
    const key = () => ({ 'idempotency-key': crypto.randomUUID() })
    const [making, shipping, other] = [key(), key(), key()]
    const personal = { notes: 'For A. Child', personalisation: [{ name: 'Name', value: 'Annabel' }] }
    const body = { items: [{ ...lineOf(sku, 1), ...personal }], ...customer, notes: 'Gift of C. Aunt' }
    const made = await farm.request('POST', '/orders', body, making)
    const { id, items: ordered } = made.json().data
    const parcel = { items: [{ item_id: ordered[0].id, quantity: 1 }] }
    const shipped = await farm.request('POST', `/orders/${id}/fulfill`, parcel, shipping)
    expect([made.statusCode, shipped.statusCode]).toEqual([201, 200])
    const kept = await farm.request('POST', '/orders', { ...body, customer_name: 'C. Buyer' }, other)
    const map = { product_sku_id: sku.id, remember: false }
    const open = await addOrder([await personalLine()], customer)
    const mapping = key()
    const mapped = () => farm.request('POST', `/orders/${open.id}/items/${open.items[0].id}/map`, map, mapping)
    expect((await mapped()).body).toContain('Annabel')
    await farm.request('POST', `/orders/${open.id}/erase-customer`)
    expect((await mapped()).headers['idempotent-replayed']).toBe('true')
    for (const value of ['Annabel', 'A. Child']) expect((await mapped()).body).not.toContain(value)

    expect((await farm.request('POST', `/orders/${id}/erase-customer`)).statusCode).toBe(200)
    const again = [
      await farm.request('POST', '/orders', body, making),
      await farm.request('POST', `/orders/${id}/fulfill`, parcel, shipping),
    ]
    for (const answer of again) {
      expect(answer.headers['idempotent-replayed']).toBe('true')
      for (const value of [...Object.values(customer), 'A. Child', 'Annabel', 'C. Aunt']) {
        expect(answer.body).not.toContain(value)
      }
    }
    const emptied = { ...Object.fromEntries(Object.keys(customer).map((field) => [field, ''])), notes: '' }
    const items = made.json().data.items.map((item: object) => ({ ...item, notes: '' }))
    expect(again[0]?.json().data).toEqual({ ...made.json().data, ...emptied, items })
    // What is kept of other orders stays what it was.
    expect((await farm.request('POST', '/orders', { ...body, customer_name: 'C. Buyer' }, other)).body).toBe(kept.body)
  })

  test('is found nowhere in the database after the erasure: not in events, not in movements', async () => {
    const order = await addOrder([await personalLine()], { ...customer, notes: 'Gift of C. Aunt' })
    await farm.request('PATCH', `/orders/${order.id}`, { ...tracking, customer_name: 'B. Buyer' })
    await fulfil(order)
    await farm.request('POST', `/orders/${order.id}/erase-customer`)
    const kept = await t.db.sql`
      select (select json_agg(e) from events e where account_id = ${farm.id}) as events,
             (select json_agg(m) from stock_movements m where account_id = ${farm.id}) as movements,
             (select json_agg(o) from orders o where account_id = ${farm.id}) as orders,
             (select json_agg(i) from order_items i where account_id = ${farm.id}) as items`
    const text = JSON.stringify(kept)
    expect(text).toContain(order.id)
    const written = ['B. Buyer', 'buyer', 'Annabel', 'A. Child', 'C. Aunt']
    for (const value of [...Object.values(customer), ...Object.values(tracking), ...written]) {
      expect(text).not.toContain(value)
    }
  })

  test('is marked in the API description, in requests and in answers', () => {
    const document = t.app.swagger() as unknown as {
      components: { schemas: Record<string, Described> }
    }
    const schemas = [
      [document.components.schemas.Order, 11],
      [document.components.schemas.OrderSummary, 11],
      [document.components.schemas.OrderItem, 1],
      [document.components.schemas.OrderItemDetails, 2],
      [document.components.schemas.CreateOrderRequest, 9],
      [document.components.schemas.UpdateOrderRequest, 11],
      [document.components.schemas.FulfillOrderRequest, 2],
    ] as const
    for (const [schema, count] of schemas) {
      const marked = Object.entries(schema?.properties ?? {}).filter(([, property]) => property['x-pii'] === true)
      expect(marked.map(([name]) => name.replace(/_.*/, ''))).toHaveLength(count)
      expect(marked.every(([name]) => /^((customer|shipping|tracking)_|notes$|personalisation$)/.test(name))).toBe(true)
      expect(marked.map(([name]) => name)).not.toContain('shipping_cost')
    }
  })
})

interface Described {
  properties: Record<string, Record<string, unknown>>
}
