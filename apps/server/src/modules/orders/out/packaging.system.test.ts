import { expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'
import { addMaterial, addSku, setStock } from '../../../test/farm/test-catalogue.ts'

const { t, account } = accountForEachTest()

const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await account.request('POST', path, body, headers)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}
const get = async (path: string) => (await account.request('GET', path)).json().data

async function addOrder(lines: [sku: { id: string }, quantity: number][]) {
  const items = lines.map(([sku, quantity]) => ({ product_sku_id: sku.id, quantity, unit_price: 100 }))
  return post('/orders', { items })
}

/** A SKU with stock, one unit of which is shipped in these. */
async function packed(units: number, inventory: [packaging: { id: string }, quantity: number][]) {
  const sku = await addSku(account)
  const answer = await account.request('PUT', `/skus/${sku.id}/bom`, {
    inventory: inventory.map(([{ id }, quantity]) => ({ inventory_item_id: id, quantity_required: quantity })),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  await setStock(account, sku, units)
  return sku
}

const addPackaging = (name: string, remaining: number, fields: object = {}) =>
  addMaterial(account, 'packaging', { type: 'box', name, remaining_units: remaining, ...fields })

/** What is left of a material, after its movements were found to sum up to it. */
async function left({ id }: { id: string }): Promise<number> {
  const [row] = await t.db.sql`
    select m.remaining, coalesce(sum(v.change), 0)::int8 as moved
    from materials m left join material_movements v on v.account_id = m.account_id and v.material_id = m.id
    where m.account_id = ${account.id} and m.id = ${id} group by m.remaining`
  expect(row?.moved).toBe(row?.remaining)
  return Number(row?.remaining)
}

test('a parcel takes the packaging of the units in it, components stay', async () => {
  const [box, foam] = [await addPackaging('Box M', 20), await addPackaging('Foam', 9)]
  const screw = await addMaterial(account, 'components', { type: 'screw', remaining_units: 50 })
  const lamp = await packed(9, [
    [box, 1],
    [foam, 2],
    [screw, 4],
  ])
  const shade = await packed(9, [[box, 3]])
  const order = await addOrder([
    [lamp, 4],
    [shade, 1],
  ])
  const first = await post(`/orders/${order.id}/fulfill`, { items: [{ item_id: order.items[0].id, quantity: 1 }] })
  expect(first.packaging).toEqual([
    { inventory_item_id: box.id, item_name: 'Box M', needed: 1, taken: 1, missing: 0 },
    { inventory_item_id: foam.id, item_name: 'Foam', needed: 2, taken: 2, missing: 0 },
  ])
  const key = { 'idempotency-key': crypto.randomUUID() }
  const second = await post(`/orders/${order.id}/fulfill`, {}, key)
  expect(second.packaging).toMatchObject([
    { item_name: 'Box M', needed: 6, taken: 6 },
    { item_name: 'Foam', needed: 6, taken: 6 },
  ])
  await post(`/orders/${order.id}/fulfill`, {}, key)
  expect([await left(box), await left(foam), await left(screw)]).toEqual([13, 1, 50])
  expect(await get(`/materials/packaging/${box.id}/movements`)).toMatchObject([
    {
      ...{ reason: 'shipped', change: -6, shortage: 0, shipment_id: second.shipment_id, actor_name: 'test' },
      ...{ order_id: order.id, order_number: order.order_number },
    },
    { reason: 'shipped', change: -1, shortage: 0, shipment_id: first.shipment_id, order_id: order.id },
    { reason: 'added', change: 20, shipment_id: null, order_number: null },
  ])
})

test('packaging that is missing is said and booked as a shortage, and the parcel leaves', async () => {
  const box = await addPackaging('Box M', 3, { low_threshold: 1 })
  const lamp = await packed(9, [[box, 1]])
  const order = await addOrder([[lamp, 5]])
  const shipped = await post(`/orders/${order.id}/fulfill`, {})
  expect(shipped).toMatchObject({
    status: 'fulfilled',
    fulfillment_errors: [],
    packaging: [{ needed: 5, taken: 3, missing: 2 }],
  })
  expect(await left(box)).toBe(0)
  const next = await addOrder([[lamp, 1]])
  expect((await post(`/orders/${next.id}/fulfill`, {})).packaging).toMatchObject([{ needed: 1, taken: 0, missing: 1 }])
  expect(await get(`/materials/packaging/${box.id}/movements`)).toMatchObject([
    { reason: 'shipped', change: 0, shortage: 1 },
    { reason: 'shipped', change: -3, shortage: 2 },
    { reason: 'added' },
  ])
  const events = await get('/events?limit=100')
  const ofType = (type: string) => events.filter((event: { type: string }) => event.type === type)
  expect(ofType('material.low')).toMatchObject([{ subject_id: box.id, data: { status: 'out_of_stock' } }])
  expect(ofType('order.fulfilled')).toMatchObject([
    { subject_id: order.id, data: { packaging_missing: [{ material_id: box.id, quantity: 2 }] } },
    { subject_id: next.id, data: { packaging_missing: [{ material_id: box.id, quantity: 1 }] } },
  ])
})

test('what comes back brings no packaging, and what is made again is packed again', async () => {
  const box = await addPackaging('Box M', 10)
  const lamp = await packed(9, [[box, 1]])
  const order = await addOrder([[lamp, 3]])
  await post(`/orders/${order.id}/fulfill`, {})
  const back = (disposition: string) =>
    post(`/orders/${order.id}/returns`, { items: [{ item_id: order.items[0].id, quantity: 1, disposition }] })
  await back('restock')
  await back('remake')
  expect(await left(box)).toBe(7)
  expect((await post(`/orders/${order.id}/fulfill`, {})).packaging).toMatchObject([{ needed: 1, taken: 1 }])
  expect(await left(box)).toBe(6)
})

test('parcels of many orders at once take each box once', async () => {
  const [small, large] = [await addPackaging('Box S', 12), await addPackaging('Box L', 12)]
  const first = await packed(20, [
    [small, 1],
    [large, 1],
  ])
  const second = await packed(20, [
    [large, 1],
    [small, 1],
  ])
  const orders = await Promise.all(
    Array.from({ length: 16 }, (_, index) => addOrder(index % 2 ? [[first, 1]] : [[second, 1]])),
  )
  const answers = await Promise.all(orders.map(({ id }) => post(`/orders/${id}/fulfill`, {})))
  const missing = answers.flatMap(({ packaging }) => packaging.map((each: { missing: number }) => each.missing))
  expect(missing.reduce((sum: number, each: number) => sum + each, 0)).toBe(8)
  expect([await left(small), await left(large)]).toEqual([0, 0])
})
