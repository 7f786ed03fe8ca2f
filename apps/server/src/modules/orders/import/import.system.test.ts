import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { addSku } from '../../../test/farm/test-catalogue.ts'

let t: TestApp
let farm: TestAccount
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
})

const send = (csv: string | Buffer, query = '', headers: Record<string, string> = {}, account = farm) =>
  t.app.inject({
    method: 'POST',
    url: `/public/v1/orders/import${query}`,
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'text/csv', ...headers },
    payload: csv,
  })

async function imported(csv: string, query = '') {
  const answer = await send(csv, query)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

const listed = async () => (await farm.request('GET', '/orders')).json().data
const header = 'order_number,external_id,order_date,customer_name,sku,quantity,unit_price,personalisation: Name'
const file = [
  header,
  'A-1,901,2026-11-20,A. Buyer,CLIP,2,6.50,Ann',
  'A-1,,,,SHOP-9,1,10.00,',
  'A-2,902,2026-11-21,B. Buyer,CLIP,1,6.50,',
].join('\n')

describe('POST /orders/import', () => {
  test('a day to ship by without a time lasts until its end where the account is', async () => {
    await t.db.sql`update accounts set time_zone = 'America/New_York' where id = ${farm.id}`
    const rows = ['D-1,2026-11-25', 'D-2,11/25/2026', 'D-3,2026-11-25T15:00:00Z'].map((row) => `${row},CLIP,1,1.00`)
    const { rows: told } = await imported(['order_number,ship_by,sku,quantity,unit_price', ...rows].join('\n'))
    const details = await Promise.all(
      told.map(async (row: { order_id: string }) =>
        (await farm.request('GET', `/orders/${row.order_id}/details`)).json(),
      ),
    )
    expect(details.map(({ data }) => data.ship_by)).toEqual([
      '2026-11-26T05:00:00.000Z',
      '2026-11-26T05:00:00.000Z',
      '2026-11-25T15:00:00.000Z',
    ])
  })

  test('records orders with their lines, in the currency of the account, and says of each row what became of it', async () => {
    const sku = await addSku(farm, { sku: 'CLIP' })
    await farm.request('PATCH', '/orders/settings', { currency: 'EUR', handling_days: 1 })
    const result = await imported(file, '?shop=north')
    expect(result).toMatchObject({
      dry_run: false,
      format: 'printyard',
      ignored_columns: [],
      orders: { created: 2, exists: 0, skipped: 0, refused: 0 },
      unmapped_items: 1,
    })
    const [first, second, third] = result.rows
    expect([first.row, second.row, third.row]).toEqual([2, 3, 4])
    expect(first).toEqual({
      row: 2,
      outcome: 'created',
      order_number: 'A-1',
      order_id: second.order_id,
      product_sku_id: sku.id,
      unmapped: false,
      reason: null,
      errors: [],
    })
    expect(second).toMatchObject({ product_sku_id: null, unmapped: true })
    const order = (await farm.request('GET', `/orders/${first.order_id}`)).json().data
    expect(order).toMatchObject({
      order_number: 'A-1',
      external_id: '901',
      customer_name: 'A. Buyer',
      order_date: '2026-11-20T12:00:00.000Z',
      total_revenue: 2300,
      items: [
        { sku: 'CLIP', quantity: 2 },
        { sku: 'SHOP-9', product_sku_id: '' },
      ],
    })
    const details = (await farm.request('GET', `/orders/${first.order_id}/details`)).json().data
    expect(details).toMatchObject({
      shop: 'north',
      currency: 'EUR',
      ship_by: '2026-11-24T00:00:00.000Z',
      items: [{ personalisation: [{ name: 'Name', value: 'Ann' }] }, { state: 'unmapped' }],
    })
    const events = await t.db.sql`
      select data from events where account_id = ${farm.id} and type = 'order.created' order by id`
    expect(events.map(({ data }) => data)).toEqual([
      { platform: 'manual', items: 2, total_revenue: 2300, currency: 'EUR', unmapped: 1 },
      { platform: 'manual', items: 1, total_revenue: 650, currency: 'EUR' },
    ])
    expect((await farm.request('GET', '/orders?search=buyer a-2')).json().meta.total).toBe(1)
  })

  test('a dry run says the same and writes nothing', async () => {
    await addSku(farm, { sku: 'CLIP' })
    const dry = await imported(file, '?dry_run=true')
    expect(dry).toMatchObject({ dry_run: true, orders: { created: 2 }, unmapped_items: 1 })
    expect(dry.rows.every((row: { order_id: string | null }) => row.order_id === null)).toBe(true)
    expect(await listed()).toEqual([])
    const real = await imported(file)
    const without = (rows: object[]) => rows.map((row) => ({ ...row, order_id: null }))
    expect(without(real.rows)).toEqual(dry.rows)
  })

  test('sent again it records nothing: with its key the first answer, without it which orders are there', async () => {
    await addSku(farm, { sku: 'CLIP' })
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await send(file, '', key)
    const again = await send(file, '', key)
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true'])
    expect((await send(`${file}\n`, '', key)).json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
    const repeated = await imported(file)
    expect(repeated.orders).toEqual({ created: 0, exists: 2, skipped: 0, refused: 0 })
    expect(repeated.rows.map((row: { order_id: string }) => row.order_id)).toEqual(
      first.json().data.rows.map((row: { order_id: string }) => row.order_id),
    )
    expect(await listed()).toHaveLength(2)
    // The same orders of another shop are others.
    expect((await imported(file, '?shop=south')).orders.created).toBe(2)
  })

  test('of five at once each order is recorded once', async () => {
    await addSku(farm, { sku: 'CLIP' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => imported(file)))
    expect(answers.map(({ orders }) => orders.created).reduce((sum, each) => sum + each, 0)).toBe(2)
    for (const { rows } of answers) {
      for (const row of rows) expect(row).toMatchObject({ order_id: expect.stringMatching(/^ord_/) })
    }
    expect(await listed()).toHaveLength(2)
  })

  test('an order with a mistake is refused, and the others are recorded', async () => {
    const wrong = [header, 'A-1,,,,CLIP,0,1,', 'A-2,,,,CLIP,1,1,', 'A-3,,,,,1,1,'].join('\n')
    const result = await imported(wrong)
    expect(result.orders).toEqual({ created: 1, exists: 0, skipped: 0, refused: 2 })
    expect(result.rows).toMatchObject([
      { outcome: 'refused', errors: [{ field: 'quantity', message: 'must be at least 1' }] },
      { outcome: 'created', errors: [] },
      { outcome: 'refused', errors: [{ field: 'sku', message: 'is required' }] },
    ])
    expect((await listed()).map((order: { order_number: string }) => order.order_number)).toEqual(['A-2'])
  })

  test('a number that an order with another ID has is refused; where one of the two has none it is the same order', async () => {
    await imported([header, 'A-1,901,,,CLIP,1,1,'].join('\n'))
    const result = await imported([header, 'A-1,902,,,CLIP,1,1,'].join('\n'))
    expect(result.rows).toMatchObject([
      {
        outcome: 'refused',
        errors: [{ field: 'order_number', message: 'is the number of another order of this shop' }],
      },
    ])
    expect((await imported([header, 'A-1,,,,CLIP,1,1,'].join('\n'))).rows).toMatchObject([{ outcome: 'exists' }])
  })

  test('listings that are mapped are mapped in files too', async () => {
    const sku = await addSku(farm)
    const listing = {
      platform: 'etsy',
      listing_id: '77',
      variation: 'Style: Matte',
      product_sku_id: sku.id,
      pack_size: 2,
    }
    expect((await farm.request('POST', '/listing-maps', listing)).statusCode).toBe(201)
    const etsy = [
      'Sale Date,Item Name,Quantity,Price,Currency,Transaction ID,Listing ID,Date Shipped,Order ID,Variations,SKU',
      '11/20/26,Clip,3,6.50,USD,1,77,,3001,"Style: Matte,Personalization: Ann",',
      '11/20/26,Clip,3,6.50,USD,1,77,11/21/26,3002,Style: Matte,',
    ].join('\n')
    const { rows, orders } = await imported(etsy)
    expect(orders).toEqual({ created: 1, exists: 0, skipped: 1, refused: 0 })
    expect(rows).toMatchObject([
      { outcome: 'created', product_sku_id: sku.id, unmapped: false },
      { outcome: 'skipped', order_id: null, reason: 'it is shipped in the shop already' },
    ])
    const details = (await farm.request('GET', `/orders/${rows[0].order_id}/details`)).json().data
    expect(details).toMatchObject({ platform: 'etsy', items: [{ quantity: 3, pack_size: 2, units: 6 }] })
  })

  test('10,000 rows are taken, 10,001 are not', async () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => `N-${n},,,,CLIP,1,1.00,`)
    const result = await imported([header, ...rows].join('\n'))
    expect(result.orders).toEqual({ created: 10_000, exists: 0, skipped: 0, refused: 0 })
    expect(result.unmapped_items).toBe(10_000)
    const more = await send([header, ...rows, 'N-x,,,,CLIP,1,1.00,'].join('\n'), '?shop=south')
    expect(more.json().error.details).toEqual({ _root: ['has more than 10000 rows; send it in parts'] })
    expect((await farm.request('GET', '/orders?shop=south')).json().meta.total).toBe(0)
  }, 120_000)

  test.each([
    ['', 'is empty; the first row names the columns'],
    ['a,b\n1,2', /^line 1: has not the columns of any known export/],
    [`${header}\nA-1,"901,,,CLIP,1,1,`, /a quote is not closed/],
    [Buffer.from(`${header}\nA-1,,,M\xfcller,CLIP,1,1,`, 'latin1'), 'line 2: is not UTF-8; save it as CSV (UTF-8)'],
  ])('%j is refused whole', async (csv, message) => {
    const answer = await send(csv)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('VALIDATION_ERROR')
    expect(answer.json().error.details._root[0]).toMatch(message)
    expect(await listed()).toEqual([])
  })

  test('tells while it goes on how many rows are done of how many, to the account alone', async () => {
    const stranger = await t.account()
    const rows = Array.from({ length: 6_000 }, (_, number) => `O-${number},CLIP,1,1.00`)
    const csv = ['order_number,sku,quantity,unit_price', ...rows].join('\n')
    const path = '/order-imports/import-of-test'
    expect((await farm.request('GET', path)).json().error.code).toBe('NOT_FOUND')
    let isOver = false
    const importing = imported(csv, '?progress_id=import-of-test').finally(() => {
      isOver = true
    })
    const seen: { done_rows: number; total_rows: number | null }[] = []
    while (!isOver) {
      const answer = await farm.request('GET', path)
      if (answer.statusCode !== 200) continue
      seen.push(answer.json().data)
      expect((await stranger.request('GET', path)).statusCode).toBe(404)
    }
    expect((await importing).orders.created).toBe(6_000)
    const counted = seen.filter(({ total_rows }) => total_rows !== null)
    expect(counted.length).toBeGreaterThan(0)
    for (const { done_rows, total_rows } of counted) {
      expect(total_rows).toBe(6_000)
      expect(done_rows).toBeLessThanOrEqual(6_000)
    }
    const done = seen.filter(({ total_rows }) => total_rows !== null).map(({ done_rows }) => done_rows)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    await t.settled(async () => (await farm.request('GET', path)).statusCode === 404)
    expect((await send(csv, '?progress_id=a%20b')).json().error.code).toBe('VALIDATION_ERROR')
  }, 60_000)

  test('takes CSV and nothing else, and knows the questions that it is asked', async () => {
    const json = await farm.request('POST', '/orders/import', { rows: [] })
    expect([json.statusCode, json.json().error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const large = await send(Buffer.alloc(11 * 1024 * 1024, 'a'))
    expect([large.statusCode, large.json().error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    for (const [query, field] of [
      ['?format=amazon', 'format'],
      ['?dry_run=yes', 'dry_run'],
      ['?currency=ABC', 'currency'],
    ] as const) {
      const answer = await send(file, query)
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json().error.details)).toEqual([field])
    }
    const reader = await t.account({ scopes: ['read'] })
    expect((await send(file, '', {}, reader)).json().error.code).toBe('INSUFFICIENT_SCOPE')
  })

  test('answers that are kept hold nothing of a customer', async () => {
    const key = { 'idempotency-key': 'kept' }
    const wrong = [header, 'A-1,901,Bertha Buyer,Ann Smith,CLIP,1,Secret Street 5,Annabel'].join('\n')
    const answer = await send(wrong, '', key)
    expect(answer.json().data.rows[0].errors).toHaveLength(2)
    for (const word of ['Bertha', 'Smith', 'Secret', 'Annabel']) expect(answer.body).not.toContain(word)
  })
})
