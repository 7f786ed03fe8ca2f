import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import { createTargetPolicy } from '../../../../kernel/target-policy.ts'
import type { ShopOrder } from '../../../orders/from-shop/shop-order.ts'
import { createSender } from '../../../outbound/send-request.ts'
import type { ConnectedShop, Parcel, UnreadableOrder } from '../contract/connector.ts'
import { objectOf } from '../contract/read-text.ts'
import { createShopClient } from '../contract/shop-client.ts'
import { shopify } from './shopify.ts'

interface Variables {
  id?: string
  first?: number
  after?: string | null
  query?: string
  fulfillment?: {
    lineItemsByFulfillmentOrder: {
      fulfillmentOrderId: string
      fulfillmentOrderLineItems: { id: string; quantity: number }[]
    }[]
    trackingInfo?: { number?: string }
  }
  input?: { quantities: { quantity: number; changeFromQuantity: number }[] }
  key?: string
}

interface Line {
  id: number
  currentQuantity: number
  fulfilled: number
  location: string
}

interface TestOrder {
  id: number
  updatedMs: number
  lines: Line[]
  fields: object
}

const startMs = Date.parse('2026-11-20T09:00:00Z')
const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
const money = (amount: string) => ({ shopMoney: { amount, currencyCode: 'EUR' } })

/** A shop by the public documentation of the GraphQL Admin API, as far as the connector asks it. */
async function openShop() {
  const shop = {
    url: '',
    orders: [] as TestOrder[],
    tokens: ['token-1'],
    tokensGiven: 0,
    available: 3,
    fulfilments: [] as { order: number; parts: Line[]; tracking: string | undefined }[],
    asked: [] as string[],
    /** Answers in the place of the shop. */
    interfere: (_operation: string): object | undefined => undefined,
    afterPage: (): void => undefined,
    dropAfter: '',
  }
  const lineNode = (line: Line) => ({
    ...{
      id: `gid://shopify/LineItem/${line.id}`,
      name: 'Sign - Oak',
      sku: 'SIGN',
      currentQuantity: line.currentQuantity,
    },
    ...{ requiresShipping: true, originalUnitPriceSet: money('6.50'), product: { legacyResourceId: '7' } },
    ...{ variant: { legacyResourceId: '8' } },
    customAttributes: [
      { key: 'Text', value: 'Ann' },
      { key: '_app', value: 'x' },
    ],
  })
  const node = (order: TestOrder) => ({
    ...{ id: `gid://shopify/Order/${order.id}`, legacyResourceId: String(order.id), name: `#${order.id}` },
    ...{ createdAt: iso(startMs), updatedAt: iso(order.updatedMs), cancelledAt: null, currencyCode: 'EUR' },
    ...{ displayFinancialStatus: 'PAID', displayFulfillmentStatus: 'UNFULFILLED', taxesIncluded: true, note: null },
    ...{
      email: 'kim@example.com',
      phone: null,
      shippingAddress: { name: 'Kim', address1: '1 St', countryCodeV2: 'CH' },
    },
    ...{ billingAddress: null, currentTotalPriceSet: money('16.00'), totalShippingPriceSet: money('3.00') },
    ...{ currentTotalTaxSet: money('1.20'), currentTotalDiscountsSet: money('0.0') },
    lineItems: {
      nodes: order.lines.slice(0, 50).map(lineNode),
      pageInfo: { hasNextPage: order.lines.length > 50, endCursor: '50' },
    },
    ...order.fields,
  })
  const find = (id = '') => shop.orders.find((order) => `gid://shopify/Order/${order.id}` === id)

  const operations: Record<string, (variables: Variables) => object> = {
    PrintyardShop: () => ({ shop: { name: 'Test shop' }, orders: { nodes: [] } }),
    PrintyardOrders({ first = 0, after, query = '' }) {
      const [, at = ''] = /^updated_at:>='(.+)'$/.exec(query) ?? []
      const sorted = shop.orders
        .filter(({ updatedMs }) => updatedMs >= Date.parse(at))
        .toSorted((one, other) => one.updatedMs - other.updatedMs || one.id - other.id)
        // A place in the list is a time and an ID, which stays where it is when others move.
        .filter(({ updatedMs, id }) => {
          const [ms, last] = (after ?? '0 0').split(' ').map(Number) as [number, number]
          return updatedMs > ms || (updatedMs === ms && id > last)
        })
      const page = sorted.slice(0, first)
      const end = page.at(-1)
      const pageInfo = { hasNextPage: sorted.length > first, endCursor: end ? `${end.updatedMs} ${end.id}` : null }
      const answer = { orders: { nodes: page.map(node), pageInfo } }
      shop.afterPage()
      return answer
    },
    PrintyardOrder: ({ id }) => {
      const order = find(id)
      return { order: order ? node(order) : null }
    },
    PrintyardLines: ({ id, after }) => {
      const rest = find(id)?.lines.slice(Number(after)) ?? []
      return { order: { lineItems: { nodes: rest.map(lineNode), pageInfo: { hasNextPage: false, endCursor: null } } } }
    },
    PrintyardFulfilment({ id }) {
      const order = find(id)
      if (!order) return { order: null }
      const lineOf = ({ id: line }: Line) => ({ lineItem: { id: `gid://shopify/LineItem/${line}` } })
      return {
        order: {
          fulfillments: shop.fulfilments
            .filter((each) => each.order === order.id)
            .map(({ parts }) => ({
              status: 'SUCCESS',
              fulfillmentLineItems: { nodes: parts.map((part) => ({ quantity: part.fulfilled, ...lineOf(part) })) },
            })),
          fulfillmentOrders: {
            nodes: order.lines.map((line) => ({
              id: `fo-${line.id}`,
              supportedActions: line.currentQuantity > line.fulfilled ? [{ action: 'CREATE_FULFILLMENT' }] : [],
              assignedLocation: { location: { id: line.location } },
              lineItems: {
                nodes: [
                  { id: `foli-${line.id}`, remainingQuantity: line.currentQuantity - line.fulfilled, ...lineOf(line) },
                ],
              },
            })),
          },
        },
      }
    },
    PrintyardFulfil({ fulfillment }) {
      const parts = fulfillment?.lineItemsByFulfillmentOrder ?? []
      const lines = parts.flatMap(({ fulfillmentOrderLineItems }) =>
        fulfillmentOrderLineItems.map(({ id, quantity }) => {
          const order = shop.orders.find((each) => each.lines.some((line) => `foli-${line.id}` === id))
          const line = order?.lines.find((each) => `foli-${each.id}` === id)
          if (!order || !line) throw new Error(`no line ${id}`)
          return { order, line, quantity }
        }),
      )
      if (new Set(lines.map(({ line }) => line.location)).size !== 1) {
        return { fulfillmentCreate: { fulfillment: null, userErrors: [{ message: 'must share a location' }] } }
      }
      for (const { line, quantity } of lines) line.fulfilled += quantity
      shop.fulfilments.push({
        order: lines[0]?.order.id ?? 0,
        parts: lines.map(({ line, quantity }) => ({ ...line, fulfilled: quantity })),
        tracking: fulfillment?.trackingInfo?.number,
      })
      return { fulfillmentCreate: { fulfillment: { id: 'f' }, userErrors: [] } }
    },
    PrintyardSku: () => ({ productVariants: { nodes: [{ ...variant(), sku: 'SIGN-2' }, variant()] } }),
    PrintyardStock({ input }) {
      const [change] = input?.quantities ?? []
      if (change?.changeFromQuantity !== shop.available) {
        return { inventorySetQuantities: { userErrors: [{ code: 'CHANGE_FROM_QUANTITY_STALE', message: 'stale' }] } }
      }
      shop.available = change.quantity
      return { inventorySetQuantities: { userErrors: [] } }
    },
  }
  const variant = () => ({
    sku: 'SIGN',
    inventoryItem: {
      ...{ id: 'item-1', tracked: true },
      inventoryLevels: { nodes: [{ location: { id: 'loc-1' }, quantities: [{ quantity: shop.available }] }] },
    },
  })

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const send = (status: number, answer: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (request.url === '/admin/oauth/access_token') {
      const isKnown = body.client_secret === 'shpss_secret' && body.grant_type === 'client_credentials'
      if (!isKnown) return send(401, { error: 'invalid_client' })
      shop.tokensGiven += 1
      return send(200, { access_token: `token-${shop.tokensGiven}`, expires_in: 86_399 })
    }
    if (!shop.tokens.includes(String(request.headers['x-shopify-access-token']))) {
      return send(401, { errors: '[API] Invalid API key or access token' })
    }
    const operation = /^(?:query|mutation) (\w+)/.exec(body.query)?.[1] ?? ''
    shop.asked.push(operation)
    const instead = shop.interfere(operation)
    if (instead !== undefined) return send(200, instead)
    const act = operations[operation]
    if (!act || request.url !== '/admin/api/2026-07/graphql.json') return send(404, { errors: 'Not Found' })
    const data = act(body.variables)
    if (shop.dropAfter === operation) {
      shop.dropAfter = ''
      return response.destroy()
    }
    return send(200, { data })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return shop
}

const sender = createSender({
  policy: createTargetPolicy('127.0.0.1'),
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  clock: systemClock,
  userAgent: 'test',
})

let shop: Awaited<ReturnType<typeof openShop>>
let client: ReturnType<typeof createShopClient>
let connected: ConnectedShop
beforeEach(async () => {
  shop = await openShop()
  client = createShopClient(sender, systemClock, { secrets: ['shpss_secret'], kept: new Map() })
  connected = {
    url: shop.url,
    settings: { webhook_secret: 'unused', client_id: 'id', client_secret: 'shpss_secret' },
    personalisationNames: [],
  }
})

const addOrder = (id: number, seconds: number, fields: object = {}, lines: Partial<Line>[] = [{}]): TestOrder => {
  const made = lines.map((line, index) => ({
    id: id * 1_000 + index,
    currentQuantity: 2,
    fulfilled: 0,
    location: 'one',
    ...line,
  }))
  const order = { id, updatedMs: startMs + seconds * 1_000, lines: made, fields }
  shop.orders.push(order)
  return order
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
    addOrder(1, 0)
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
    shop.tokens = ['token-2']
    expect(await shopify.test(client, connected)).toBe('Test shop')
    expect(shop.tokensGiven).toBe(2)
    shop.tokens = []
    await expect(shopify.test(client, connected)).rejects.toMatchObject({ kind: 'credentials' })
    expect(shop.tokensGiven).toBe(3)
    const wrong = { ...connected, settings: { ...connected.settings, client_secret: 'other' } }
    client.kept.clear()
    await expect(shopify.test(client, wrong)).rejects.toMatchObject({ kind: 'credentials' })
  })

  test('a throttled call waits for as long as the shop needs', async () => {
    const cost = { requestedQueryCost: 300, throttleStatus: { currentlyAvailable: 50, restoreRate: 100 } }
    shop.interfere = () => ({
      errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
      extensions: { cost },
    })
    await expect(readAll()).rejects.toMatchObject({ kind: 'busy', retryAfterMs: 2_500 })
  })

  test('a right that is missing, and an answer without a list, are told apart', async () => {
    shop.interfere = () => ({ errors: [{ message: 'no read_orders', extensions: { code: 'ACCESS_DENIED' } }] })
    await expect(readAll()).rejects.toMatchObject({ kind: 'credentials', message: 'no read_orders' })
    shop.interfere = () => ({ data: {} })
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
    shop.dropAfter = 'PrintyardFulfil'
    await expect(push(two)).rejects.toMatchObject({ kind: 'away' })
    await push(two)
    await push(two)
    expect(shop.fulfilments.map(({ parts, tracking }) => [parts[0]?.id, parts[0]?.fulfilled, tracking])).toEqual([
      [1000, 2, 'TR-1'],
      [1001, 3, 'TR-1'],
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
        ? { data: { fulfillmentCreate: { fulfillment: null, userErrors: [{ message: 'Order is on hold' }] } } }
        : undefined
    await expect(push(parcel())).rejects.toMatchObject({ kind: 'refused', message: 'Order is on hold' })
    await expect(push(parcel({ orderInShop: '9' }))).rejects.toMatchObject({ kind: 'missing' })
  })

  test('stock is set over the level that was seen alone', async () => {
    const listing = { seller_sku: 'SIGN', listing_id: '', variation: '' }
    const found = await shopify.findStock(client, connected, listing)
    expect(found?.level).toBe(3)
    shop.available = 2
    expect(await shopify.setStock(client, connected, found?.place ?? {}, 9)).toBe('moved')
    expect(shop.available).toBe(2)
    const again = await shopify.findStock(client, connected, listing)
    expect(await shopify.setStock(client, connected, again?.place ?? {}, 9)).toBe('set')
    expect(shop.available).toBe(9)
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
