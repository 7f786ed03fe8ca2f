import { beforeEach, expect, test } from 'vitest'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { standOfAccount } from '../test/app/stand-of-account.ts'
import { addSku } from '../test/farm/test-catalogue.ts'
import { insertFile } from '../test/farm/test-fleet.ts'
import { createTestPerson, type TestPerson } from '../test/farm/test-person.ts'

const { t, account } = accountForEachTest()

let owner: TestPerson
let skus: { id: string; sku: string }[]
let fileId: string
let goneFileId: string
let recipeOfGoneFile: { id: string }
let order: { id: string; items: { id: string }[] }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
async function done(method: Method, path: string, body?: object) {
  const answer = await account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

/** C is put together of B, and B of A; a recipe's file is gone; an order has a line that no one has mapped. */
beforeEach(async () => {
  owner = await createTestPerson(t, account, 'owner')
  skus = []
  for (const sku of ['A', 'B', 'C']) skus.push(await addSku(account, { sku }))
  const [a, b, c] = skus
  await done('PUT', `/skus/${b?.id}/bom`, { children: [{ child_sku_id: a?.id, quantity_required: 1 }] })
  await done('PUT', `/skus/${c?.id}/bom`, { children: [{ child_sku_id: b?.id, quantity_required: 2 }] })
  fileId = await insertFile(t, account.id, { printer_model: 'MK4S', print_time_seconds: 600 })
  goneFileId = await insertFile(t, account.id, { printer_model: 'MK4S', print_time_seconds: 600 })
  const recipe = { product_sku_id: a?.id, print_file_id: goneFileId, units_per_plate: 1 }
  recipeOfGoneFile = await done('POST', '/recipes', recipe)
  await done('PATCH', `/recipes/${recipeOfGoneFile.id}`, { is_active: false })
  await done('DELETE', `/files/${goneFileId}`)
  order = await done('POST', '/orders', {
    platform: 'etsy',
    order_date: '2026-11-20T00:00:00Z',
    customer_name: 'A',
    allow_unmapped: true,
    items: [{ sku: 'E-1', quantity: 1, unit_price: 100 }],
  })
})

interface Sent {
  method: Method
  path: string
  body?: unknown
}

const send = (method: Method, path: string, body?: unknown): Sent => ({ method, path, body })
const csv = (content: string | Buffer, query = '') => send('POST', `/orders/import${query}`, Buffer.from(content))
const header = 'order_number,sku,quantity,unit_price,customer_name'
const put = (at: number, ...children: object[]) => send('PUT', `/skus/${skus[at]?.id}/bom`, { children })
const recipe = (more: object) =>
  send('POST', '/recipes', { product_sku_id: skus[0]?.id, print_file_id: fileId, units_per_plate: 1, ...more })
const orderOf = (more: object) =>
  send('POST', '/orders', { items: [{ product_sku_id: skus[0]?.id, quantity: 1, unit_price: 100 }], ...more })
const item = (more: object) =>
  orderOf({ items: [{ product_sku_id: skus[0]?.id, quantity: 1, unit_price: 1, ...more }] })
const mapping = (pack_size: unknown) =>
  send('POST', `/orders/${order.id}/items/${order.items[0]?.id}/map`, { product_sku_id: skus[0]?.id, pack_size })

/** What is sent, and the field or row by which the answer says what is wrong. Of a file whose rows can be read each is judged alone. */
const cases: Record<string, [make: () => Sent, status: number, says: RegExp]> = {
  'a SKU that is a part of itself': [
    () => put(0, { child_sku_id: skus[0]?.id, quantity_required: 1 }),
    400,
    /children\.0\.child_sku_id.*the SKU itself/,
  ],
  'a circle of two': [
    () => put(0, { child_sku_id: skus[1]?.id, quantity_required: 1 }),
    400,
    /children\.0\.child_sku_id.*cycle: A → B → A/,
  ],
  'a circle of three': [
    () => put(0, { child_sku_id: skus[2]?.id, quantity_required: 1 }),
    400,
    /children\.0\.child_sku_id.*cycle: A → C → B → A/,
  ],
  'a part of which a negative number is needed': [
    () => put(2, { child_sku_id: skus[0]?.id, quantity_required: -1 }),
    400,
    /children\.0\.quantity_required.*at least 1/,
  ],
  'a recipe for a file that is gone': [
    () => recipe({ print_file_id: goneFileId }),
    404,
    /FILE_NOT_FOUND.*print_file_id/,
  ],
  'a recipe put to use again whose file is gone': [
    () => send('PATCH', `/recipes/${recipeOfGoneFile.id}`, { is_active: true, rank: 3 }),
    404,
    /FILE_NOT_FOUND.*print_file_id/,
  ],
  'a job for a file that is gone': [
    () => send('POST', '/jobs', { print_file_id: goneFileId }),
    404,
    /FILE_NOT_FOUND.*print_file_id/,
  ],
  'a recipe of negative units': [() => recipe({ units_per_plate: -4 }), 400, /units_per_plate.*at least 1/],
  'a recipe that also makes a negative number': [
    () => recipe({ also_makes: [{ product_sku_id: skus[1]?.id, units: -1 }] }),
    400,
    /also_makes\.0\.units.*at least 1/,
  ],
  'a pack of a negative number': [() => mapping(-6), 400, /pack_size.*at least 1/],
  'a pack of nothing': [() => mapping(0), 400, /pack_size.*at least 1/],
  'a map of listings with a negative pack': [
    () =>
      send('POST', '/listing-maps', {
        platform: 'etsy',
        shop: '',
        seller_sku: 'E-9',
        product_sku_id: skus[0]?.id,
        pack_size: -2,
      }),
    400,
    /pack_size.*at least 1/,
  ],
  'a negative quantity': [() => item({ quantity: -2 }), 400, /items\.0\.quantity.*at least 1/],
  'a negative price': [() => item({ unit_price: -1 }), 400, /items\.0\.unit_price.*at least 0/],
  'an order in an unknown currency': [() => orderOf({ currency: 'XXQ' }), 400, /currency.*XXQ.*ISO 4217/],
  'an order changed to an unknown currency': [
    () => send('PATCH', `/orders/${order.id}`, { currency: 'ABC' }),
    400,
    /currency.*ABC.*ISO 4217/,
  ],
  'an account in an unknown currency': [
    () => send('PATCH', '/orders/settings', { currency: 'QQQ' }),
    400,
    /currency.*QQQ.*ISO 4217/,
  ],
  'a file in an unknown currency': [
    () => csv(`${header}\nF-1,A,1,1.00,B`, '?currency=QQQ'),
    400,
    /currency.*QQQ.*ISO 4217/,
  ],
  'an order of the last century': [
    () => orderOf({ order_date: '1997-11-24T00:00:00Z' }),
    400,
    /order_date.*before the year 2000/,
  ],
  'an order that leaves before it was placed': [
    () => orderOf({ order_date: '2026-11-20T00:00:00Z', ship_by: '2026-11-01T00:00:00Z' }),
    400,
    /ship_by.*before the order was placed/,
  ],
  'an order changed to leave before it was placed': [
    () => send('PATCH', `/orders/${order.id}`, { ship_by: '2020-01-01T00:00:00Z' }),
    400,
    /ship_by.*before the order was placed/,
  ],
  'a day that is none': [() => orderOf({ ship_by: '2026-02-30T00:00:00Z' }), 400, /ship_by.*ISO 8601/],
  'production until a time that is none': [
    () => send('POST', '/production/produce', { due_before: 'yesterday' }),
    400,
    /due_before.*ISO 8601/,
  ],
  'a file with a quote that does not end': [
    () => csv(`${header}\nF-1,A,1,1.00,"B\nF-2,A,1,1.00,C`),
    400,
    /line 3: a quote is not closed/,
  ],
  'a file with text behind a quote': [() => csv(`${header}\nF-1,A,1,1.00,"B"x`), 400, /line 2: a quote stands inside/],
  'a file that is not UTF-8': [
    () => csv(Buffer.concat([Buffer.from(`${header}\nF-1,A,1,1.00,M`), Buffer.from([0xfc, 0x0a])])),
    400,
    /line 2: is not UTF-8/,
  ],
  'a file of zero bytes between': [() => csv(`${header}\nF-1,A,1,1.00,B\u0000C`), 400, /line 2: has a NUL byte/],
  'a row with more cells than columns': [
    () => csv(`${header}\nF-1,A,1,1.00,B,C,D`),
    200,
    /"row":2,"outcome":"refused".*has 7 cells, but the header has 5/,
  ],
  'a file of 100,000 rows': [
    () => csv(`${header}\n${'F-1,A,1,1.00,B\n'.repeat(100_000)}`),
    400,
    /more than 10000 rows/,
  ],
  'a file that is empty': [() => csv(''), 400, /is empty/],
}

test.each(Object.entries(cases))(
  '%s: the answer says what is wrong, and nothing is half done',
  async (_, [make, status, says]) => {
    const before = await standOfAccount(t, account.id, owner.userId)
    const { method, path, body } = make()
    const answer = Buffer.isBuffer(body)
      ? await t.app.inject({
          method,
          url: `/public/v1${path}`,
          headers: { authorization: `Bearer ${account.key}`, 'content-type': 'text/csv' },
          payload: body,
        })
      : await account.request(method, path, body)
    expect(answer.statusCode, answer.body).toBe(status)
    expect(answer.body).toMatch(says)
    expect(await standOfAccount(t, account.id, owner.userId)).toEqual(before)
  },
)
