import { describe, expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addSku, itemOf, setStock } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'
import { explaining, readPlan } from '../../../test/run/query-plan.ts'
import { followPicksOf } from './follow-picks.ts'
import { listReadyOrders } from './picks.queries.ts'

const { t, account } = accountForEachTest()

const request = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  account.request(method, path, body)

async function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const answer = await request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

async function refusal(method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) {
  const answer = await request(method, path, body)
  return [answer.statusCode, answer.json().error?.code]
}

async function stocked(units: number, bin = '') {
  const sku = await addSku(account, { color: 'Red' })
  await setStock(account, sku, units)
  const item = await itemOf(account, sku)
  if (bin) await send('PATCH', `/inventory/${item.id}`, { bin })
  return { ...sku, item_id: item.id }
}

type Line = [sku: { id: string }, quantity: number]

const addOrder = (lines: Line[], fields: object = {}) =>
  send('POST', '/orders', {
    items: lines.map(([sku, quantity]) => ({ product_sku_id: sku.id, quantity, unit_price: 100 })),
    ...fields,
  })

const follow = () => followPicksOf(t.context, account.id)

interface Task {
  id: string
  source: string
  status: string
  subject_id: string
}

/** The tasks to pick and to pack an order, the first one first. */
const tasksOf = (order: { id: string }) => t.db.sql<Task[]>`
  select id, source, status, subject_id, title, task_type, subtitle, description from worklist_tasks
  where account_id = ${account.id} and subject_id = ${order.id} order by created_at, id`

const open = async (order: { id: string }) =>
  (await tasksOf(order)).filter(({ status }) => status === 'pending').map(({ source }) => source)

const complete = ({ id }: { id: string }) => send('PUT', `/worklist/${id}/status`, { status: 'completed' })

async function taskOf(order: { id: string }, source: string): Promise<Task> {
  const task = (await tasksOf(order)).findLast((each) => each.source === source)
  if (!task) throw new Error(`no task to ${source}`)
  return task
}

const stockOf = async (sku: { item_id: string }) => (await send('GET', `/inventory/${sku.item_id}`)).ready_stock

describe('an order that is on the shelves', () => {
  test('is picked bin by bin, then packed, and leaves as one parcel', async () => {
    const [lamp, shade] = [await stocked(5, 'B-02'), await stocked(4, 'A-01')]
    const order = await addOrder([
      [lamp, 2],
      [shade, 1],
    ])
    await follow()
    expect(await tasksOf(order)).toMatchObject([
      {
        source: 'pick',
        status: 'pending',
        task_type: 'collection',
        title: `Pick order ${order.order_number}`,
        subtitle: '3 units from 2 places',
        description: `A-01: 1 × ${shade.sku}\nB-02: 2 × ${lamp.sku}`,
      },
    ])
    const person = await createTestPerson(t, account, 'operator')
    const cards = (await person.request('GET', '/work-cards')).json().data
    expect(cards).toMatchObject([{ source: 'pick', order_id: order.id, task_type: 'collection' }])

    const picks = `/orders/${order.id}/picks`
    const scanned = await send('POST', picks, { bin: 'b-02' })
    expect(scanned).toMatchObject({
      order_id: order.id,
      stage: 'pick',
      lines: [
        { bin: 'A-01', sku: shade.sku, units: 1, picked: 0, on_shelf: 4 },
        { bin: 'B-02', sku: lamp.sku, color: 'Red', units: 2, picked: 2, on_shelf: 5 },
      ],
    })
    expect(await send('POST', picks, { bin: 'B-02' })).toEqual(scanned)
    expect(await refusal('POST', picks, { bin: 'C-09' })).toEqual([400, 'VALIDATION_ERROR'])
    expect(await open(order)).toEqual(['pick'])
    // As the label of the bin has it.
    expect((await send('POST', picks, { bin: shade.item_id })).stage).toBe('pack')
    expect(await open(order)).toEqual(['pack'])
    expect([await stockOf(lamp), await stockOf(shade)]).toEqual([5, 4])

    const pack = await taskOf(order, 'pack')
    expect((await person.request('PUT', `/worklist/${pack.id}/status`, { status: 'completed' })).statusCode).toBe(200)
    expect(await refusal('PUT', `/worklist/${pack.id}/status`, { status: 'completed' })).toEqual([
      400,
      'TASK_ALREADY_COMPLETED',
    ])
    expect((await send('GET', `/orders/${order.id}`)).status).toBe('fulfilled')
    expect(await send('GET', `/orders/${order.id}/shipments`)).toMatchObject([
      { packed_by: person.userId, items: [{ units: 2 }, { units: 1 }] },
    ])
    expect([await stockOf(lamp), await stockOf(shade)]).toEqual([3, 3])
    await follow()
    expect((await tasksOf(order)).map(({ source, status }) => [source, status])).toEqual([
      ['pick', 'completed'],
      ['pack', 'completed'],
    ])
    expect(await t.db.sql`select * from order_picks where account_id = ${account.id}`).toEqual([])
  })

  test('has no more picked than its line stands for once that is mapped to fewer units', async () => {
    const lamp = await stocked(4)
    const order = await addOrder([[lamp, 2]])
    const map = (pack_size: number) =>
      send('POST', `/orders/${order.id}/items/${order.items[0].id}/map`, { product_sku_id: lamp.id, pack_size })
    const picked = async () => (await send('GET', `/orders/${order.id}/picks`)).lines
    await map(2)
    await send('POST', `/orders/${order.id}/picks`, {})
    expect(await picked()).toMatchObject([{ picked: 4 }])
    await map(1)
    expect(await picked()).toMatchObject([{ picked: 2 }])
    expect(await open(order)).toEqual(['pack'])
  })

  test('loses what was picked of another SKU once a line is mapped again: no parcel is packed of it', async () => {
    const [lamp, shade] = [await stocked(2), await stocked(2)]
    const order = await addOrder([[lamp, 2]])
    await follow()
    await send('POST', `/orders/${order.id}/picks`, {})
    expect(await open(order)).toEqual(['pack'])
    await send('POST', `/orders/${order.id}/items/${order.items[0].id}/map`, { product_sku_id: shade.id })
    expect(await open(order)).toEqual([])
    await follow()
    expect(await open(order)).toEqual(['pick'])
    expect((await send('GET', `/orders/${order.id}/picks`)).lines).toMatchObject([{ picked: 0 }])
    // The lamps are for who wants them.
    const other = await addOrder([[lamp, 2]])
    await follow()
    expect((await send('POST', `/orders/${other.id}/picks`, {})).lines).toMatchObject([{ picked: 2 }])
    await send('POST', `/orders/${order.id}/picks`, {})
    await complete(await taskOf(order, 'pack'))
    expect([await stockOf(lamp), await stockOf(shade)]).toEqual([2, 0])
  })

  test('is picked whole when its task is completed, or not at all', async () => {
    const [lamp, shade] = [await stocked(2), await stocked(1)]
    const order = await addOrder([
      [lamp, 2],
      [shade, 1],
    ])
    await follow()
    const pick = await taskOf(order, 'pick')
    await setStock(account, shade, 0)
    expect(await refusal('PUT', `/worklist/${pick.id}/status`, { status: 'completed' })).toEqual([
      400,
      'INSUFFICIENT_STOCK',
    ])
    expect((await send('GET', `/orders/${order.id}/picks`)).lines).toMatchObject([{ picked: 0 }, { picked: 0 }])
    await setStock(account, shade, 1)
    await complete(pick)
    expect(await open(order)).toEqual(['pack'])
  })

  test('a personalised line is picked from what was made for it, and never from the shelf', async () => {
    const sign = await stocked(5, 'A-01')
    const line = { product_sku_id: sign.id, unit_price: 100 }
    const named = { ...line, quantity: 2, personalisation: [{ name: 'Name', value: 'Bo' }] }
    const order = await send('POST', '/orders', { items: [named, { ...line, quantity: 1 }] })
    const picks = `/orders/${order.id}/picks`
    const shown = async (answer: Promise<{ lines: { item_id: string; picked: number; on_shelf: number }[] }>) => {
      const { lines } = await answer
      const [its, plain] = order.items.map(({ id }: { id: string }) => lines.find(({ item_id }) => item_id === id))
      return { named: [its?.picked, its?.on_shelf], plain: [plain?.picked, plain?.on_shelf] }
    }
    expect(await shown(send('POST', picks, { bin: 'A-01' }))).toEqual({ named: [0, 0], plain: [1, 5] })
    expect(await refusal('POST', picks, { bin: 'A-01' })).toEqual([400, 'INSUFFICIENT_STOCK'])
    expect(await refusal('PATCH', `/orders/${order.id}`, { status: 'fulfilled' })).toEqual([400, 'INSUFFICIENT_STOCK'])
    expect(await stockOf(sign)).toBe(5)

    await send('POST', `/orders/${order.id}/items/${order.items[0].id}/hold`, { units: 2 })
    expect(await shown(send('GET', picks))).toEqual({ named: [0, 2], plain: [1, 3] })
    expect(await shown(send('POST', picks, { bin: 'A-01' }))).toEqual({ named: [2, 2], plain: [1, 3] })
    expect(await send('PATCH', `/orders/${order.id}`, { status: 'fulfilled' })).toMatchObject({ status: 'fulfilled' })
    expect(await stockOf(sign)).toBe(2)
  })

  test('its task says what the customer wants, until the customer is erased', async () => {
    const lamp = await stocked(5)
    const line = { product_sku_id: lamp.id, quantity: 1, unit_price: 100 }
    const personalisation = [{ name: 'Name', value: 'Bo' }]
    const order = await send('POST', '/orders', { items: [{ ...line, personalisation }, line] })
    await send('POST', `/orders/${order.id}/items/${order.items[0].id}/hold`, { units: 1 })
    await follow()
    const person = await createTestPerson(t, account, 'operator')
    const wishes = async () =>
      (await person.request('GET', '/work-cards')).json().data.map((card: { wishes: unknown }) => card.wishes)
    const { order_number, items } = order
    expect(await wishes()).toEqual([
      [{ order_id: order.id, order_number, product_name: items[0].product_name, units: 1, personalisation }],
    ])
    await send('POST', `/orders/${order.id}/erase-customer`)
    expect(await wishes()).toEqual([[]])
  })

  test('has its picking list as a page, by bin, with what the customer wants and not who they are', async () => {
    const lamp = await stocked(5, 'A<1>')
    const order = await send('POST', '/orders', {
      customer_name: 'Ann Buyer',
      items: [
        {
          product_sku_id: lamp.id,
          quantity: 2,
          unit_price: 1,
          personalisation: [{ name: 'Name', value: '<b>Bo</b>' }],
        },
      ],
    })
    const page = await account.request('GET', `/orders/${order.id}/picking-list`)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
    expect(page.body).toContain('A&lt;1&gt;')
    expect(page.body).toContain('&lt;b&gt;Bo&lt;/b&gt;')
    expect(page.body).not.toContain('Ann Buyer')
  })
})

describe('tasks to pick', () => {
  test('are made once, for the orders to be served first, and end when the shelves have it no more', async () => {
    const lamp = await stocked(5)
    const later = await addOrder([[lamp, 3]], { ship_by: '2027-01-02T00:00:00Z' })
    const first = await addOrder([[lamp, 4]], { ship_by: '2027-01-01T00:00:00Z' })
    await Promise.all([follow(), follow()])
    await follow()
    expect([await open(first), await open(later)]).toEqual([['pick'], []])
    await setStock(account, lamp, 7)
    await follow()
    expect([await open(first), await open(later)]).toEqual([['pick'], ['pick']])
    await setStock(account, lamp, 4)
    await follow()
    expect([await open(first), await open(later)]).toEqual([['pick'], []])
    expect((await tasksOf(later)).map(({ status }) => status)).toEqual(['cancelled'])
  })

  test('wait for the last unit, and for lines that stand for no SKU', async () => {
    const lamp = await stocked(1)
    const order = await send('POST', '/orders', {
      platform: 'etsy',
      allow_unmapped: true,
      items: [
        { product_sku_id: lamp.id, quantity: 1, unit_price: 1 },
        { sku: 'ETSY-1', product_name: 'Clip', quantity: 1, unit_price: 1 },
      ],
    })
    const stage = async () => (await send('GET', `/orders/${order.id}/picks`)).stage
    await follow()
    expect([await tasksOf(order), await stage()]).toEqual([[], 'none'])
    await send('POST', `/orders/${order.id}/items/${order.items[1].id}/map`, { product_sku_id: lamp.id })
    await follow()
    expect([await tasksOf(order), await stage()]).toEqual([[], 'none'])
    await setStock(account, lamp, 2)
    await follow()
    expect([await open(order), await stage()]).toEqual([['pick'], 'pick'])
  })

  test('end with the order, and with a parcel that was made without them', async () => {
    const lamp = await stocked(9)
    const [cancelled, shipped, refunded] = [
      await addOrder([[lamp, 1]]),
      await addOrder([[lamp, 2]]),
      await addOrder([[lamp, 1]]),
    ]
    await follow()
    await send('POST', `/orders/${cancelled.id}/picks`, {})
    await send('POST', `/orders/${shipped.id}/picks`, {})
    expect([await open(cancelled), await open(shipped)]).toEqual([['pack'], ['pack']])
    await send('DELETE', `/orders/${cancelled.id}`)
    await send('POST', `/orders/${shipped.id}/fulfill`)
    await send('PATCH', `/orders/${refunded.id}`, { status: 'refunded' })
    await follow()
    const ends = async (order: { id: string }) => (await tasksOf(order)).map(({ status }) => status)
    expect([await ends(cancelled), await ends(shipped), await ends(refunded)]).toEqual([
      ['completed', 'cancelled'],
      ['completed', 'completed'],
      ['cancelled'],
    ])
    expect(await refusal('POST', `/orders/${cancelled.id}/picks`, {})).toEqual([400, 'ORDER_CANNOT_FULFILL'])
    expect(await t.db.sql`select * from order_picks where account_id = ${account.id}`).toEqual([])
  })

  test('ask again for what was picked and is found to be missing: what comes in its place is not picked yet', async () => {
    const sku = await stocked(3, 'A-01')
    const order = await addOrder([[sku, 3]])
    await follow()
    await send('POST', `/orders/${order.id}/picks`, {})
    expect(await open(order)).toEqual(['pack'])
    await setStock(account, sku, 1)
    await follow()
    expect(await send('GET', `/orders/${order.id}/picks`)).toMatchObject({
      stage: 'pick',
      lines: [{ picked: 1, on_shelf: 1 }],
    })
    expect(await open(order)).toEqual(['pick'])
    await send('POST', `/orders/${order.id}/fulfill`, {})
    await follow()
    expect(await open(order)).toEqual([])
    await setStock(account, sku, 2)
    await follow()
    expect(await open(order)).toEqual(['pick'])
    expect((await send('GET', `/orders/${order.id}/picks`)).lines).toMatchObject([{ units: 2, picked: 0, on_shelf: 2 }])
  })

  test('come again for what is made again after a return', async () => {
    const lamp = await stocked(2)
    const order = await addOrder([[lamp, 1]])
    await send('POST', `/orders/${order.id}/fulfill`)
    await send('POST', `/orders/${order.id}/returns`, {
      items: [{ item_id: order.items[0].id, quantity: 1, disposition: 'remake' }],
    })
    await follow()
    expect(await open(order)).toEqual(['pick'])
    const pack = async () => complete(await taskOf(order, 'pack'))
    await complete(await taskOf(order, 'pick'))
    await pack()
    expect(await stockOf(lamp)).toBe(0)
    expect((await send('GET', `/orders/${order.id}`)).status).toBe('fulfilled')
  })
})

test('what is picked for one order is picked for no other, however many people pick at once', async () => {
  const lamp = await stocked(5)
  const orders = await Promise.all(Array.from({ length: 8 }, () => addOrder([[lamp, 1]])))
  const answers = await Promise.all(orders.map(({ id }) => request('POST', `/orders/${id}/picks`, {})))
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 200, 200, 400, 400, 400])
  const [row] = await t.db.sql`select sum(units)::int as units from order_picks where account_id = ${account.id}`
  expect(row).toEqual({ units: 5 })
})

test('another account neither sees nor picks it', async () => {
  const lamp = await stocked(5)
  const { id } = await addOrder([[lamp, 1]])
  const stranger = await t.account()
  for (const [method, path] of [
    ['GET', 'picks'],
    ['POST', 'picks'],
    ['GET', 'picking-list'],
  ] as const) {
    expect((await stranger.request(method, `/orders/${id}/${path}`)).statusCode).toBe(404)
  }
})

describe('an account that ships lines alone', () => {
  test('picks and ships each line once all of it is there, and the rest with a later parcel', async () => {
    await send('PATCH', '/orders/settings', { ship_lines_alone: true })
    const [lamp, shade, foot] = [await stocked(2, 'B-02'), await stocked(1, 'A-01'), await stocked(0)]
    const order = await addOrder([
      [lamp, 2],
      [shade, 3],
      [foot, 1],
    ])
    await follow()
    const first = await taskOf(order, 'pick')
    expect(first).toMatchObject({ subtitle: '2 units from 1 place', description: `B-02: 2 × ${lamp.sku}` })
    const { lines } = await send('GET', `/orders/${order.id}/picks`)
    expect(lines.map((line: { sku: string; is_due: boolean }) => [line.sku, line.is_due])).toEqual([
      [shade.sku, false],
      [lamp.sku, true],
      [foot.sku, false],
    ])

    // One more line is complete before the person walks: the task says so.
    await setStock(account, foot, 1)
    await follow()
    expect(await taskOf(order, 'pick')).toMatchObject({ id: first.id, subtitle: '3 units from 2 places' })
    await complete(first)
    await setStock(account, shade, 3)
    await follow()
    expect(await open(order)).toEqual(['pack'])
    await complete(await taskOf(order, 'pack'))
    const shipped = await send('GET', `/orders/${order.id}`)
    expect(shipped.status).toBe('processing')
    expect(shipped.items.map((item: { quantity_fulfilled: number }) => item.quantity_fulfilled)).toEqual([2, 0, 1])

    await follow()
    expect(await open(order)).toEqual(['pick'])
    await complete(await taskOf(order, 'pick'))
    await complete(await taskOf(order, 'pack'))
    expect((await send('GET', `/orders/${order.id}`)).status).toBe('fulfilled')
    expect([await stockOf(lamp), await stockOf(shade), await stockOf(foot)]).toEqual([0, 0, 0])
  })

  test('has no task for an order of which no line is complete, and none any more once the setting is off again', async () => {
    await send('PATCH', '/orders/settings', { ship_lines_alone: true })
    const [lamp, shade] = [await stocked(1, 'B-02'), await stocked(0)]
    const half = await addOrder([[lamp, 2]])
    await follow()
    expect(await open(half)).toEqual([])
    await send('PATCH', `/orders/${half.id}`, { status: 'cancelled' })
    const mixed = await addOrder([
      [lamp, 1],
      [shade, 1],
    ])
    await follow()
    expect(await open(mixed)).toEqual(['pick'])
    await send('PATCH', '/orders/settings', { ship_lines_alone: false })
    await follow()
    expect(await open(mixed)).toEqual([])
  })
})

test('orders that are ready are looked through order by order, also before the database knows how many there are', async () => {
  // As after a file of thousands of orders: nothing was counted yet.
  const [known] = await t.db.sql<{ tuples: number }[]>`
    select reltuples::int as tuples from pg_class where relname = 'order_items'`
  expect(known?.tuples).toBe(-1)
  const { indexes } = readPlan(await listReadyOrders(explaining(t.db.sql), account.id))
  expect(indexes).toContain('order_items_by_order')
  expect(indexes).not.toContain('order_items_open_by_sku')
})
