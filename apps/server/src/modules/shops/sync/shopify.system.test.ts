import { connect as connectTcp } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ShopId } from '../../../kernel/ids.ts'
import { Memory } from '../../../kernel/memory.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, setStock } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'
import { openTestShopify } from '../../../test/services/test-shopify.ts'
import { planAccount } from '../../planning/planner.ts'
import { holdLease, takeLeases } from './due.queries.ts'
import { startShops } from './follow-shops.ts'

const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

/** Keys are taken for no other address. */
const inShopify = 'https://our-shop.myshopify.com'

type TestShop = Awaited<ReturnType<typeof openTestShopify>>

let owner: TestPerson
let shop: TestShop
beforeEach(async () => {
  owner = await createTestPerson(t, account, 'owner')
  shop = await openTestShopify()
  onTestFinished(() => shop.close())
  // By its clock it is an hour ago.
  shop.now = Date.now() - 3_600_000
})

/** A process of its own on the same database, until the test ends. */
function start() {
  const running = startShops({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())
  return running
}

const shopOf = async (id: string) => (await owner.request('GET', `/shops/${id}`)).json().data

/** Connects the shop, whose address is the simulator's from then on. */
async function connect(body: object = {}): Promise<string> {
  const keys = { client_id: shop.clientId, client_secret: shop.clientSecret }
  const made = await owner.request('POST', '/shops', {
    ...{ platform: 'shopify', name: 'Our shop', url: inShopify, ...keys },
    ...body,
  })
  expect(made.statusCode, made.body).toBe(201)
  const { id } = made.json().data
  await moveTo(id, shop.url)
  return id
}

const moveTo = (id: string, url: string) =>
  t.db.sql`update shops set url = ${url} where account_id = ${account.id} and id = ${id}`

/** Reads the shop to the end, once more. */
async function read(id: string): Promise<void> {
  const before = (await shopOf(id)).last_read_at
  expect((await owner.request('POST', `/shops/${id}/read`)).statusCode).toBe(200)
  await t.settled(async () => (await shopOf(id)).last_read_at !== before)
}
const firstRead = (id: string) => t.settled(async () => (await shopOf(id)).last_read_at !== null)
const listOrders = async () => (await account.request('GET', '/orders?limit=100')).json().data
async function orderOf({ id: externalId }: { id: number }) {
  const [row] = await t.db.sql<{ id: string }[]>`
    select id from orders where account_id = ${account.id} and external_id = ${String(externalId)}`
  return row && (await account.request('GET', `/orders/${row.id}/details`)).json().data
}
const eventCount = async () =>
  (await t.db.sql<{ n: number }[]>`select count(*)::int as n from events where account_id = ${account.id}`)[0]?.n

describe('reading', () => {
  test('every order arrives once, while the list changes under the reader and the shop stumbles', {
    timeout: 90_000,
  }, async () => {
    for (let n = 0; n < 30; n += 1) {
      shop.now += 10_000
      shop.addOrder()
    }
    // More in one second than a page has.
    for (let n = 0; n < 25; n += 1) shop.addOrder()
    const orders = [...shop.orders]
    let pages = 0
    let calls = 0
    shop.interfere = (operation) => {
      if (operation !== 'PrintyardOrders') return undefined
      calls += 1
      if (calls === 2) return { status: 200, body: '{"data":{"orders":{"nodes":[' }
      if (calls === 4) return { status: 502, body: '<html>Bad gateway</html>' }
      if (calls === 6) return { status: 200, body: { errors: [{ message: 'x', extensions: internal }], data: null } }
      return undefined
    }
    const internal = { code: 'INTERNAL_SERVER_ERROR' }
    shop.afterPage = () => {
      pages += 1
      if (pages > 4) return
      shop.now += 60_000
      for (const order of [orders[pages * 2], orders[28 + pages], orders[45 + pages]]) {
        if (order) shop.change(order, { note: `changed ${pages}` })
      }
    }
    start()
    const id = await connect()
    const deadline = Date.now() + 60_000
    while ((await shopOf(id)).last_read_at === null && Date.now() < deadline) {
      // No one waits for its next turn.
      if ((await shopOf(id)).problem !== null) await owner.request('POST', `/shops/${id}/read`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    const rows = await t.db.sql<{ external_id: string; notes: string }[]>`
      select external_id, notes from orders where account_id = ${account.id}`
    expect(rows.map((row) => Number(row.external_id)).toSorted((a, b) => a - b)).toEqual(
      orders.map((order) => order.id),
    )
    for (const { external_id, notes } of rows) {
      const told = orders.find((order) => String(order.id) === external_id)?.fields as { note?: string }
      expect(notes).toBe(told.note ?? '')
    }
    expect(calls).toBeGreaterThan(6)
    const events = await eventCount()
    await read(id)
    expect(await eventCount()).toBe(events)
    expect((await shopOf(id)).orders).toBe(55)
  })

  test('what calls cost is waited for: throttled, nothing is lost and the shop has not failed', async () => {
    for (let n = 0; n < 60; n += 1) {
      shop.now += 10_000
      shop.addOrder()
    }
    // Two pages at once; what a third one costs comes back in four seconds, in which a slow machine reads the first two.
    Object.assign(shop.bucket, { maximumAvailable: 200, restoreRate: 25, costs: { PrintyardOrders: 100 } })
    start()
    const id = await connect()
    await t.settled(async () => shop.throttled > 0 && (await shopOf(id)).retry_at !== null)
    expect(await shopOf(id)).toMatchObject({ status: 'active', failing_since: null, problem: 'Throttled' })
    shop.bucket.restoreRate = 200
    const deadline = Date.now() + 30_000
    while ((await shopOf(id)).last_read_at === null && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(await listOrders()).toHaveLength(60)
    // Asked again when it has come back, and not over and over before.
    expect(shop.throttled).toBeLessThanOrEqual(8)
    expect((await shopOf(id)).problem).toBe(null)
  })

  test('a line says what was ordered and what the customer wants on it, without what apps keep there', async () => {
    const sku = await addSku(account, { sku: 'SIGN' })
    const attributes = [
      { key: 'Text', value: 'Ann' },
      { key: '_app', value: 'x' },
    ]
    const order = shop.addOrder({ note: 'Please ring' }, { lines: [{ attributes }] })
    start()
    const id = await connect({ shop: 'North' })
    await firstRead(id)
    const [listed] = await listOrders()
    expect(listed).toMatchObject({
      ...{ order_number: `#${order.id}`, platform: 'shopify', shop: 'North', currency: 'EUR', is_paid: true },
      ...{ total_revenue: 1600, shipping_cost: 300, notes: 'Please ring', customer_name: 'Kim' },
    })
    expect((await orderOf(order)).items).toMatchObject([
      { product_sku_id: sku.id, quantity: 2, personalisation: [{ name: 'Text', value: 'Ann' }] },
    ])
  })
})

test('edits, refunds of a part, of money alone and of the whole, and cancellations are followed', async () => {
  const sku = await addSku(account, { sku: 'SIGN' })
  await setStock(account, sku, 10)
  const first = shop.addOrder({}, { lines: [{ currentQuantity: 4 }, { currentQuantity: 2 }] })
  const second = shop.addOrder({}, { lines: [{ currentQuantity: 3 }] })
  start()
  const id = await connect()
  await firstRead(id)
  await planAccount(t.context, account.id)
  const available = async () => (await account.request('GET', '/inventory?sku=SIGN')).json().data[0].available as number
  const listed = async ({ id: number }: { id: number }) =>
    (await listOrders()).find((each: { order_number: string }) => each.order_number === `#${number}`)
  expect(await available()).toBe(1)

  // Two pieces of the first line are refunded; the customer takes the other order back.
  shop.now += 10_000
  const [line, other] = first.lines
  if (!line || !other) throw new Error('the order has two lines')
  shop.refund(first, new Map([[line, 2]]))
  shop.change(second, { cancelledAt: new Date(shop.now).toISOString(), displayFinancialStatus: 'REFUNDED' })
  await read(id)
  await planAccount(t.context, account.id)
  expect((await orderOf(first)).items).toMatchObject([{ quantity: 2 }, { quantity: 2 }])
  expect(await listed(first)).toMatchObject({ total_revenue: 2900, is_paid: true })
  expect((await orderOf(second)).items).toMatchObject([{ fulfillment_status: 'cancelled' }])
  expect((await listed(second)).status).toBe('cancelled')
  expect(await available()).toBe(6)

  // Some money goes back for a late parcel: what is to be made stays.
  shop.now += 10_000
  shop.change(first, { currentTotalPriceSet: { shopMoney: { amount: '24.00', currencyCode: 'EUR' } } })
  await read(id)
  expect((await orderOf(first)).items).toMatchObject([{ quantity: 2 }, { quantity: 2 }])
  expect(await listed(first)).toMatchObject({ total_revenue: 2400 })

  // The order is edited: a line is taken off, another comes.
  shop.now += 10_000
  other.currentQuantity = 0
  first.lines.push({ ...line, id: 99, currentQuantity: 1 })
  shop.change(first)
  await read(id)
  expect((await orderOf(first)).items).toMatchObject([
    { quantity: 2, fulfillment_status: 'pending' },
    { fulfillment_status: 'cancelled' },
    { quantity: 1, fulfillment_status: 'pending' },
  ])

  shop.now += 10_000
  shop.refund(first, new Map(first.lines.map((each) => [each, each.currentQuantity])))
  await read(id)
  await planAccount(t.context, account.id)
  expect((await listed(first)).status).toBe('refunded')
  expect(await available()).toBe(10)
})

describe('webhooks', () => {
  const due = async () => {
    const [row] = await t.db.sql<{ is_due: boolean }[]>`
      select due_at <= now() as is_due from shops where account_id = ${account.id}`
    return row?.is_due
  }
  const call = async (id: string, { body, headers }: { body: string; headers: Record<string, string> }) =>
    (await t.app.inject({ method: 'POST', url: `/shop-hooks/${id}`, headers, payload: body })).statusCode

  test('of every topic that is used wake the reader, when they are signed over their bytes', async () => {
    const order = shop.addOrder({ note: 'a/b & c' })
    const about = { id: order.id, admin_graphql_api_id: `gid://shopify/Order/${order.id}`, note: 'a/b & c' }
    const id = await connect()
    const running = start()
    await firstRead(id)
    await running.stop()
    const sleep = () => t.db.sql`
      update shops set due_at = now() + interval '1 hour' where account_id = ${account.id}`
    const payloads: [string, object][] = [
      ['orders/create', about],
      ['orders/updated', about],
      ['orders/paid', about],
      ['orders/cancelled', about],
      ['orders/delete', { id: order.id }],
      ['orders/edited', { order_edit: { id: 3, order_id: order.id, line_items: { additions: [], removals: [] } } }],
      ['refunds/create', { id: 4, order_id: order.id, refund_line_items: [{ id: 5, quantity: 1 }] }],
      ['fulfillments/create', { id: 6, order_id: order.id, status: 'success' }],
      ['fulfillment_orders/order_routing_complete', { fulfillment_order: { id: 'gid://shopify/FulfillmentOrder/7' } }],
    ]
    for (const [topic, payload] of payloads) {
      await sleep()
      const hook = shop.hook(topic, payload)
      // The same words in other bytes.
      expect(await call(id, { ...hook, body: JSON.stringify(JSON.parse(hook.body)).concat(' ') }), topic).toBe(401)
      expect(await call(id, shop.hook(topic, payload, { secret: 'another' })), topic).toBe(401)
      expect(await due(), topic).toBe(false)
      expect(await call(id, hook), topic).toBe(200)
      expect(await due(), topic).toBe(true)
    }
    await sleep()
    expect(await call(id, shop.hook('app/uninstalled', { id: 1 }))).toBe(200)
    expect(await due()).toBe(false)
  })

  test('that are signed wrongly again and again are read no more, and those from elsewhere are', async () => {
    const order = shop.addOrder()
    const id = await connect()
    const wrong = shop.hook('orders/updated', { id: order.id }, { secret: 'another' })
    const statuses: number[] = []
    for (let count = 0; count < 61; count += 1) statuses.push(await call(id, wrong))
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 401), 429])
    const { body, headers } = shop.hook('orders/updated', { id: order.id })
    const remoteAddress = '192.0.2.7'
    const elsewhere = { method: 'POST', url: `/shop-hooks/${id}`, headers, payload: body, remoteAddress } as const
    expect((await t.app.inject(elsewhere)).statusCode).toBe(200)
  })

  test('of a stranger hold no more memory than one address may have, and those of the shop are taken meanwhile', async () => {
    const order = shop.addOrder()
    const id = await connect()
    const { port } = new URL(await t.app.listen({ host: '127.0.0.1', port: 0 }))
    const part = Buffer.alloc(3 * 1024 * 1024)
    const held = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const socket = connectTcp({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.5' })
        const answer: string[] = []
        socket.on('error', () => undefined).on('data', (data) => answer.push(String(data)))
        const head = `POST /shop-hooks/${id} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`
        socket.write(`${head}Content-Length: ${4 * 1024 * 1024}\r\n\r\n`)
        socket.write(part)
        return { socket, answer }
      }),
    )
    onTestFinished(() => {
      for (const { socket } of held) socket.destroy()
    })
    const refused = () => held.filter(({ answer }) => answer.join('').startsWith('HTTP/1.1 429')).length
    await t.settled(() => refused() === 4)
    expect(await call(id, shop.hook('orders/updated', { id: order.id }))).toBe(200)
  })

  test('that come twice, late and in another order change nothing twice, and an order that is gone is cancelled', async () => {
    const order = shop.addOrder()
    const id = await connect()
    start()
    await firstRead(id)
    const older = shop.hook('orders/updated', { id: order.id, note: 'first' }, { eventId: 'event-1' })
    shop.now += 10_000
    shop.change(order, { note: 'second' })
    const newer = shop.hook('orders/updated', { id: order.id, note: 'second' }, { eventId: 'event-2' })
    expect(await call(id, newer)).toBe(200)
    await t.settled(async () => (await listOrders())[0].notes === 'second')
    const events = await eventCount()
    // What they say themselves is never taken over: the order is read from the shop.
    for (const hook of [older, newer, older, newer]) {
      const before = (await shopOf(id)).last_read_at
      expect(await call(id, hook)).toBe(200)
      await t.settled(async () => (await shopOf(id)).last_read_at !== before)
    }
    expect(await eventCount()).toBe(events)
    expect(await listOrders()).toMatchObject([{ notes: 'second' }])

    shop.orders.splice(0)
    expect(await call(id, shop.hook('orders/delete', { id: order.id }))).toBe(200)
    await t.settled(async () => (await listOrders())[0].status === 'cancelled')
  })
})

describe('telling the shop', () => {
  /** An order of the shop with all of it on the shelf. */
  async function ready(quantity: number) {
    const sku = await addSku(account, { sku: 'SIGN' })
    await setStock(account, sku, 100)
    const inShop = shop.addOrder({}, { lines: [{ currentQuantity: quantity }] })
    start()
    const id = await connect()
    await firstRead(id)
    const [order] = await listOrders()
    return { id, inShop, order }
  }
  const fulfil = (orderId: string, body: object = {}) =>
    account.request('POST', `/orders/${orderId}/fulfill`, { carrier: 'DHL', tracking_number: 'TR-1', ...body })
  /** Reads the shop once more, and compares its stock after it. */
  async function compare(id: string): Promise<void> {
    await read(id)
    await t.settled(async () => {
      const [row] = await t.db.sql<{ is_over: boolean }[]>`
        select lease_id is null as is_over from shops where account_id = ${account.id} and id = ${id}`
      return row?.is_over === true
    })
  }
  const isTold = async (id: string) => (await shopOf(id)).waiting_parcels === 0

  test('a parcel is told once with its tracking, also when the answer is lost', async () => {
    const { id, inShop, order } = await ready(2)
    let lost = 0
    shop.interfere = (operation) => {
      if (operation !== 'PrintyardFulfil' || lost > 0) return undefined
      lost += 1
      return 'drop'
    }
    const tracking_url = 'https://track.example.com/TR-1'
    expect((await fulfil(order.id, { tracking_url })).statusCode).toBe(200)
    await t.settled(async () => lost === 1 && (await shopOf(id)).problem !== null)
    await owner.request('POST', `/shops/${id}/read`)
    await t.settled(() => isTold(id))
    const [line] = inShop.lines
    expect(shop.fulfilments).toEqual([
      {
        ...{ order: inShop.id, isMailed: true, parts: [{ line: line?.id, quantity: 2 }] },
        tracking: { company: 'DHL', number: 'TR-1', url: tracking_url },
      },
    ])
    await read(id)
    expect((await listOrders())[0].status).toBe('fulfilled')
  })

  test('of two parcels each is told with its part, and one on hold says so until it is let go', async () => {
    const { id, inShop, order } = await ready(3)
    const details = await orderOf(inShop)
    const part = { items: [{ item_id: details.items[0].id, quantity: 1 }] }
    expect((await fulfil(order.id, part)).statusCode).toBe(200)
    await t.settled(() => isTold(id))
    expect(shop.fulfilments.map(({ parts }) => parts[0]?.quantity)).toEqual([1])

    shop.onHold.add(inShop.id)
    expect((await fulfil(order.id, { tracking_number: 'TR-2' })).statusCode).toBe(200)
    const problem = async () => {
      const [row] = await t.db.sql<{ problem: string | null }[]>`
        select problem from shop_pushes where account_id = ${account.id} and state = 'pending'`
      return row?.problem ?? null
    }
    await t.settled(async () => (await problem()) !== null)
    expect(await problem()).toContain('on hold')
    expect((await shopOf(id)).status).toBe('active')
    shop.onHold.clear()
    // Half an hour later.
    await t.db.sql`update shop_pushes set due_at = now() where account_id = ${account.id}`
    await owner.request('POST', `/shops/${id}/read`)
    await t.settled(() => isTold(id))
    expect(shop.fulfilments.map(({ parts, tracking }) => [parts[0]?.quantity, tracking?.number])).toEqual([
      [1, 'TR-1'],
      [2, 'TR-2'],
    ])
  })

  test('the shop is told what is available when it is asked to be, and never over a sale that is not read yet', async () => {
    const sku = await addSku(account, { sku: 'SIGN' })
    await setStock(account, sku, 10)
    await planAccount(t.context, account.id)
    start()
    const id = await connect()
    await firstRead(id)
    expect(shop.asked).not.toContain('PrintyardSku')
    const change = await owner.request('PATCH', `/shops/${id}`, { pushes_stock: true, stock_buffer: 2 })
    expect(change.statusCode, change.body).toBe(200)
    await t.settled(() => shop.asked.includes('PrintyardSku'))
    expect(shop.available.get('SIGN')).toBe(3)
    await compare(id)
    await t.settled(() => shop.available.get('SIGN') === 8)

    // The shop sells five between what we looked at and what we set: it keeps what it counts.
    await setStock(account, sku, 7)
    await planAccount(t.context, account.id)
    shop.interfere = (operation) => {
      if (operation !== 'PrintyardStock') return undefined
      shop.interfere = () => undefined
      shop.available.set('SIGN', 3)
      shop.now += 10_000
      shop.addOrder({}, { lines: [{ currentQuantity: 5 }] })
      return undefined
    }
    const sets = () => shop.asked.filter((operation) => operation === 'PrintyardStock').length
    const before = sets()
    await compare(id)
    expect(sets()).toBe(before + 1)
    expect(shop.available.get('SIGN')).toBe(3)
    expect(await listOrders()).toEqual([])
    // Until a plan counts the sale no one knows what is available.
    await compare(id)
    expect(await listOrders()).toHaveLength(1)
    await planAccount(t.context, account.id)
    // What the shop counts has to be at rest while its orders are read.
    await compare(id)
    expect(shop.available.get('SIGN')).toBe(3)
    await compare(id)
    expect(shop.available.get('SIGN')).toBe(0)
    expect(shop.available.get('SIGN-2')).toBe(40)
  })
})

describe('tokens', () => {
  test('that end are asked for again by the keys of the app; keys that are refused are told, and the farm goes on', async () => {
    shop.addOrder()
    start()
    const id = await connect()
    await firstRead(id)
    shop.tokens = []
    shop.addOrder()
    await read(id)
    expect(await listOrders()).toHaveLength(2)
    expect(shop.tokensGiven).toBe(2)

    // The secret is rotated in the shop: the token of the old one counts no more.
    shop.clientSecret = 'shpss_rotated'
    shop.tokens = []
    await owner.request('POST', `/shops/${id}/read`)
    await t.settled(async () => (await shopOf(id)).status === 'failing')
    const failing = await shopOf(id)
    expect(failing).toMatchObject({ failing_since: expect.any(String), problem: expect.stringContaining('401') })
    expect(JSON.stringify(failing)).not.toContain('shpss_')
    expect((await owner.request('POST', `/shops/${id}/test`)).json().data).toMatchObject({ ok: false })
    expect(await listOrders()).toHaveLength(2)

    const keys = { client_secret: shop.clientSecret }
    await moveTo(id, inShopify)
    const changed = await owner.request('PATCH', `/shops/${id}`, keys)
    expect(changed.json(), changed.body).toMatchObject({ data: { status: 'active' } })
    await moveTo(id, shop.url)
    shop.addOrder()
    await t.settled(async () => (await listOrders()).length === 3)
    expect(await shopOf(id)).toMatchObject({ status: 'active', failing_since: null, problem: null })
  })

  test('of a custom app are used as they are, and no other is asked for', async () => {
    const keys = { client_id: undefined, client_secret: undefined, access_token: 'shpat_of_the_app' }
    shop.tokens = [keys.access_token]
    shop.addOrder()
    start()
    const id = await connect(keys)
    await firstRead(id)
    expect(await listOrders()).toHaveLength(1)
    expect(shop.tokensGiven).toBe(0)
    shop.tokens = []
    await owner.request('POST', `/shops/${id}/read`)
    await t.settled(async () => (await shopOf(id)).status === 'failing')
    expect(shop.tokensGiven).toBe(0)
  })

  test('of two processes each has its own, and an order arrives once', async () => {
    start()
    start()
    shop.addOrder()
    const id = await connect()
    await firstRead(id)
    for (let n = 0; n < 4; n += 1) {
      shop.now += 1_000
      shop.addOrder()
      await read(id)
    }
    expect(await listOrders()).toHaveLength(5)
  })

  test('what one process has leased no other takes until that is over', async () => {
    const id = (await connect()) as ShopId
    // Tomorrow, so that no other process looks at it.
    const now = new Date(Date.now() + 24 * 3_600_000)
    const until = new Date(now.getTime() + 60_000)
    await t.db.sql`
      update shops set due_at = ${now}, retry_at = null, lease_id = null, leased_until = null
      where account_id = ${account.id}`
    const take = async (lease: { id: string; now: Date; until: Date }) =>
      (await takeLeases(t.db.sql, lease, 100)).filter(({ account_id }) => account_id === account.id).length
    expect(await take({ id: 'one', now, until })).toBe(1)
    expect(await take({ id: 'other', now, until })).toBe(0)
    expect(await take({ id: 'other', now: until, until: new Date(until.getTime() + 60_000) })).toBe(1)
    expect(await holdLease(t.db.sql, { id: 'one', now, until }, { account_id: account.id, id })).toBeUndefined()
  })
})
