import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { createTargetPolicy } from '../../../../kernel/target-policy.ts'
import { openTestShopify } from '../../../../test/services/test-shopify.ts'
import type { ShopOrder } from '../../../orders/from-shop/shop-order.ts'
import { createSender } from '../../../outbound/send-request.ts'
import type { ConnectedShop, Parcel, UnreadableOrder } from '../contract/connector.ts'
import { objectOf } from '../contract/read-text.ts'
import { createShopClient } from '../contract/shop-client.ts'
import { shopify } from './shopify.ts'

const startMs = Date.parse('2026-11-20T09:00:00Z')

const sender = createSender({
  policy: createTargetPolicy('127.0.0.1'),
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  clock: systemClock,
  userAgent: 'test',
})

let shop: Awaited<ReturnType<typeof openTestShopify>>
let client: ReturnType<typeof createShopClient>
let connected: ConnectedShop
beforeEach(async () => {
  shop = await openTestShopify()
  onTestFinished(() => shop.close())
  client = createShopClient(sender, systemClock, { secrets: ['shpss_secret'], kept: new Map() })
  connected = {
    url: shop.url,
    settings: { webhook_secret: 'unused', client_id: 'id', client_secret: 'shpss_secret' },
    personalisationNames: [],
  }
})

type Lines = NonNullable<Parameters<typeof shop.addOrder>[1]>['lines']

function addOrder(id: number, seconds: number, fields: object = {}, lines: Lines = [{}]) {
  shop.now = startMs + seconds * 1_000
  return shop.addOrder(fields, { id, lines })
}

/** As the runner reads: page by page, the cursor as it is stored. */
async function readAll(from = shopify.firstCursor(new Date(startMs - 1_000))) {
  const read = new Map<string, ShopOrder | UnreadableOrder>()
  let cursor = from
  for (let pages = 0; ; pages += 1) {
    expect(pages).toBeLessThan(50)
    const page = await shopify.readPage(client, connected, cursor)
    for (const order of page.orders) read.set(order.external_id, order)
    cursor = JSON.parse(JSON.stringify(page.cursor))
    if (page.isLast) return { read, cursor }
  }
}

describe('orders', () => {
  test('an order is read in our words', async () => {
    const attributes = [
      { key: 'Text', value: 'Ann' },
      { key: '_app', value: 'x' },
    ]
    addOrder(1, 0, {}, [{ attributes }])
    const { read } = await readAll()
    expect(read.get('1')).toEqual({
      external_id: '1',
      state: 'open',
      fields: {
        ...{ order_number: '#1', order_date: '2026-11-20T09:00:00Z', currency: 'EUR', is_paid: true },
        ...{ customer_name: 'Kim', customer_email: 'kim@example.com', customer_phone: '', shipping_street: '1 St' },
        ...{ shipping_city: '', shipping_state: '', shipping_zip: '', shipping_country: 'CH', shipping_cost: 300 },
        ...{ tax_amount: 0, discount_amount: 0, total_revenue: 1600, notes: '' },
      },
      lines: [
        {
          ...{ external_id: '1000', sku: 'SIGN', listing_id: '7', variation: '8', product_name: 'Sign - Oak' },
          ...{ quantity: 2, unit_price: 650, personalisation: [{ name: 'Text', value: 'Ann' }] },
        },
      ],
    })
  })

  test.each([
    [{ cancelledAt: '2026-11-20T10:00:00Z' }, 'cancelled'],
    [{ displayFinancialStatus: 'VOIDED' }, 'cancelled'],
    [{ displayFinancialStatus: 'REFUNDED' }, 'refunded'],
    [{ displayFulfillmentStatus: 'FULFILLED' }, 'done'],
    [{ displayFinancialStatus: 'PENDING' }, 'open'],
  ])('one with %o is %s', async (fields, state) => {
    addOrder(1, 0, fields)
    expect((await readAll()).read.get('1')).toMatchObject({ state })
  })

  test('all are read in their last state while the list changes, and so are all lines of a large one', async () => {
    // More in one second than two pages have.
    for (let id = 1; id <= 25; id += 1) addOrder(id, 5)
    for (let id = 26; id <= 40; id += 1) addOrder(id, id)
    addOrder(
      41,
      50,
      {},
      Array.from({ length: 70 }, () => ({})),
    )
    let pages = 0
    shop.afterPage = () => {
      pages += 1
      for (const id of [pages * 2, 30 + pages]) {
        const order = shop.orders.find((each) => each.id === id)
        if (order && pages <= 5)
          Object.assign(order, { updatedMs: startMs + 100_000 + pages * 1_000, fields: { note: `${pages}` } })
      }
    }
    const { read, cursor } = await readAll()
    expect(read.size).toBe(41)
    for (const { id, fields } of shop.orders) {
      expect(read.get(String(id))).toMatchObject({ fields: { notes: (fields as { note?: string }).note ?? '' } })
    }
    expect(objectOf(read.get('41')).lines).toHaveLength(70)
    expect(objectOf(cursor).after).toBe('')
  })

  test('gift cards are nothing to be made, and an order that is gone is none', async () => {
    addOrder(1, 0, { lineItems: { nodes: [{ id: 'gid://shopify/LineItem/1', requiresShipping: false }] } })
    expect(await shopify.readOrder(client, connected, '1')).toMatchObject({ lines: [] })
    expect(await shopify.readOrder(client, connected, '2')).toBeUndefined()
  })
})

describe('calls', () => {
  test('a token that ended is asked for again, once; keys that are wrong are said to be', async () => {
    expect(await shopify.test(client, connected)).toBe('Test shop')
    shop.tokens = []
    expect(await shopify.test(client, connected)).toBe('Test shop')
    expect(shop.tokensGiven).toBe(2)
    shop.refusesTokens = true
    await expect(shopify.test(client, connected)).rejects.toMatchObject({ kind: 'credentials' })
    expect(shop.tokensGiven).toBe(3)
    const wrong = { ...connected, settings: { ...connected.settings, client_secret: 'other' } }
    client.kept.clear()
    await expect(shopify.test(client, wrong)).rejects.toMatchObject({ kind: 'credentials' })
  })

  test('a throttled call waits for as long as the shop needs', async () => {
    const cost = { requestedQueryCost: 300, throttleStatus: { currentlyAvailable: 50, restoreRate: 100 } }
    shop.interfere = () => ({
      status: 200,
      body: { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions: { cost } },
    })
    await expect(readAll()).rejects.toMatchObject({ kind: 'busy', retryAfterMs: 2_500 })
  })

  test('a right that is missing, and an answer without a list, are told apart', async () => {
    const errors = [{ message: 'no read_orders', extensions: { code: 'ACCESS_DENIED' } }]
    shop.interfere = () => ({ status: 200, body: { errors } })
    await expect(readAll()).rejects.toMatchObject({ kind: 'credentials', message: 'no read_orders' })
    shop.interfere = () => ({ status: 200, body: { data: {} } })
    await expect(readAll()).rejects.toMatchObject({ kind: 'unlike' })
  })

  test('keys are sent to shops of Shopify alone', () => {
    const keys = { client_id: 'id', client_secret: 'secret' }
    expect(shopify.findProblem(keys, 'https://our-shop.myshopify.com')).toBeUndefined()
    expect(shopify.findProblem({ access_token: 't' }, 'https://our-shop.myshopify.com')).toBeUndefined()
    for (const url of ['https://myshopify.com', 'https://x.myshopify.com.example.com', 'https://shop.example.com']) {
      expect(shopify.findProblem(keys, url)).toHaveProperty('url')
    }
    expect(shopify.findProblem({ client_id: 'id' }, 'https://our-shop.myshopify.com')).toHaveProperty('client_id')
  })
})

describe('telling the shop', () => {
  const parcel = (fields: Partial<Parcel> = {}): Parcel => ({
    ...{
      shipmentId: 'shp_1',
      orderInShop: '1',
      carrier: 'Post',
      trackingNumber: 'TR-1',
      trackingUrl: '',
      isLast: true,
    },
    lines: [{ external_id: '1000', quantity: 2, before: 0 }],
    ...fields,
  })
  const push = (each: Parcel) => shopify.pushParcel(client, connected, each)

  test('a parcel is told once, also when the answer is lost between two locations', async () => {
    addOrder(1, 0, {}, [{}, { location: 'two', currentQuantity: 3 }])
    const two = parcel({
      lines: [
        { external_id: '1000', quantity: 2, before: 0 },
        { external_id: '1001', quantity: 3, before: 0 },
      ],
    })
    shop.interfere = (operation) => (operation === 'PrintyardFulfil' ? 'drop' : undefined)
    await expect(push(two)).rejects.toMatchObject({ kind: 'away' })
    shop.interfere = () => undefined
    await push(two)
    await push(two)
    const tracking = { company: 'Post', number: 'TR-1' }
    expect(shop.fulfilments).toEqual([
      { order: 1, parts: [{ line: 1000, quantity: 2 }], tracking, isMailed: true },
      { order: 1, parts: [{ line: 1001, quantity: 3 }], tracking, isMailed: true },
    ])
  })

  test('the second of two equal parcels is told as well', async () => {
    addOrder(1, 0)
    const one = { external_id: '1000', quantity: 1 }
    await push(parcel({ lines: [{ ...one, before: 0 }] }))
    await push(parcel({ lines: [{ ...one, before: 0 }] }))
    expect(shop.fulfilments).toHaveLength(1)
    await push(parcel({ shipmentId: 'shp_2', lines: [{ ...one, before: 1 }] }))
    expect(shop.fulfilments).toHaveLength(2)
  })

  test('what the shop does not take is told to people', async () => {
    addOrder(1, 0)
    shop.interfere = (operation) =>
      operation === 'PrintyardFulfil'
        ? { status: 200, body: { data: { fulfillmentCreate: { userErrors: [{ message: 'Order is on hold' }] } } } }
        : undefined
    await expect(push(parcel())).rejects.toMatchObject({ kind: 'refused', message: 'Order is on hold' })
    await expect(push(parcel({ orderInShop: '9' }))).rejects.toMatchObject({ kind: 'missing' })
  })

  test('stock is set over the level that was seen alone', async () => {
    const listing = { seller_sku: 'SIGN', listing_id: '', variation: '' }
    const found = await shopify.findStock(client, connected, listing)
    expect(found?.level).toBe(3)
    shop.available.set('SIGN', 2)
    expect(await shopify.setStock(client, connected, found?.place ?? {}, 9)).toBe('moved')
    expect(shop.available.get('SIGN')).toBe(2)
    const again = await shopify.findStock(client, connected, listing)
    expect(await shopify.setStock(client, connected, again?.place ?? {}, 9)).toBe('set')
    expect(shop.available.get('SIGN')).toBe(9)
  })
})

test('webhooks are signed over their bytes by the secret of the app, and name their order', () => {
  const body = Buffer.from('{"id":12, "name":"a/b & c"}')
  const signature = createHmac('sha256', 'shpss_secret').update(body).digest('base64')
  const read = (topic: string, bytes = body, sign = signature) =>
    shopify.readHook(connected, { headers: { 'x-shopify-topic': topic, 'x-shopify-hmac-sha256': sign }, body: bytes })
  expect(read('orders/updated')).toEqual({ kind: 'changed', externalId: '12' })
  expect(read('app/uninstalled')).toEqual({ kind: 'ping' })
  expect(read('orders/updated', Buffer.from('{"id":13}'))).toEqual({ kind: 'refused' })
  expect(read('orders/updated', body, '')).toEqual({ kind: 'refused' })
})
