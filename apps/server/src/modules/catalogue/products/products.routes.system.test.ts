import { describe, expect, test } from 'vitest'
import type { ProductId } from '../../../kernel/ids.ts'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addProduct, addSku } from '../../../test/farm/test-catalogue.ts'
import { explaining, readPlan } from '../../../test/run/query-plan.ts'
import { listSkusOfProducts } from '../skus/skus.queries.ts'
import { listProducts } from './products.queries.ts'

const { t, account: farm } = accountForEachTest()

const eventsOf = (accountId: string) =>
  t.db.sql`
    select type, subject_id, data, actor from events
    where account_id = ${accountId} and type like 'product.%' order by id`

describe('POST /products', () => {
  test('adds a product with the defaults, and says so in the events', async () => {
    const answer = await farm.request('POST', '/products', { name: 'Lamp', colour: 'unknown fields are dropped' })
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(data).toEqual({
      id: expect.stringMatching(/^prd_/),
      name: 'Lamp',
      description: '',
      category: '',
      requires_assembly: false,
      requires_post_processing: false,
      image_url: null,
      images: [],
      wiki_id: null,
      is_active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: data.created_at,
      skus: [],
      components: [],
      kit: null,
    })
    expect(await eventsOf(farm.id)).toEqual([
      {
        type: 'product.created',
        subject_id: data.id,
        data: { name: 'Lamp' },
        actor: expect.stringMatching(/^key:key_/),
      },
    ])
    expect((await farm.request('GET', `/products/${data.id}`)).json().data).toEqual(data)
  })

  test('keeps every field that is given', async () => {
    const fields = {
      name: '🪔'.repeat(200),
      description: 'Hangs from the ceiling',
      category: 'Light',
      requires_assembly: true,
      requires_post_processing: true,
    }
    expect(await addProduct(farm, fields)).toMatchObject(fields)
  })

  test.each([
    [{}, { name: ['is required'] }],
    [{ name: '' }, { name: ['must not be empty'] }],
    [{ name: 'x'.repeat(201) }, { name: ['must have at most 200 characters'] }],
    [{ name: 5 }, { name: ['must be a string'] }],
    [{ name: null }, { name: ['must be a string'] }],
    [{ name: 'a\0b' }, { name: ['must not contain NUL bytes'] }],
    [{ name: 'Lamp', description: 'x'.repeat(5001) }, { description: ['must have at most 5000 characters'] }],
    [{ name: 'Lamp', category: 'x'.repeat(101) }, { category: ['must have at most 100 characters'] }],
    [{ name: 'Lamp', requires_assembly: 'true' }, { requires_assembly: ['must be a boolean'] }],
    [undefined, { _root: ['must be an object'] }],
  ])('refuses %j and says what is wrong', async (body, details) => {
    const answer = await farm.request('POST', '/products', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
    expect(await eventsOf(farm.id)).toEqual([])
  })

  test('a name can be used once per account', async () => {
    await addProduct(farm, { name: 'Vase' })
    const answer = await farm.request('POST', '/products', { name: 'Vase' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error).toMatchObject({ code: 'DUPLICATE_NAME', message: 'Another product has this name.' })
    expect(await eventsOf(farm.id)).toHaveLength(1)
    await addProduct(await t.account(), { name: 'Vase' })
  })

  test('sent again with its Idempotency-Key, it answers the same and adds nothing', async () => {
    const send = () => farm.request('POST', '/products', { name: 'Bowl' }, { 'idempotency-key': 'bowl-1' })
    const first = await send()
    const second = await send()
    expect(second.statusCode).toBe(201)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toBe(first.body)
    expect((await farm.request('GET', '/products')).json().meta.count).toBe(1)
  })
})

describe('GET /products', () => {
  test('lists the newest first, each with its own SKUs in the order of their making', async () => {
    const older = await addProduct(farm, { name: 'Older' })
    const newer = await addProduct(farm, { name: 'Newer' })
    const first = await addSku(farm, { product_id: older.id })
    const third = await addSku(farm, { product_id: newer.id })
    const second = await addSku(farm, { product_id: older.id })
    const answer = (await farm.request('GET', '/products')).json()
    expect(answer.meta).toEqual({ limit: 50, offset: 0, count: 2, next_cursor: null })
    expect(answer.data).toEqual([
      { ...newer, skus: [third] },
      { ...older, skus: [first, second] },
    ])
    expect((await farm.request('GET', '/products?limit=1&offset=1')).json()).toMatchObject({
      data: [{ id: older.id }],
      meta: { limit: 1, offset: 1, count: 1 },
    })
  })

  test('finds by part of the name, by category and by being offered', async () => {
    await addProduct(farm, { name: 'Lamp 50% off', category: 'Light' })
    await addProduct(farm, { name: 'Lamp_shade', category: 'Light parts' })
    const gone = await addProduct(farm, { name: 'Vase', category: 'Light' })
    await farm.request('PATCH', `/products/${gone.id}`, { is_active: false })
    const namesOf = async (query: string) =>
      (await farm.request('GET', `/products?${query}`)).json().data.map((product: { name: string }) => product.name)
    expect(await namesOf('search=lAMP')).toEqual(['Lamp_shade', 'Lamp 50% off'])
    expect(await namesOf('search=%25')).toEqual(['Lamp 50% off'])
    expect(await namesOf('search=_')).toEqual(['Lamp_shade'])
    expect(await namesOf('category=Light')).toEqual(['Vase', 'Lamp 50% off'])
    expect(await namesOf('is_active=false')).toEqual(['Vase'])
    expect(await namesOf('is_active=true&category=Light')).toEqual(['Lamp 50% off'])
  })

  test.each(['limit=0', 'limit=101', 'limit=abc', 'limit=1e1', 'offset=-1', 'is_active=yes', 'search='])(
    'refuses %s',
    async (query) => {
      const answer = await farm.request('GET', `/products?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json().error.details)).toEqual([query.split('=')[0]])
    },
  )

  test('reads the page by its index and the SKUs of the page by theirs, however many there are', async () => {
    const accounts = [farm, await t.account(), await t.account()]
    for (const { id } of accounts) {
      await t.db.sql`
        insert into products (account_id, id, name, created_at)
        select ${id}, 'prd_' || n, 'Product ' || n, now() - n * interval '1 minute' from generate_series(1, 3000) n`
      await t.db.sql`
        insert into skus (account_id, id, product_id, sku)
        select ${id}, 'sku_' || n, 'prd_' || n, 'S-' || n from generate_series(1, 3000) n`
      await t.db.sql`
        insert into inventory_items (account_id, id, product_sku_id)
        select ${id}, 'inv_' || n, 'sku_' || n from generate_series(1, 3000) n`
    }
    await t.db.sql`analyze products, skus, inventory_items`
    const page = readPlan(await listProducts(explaining(t.db.sql), farm.id, { limit: 50, offset: 0 }))
    expect(page).toEqual({ nodes: ['Limit', 'Index Scan'], indexes: ['products_by_age'] })
    const ids = Array.from({ length: 50 }, (_, n) => `prd_${n + 1}` as ProductId)
    const skus = readPlan(await listSkusOfProducts(explaining(t.db.sql), farm.id, ids))
    expect(skus.indexes.sort()).toEqual(['bom_children_child_key', 'inventory_items_sku_key', 'skus_by_product'])
    expect(skus.nodes).not.toContain('Seq Scan')
  })
})

describe('PATCH /products/{id}', () => {
  test('takes the article that goes with it, and lets go of it', async () => {
    const product = await addProduct(farm)
    const article = (await farm.request('POST', '/wiki', { title: 'How to sand' })).json().data
    const patch = (body: object) => farm.request('PATCH', `/products/${product.id}`, body)
    expect((await patch({ wiki_id: article.id })).json().data).toMatchObject({ wiki_id: article.id })
    expect((await patch({ description: 'Smooth' })).json().data).toMatchObject({ wiki_id: article.id })
    const refused = await patch({ wiki_id: 'wik_unknown' })
    expect([refused.statusCode, refused.json().error.details]).toEqual([400, { wiki_id: ['names no article'] }])
    expect((await patch({ wiki_id: null })).json().data).toMatchObject({ wiki_id: null, description: 'Smooth' })
    await patch({ wiki_id: article.id })
    await farm.request('DELETE', `/wiki/${article.id}`)
    expect((await farm.request('GET', `/products/${product.id}`)).json().data).toMatchObject({ wiki_id: null })
  })

  test('changes what is given and leaves the rest', async () => {
    const product = await addProduct(farm, { name: 'Lamp', category: 'Light', requires_assembly: true })
    const sku = await addSku(farm, { product_id: product.id })
    const answer = await farm.request('PATCH', `/products/${product.id}`, { category: '', requires_assembly: false })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual({
      ...product,
      category: '',
      requires_assembly: false,
      updated_at: expect.any(String),
      skus: [sku],
    })
    expect(answer.json().data.updated_at > product.updated_at).toBe(true)
    expect((await eventsOf(farm.id)).at(-1)).toMatchObject({
      type: 'product.updated',
      subject_id: product.id,
      data: { fields: ['category', 'requires_assembly'] },
    })
  })

  test('may keep its own name but not take that of another', async () => {
    await addProduct(farm, { name: 'Lamp' })
    const vase = await addProduct(farm, { name: 'Vase' })
    expect((await farm.request('PATCH', `/products/${vase.id}`, { name: 'Vase' })).statusCode).toBe(200)
    const answer = await farm.request('PATCH', `/products/${vase.id}`, { name: 'Lamp' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error.code).toBe('DUPLICATE_NAME')
    expect((await farm.request('GET', `/products/${vase.id}`)).json().data.name).toBe('Vase')
  })

  test.each([
    [{}, { _root: ['must have at least one field'] }],
    [{ name: '' }, { name: ['must not be empty'] }],
    [{ is_active: null }, { is_active: ['must be a boolean'] }],
  ])('refuses %j', async (body, details) => {
    const product = await addProduct(farm)
    const answer = await farm.request('PATCH', `/products/${product.id}`, body)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
  })

  test('with nothing but unknown fields it changes and records nothing', async () => {
    const product = await addProduct(farm)
    const answer = await farm.request('PATCH', `/products/${product.id}`, { colour: 'red' })
    expect(answer.json().data).toEqual(product)
    expect(await eventsOf(farm.id)).toHaveLength(1)
  })
})
