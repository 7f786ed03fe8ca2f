import { describe, expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addProduct, addSku, itemOf } from '../../../test/farm/test-catalogue.ts'

const { t, account: farm } = accountForEachTest()

/** What the detail of a SKU without a bill and without stock says besides. */
const notRestocked = { restock_point: null, restock_to: null, auto_produce: false }
const notBuilt = { ...notRestocked, available_to_build: 0, effective_status: 'out_of_stock' }

const eventsOf = (accountId: string) =>
  t.db.sql`select type, subject_id, data from events where account_id = ${accountId} and type like 'sku.%' order by id`

async function countOf(accountId: string) {
  const [counts] = await t.db.sql`
    select (select count(*) from skus where account_id = ${accountId}) as skus,
           (select count(*) from inventory_items where account_id = ${accountId}) as items`
  return counts
}

describe('POST /skus', () => {
  test('adds a SKU with its empty inventory item, and says so in the events', async () => {
    const product = await addProduct(farm)
    const answer = await farm.request('POST', '/skus', { product_id: product.id, sku: 'LAMP-RED' })
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(data).toEqual({
      id: expect.stringMatching(/^sku_/),
      product_id: product.id,
      sku: 'LAMP-RED',
      color: '',
      filament_type: '',
      hex_code: '',
      quantity: 1,
      stock_level: 0,
      low_stock_threshold: 0,
      is_active: true,
      is_composite: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: data.created_at,
      finished_goods_stock: 0,
    })
    expect(await itemOf(farm, data)).toMatchObject({ product_sku_id: data.id, ready_stock: 0, status: 'out_of_stock' })
    expect(await eventsOf(farm.id)).toEqual([
      { type: 'sku.created', subject_id: data.id, data: { product_id: product.id, sku: 'LAMP-RED' } },
    ])
    expect((await farm.request('GET', `/skus/${data.id}`)).json().data).toEqual({
      ...data,
      ...notRestocked,
      available_to_build: 0,
      effective_status: 'out_of_stock',
      recipes: [],
    })
  })

  test('keeps every field that is given', async () => {
    const fields = {
      color: 'Signal red',
      filament_type: 'PETG',
      hex_code: '#C1121C',
      quantity: 4,
      low_stock_threshold: 12,
    }
    const sku = await addSku(farm, fields)
    expect(sku).toMatchObject(fields)
    expect(await itemOf(farm, sku)).toMatchObject({ color: 'Signal red', material: 'PETG', low_stock_threshold: 12 })
  })

  test.each([
    [{}, { product_id: ['is required'], sku: ['is required'] }],
    [{ sku: '' }, { sku: ['must not be empty'] }],
    [{ sku: 'x'.repeat(101) }, { sku: ['must have at most 100 characters'] }],
    [{ color: 'x'.repeat(101) }, { color: ['must have at most 100 characters'] }],
    [{ filament_type: 'x'.repeat(51) }, { filament_type: ['must have at most 50 characters'] }],
    [{ hex_code: '#12345' }, { hex_code: ['has an invalid form'] }],
    [{ hex_code: '12345' }, { hex_code: ['has an invalid form'] }],
    [{ hex_code: '#12345G' }, { hex_code: ['has an invalid form'] }],
    [{ hex_code: 'red' }, { hex_code: ['has an invalid form'] }],
    [{ quantity: 0 }, { quantity: ['must be at least 1'] }],
    [{ quantity: 1.5 }, { quantity: ['must be a whole number'] }],
    [{ quantity: '2' }, { quantity: ['must be a whole number'] }],
    [{ quantity: 2_147_483_648 }, { quantity: ['must be at most 2147483647'] }],
    [{ low_stock_threshold: -1 }, { low_stock_threshold: ['must be at least 0'] }],
    [{ low_stock_threshold: 2_147_483_648 }, { low_stock_threshold: ['must be at most 2147483647'] }],
  ])('refuses %j and says what is wrong', async (fields, details) => {
    const product = await addProduct(farm)
    const body = Object.keys(fields).length === 0 ? {} : { product_id: product.id, sku: 'A', ...fields }
    const answer = await farm.request('POST', '/skus', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toEqual(expect.objectContaining({ code: 'VALIDATION_ERROR', details }))
    expect(await countOf(farm.id)).toEqual({ skus: 0, items: 0 })
  })

  test('answers the same for the product of another account as for none', async () => {
    const product = await addProduct(await t.account())
    const foreign = await farm.request('POST', '/skus', { product_id: product.id, sku: 'A' })
    const unknown = await farm.request('POST', '/skus', { product_id: 'prd_unknown', sku: 'A' })
    expect(foreign.statusCode).toBe(404)
    expect(foreign.json().error.code).toBe('PRODUCT_NOT_FOUND')
    expect(foreign.body).toBe(unknown.body)
    expect(await countOf(farm.id)).toEqual({ skus: 0, items: 0 })
  })

  test('a code can be used once per account', async () => {
    await addSku(farm, { sku: 'A' })
    const answer = await farm.request('POST', '/skus', { product_id: (await addProduct(farm)).id, sku: 'A' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error.code).toBe('DUPLICATE_SKU')
    expect(await countOf(farm.id)).toEqual({ skus: 1, items: 1 })
    await addSku(await t.account(), { sku: 'A' })
  })

  test('50 equal requests at once with one Idempotency-Key make one SKU, and each gets its answer in the end', async () => {
    const product = await addProduct(farm)
    const send = () =>
      farm.request('POST', '/skus', { product_id: product.id, sku: 'ONCE' }, { 'idempotency-key': 'once' })
    const answers = await Promise.all(Array.from({ length: 50 }, send))
    const made = answers.filter((answer) => answer.statusCode === 201)
    const fresh = made.filter((answer) => answer.headers['idempotent-replayed'] === undefined)
    expect(fresh).toHaveLength(1)
    for (const answer of answers.filter((each) => each.statusCode !== 201)) {
      expect(answer.json().error.code).toBe('IDEMPOTENCY_IN_PROGRESS')
    }
    expect(await countOf(farm.id)).toEqual({ skus: 1, items: 1 })
    const later = await send()
    expect(later.headers['idempotent-replayed']).toBe('true')
    for (const answer of [...made, later]) expect(answer.body).toBe(fresh[0]?.body)
  })

  test('50 equal requests at once without a key make one SKU: the others are duplicates', async () => {
    const product = await addProduct(farm)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => farm.request('POST', '/skus', { product_id: product.id, sku: 'ONE' })),
    )
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.json().error?.code === 'DUPLICATE_SKU')).toHaveLength(49)
    expect(await countOf(farm.id)).toEqual({ skus: 1, items: 1 })
  })

  test('an Idempotency-Key cannot be used for another SKU', async () => {
    const product = await addProduct(farm)
    const send = (sku: string) =>
      farm.request('POST', '/skus', { product_id: product.id, sku }, { 'idempotency-key': 'k' })
    expect((await send('A')).statusCode).toBe(201)
    const answer = await send('B')
    expect(answer.statusCode).toBe(422)
    expect(answer.json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

test('the stock of a SKU is the ready stock of its inventory item', async () => {
  const sku = await addSku(farm)
  const item = await itemOf(farm, sku)
  await farm.request('POST', `/inventory/${item.id}/adjust`, { adjustment: 7, reason: 'manual' })
  expect((await farm.request('GET', `/skus/${sku.id}`)).json().data).toEqual({
    ...sku,
    stock_level: 7,
    finished_goods_stock: 7,
    recipes: [],
    ...notRestocked,
    available_to_build: 0,
    effective_status: 'in_stock',
  })
})

describe('GET /skus', () => {
  test('lists the newest first, of one product when asked, and finds by part of code or colour', async () => {
    const product = await addProduct(farm)
    const red = await addSku(farm, { product_id: product.id, sku: 'LAMP-1', color: 'Red' })
    const other = await addSku(farm, { sku: 'VASE-1', color: 'Dark red' })
    const blue = await addSku(farm, { product_id: product.id, sku: 'LAMP-2', color: 'Blue' })
    const listed = async (query: string) => (await farm.request('GET', `/skus?${query}`)).json()
    expect(await listed('')).toEqual({
      success: true,
      data: [blue, other, red],
      meta: { limit: 5000, offset: 0, count: 3, next_cursor: null },
    })
    expect((await listed(`product_id=${product.id}`)).data).toEqual([blue, red])
    expect((await listed('search=RED')).data).toEqual([other, red])
    expect((await listed('search=lamp-')).data).toEqual([blue, red])
    expect((await listed('limit=1&offset=1')).data).toEqual([other])
    expect((await listed('product_id=prd_unknown')).data).toEqual([])
    expect((await (await t.account()).request('GET', `/skus?product_id=${product.id}`)).json().data).toEqual([])
  })
})

describe('PATCH /skus/{id}', () => {
  test('changes what is given and leaves the rest', async () => {
    const sku = await addSku(farm, { color: 'Red', hex_code: '#FF0000' })
    const changes = { sku: `${sku.sku}-B`, quantity: 2, hex_code: '' }
    const answer = await farm.request('PATCH', `/skus/${sku.id}`, changes)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual({ ...sku, ...changes, ...notBuilt, recipes: [], updated_at: expect.any(String) })
    expect((await eventsOf(farm.id)).at(-1)).toEqual({
      type: 'sku.updated',
      subject_id: sku.id,
      data: { fields: expect.arrayContaining(['sku', 'quantity', 'hex_code']) },
    })
  })

  test('a new threshold works out the status of the item again', async () => {
    const sku = await addSku(farm)
    const item = await itemOf(farm, sku)
    await farm.request('POST', `/inventory/${item.id}/adjust`, { adjustment: 5, reason: 'manual' })
    const answer = await farm.request('PATCH', `/skus/${sku.id}`, { low_stock_threshold: 5 })
    expect(answer.json().data.low_stock_threshold).toBe(5)
    expect(await itemOf(farm, sku)).toMatchObject({ status: 'low_stock', low_stock_threshold: 5 })
  })

  test('a SKU that is no longer sold takes its inventory item out of the alerts', async () => {
    const sku = await addSku(farm)
    const lowItems = async () => (await farm.request('GET', '/analytics/overview')).json().data.alerts.low_stock
    expect(await lowItems()).toBe(1)
    const answer = await farm.request('PATCH', `/skus/${sku.id}`, { is_active: false })
    expect(answer.json().data.is_active).toBe(false)
    expect((await itemOf(farm, sku)).is_active).toBe(false)
    expect(await lowItems()).toBe(0)
  })

  test('cannot take the code of another, and then changes nothing else either', async () => {
    await addSku(farm, { sku: 'A' })
    const sku = await addSku(farm, { sku: 'B' })
    const answer = await farm.request('PATCH', `/skus/${sku.id}`, { sku: 'A', low_stock_threshold: 9 })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error.code).toBe('DUPLICATE_SKU')
    expect((await farm.request('GET', `/skus/${sku.id}`)).json().data).toEqual({ ...sku, ...notBuilt, recipes: [] })
  })

  test('an empty change is refused, one of unknown fields only changes nothing', async () => {
    const sku = await addSku(farm)
    const empty = await farm.request('PATCH', `/skus/${sku.id}`, {})
    expect(empty.json().error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { _root: ['must have at least one field'] },
    })
    expect((await farm.request('PATCH', `/skus/${sku.id}`, { stock_level: 9 })).json().data).toEqual({
      ...sku,
      recipes: [],
      ...notBuilt,
    })
  })
})
