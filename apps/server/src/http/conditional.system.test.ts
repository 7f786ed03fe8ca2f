import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { addSku, itemOf } from '../test/farm/test-catalogue.ts'
import { drawImage, postImage } from '../test/farm/test-images.ts'

const { t, account } = accountForAllTests()

const get = (path: string, headers = {}) => account.request('GET', path, undefined, headers)
const tagOf = (answer: LightMyRequestResponse) => String(answer.headers.etag)
const create = async (path: string, body: object) => (await account.request('POST', path, body)).json().data

let made = 0
const unique = (word: string) => `${word} ${++made}`

/** Each kind of resource that can be changed: how one is made, and two changes of it that differ. */
const kinds: Record<string, () => Promise<{ path: string; changes: [['PATCH' | 'PUT', string, object], object] }>> = {
  async colour() {
    const { id } = await create('/colors', { color_name: unique('Red'), hex_code: '#FF0000' })
    // A colour has no GET of its own; its tag comes with the answer to a change.
    return { path: '', changes: [['PATCH', `/colors/${id}`, { hex_code: '#00FF00' }], { hex_code: '#0000FF' }] }
  },
  async hub() {
    const path = `/hubs/${(await create('/hubs', { name: unique('Hub') })).id}`
    return { path, changes: [['PATCH', path, { name: unique('Hub') }], { name: unique('Hub') }] }
  },
  async printer() {
    const body = { name: unique('Printer'), model: 'MK4S', connection_type: 'virtual' }
    const path = `/printers/${(await create('/printers', body)).id}`
    return { path, changes: [['PATCH', path, { location: 'Hall 1' }], { location: 'Hall 2' }] }
  },
  async 'printer in maintenance'() {
    const body = { name: unique('Printer'), model: 'MK4S', connection_type: 'virtual' }
    const path = `/printers/${(await create('/printers', body)).id}`
    const [one, other] = ['Nozzle', 'Belt'].map((maintenance_type) => ({ in_maintenance: true, maintenance_type }))
    return { path, changes: [['PUT', `${path}/maintenance`, one ?? {}], other ?? {}] }
  },
  async product() {
    const path = `/products/${(await create('/products', { name: unique('Clip') })).id}`
    return { path, changes: [['PATCH', path, { category: 'Office' }], { category: 'Kitchen' }] }
  },
  async 'order of images'() {
    const { id } = await create('/products', { name: unique('Clip') })
    const images: string[] = []
    for (let count = 0; count < 3; count++) {
      images.push((await postImage(t, account, id, await drawImage())).json().data.id)
    }
    const [a, b, c] = images
    const path = `/products/${id}/images`
    return { path, changes: [['PUT', `${path}/order`, { image_ids: [c, b, a] }], { image_ids: [b, a, c] }] }
  },
  async SKU() {
    const path = `/skus/${(await addSku(account)).id}`
    return { path, changes: [['PATCH', path, { color: 'red' }], { color: 'blue' }] }
  },
  async 'inventory item'() {
    const path = `/inventory/${(await itemOf(account, await addSku(account))).id}`
    return {
      path,
      changes: [['PATCH', path, { low_stock_threshold: 3 }], { low_stock_threshold: 4 }],
    }
  },
  async order() {
    const sku = await addSku(account)
    const path = `/orders/${(await create('/orders', { items: [{ product_sku_id: sku.id, quantity: 1, unit_price: 100 }] })).id}`
    return { path, changes: [['PATCH', path, { notes: 'gift' }], { notes: 'no gift' }] }
  },
  async 'order settings'() {
    const path = '/orders/settings'
    return { path, changes: [['PATCH', path, { handling_days: 2 }], { handling_days: 3 }] }
  },
  async 'listing map'() {
    const { id } = await addSku(account)
    const listing = { platform: 'etsy', seller_sku: unique('E'), product_sku_id: id }
    const path = `/listing-maps/${(await create('/listing-maps', listing)).id}`
    return { path, changes: [['PATCH', path, { pack_size: 2 }], { pack_size: 3 }] }
  },
  async webhook() {
    const path = `/webhooks/${(await create('/webhooks', { url: 'https://erp.invalid/' })).id}`
    return { path, changes: [['PATCH', path, { description: 'Shop' }], { is_active: false }] }
  },
  async 'worklist task'() {
    const path = `/worklist/${(await create('/worklist', { title: 'Collect', task_type: 'collection' })).id}`
    return { path, changes: [['PATCH', path, { title: 'Collect A' }], { title: 'Collect B' }] }
  },
  async 'status of a worklist task'() {
    const path = `/worklist/${(await create('/worklist', { title: 'Collect', task_type: 'collection' })).id}`
    return { path, changes: [['PUT', `${path}/status`, { status: 'in_progress' }], { status: 'cancelled' }] }
  },
  async 'wiki article'() {
    const path = `/wiki/${(await create('/wiki', { title: unique('Clearing a plate') })).id}`
    return { path, changes: [['PATCH', path, { slug: `plate-${made}-a` }], { slug: `plate-${made}-b` }] }
  },
}

describe.each(Object.entries(kinds))('of two changes at once with the same If-Match, %s', (_, make) => {
  test('takes exactly one, whose answer has the tag of what is there then', async () => {
    const { path, changes } = await make()
    const [[method, address, one], other] = changes
    const tag = path === '' ? tagOf(await account.request(method, address, one)) : tagOf(await get(path))
    const bodies = path === '' ? [other, { hex_code: '#ABCDEF' }] : [one, other]
    const answers = await Promise.all(bodies.map((body) => account.request(method, address, body, { 'if-match': tag })))
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 412])
    const won = answers.find((answer) => answer.statusCode === 200)
    const lost = answers.find((answer) => answer.statusCode === 412)
    expect(lost?.json().error.code).toBe('PRECONDITION_FAILED')
    expect(lost?.headers.etag).toBeUndefined()
    if (!won) throw new Error('neither change was made')
    expect(tagOf(won)).not.toBe(tag)
    if (path !== '') {
      const now = await get(path)
      expect([tagOf(now), now.body]).toEqual([tagOf(won), won.body])
    }
    const next = await account.request(method, address, one, { 'if-match': `"older", ${tagOf(won)}` })
    expect(next.statusCode, next.body).toBe(200)
  })
})

test('the tag of a product changes with what belongs to it', async () => {
  const sku = await addSku(account)
  const path = `/products/${sku.product_id}`
  const tag = tagOf(await get(path))
  const item = await itemOf(account, sku)
  expect(
    (await account.request('POST', `/inventory/${item.id}/adjust`, { adjustment: 2, reason: 'manual' })).statusCode,
  ).toBe(200)
  await account.request('PATCH', `/skus/${sku.id}`, { color: 'green' })
  expect((await get(path, { 'if-none-match': tag })).statusCode).toBe(200)
  const stale = await account.request('PATCH', path, { category: 'Office' }, { 'if-match': tag })
  expect(stale.statusCode).toBe(412)
  expect((await get(path)).json().data.category).not.toBe('Office')
})

test('If-Match: * asks only that the thing is there', async () => {
  const { id } = await create('/products', { name: unique('Clip') })
  const any = { 'if-match': '*' }
  expect((await account.request('PATCH', `/products/${id}`, { category: 'Office' }, any)).statusCode).toBe(200)
  expect((await account.request('PATCH', '/products/prd_none', { category: 'Office' }, any)).statusCode).toBe(404)
})

test('a body that is wrong is told before If-Match is looked at', async () => {
  const { id } = await create('/products', { name: unique('Clip') })
  const answer = await account.request('PATCH', `/products/${id}`, { name: 5 }, { 'if-match': '"stale"' })
  expect(answer.json().error.details).toHaveProperty('name')
})

test('a 304 has the tag and neither a body nor its type', async () => {
  const { id } = await create('/products', { name: unique('Clip') })
  const first = await get(`/products/${id}`)
  const answer = await get(`/products/${id}`, { 'if-none-match': tagOf(first) })
  expect([answer.statusCode, answer.body, tagOf(answer)]).toEqual([304, '', tagOf(first)])
  expect(answer.headers).not.toHaveProperty('content-type')
  expect(answer.headers).not.toHaveProperty('content-length')
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('an If-None-Match that no one can read costs nothing but the saving', async () => {
  const { id } = await create('/products', { name: unique('Clip') })
  expect((await get(`/products/${id}`, { 'if-none-match': 'unquoted' })).statusCode).toBe(200)
})

test('what lives, counts or lists has no tag', async () => {
  const body = { name: unique('Printer'), model: 'MK4S', connection_type: 'virtual' }
  const { id } = await create('/printers', body)
  for (const path of [`/printers/${id}/status`, '/printers', '/analytics/overview', '/worklist/stats']) {
    expect((await get(path)).headers, path).not.toHaveProperty('etag')
  }
})
