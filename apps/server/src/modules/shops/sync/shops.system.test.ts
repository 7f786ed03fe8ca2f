import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newId, type ShopId } from '../../../kernel/ids.ts'
import { Memory } from '../../../kernel/memory.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, setStock } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'
import { startServiceProcess } from '../../../test/run/service-process.ts'
import { openTestWooCommerce } from '../../../test/services/test-woocommerce.ts'
import { lockListingMaps } from '../../orders/listings/listing-maps.queries.ts'
import { planAccount } from '../../planning/planner.ts'
import { wakeShop } from '../settings/shops.queries.ts'
import { startShops } from './follow-shops.ts'

const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) }
const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' }, context: { clock } })

type TestShop = Awaited<ReturnType<typeof openTestWooCommerce>>

let owner: TestPerson
let shop: TestShop
beforeEach(async () => {
  clock.aheadMs = 0
  owner = await createTestPerson(t, account, 'owner')
  shop = await openShop()
})

async function openShop(): Promise<TestShop> {
  const opened = await openTestWooCommerce()
  onTestFinished(() => opened.close())
  return opened
}

/** A process of its own on the same database, until the test ends. */
function start() {
  const running = startShops({ ...t.context, memory: new Memory() })
  onTestFinished(() => running.stop())
  return running
}

async function connect(body: object = {}, to = shop): Promise<{ id: string; webhook_secret: string }> {
  const { consumer_key, consumer_secret, url } = to
  const answer = await owner.request('POST', '/shops', {
    ...{ platform: 'woocommerce', name: 'Our shop', url, consumer_key, consumer_secret },
    ...body,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

const shopOf = async (id: string) => (await owner.request('GET', `/shops/${id}`)).json().data

/** Reads the shop to the end, once more. */
async function read(id: string): Promise<void> {
  const before = (await shopOf(id)).last_read_at
  expect((await owner.request('POST', `/shops/${id}/read`)).statusCode).toBe(200)
  // Two hundred orders take seconds, and several times as long on a busy machine.
  await t.settled(async () => (await shopOf(id)).last_read_at !== before, 45_000)
}

const firstRead = (id: string) => t.settled(async () => (await shopOf(id)).last_read_at !== null)

const listOrders = async () => (await account.request('GET', '/orders?limit=100')).json().data
async function orderOf(number: number) {
  const [row] = await t.db.sql<{ id: string }[]>`
    select id from orders where account_id = ${account.id} and order_number = ${String(number)}`
  return row && (await account.request('GET', `/orders/${row.id}/details`)).json().data
}
const eventCount = async () =>
  (await t.db.sql<{ n: number }[]>`select count(*)::int as n from events where account_id = ${account.id}`)[0]?.n

describe('reading', () => {
  test('every order arrives once, while the list changes under the reader and the shop stumbles', async () => {
    shop.now = Date.now() - 3_600_000
    for (let n = 0; n < 75; n += 1) {
      shop.now += 1_000
      shop.addOrder()
    }
    // Changed together: more in one second than a page has.
    for (let n = 0; n < 130; n += 1) shop.addOrder()
    const ids = [...shop.orders.keys()]
    let pages = 0
    let stumbles = 0
    shop.interfere = ({ path }) => {
      stumbles += 1
      if (path.endsWith('/orders') && stumbles === 2) return { status: 200, body: '{"half":' }
      return undefined
    }
    shop.afterPage = ({ path }) => {
      if (!path.endsWith('/orders') || pages > 4) return
      pages += 1
      // Orders that were read, and ones that were not, move to the end; all behind them move up.
      shop.now += 60_000
      for (const id of [ids[pages * 7], ids[80 + pages], ids[150 + pages]]) {
        if (id !== undefined) shop.change(id, { customer_note: `changed ${pages}` })
      }
    }
    start()
    const { id } = await connect()
    // The second call broke off: no one waits for its next turn.
    await t.settled(async () => (await shopOf(id)).problem !== null)
    await read(id)
    const rows = await t.db.sql<{ external_id: string; notes: string }[]>`
      select external_id, notes from orders where account_id = ${account.id}`
    expect(rows.map((row) => Number(row.external_id)).toSorted((a, b) => a - b)).toEqual(ids)
    for (const row of rows) expect(row.notes).toBe(shop.orders.get(Number(row.external_id))?.customer_note)
    expect(pages).toBe(5)
    const events = await eventCount()
    await read(id)
    expect(await eventCount()).toBe(events)
    expect((await shopOf(id)).orders).toBe(205)
  }, 60_000)

  test.each(['a person', 'a webhook'])('a reading that %s asks for while one goes on follows it', async (who) => {
    shop.addOrder()
    const ask = async (id: ShopId) => {
      if (who === 'a person') return expect((await owner.request('POST', `/shops/${id}/read`)).statusCode).toBe(200)
      return wakeShop(t.db.sql, account.id, id, { externalId: undefined, now: clock.now() })
    }
    const isConnected = Promise.withResolvers<ShopId>()
    shop.afterPage = async ({ path }) => {
      if (!path.endsWith('/orders')) return
      shop.afterPage = () => undefined
      // This page does not have it.
      shop.now += 10_000
      shop.addOrder()
      await ask(await isConnected.promise)
    }
    const { id } = await connect()
    isConnected.resolve(id as ShopId)
    start()
    // Without it the next one would come after a minute.
    await t.settled(async () => (await listOrders()).length === 2)
    expect((await shopOf(id)).problem).toBeNull()
  })

  test('a line says what was ordered, what the customer wants on it, and what it costs', async () => {
    const sku = await addSku(account, { sku: 'CLIP-RED' })
    shop.addOrder({
      number: 'W-1',
      currency: 'JPY',
      total: '1700',
      shipping_total: '200',
      customer_note: 'Please ring',
      lines: [
        {
          ...{ sku: 'CLIP-RED', quantity: 3, subtotal: '1500', variation_id: 9, name: 'Clip - Red' },
          meta_data: [
            { id: 1, key: 'colour', value: 'Red' },
            { id: 2, key: 'engraving', value: 'ann', display_key: 'Engraving', display_value: 'Ann' },
            { id: 3, key: '_reduced_stock', value: '3' },
          ],
        },
        { sku: 'NEW-1', name: 'Something new' },
      ],
    })
    shop.addOrder({ status: 'pending', date_paid_gmt: null })
    shop.addOrder({ status: 'completed' })
    start()
    const { id } = await connect({ shop: 'North' })
    await firstRead(id)
    const [order, ...others] = await listOrders()
    expect(others).toEqual([])
    expect(order).toMatchObject({
      ...{ order_number: 'W-1', platform: 'woocommerce', shop: 'North', currency: 'JPY', is_paid: true },
      ...{ total_revenue: 1700, shipping_cost: 200, notes: 'Please ring', customer_name: 'Kim Customer' },
      ...{ shipping_street: '2 Ship St', shipping_country: 'CH', customer_email: 'kim@example.com', unmapped_items: 1 },
    })
    const priced = (await account.request('GET', `/orders/${order.id}`)).json().data
    expect(priced.items[0]).toMatchObject({ unit_price: 500, total_price: 1500 })
    const details = (await account.request('GET', `/orders/${order.id}/details`)).json().data
    expect(details.items).toMatchObject([
      {
        ...{ product_sku_id: sku.id, quantity: 3 },
        personalisation: [{ name: 'Engraving', value: 'Ann' }],
      },
      { product_sku_id: null, state: 'unmapped' },
    ])
  })

  test('of a shop whose clock is a day ahead and then set right no order is lost, and none comes twice', async () => {
    const sku = await addSku(account)
    const lines = [{ sku: sku.sku, quantity: 1 }]
    shop.now = Date.now() + 86_400_000
    shop.addOrder({ lines })
    start()
    const { id } = await connect()
    await firstRead(id)
    expect(await listOrders()).toHaveLength(1)
    shop.now = Date.now()
    shop.addOrder({ lines })
    // The first read finds that the clock was set back, the one after it begins before that.
    await read(id)
    await read(id)
    expect(await listOrders()).toHaveLength(2)
    shop.now += 60_000
    shop.addOrder({ lines })
    await read(id)
    expect(await listOrders()).toHaveLength(3)
  })

  test('of a shop whose clock is a day behind every order arrives', async () => {
    const lines = [{ sku: (await addSku(account)).sku, quantity: 1 }]
    shop.now = Date.now() - 86_400_000
    shop.addOrder({ lines })
    start()
    const { id } = await connect()
    await firstRead(id)
    shop.now += 60_000
    shop.addOrder({ lines })
    await read(id)
    expect(await listOrders()).toHaveLength(2)
  })

  test('goes on when our clock is set back by hours, while a service runs or between two, and no order comes twice', async () => {
    const lines = [{ sku: (await addSku(account)).sku, quantity: 1 }]
    shop.addOrder({ lines })
    const running = start()
    const { id } = await connect()
    await firstRead(id)
    // The shop takes no signature of such a time, as this one is reached without TLS.
    clock.aheadMs = 20 * 3_600_000
    await t.settled(async () => (await shopOf(id)).failing_since !== null)
    clock.aheadMs = 0
    shop.addOrder({ lines })
    const retryAt = async () => {
      const [row] = await t.db.sql<{ retry_at: Date | null }[]>`
        select retry_at from shops where account_id = ${account.id}`
      return row?.retry_at
    }
    await t.settled(async () => (await retryAt()) === null)
    // As often as every shop is read.
    clock.aheadMs = 61_000
    await t.settled(async () => (await listOrders()).length === 2)
    clock.aheadMs = 5 * 3_600_000
    await t.settled(async () => (await shopOf(id)).failing_since !== null)
    await running.stop()
    await t.db.sql`
      update shops set lease_id = 'shl_dead', leased_until = ${new Date(clock.now().getTime() + 600_000)},
        renewing_until = ${new Date(clock.now().getTime() + 60_000)}
      where account_id = ${account.id}`
    clock.aheadMs = 0
    shop.addOrder({ lines })
    start()
    const isShort = async () => {
      const [row] = await t.db.sql<{ leased_until: Date; renewing_until: Date | null }[]>`
        select leased_until, renewing_until from shops where account_id = ${account.id}`
      return row?.renewing_until === null && row.leased_until.getTime() < Date.now() + 3_600_000
    }
    await t.settled(isShort)
    clock.aheadMs = 11 * 60_000
    await t.settled(async () => (await listOrders()).length === 3)
  })

  test('an order of a file is taken over, and an order that cannot be recorded holds up no other', async () => {
    const made = await account.request('POST', '/orders', {
      ...{ platform: 'woocommerce', order_number: '41', customer_name: 'Kim', allow_unmapped: true },
      items: [{ sku: 'CLIP', quantity: 2, unit_price: 500 }],
    })
    expect(made.statusCode, made.body).toBe(201)
    shop.addOrder({ id: 41, lines: [{ sku: 'CLIP', quantity: 5, subtotal: '25.00' }] })
    shop.addOrder({ id: 42, lines: [{ sku: 'CLIP', quantity: 1_000_000 }] })
    shop.addOrder({ id: 43, currency: 'Taler' })
    shop.addOrder({ id: 44 })
    start()
    const { id } = await connect()
    await firstRead(id)
    expect((await listOrders()).map((order: { order_number: string }) => order.order_number).toSorted()).toEqual([
      '41',
      '44',
    ])
    expect((await orderOf(41)).items).toMatchObject([{ quantity: 5, seller_sku: 'CLIP' }])
    const { troubles } = (await owner.request('GET', `/shops/${id}/troubles`)).json().data
    expect(troubles).toMatchObject([
      { kind: 'order', name: expect.stringMatching(/42|43/) },
      { kind: 'order', name: expect.stringMatching(/42|43/) },
    ])
    const [line] = shop.orders.get(42)?.line_items ?? []
    if (line) shop.change(42, { line_items: [{ ...line, quantity: 10 }] })
    await read(id)
    expect((await orderOf(42)).items).toMatchObject([{ quantity: 10 }])
    expect((await shopOf(id)).refused_orders).toBe(1)
  })
})

describe('what the shop changes', () => {
  test('edits, partial refunds and cancellations are followed; what was taken for them is free again', async () => {
    const sku = await addSku(account, { sku: 'CLIP' })
    await setStock(account, sku, 10)
    const { line_items: lines, ...first } = shop.addOrder({
      lines: [
        { sku: 'CLIP', quantity: 4, subtotal: '40.00' },
        { sku: 'CLIP', quantity: 2, subtotal: '20.00' },
      ],
      total: '62.50',
    })
    const second = shop.addOrder({ lines: [{ sku: 'CLIP', quantity: 3 }] })
    start()
    const { id } = await connect()
    await firstRead(id)
    await planAccount(t.context, account.id)
    const available = async () =>
      (await account.request('GET', '/inventory?sku=CLIP')).json().data[0].available as number
    expect(await available()).toBe(1)

    shop.now += 10_000
    shop.refund(first.id, '20.00', [{ line: lines[0]?.id ?? 0, quantity: 2 }])
    shop.change(second.id, { status: 'cancelled' })
    await read(id)
    await planAccount(t.context, account.id)
    expect(await orderOf(first.id)).toMatchObject({ items: [{ quantity: 2 }, { quantity: 2 }] })
    const order = (await listOrders()).find((each: { order_number: string }) => each.order_number === String(first.id))
    expect(order).toMatchObject({ total_revenue: 4250, status: 'printed' })
    expect(await orderOf(second.id)).toMatchObject({ items: [{ fulfillment_status: 'cancelled' }] })
    expect(await available()).toBe(6)

    // A line goes, another comes.
    shop.now += 10_000
    const [one, other] = lines
    if (!one || !other) throw new Error('the order has two lines')
    shop.change(first.id, { line_items: [one, { ...other, id: 5, quantity: 1 }] })
    await read(id)
    expect((await orderOf(first.id)).items).toMatchObject([
      { quantity: 2, fulfillment_status: 'pending' },
      { fulfillment_status: 'cancelled' },
      { quantity: 1, fulfillment_status: 'pending' },
    ])

    shop.now += 10_000
    shop.change(first.id, { status: 'refunded' })
    await read(id)
    expect((await listOrders()).map((each: { status: string }) => each.status).toSorted()).toEqual([
      'cancelled',
      'refunded',
    ])
  })

  test('what was erased of a customer is not filled again', async () => {
    const { id: number } = shop.addOrder({ lines: [{ meta_data: [{ id: 1, key: 'Name', value: 'Ann' }] }] })
    start()
    const { id } = await connect()
    await firstRead(id)
    const [order] = await listOrders()
    expect((await account.request('POST', `/orders/${order.id}/erase-customer`)).statusCode).toBe(200)
    shop.now += 10_000
    shop.change(number, { customer_note: 'Call me', shipping_total: '3.00', total: '13.00' })
    await read(id)
    const [after] = await listOrders()
    expect(after).toMatchObject({ customer_name: '', shipping_street: '', notes: '', shipping_cost: 300 })
    expect((await orderOf(number)).items).toMatchObject([{ personalisation: [] }])
  })

  test('webhooks of one address are counted before anything of them is looked at', async () => {
    const call = (remoteAddress: string) =>
      t.app.inject({ method: 'POST', url: `/shop-hooks/${newId('shop')}`, remoteAddress, payload: '{}' })
    const statuses: number[] = []
    for (let index = 0; index < 601; index += 1) statuses.push((await call('198.51.100.7')).statusCode)
    expect([...new Set(statuses.slice(0, 600)), statuses[600]]).toEqual([404, 429])
    expect((await call('198.51.100.8')).statusCode).toBe(404)
  })

  test('a webhook wakes the reader when the shop has signed it, and an order that is gone is cancelled', async () => {
    const { id: number } = shop.addOrder()
    const { id, webhook_secret: secret } = await connect()
    const call = (body: string, headers: Record<string, string>) =>
      t.app.inject({ method: 'POST', url: `/shop-hooks/${id}`, headers, payload: body })
    const ping = await call('webhook_id=3', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(ping.statusCode).toBe(200)
    const running = start()
    await firstRead(id)
    await running.stop()
    const due = async () => {
      const [row] = await t.db.sql<{ is_due: boolean }[]>`
        select due_at <= now() as is_due from shops where account_id = ${account.id}`
      return row?.is_due
    }
    const deleted = shop.hook(secret, 'order.deleted', { id: number })
    const forged = shop.hook('another', 'order.deleted', { id: number })
    expect((await call(forged.body, forged.headers)).statusCode).toBe(401)
    expect((await call(`${deleted.body} `, deleted.headers)).statusCode).toBe(401)
    // More than any webhook may have: it is not even read for a shop that is not there.
    const elsewhere = { method: 'POST' as const, url: `/shop-hooks/${newId('shop')}`, headers: deleted.headers }
    expect((await t.app.inject({ ...elsewhere, payload: 'x'.repeat(5 * 1024 * 1024) })).statusCode).toBe(404)
    expect(await due()).toBe(false)
    for (const _twice of [1, 2]) expect((await call(deleted.body, deleted.headers)).statusCode).toBe(200)
    expect(await due()).toBe(true)
    shop.orders.delete(number)
    start()
    await t.settled(async () => (await listOrders())[0].status === 'cancelled')
  })
})

describe('telling the shop', () => {
  /** An order of the shop with all of it on the shelf. */
  async function ready(quantity = 1) {
    const sku = await addSku(account, { sku: 'CLIP' })
    await setStock(account, sku, 100)
    const { id: number } = shop.addOrder({ lines: [{ sku: 'CLIP', quantity }] })
    start()
    const { id } = await connect()
    await firstRead(id)
    const [order] = await listOrders()
    return { id, number, order }
  }
  const fulfil = (orderId: string, body: object = {}) =>
    account.request('POST', `/orders/${orderId}/fulfill`, { carrier: 'Post', tracking_number: 'TR-1', ...body })
  const isTold = async (id: string) => (await shopOf(id)).waiting_parcels === 0

  test.each(['notes', 'orders'])('a parcel is told once, also when the answer to its %s is lost', async (lost) => {
    const { id, number, order } = await ready()
    let isLost = false
    shop.interfere = ({ method, path }) => {
      if (method === 'GET' || isLost || !path.includes(lost === 'notes' ? '/notes' : `/orders/${number}`))
        return undefined
      if (lost === 'orders' && path.endsWith('/notes')) return undefined
      isLost = true
      return 'drop'
    }
    expect((await fulfil(order.id)).statusCode).toBe(200)
    await t.settled(async () => isLost && (await shopOf(id)).failing_since !== null)
    await owner.request('POST', `/shops/${id}/read`)
    await t.settled(() => isTold(id))
    expect(shop.mails).toEqual([`note ${number}`, `completed ${number}`])
    expect(shop.notes.get(number)).toMatchObject([{ note: expect.stringContaining('TR-1'), customer_note: true }])
    await read(id)
    expect((await listOrders())[0].status).toBe('fulfilled')
  })

  test('of two parcels the last one completes the order', async () => {
    const { id, number, order } = await ready(2)
    const details = await orderOf(number)
    const part = { items: [{ item_id: details.items[0].id, quantity: 1 }] }
    expect((await fulfil(order.id, part)).statusCode).toBe(200)
    await t.settled(() => isTold(id))
    expect(shop.orders.get(number)?.status).toBe('processing')
    expect((await fulfil(order.id, { tracking_number: 'TR-2' })).statusCode).toBe(200)
    await t.settled(() => isTold(id))
    expect(shop.orders.get(number)?.status).toBe('completed')
    expect(shop.mails).toEqual([`note ${number}`, `note ${number}`, `completed ${number}`])
  })

  test('the shop is told what is available when it is asked to be, and never over a sale that is not read yet', async () => {
    const sku = await addSku(account, { sku: 'CLIP' })
    await setStock(account, sku, 10)
    await planAccount(t.context, account.id)
    const product = { id: 7, sku: 'CLIP', type: 'simple', manage_stock: true, stock_quantity: 3 }
    shop.products.set(7, product)
    start()
    const { id } = await connect()
    await firstRead(id)
    expect(shop.came.some(({ path }) => path.includes('/products'))).toBe(false)

    const change = await owner.request('PATCH', `/shops/${id}`, { pushes_stock: true, stock_buffer: 2 })
    expect(change.statusCode, change.body).toBe(200)
    // What someone counted at the shop is looked at, and set only after its orders were read once more.
    await t.settled(() => shop.came.some(({ path }) => path.includes('/products')))
    expect(product.stock_quantity).toBe(3)
    await read(id)
    await t.settled(() => product.stock_quantity === 8)

    // The shop sells five when its orders have just been read: what it counts is left alone until the sale is read as well.
    await setStock(account, sku, 7)
    await planAccount(t.context, account.id)
    shop.afterPage = () => {
      shop.afterPage = () => undefined
      product.stock_quantity = 3
      shop.now += 10_000
      shop.addOrder({ lines: [{ sku: 'CLIP', quantity: 5 }] })
    }
    const looks = () => shop.came.filter(({ path }) => path.includes('/products')).length
    const before = looks()
    await read(id)
    await t.settled(() => looks() > before)
    await read(id)
    expect(await listOrders()).toHaveLength(1)
    expect(product.stock_quantity).toBe(3)
    await planAccount(t.context, account.id)
    await read(id)
    await t.settled(() => product.stock_quantity === 0)
  })
})

test('stock that a person asks to be told while it is being told is told again', async () => {
  const sku = await addSku(account, { sku: 'CLIP' })
  await setStock(account, sku, 10)
  await planAccount(t.context, account.id)
  shop.products.set(7, { id: 7, sku: 'CLIP', type: 'simple', manage_stock: true, stock_quantity: 3 })
  const { id } = await connect()
  expect((await owner.request('PATCH', `/shops/${id}`, { pushes_stock: true })).statusCode).toBe(200)
  const looks = () => shop.came.filter(({ path }) => path.includes('/products')).length
  shop.afterPage = async ({ path }) => {
    if (!path.includes('/products')) return
    shop.afterPage = () => undefined
    expect((await owner.request('POST', `/shops/${id}/read`)).statusCode).toBe(200)
  }
  start()
  // What was counted at the shop is set only at the second look, which else would come after a minute.
  await t.settled(() => shop.products.get(7)?.stock_quantity === 10)
  expect(looks()).toBeGreaterThanOrEqual(2)
})

test('a shop that is slow, asks for time or refuses our keys holds up no other, and the page says why', async () => {
  const other = await openShop()
  other.addOrder({ number: 'OTHER' })
  const third = await openShop()
  shop.interfere = () => ({ status: 429, headers: { 'retry-after': '120' } })
  third.interfere = () => 'hang'
  start()
  const busy = await connect({ shop: 'busy' })
  const refused = await connect({ shop: 'refused', consumer_secret: 'cs_wrong_secret' }, other)
  await connect({ shop: 'silent' }, third)
  const fine = await connect({ shop: 'fine' }, other)
  await firstRead(fine.id)
  expect(await listOrders()).toMatchObject([{ order_number: 'OTHER', shop: 'fine' }])
  await t.settled(async () => (await shopOf(busy.id)).retry_at !== null)
  const asked = await shopOf(busy.id)
  expect(asked).toMatchObject({ status: 'active', failing_since: null })
  expect(Date.parse(asked.retry_at) - Date.now()).toBeGreaterThan(100_000)
  await t.settled(async () => (await shopOf(refused.id)).status === 'failing')
  expect(await shopOf(refused.id)).toMatchObject({
    problem: expect.stringMatching(/^401 .*signature/),
    last_read_at: null,
  })
  const failing = await t.db
    .sql`select subject_id, data from events where account_id = ${account.id} and type = 'shop.failing'`
  expect(failing).toMatchObject([{ subject_id: refused.id, data: { kind: 'credentials' } }])
  expect((await owner.request('POST', `/shops/${refused.id}/test`)).json().data).toMatchObject({ ok: false })

  const keys = { consumer_secret: other.consumer_secret }
  expect((await owner.request('PATCH', `/shops/${refused.id}`, keys)).json().data.status).toBe('active')
  await firstRead(refused.id)
  expect((await owner.request('POST', `/shops/${refused.id}/test`)).json().data).toEqual({
    ...{ ok: true, shop_name: 'Test shop', problem: null },
  })
})

test('what was entered is never shown, and is gone when the shop is disconnected; its orders stay', async () => {
  shop.addOrder()
  const { id, webhook_secret: secret } = await connect()
  start()
  await firstRead(id)
  const answers = [
    await owner.request('GET', '/shops'),
    await owner.request('GET', `/shops/${id}`),
    await owner.request('PATCH', `/shops/${id}`, { consumer_key: 'ck_other_key' }),
  ]
  for (const { body } of answers) {
    for (const entered of [shop.consumer_key, shop.consumer_secret, secret, 'ck_other_key'])
      expect(body).not.toContain(entered)
  }
  const again = await owner.request('POST', '/shops', {
    ...{ platform: 'woocommerce', name: 'Again', url: shop.url, consumer_key: 'ck', consumer_secret: 'cs' },
  })
  expect(again.json()).toMatchObject({ error: { code: 'ALREADY_EXISTS' } })
  expect((await owner.request('DELETE', `/shops/${id}`)).statusCode).toBe(200)
  const [left] = await t.db.sql<{ n: number }[]>`
    select (select count(*) from shops where account_id = ${account.id})
      + (select count(*) from shop_orders where account_id = ${account.id}) as n`
  expect(left?.n).toBe(0)
  expect(await listOrders()).toHaveLength(1)
  await connect()
  await t.settled(async () => (await owner.request('GET', '/shops')).json().data[0]?.last_read_at !== null)
  expect(await listOrders()).toHaveLength(1)
})

describe('a service that is killed', () => {
  /** Leases of who was killed end at once, instead of minutes later. */
  const endLeases = () =>
    t.db.sql`update shops set lease_id = null, leased_until = null, retry_at = null where account_id = ${account.id}`

  test('between a page and its commit, or between a parcel and its record, loses nothing and doubles nothing', async () => {
    const sku = await addSku(account, { sku: 'CLIP' })
    await setStock(account, sku, 100)
    for (let n = 0; n < 20; n += 1) shop.addOrder({ lines: [{ sku: 'CLIP' }] })
    const held = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const holding = t.context.db.begin(async (sql) => {
      await lockListingMaps(sql, account.id)
      held.resolve()
      await free.promise
    })
    await held.promise
    const { id } = await connect()
    const first = await startServiceProcess(t)
    await first.does(async () => {
      const [row] = await t.db.sql<{ n: number }[]>`
        select count(*)::int as n from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return (row?.n ?? 0) > 0
    })
    await first.kill()
    free.resolve()
    await holding
    expect(await listOrders()).toEqual([])
    expect((await shopOf(id)).last_read_at).toBe(null)
    await endLeases()

    shop.interfere = ({ method, path }) => (method === 'PUT' && path.includes('/orders/') ? 'hang' : undefined)
    const second = await startServiceProcess(t)
    await second.does(async () => (await shopOf(id)).last_read_at !== null)
    expect(await listOrders()).toHaveLength(20)
    const [order] = await listOrders()
    const told = { carrier: 'Post', tracking_number: 'TR-1' }
    expect((await account.request('POST', `/orders/${order.id}/fulfill`, told)).statusCode).toBe(200)
    await second.does(() => shop.mails.length === 2)
    await second.kill()
    expect((await shopOf(id)).waiting_parcels).toBe(1)
    shop.interfere = () => undefined
    await endLeases()

    const third = await startServiceProcess(t)
    await third.does(async () => (await shopOf(id)).waiting_parcels === 0)
    await read(id)
    await wait(100)
    expect(shop.mails).toEqual([`note ${order.order_number}`, `completed ${order.order_number}`])
    expect(await listOrders()).toHaveLength(20)
  }, 240_000)
})
