import { expect, test } from 'vitest'
import { accountForAllTests } from '../../test/app-hooks.ts'
import { addTestFile, readSlicedFile } from '../../test/sliced-file.ts'
import { addProduct, addSku, itemOf } from '../../test/test-catalogue.ts'

const { t, account: farm } = accountForAllTests()

async function made(path: string, body: object) {
  const answer = await farm.request('POST', path, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

const countEvents = async () => {
  const [row] = await t.db.sql<{ count: number }[]>`select count(*) as count from events where account_id = ${farm.id}`
  return row?.count
}

/** A thing of each kind, with a change of it that says what is so already. */
const things: Record<string, () => Promise<[method: 'PATCH' | 'PUT', path: string, body: object]>> = {
  async product() {
    const { id } = await addProduct(farm, { name: 'Clip', description: 'Holds' })
    return ['PATCH', `/products/${id}`, { name: 'Clip', description: 'Holds', is_active: true }]
  },
  async SKU() {
    const { id } = await addSku(farm, { sku: 'CLIP', color: 'red', low_stock_threshold: 3 })
    return ['PATCH', `/skus/${id}`, { sku: 'CLIP', color: 'red', low_stock_threshold: 3, is_active: true }]
  },
  async colour() {
    const { id } = await made('/colors', { color_name: 'Red', hex_code: '#ff0000' })
    return ['PATCH', `/colors/${id}`, { color_name: 'Red', hex_code: '#ff0000' }]
  },
  async threshold() {
    const { id } = await itemOf(farm, await addSku(farm, { low_stock_threshold: 3 }))
    return ['PUT', `/inventory/${id}/threshold`, { low_stock_threshold: 3 }]
  },
  async order() {
    const { id } = await addSku(farm)
    const order = {
      notes: 'Soon',
      order_date: '2026-11-20T09:30:00Z',
      items: [{ product_sku_id: id, quantity: 1, unit_price: 1 }],
    }
    const { id: orderId } = await made('/orders', order)
    return [
      'PATCH',
      `/orders/${orderId}`,
      { notes: 'Soon', status: 'pending', order_date: '2026-11-20T10:30:00+01:00' },
    ]
  },
  async 'listing map'() {
    const { id } = await addSku(farm)
    const map = { platform: 'etsy', seller_sku: 'CLIP', product_sku_id: id, pack_size: 2 }
    return ['PATCH', `/listing-maps/${(await made('/listing-maps', map)).id}`, { product_sku_id: id, pack_size: 2 }]
  },
  async 'order settings'() {
    const settings = { currency: 'EUR', handling_days: 2, working_days: [1, 2] }
    expect((await farm.request('PATCH', '/orders/settings', settings)).statusCode).toBe(200)
    return ['PATCH', '/orders/settings', { ...settings, working_days: [2, 1] }]
  },
  async 'print file'() {
    const { id, name } = await addTestFile(t, farm, await readSlicedFile(), { number_of_units: 2 })
    return ['PATCH', `/files/${id}`, { name, number_of_units: 2, product_id: null }]
  },
  async 'assembly task'() {
    const { id: skuId } = await addSku(farm)
    const { id } = await made('/assembly', { product_sku_id: skuId, quantity: 2, notes: 'Glue' })
    return ['PATCH', `/assembly/${id}`, { quantity: 2, notes: 'Glue', status: 'pending' }]
  },
  async printer() {
    const { id } = await made('/printers', {
      name: 'Bench',
      model: 'MK4S',
      connection_type: 'virtual',
      location: 'Hall',
    })
    return ['PATCH', `/printers/${id}`, { name: 'Bench', location: 'Hall' }]
  },
  async article() {
    const { id } = await made('/wiki', { title: 'Plates', category: 'Floor' })
    return ['PATCH', `/wiki/${id}`, { title: 'Plates', category: 'Floor' }]
  },
}

test.each(Object.keys(things))('a change of a %s that changes nothing makes no event', async (name) => {
  const [method, path, body] = (await things[name]?.()) ?? []
  if (!method || !path) throw new Error(`no ${name}`)
  const before = await countEvents()
  const answer = await farm.request(method, path, body)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await countEvents()).toBe(before)
})
