import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

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
    notifyCustomer?: boolean
    trackingInfo?: { company?: string; number?: string; url?: string }
  }
  input?: { quantities: { inventoryItemId: string; quantity: number; changeFromQuantity: number }[] }
  key?: string
}

interface ShopifyLine {
  id: number
  sku: string
  price: number
  /** Without what was refunded or taken off. */
  currentQuantity: number
  fulfilled: number
  location: string
  attributes: { key: string; value: string }[]
}

interface ShopifyOrder {
  id: number
  updatedMs: number
  lines: ShopifyLine[]
  /** What its answers have instead of what follows from its lines. */
  fields: object
}

/** `drop`: the connection breaks after it was done; `hang`: it was done, and is never answered. */
type Interference = { status: number; headers?: Record<string, string>; body: object | string } | 'drop' | 'hang'

const startMs = Date.parse('2026-11-20T09:00:00Z')
const secondOf = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
const shopMoney = (amount: number | string) => ({
  shopMoney: { amount: typeof amount === 'string' ? amount : amount.toFixed(2), currencyCode: 'EUR' },
})
const gid = (kind: string, id: number | string) => `gid://shopify/${kind}/${id}`

/**
 * A shop by the public documentation of Shopify's GraphQL Admin API, as far as the connector asks it: pages of orders by their last change,
 * fulfilment orders by location, stock that is set over what was seen, tokens for the keys of an app, costs that restore with time, and
 * webhooks signed over their bytes.
 */
export async function openTestShopify() {
  const shop = {
    url: '',
    clientId: 'client-1',
    clientSecret: 'shpss_secret',
    orders: [] as ShopifyOrder[],
    /** Tokens that count; those that it gives are added. */
    tokens: [] as string[],
    /** Lets in no one, whatever the token: the app was taken out of the shop. */
    refusesTokens: false,
    tokensGiven: 0,
    /** Of each variant by its code. */
    available: new Map([
      ['SIGN-2', 40],
      ['SIGN', 3],
    ]),
    fulfilments: [] as {
      order: number
      parts: { line: number; quantity: number }[]
      tracking: { company?: string; number?: string; url?: string } | undefined
      isMailed: boolean
    }[],
    /** Orders of which nothing may be fulfilled for now. */
    onHold: new Set<number>(),
    /** Names of operations, in the order in which they came. */
    asked: [] as string[],
    /** Its clock, which may be another than ours. */
    now: startMs,
    /** What calls cost, and how it comes back: per second, up to the most that a shop may have. */
    bucket: { maximumAvailable: 2_000, restoreRate: 100, costs: {} as Record<string, number> },
    throttled: 0,
    interfere: (_operation: string, _variables: Variables): Interference | undefined => undefined,
    afterPage: (): void => undefined,
    addOrder(
      fields: object = {},
      { id: given, lines = [{}] }: { id?: number; lines?: Partial<ShopifyLine>[] } = {},
    ): ShopifyOrder {
      const id = given ?? 1_001 + shop.orders.length
      const made = lines.map((line, index) => ({
        id: id * 1_000 + index,
        ...{ sku: 'SIGN', price: 6.5, currentQuantity: 2, fulfilled: 0, location: gid('Location', 1) },
        attributes: [],
        ...line,
      }))
      const order = { id, updatedMs: shop.now, lines: made, fields }
      shop.orders.push(order)
      return order
    },
    change(order: ShopifyOrder, fields: object = {}): void {
      order.fields = { ...order.fields, ...fields }
      order.updatedMs = shop.now
    },
    /** Refunds units of lines; all of what is left makes it a refund of the whole. */
    refund(order: ShopifyOrder, units: Map<ShopifyLine, number>): void {
      for (const [line, count] of units) line.currentQuantity -= count
      const isAll = order.lines.every(({ currentQuantity }) => currentQuantity === 0)
      shop.change(order, { displayFinancialStatus: isAll ? 'REFUNDED' : 'PARTIALLY_REFUNDED' })
    },
    /** A webhook as the shop signs it; its bytes are those of Shopify, which escapes slashes. */
    hook(
      topic: string,
      payload: object,
      { secret, eventId = randomUUID() }: { secret?: string; eventId?: string } = {},
    ) {
      const body = JSON.stringify(payload).replaceAll('/', '\\/').replaceAll('&', '\\u0026')
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': topic,
          'x-shopify-shop-domain': 'our-shop.myshopify.com',
          'x-shopify-api-version': '2026-07',
          'x-shopify-webhook-id': randomUUID(),
          'x-shopify-event-id': eventId,
          'x-shopify-hmac-sha256': createHmac('sha256', secret ?? shop.clientSecret)
            .update(body)
            .digest('base64'),
        },
      }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  let left = { points: shop.bucket.maximumAvailable, atMs: performance.now() }
  const kept: { order: number; line: number; quantity: number }[] = []

  const lineNode = (line: ShopifyLine) => ({
    ...{ id: gid('LineItem', line.id), name: 'Sign - Oak', sku: line.sku, currentQuantity: line.currentQuantity },
    ...{ requiresShipping: true, originalUnitPriceSet: shopMoney(line.price), product: { legacyResourceId: '7' } },
    ...{ variant: { legacyResourceId: '8' }, customAttributes: line.attributes },
  })
  function fulfilmentStatus({ lines }: ShopifyOrder): string {
    if (lines.every(({ fulfilled }) => fulfilled === 0)) return 'UNFULFILLED'
    return lines.every((line) => line.fulfilled >= line.currentQuantity) ? 'FULFILLED' : 'PARTIALLY_FULFILLED'
  }
  const node = (order: ShopifyOrder) => ({
    ...{ id: gid('Order', order.id), legacyResourceId: String(order.id), name: `#${order.id}` },
    ...{ createdAt: secondOf(startMs), updatedAt: secondOf(order.updatedMs), cancelledAt: null, currencyCode: 'EUR' },
    ...{ displayFinancialStatus: 'PAID', displayFulfillmentStatus: fulfilmentStatus(order) },
    ...{ taxesIncluded: true, note: null, email: 'kim@example.com', phone: null },
    shippingAddress: { name: 'Kim', address1: '1 St', countryCodeV2: 'CH' },
    billingAddress: null,
    currentTotalPriceSet: shopMoney(
      3 + order.lines.reduce((sum, { price, currentQuantity }) => sum + price * currentQuantity, 0),
    ),
    ...{ totalShippingPriceSet: shopMoney('3.00'), currentTotalTaxSet: shopMoney('1.20') },
    currentTotalDiscountsSet: shopMoney('0.0'),
    lineItems: {
      nodes: order.lines.slice(0, 50).map(lineNode),
      pageInfo: { hasNextPage: order.lines.length > 50, endCursor: '50' },
    },
    ...order.fields,
  })
  const find = (id = '') => shop.orders.find((order) => gid('Order', order.id) === id)
  const variantOf = (sku: string) => ({
    ...{ id: gid('ProductVariant', sku), sku },
    inventoryItem: {
      ...{ id: gid('InventoryItem', sku), tracked: true },
      inventoryLevels: {
        nodes: [{ location: { id: gid('Location', 1) }, quantities: [{ quantity: shop.available.get(sku) }] }],
      },
    },
  })

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
      const lineItem = (line: number) => ({ lineItem: { id: gid('LineItem', line) } })
      const isHeld = shop.onHold.has(order.id)
      return {
        order: {
          fulfillments: kept
            .filter((each) => each.order === order.id)
            .map(({ line, quantity }) => ({
              status: 'SUCCESS',
              fulfillmentLineItems: { nodes: [{ quantity, ...lineItem(line) }] },
            })),
          fulfillmentOrders: {
            nodes: order.lines.map((line) => {
              const remainingQuantity = line.currentQuantity - line.fulfilled
              return {
                id: gid('FulfillmentOrder', line.id),
                status: isHeld ? 'ON_HOLD' : remainingQuantity > 0 ? 'OPEN' : 'CLOSED',
                supportedActions: remainingQuantity > 0 && !isHeld ? [{ action: 'CREATE_FULFILLMENT' }] : [],
                assignedLocation: { location: { id: line.location } },
                lineItems: {
                  nodes: [{ id: gid('FulfillmentOrderLineItem', line.id), remainingQuantity, ...lineItem(line.id) }],
                },
              }
            }),
          },
        },
      }
    },
    PrintyardFulfil({ fulfillment }) {
      const refused = (message: string) => ({
        fulfillmentCreate: { fulfillment: null, userErrors: [{ field: ['fulfillment'], message }] },
      })
      const parts = (fulfillment?.lineItemsByFulfillmentOrder ?? []).flatMap((each) => each.fulfillmentOrderLineItems)
      const lines = parts.map(({ id, quantity }) => {
        const order = shop.orders.find((each) =>
          each.lines.some((line) => gid('FulfillmentOrderLineItem', line.id) === id),
        )
        const line = order?.lines.find((each) => gid('FulfillmentOrderLineItem', each.id) === id)
        if (!order || !line) throw new Error(`no line ${id}`)
        return { order, line, quantity }
      })
      const [first] = lines
      if (!first || new Set(lines.map(({ line }) => line.location)).size !== 1) {
        return refused('All fulfillment orders must have the same location.')
      }
      if (lines.some(({ line, quantity }) => quantity > line.currentQuantity - line.fulfilled)) {
        return refused('Invalid fulfillment order line item quantity requested.')
      }
      for (const { order, line, quantity } of lines) {
        line.fulfilled += quantity
        kept.push({ order: order.id, line: line.id, quantity })
        order.updatedMs = shop.now
      }
      shop.fulfilments.push({
        order: first.order.id,
        parts: lines.map(({ line, quantity }) => ({ line: line.id, quantity })),
        tracking: fulfillment?.trackingInfo,
        isMailed: fulfillment?.notifyCustomer === true,
      })
      return { fulfillmentCreate: { fulfillment: { id: gid('Fulfillment', kept.length) }, userErrors: [] } }
    },
    PrintyardSku({ query = '' }) {
      const [, sku = ''] = /^sku:"(.*)"$/.exec(query) ?? []
      const found = [...shop.available.keys()].filter((each) => each.startsWith(sku))
      return { productVariants: { nodes: found.map(variantOf) } }
    },
    PrintyardStock({ input, key }) {
      const failed = (code: string) => ({
        inventorySetQuantities: { userErrors: [{ code, field: ['input', 'quantities', '0'], message: code }] },
      })
      const [change] = input?.quantities ?? []
      const sku = change?.inventoryItemId.replace(gid('InventoryItem', ''), '') ?? ''
      if (!key || !change || !shop.available.has(sku)) return failed('INVALID_INVENTORY_ITEM')
      if (change.changeFromQuantity !== shop.available.get(sku)) return failed('CHANGE_FROM_QUANTITY_STALE')
      shop.available.set(sku, change.quantity)
      return { inventorySetQuantities: { userErrors: [] } }
    },
  }

  /** Takes what a call costs; undefined when there is not enough of it. */
  function pay(operation: string) {
    const { maximumAvailable, restoreRate, costs } = shop.bucket
    const requestedQueryCost = costs[operation] ?? 10
    const nowMs = performance.now()
    const points = Math.min(maximumAvailable, left.points + ((nowMs - left.atMs) / 1_000) * restoreRate)
    const isPaid = points >= requestedQueryCost
    left = { points: isPaid ? points - requestedQueryCost : points, atMs: nowMs }
    const throttleStatus = { maximumAvailable, currentlyAvailable: Math.floor(left.points), restoreRate }
    const actualQueryCost = isPaid ? requestedQueryCost : null
    return { isPaid, extensions: { cost: { requestedQueryCost, actualQueryCost, throttleStatus } } }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const send = (status: number, answer: object | string, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'x-shopify-api-version': '2026-07', ...headers })
        .end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    if (request.url === '/admin/oauth/access_token') {
      const isKnown = body.client_secret === shop.clientSecret && body.grant_type === 'client_credentials'
      if (!isKnown) return send(401, { error: 'invalid_client' })
      shop.tokensGiven += 1
      shop.tokens.push(`token-${shop.tokensGiven}`)
      return send(200, { access_token: `token-${shop.tokensGiven}`, scope: 'read_orders', expires_in: 86_399 })
    }
    const token = String(request.headers['x-shopify-access-token'])
    if (shop.refusesTokens || !shop.tokens.includes(token)) {
      return send(401, { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })
    }
    const operation = /^(?:query|mutation) (\w+)/.exec(body.query)?.[1] ?? ''
    shop.asked.push(operation)
    const instead = shop.interfere(operation, body.variables)
    if (typeof instead === 'object') return send(instead.status, instead.body, instead.headers)
    const { isPaid, extensions } = pay(operation)
    if (!isPaid) {
      shop.throttled += 1
      return send(200, { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }], extensions })
    }
    const act = operations[operation]
    if (!act || request.url !== '/admin/api/2026-07/graphql.json') return send(404, { errors: 'Not Found' })
    const data = act(body.variables)
    if (instead === 'drop') return response.destroy()
    return instead === 'hang' ? undefined : send(200, { data, extensions })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return shop
}
