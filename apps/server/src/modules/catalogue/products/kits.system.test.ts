import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { addTestFile, readSlicedFile } from '../../../test/farm/sliced-file.ts'
import { addMaterial, addProduct, addSku, setStock } from '../../../test/farm/test-catalogue.ts'

let t: TestApp
let farm: TestAccount
let file: { id: string; name: string }
let screws: { id: string }
let box: { id: string }
let stickers: { id: string }
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
  file = await addTestFile(t, farm, await readSlicedFile())
  screws = await addMaterial(farm, 'components', { name: 'Screw', type: 'fastener', remaining_units: 100 })
  box = await addMaterial(farm, 'packaging', { name: 'Box', remaining_units: 20 })
  stickers = await addMaterial(farm, 'components', { name: 'Sticker', remaining_units: 5 })
})

const lamp = (changes: Record<string, unknown> = {}) => ({
  name: 'Desk lamp',
  category: 'Lamps',
  variants: [
    { color: 'Red', filament_type: 'PLA', hex_code: '#FF0000', low_stock_threshold: 3 },
    {
      color: 'Blue',
      filament_type: 'PLA',
      bundle_extras: [{ inventory_item_id: stickers.id, quantity_required: 1 }],
    },
  ],
  parts: [
    {
      name: 'Base',
      quantity_per_kit: 1,
      print_file_id: file.id,
      components: [{ inventory_item_id: screws.id, quantity_required: 4, notes: 'M3' }],
    },
    { name: 'Holder', quantity_per_kit: 2, fixed_color: 'White', fixed_hex_code: '#FFFFFF' },
  ],
  bundle_extras: [{ inventory_item_id: box.id, quantity_required: 1 }],
  ...changes,
})

async function addKit(changes: Record<string, unknown> = {}) {
  const answer = await farm.request('POST', '/products/kit', lamp(changes))
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

const setKit = (productId: string, body: object) => farm.request('PUT', `/products/${productId}/kit`, body)
const get = async (path: string) => (await farm.request('GET', path)).json().data
const codes = async () => (await get('/skus?limit=100')).map((sku: { sku: string }) => sku.sku).toSorted()

const listKitEvents = () => t.db.sql`select id from events where account_id = ${farm.id} and type = 'product.kit_set'`

async function countEvents() {
  return (await t.db.sql`select id from events where account_id = ${farm.id}`).length
}

async function countRows() {
  const [counts] = await t.db.sql`
    select (select count(*) from products where account_id = ${farm.id}) as products,
           (select count(*) from skus where account_id = ${farm.id}) as skus,
           (select count(*) from kit_parts where account_id = ${farm.id}) as parts`
  return counts
}

/** What a PUT takes to leave the kit as it is. */
function again(product: Awaited<ReturnType<typeof addKit>>) {
  const { skus, kit } = product
  return {
    name: product.name,
    variants: skus.map((sku: Record<string, unknown>) => ({
      sku_id: sku.id,
      color: sku.color,
      filament_type: sku.filament_type,
      hex_code: sku.hex_code,
      low_stock_threshold: sku.low_stock_threshold,
      bundle_extras: kit.bundle_extras_by_variant[String(sku.id)] ?? [],
    })),
    parts: kit.parts,
    bundle_extras: kit.bundle_extras,
  }
}

describe('POST /products/kit', () => {
  test('makes the product, a SKU for each variant and for each part in each colour, and their bills', async () => {
    const product = await addKit()
    expect(product).toMatchObject({
      name: 'Desk lamp',
      category: 'Lamps',
      skus: [
        { sku: 'DESK-LAMP-RED', color: 'Red', low_stock_threshold: 3, is_composite: true },
        { sku: 'DESK-LAMP-BLUE', color: 'Blue', is_composite: true },
      ],
      components: [
        { id: screws.id, component_name: 'Screw', component_type: 'fastener', quantity_required: 4 },
        { id: stickers.id, component_name: 'Sticker', quantity_required: 1 },
      ],
    })
    const [red, blue] = product.skus
    const { kit } = product
    expect(kit.parts).toMatchObject([
      {
        part_id: expect.stringMatching(/^kpt_/),
        name: 'Base',
        print_file_id: file.id,
        file_name: file.name,
        quantity_per_kit: 1,
        fixed_color: '',
        components: [{ component_name: 'Screw', quantity_required: 4, notes: 'M3', inventory_item_id: screws.id }],
        variants: [
          {
            kit_sku_id: red.id,
            kit_color: 'Red',
            child_sku: 'DESK-LAMP-BASE-RED',
            child_color: 'Red',
            child_on_hand: 0,
          },
          { kit_sku_id: blue.id, kit_color: 'Blue', child_sku: 'DESK-LAMP-BASE-BLUE', child_color: 'Blue' },
        ],
      },
      {
        name: 'Holder',
        quantity_per_kit: 2,
        fixed_color: 'White',
        print_file_id: null,
        file_name: null,
        variants: [
          { kit_sku_id: red.id, child_sku: 'DESK-LAMP-HOLDER-WHITE' },
          { kit_sku_id: blue.id, child_sku: 'DESK-LAMP-HOLDER-WHITE' },
        ],
      },
    ])
    expect(kit.bundle_extras).toMatchObject([
      { sku_id: null, inventory_item_id: box.id, quantity_required: 1, item_name: 'Box', remaining: 20 },
    ])
    expect(kit.bundle_extras_by_variant).toEqual({
      [blue.id]: [expect.objectContaining({ sku_id: blue.id, inventory_item_id: stickers.id })],
    })
    expect(await codes()).toEqual([
      'DESK-LAMP-BASE-BLUE',
      'DESK-LAMP-BASE-RED',
      'DESK-LAMP-BLUE',
      'DESK-LAMP-HOLDER-WHITE',
      'DESK-LAMP-RED',
    ])
    expect(await get(`/skus/${blue.id}/bom`)).toMatchObject({
      children: [
        { child_sku: 'DESK-LAMP-BASE-BLUE', quantity_required: 1 },
        { child_sku: 'DESK-LAMP-HOLDER-WHITE', quantity_required: 2 },
      ],
      inventory: [
        { item_name: 'Screw', quantity_required: 4 },
        { item_name: 'Box', quantity_required: 1 },
        { item_name: 'Sticker', quantity_required: 1 },
      ],
    })
    expect(await get(`/products/${product.id}`)).toEqual(product)
    expect((await get('/products'))[0]).toEqual(product)
  })

  test('a part that is assembled itself takes its components then, not in the kit', async () => {
    const parts = [
      {
        name: 'Base',
        quantity_per_kit: 1,
        requires_assembly: true,
        components: [{ inventory_item_id: screws.id, quantity_required: 4 }],
      },
    ]
    const product = await addKit({ parts, bundle_extras: [] })
    const [{ child_sku_id, kit_sku_id }] = product.kit.parts[0].variants
    expect((await get(`/skus/${child_sku_id}/bom`)).inventory).toMatchObject([{ item_name: 'Screw' }])
    expect((await get(`/skus/${kit_sku_id}/bom`)).inventory).toEqual([])
  })

  test('codes that are taken get a number behind them', async () => {
    await addSku(farm, { sku: 'DESK-LAMP-RED' })
    const product = await addKit()
    expect(product.skus[0].sku).toBe('DESK-LAMP-RED-2')
  })

  test('a failure leaves nothing behind', async () => {
    await addProduct(farm, { name: 'Taken' })
    const before = await countRows()
    const refused = async (changes: Record<string, unknown>, status: number, code: string) => {
      const answer = await farm.request('POST', '/products/kit', lamp(changes))
      expect([answer.statusCode, answer.json().error.code]).toEqual([status, code])
      return answer.json().error.details
    }
    const part = { name: 'Base', quantity_per_kit: 1 }
    await refused({ name: 'Taken' }, 409, 'DUPLICATE_NAME')
    await refused({ parts: [{ ...part, print_file_id: 'fil_x' }] }, 404, 'PRINT_FILE_NOT_FOUND')
    const extra = { inventory_item_id: 'mat_x', quantity_required: 1 }
    await refused({ bundle_extras: [extra] }, 404, 'UNKNOWN_INVENTORY_ITEM')
    await refused({ variants: [{ color: 'Red', sku_id: 'sku_x' }] }, 404, 'SKU_NOT_FOUND')
    await refused(
      {
        variants: [
          { color: 'Red', sku: 'A' },
          { color: 'Blue', sku: 'A' },
        ],
      },
      400,
      'VALIDATION_ERROR',
    )
    expect(await refused({ parts: [{ ...part, part_id: 'kpt_x' }] }, 400, 'VALIDATION_ERROR')).toEqual({
      'parts.0.part_id': ['names no part of this kit'],
    })
    expect(await refused({ variants: [{ color: 'Red' }, { color: 'Red' }] }, 400, 'VALIDATION_ERROR')).toEqual({
      'variants.1.color': ['is named twice'],
    })
    expect(await refused({ parts: [part, part] }, 400, 'VALIDATION_ERROR')).toEqual({
      'parts.1.name': ['is named twice'],
    })
    expect(Object.keys(await refused({ variants: [], parts: [] }, 400, 'VALIDATION_ERROR')).toSorted()).toEqual([
      'parts',
      'variants',
    ])
    expect(Object.keys(await refused({ parts: [{ ...part, quantity_per_kit: 0 }] }, 400, 'VALIDATION_ERROR'))).toEqual([
      'parts.0.quantity_per_kit',
    ])
    expect(await countRows()).toEqual(before)
  })

  test('once per Idempotency-Key, and what is of another account is unknown', async () => {
    const send = () => farm.request('POST', '/products/kit', lamp(), { 'idempotency-key': 'kit' })
    const first = await send()
    expect(first.statusCode).toBe(201)
    expect((await send()).body).toBe(first.body)
    const stranger = await t.account()
    const foreign = await stranger.request('POST', '/products/kit', lamp({ bundle_extras: [] }))
    expect([foreign.statusCode, foreign.json().error.code]).toEqual([404, 'PRINT_FILE_NOT_FOUND'])
    const put = await stranger.request('PUT', `/products/${first.json().data.id}/kit`, lamp())
    expect([put.statusCode, put.json().error.code]).toEqual([404, 'NOT_FOUND'])
  })
})

describe('PUT /products/{id}/kit', () => {
  test('what it answers can be put again and changes no SKU and no stock', async () => {
    const product = await addKit()
    await setStock(farm, { sku: 'DESK-LAMP-BASE-RED' }, 7)
    const before = await countEvents()
    const answer = await setKit(product.id, again(product))
    expect(answer.statusCode, answer.body).toBe(200)
    const { kit, skus } = answer.json().data
    expect(skus.map((sku: { id: string }) => sku.id)).toEqual(product.skus.map((sku: { id: string }) => sku.id))
    expect(kit.parts[0].part_id).toBe(product.kit.parts[0].part_id)
    // Lines keep their IDs, and nothing is recorded.
    expect(kit.parts[0].components).toEqual(product.kit.parts[0].components)
    expect(kit.bundle_extras).toEqual(product.kit.bundle_extras)
    expect(await countEvents()).toBe(before)
    expect(kit.parts[0].variants[0]).toEqual({ ...product.kit.parts[0].variants[0], child_on_hand: 7 })
    expect(await codes()).toHaveLength(5)
  })

  test('records once that anything of it changed: a part, a line, a variant, or a bill that was set by hand', async () => {
    const product = await addKit()
    const kits = async () => (await listKitEvents()).length
    const isRecorded = async (change: (body: ReturnType<typeof again>) => void) => {
      const before = await kits()
      const body = structuredClone(again((await farm.request('GET', `/products/${product.id}`)).json().data))
      change(body)
      const answer = await setKit(product.id, body)
      expect(answer.statusCode, answer.body).toBe(200)
      return (await kits()) - before
    }
    expect(await isRecorded(() => undefined)).toBe(0)
    expect(await isRecorded(({ parts }) => Object.assign(parts[1], { quantity_per_kit: 3 }))).toBe(1)
    expect(await isRecorded(({ parts }) => Object.assign(parts[0].components[0], { notes: 'M4' }))).toBe(1)
    expect(await isRecorded(({ parts }) => parts.reverse())).toBe(1)
    expect(await isRecorded((body) => Object.assign(body, { bundle_extras: [] }))).toBe(1)
    expect(await isRecorded(({ variants }) => Object.assign(variants[0], { hex_code: '#00FF00' }))).toBe(1)
    await farm.request('PUT', `/skus/${product.skus[0].id}/bom`, { children: [] })
    expect(await isRecorded(() => undefined)).toBe(1)
    expect(await isRecorded(() => undefined)).toBe(0)
  })

  test('a new variant and a new part get SKUs; what is named no more goes, or stays out of use with its stock', async () => {
    const product = await addKit()
    await setStock(farm, { sku: 'DESK-LAMP-BASE-BLUE' }, 2)
    const body = again(product)
    body.variants = [body.variants[0], { color: 'Green', filament_type: 'PLA' }]
    body.parts = [body.parts[0], { name: 'Shade', quantity_per_kit: 1 }]
    const answer = await setKit(product.id, body)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.skus.map((sku: { sku: string }) => sku.sku)).toEqual(['DESK-LAMP-RED', 'DESK-LAMP-GREEN'])
    expect(await codes()).toEqual([
      'DESK-LAMP-BASE-BLUE',
      'DESK-LAMP-BASE-GREEN',
      'DESK-LAMP-BASE-RED',
      'DESK-LAMP-GREEN',
      'DESK-LAMP-RED',
      'DESK-LAMP-SHADE-GREEN',
      'DESK-LAMP-SHADE-RED',
    ])
    const [kept] = await get('/inventory?sku=DESK-LAMP-BASE-BLUE')
    expect(kept).toMatchObject({ ready_stock: 2, is_active: false })
  })

  test('a part that goes while its SKU is kept is no variant afterwards', async () => {
    const product = await addKit()
    await setStock(farm, { sku: 'DESK-LAMP-HOLDER-WHITE' }, 2)
    const body = again(product)
    body.parts = [body.parts[0]]
    const answer = await setKit(product.id, body)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.skus).toHaveLength(2)
    expect(answer.json().data.kit.parts.map((part: { name: string }) => part.name)).toEqual(['Base'])
    expect(await get('/inventory?sku=DESK-LAMP-HOLDER-WHITE')).toMatchObject([{ ready_stock: 2, is_active: false }])
    expect((await setKit(product.id, again(answer.json().data))).statusCode).toBe(200)
  })

  test('a part that another product is made of stays, and so does all else', async () => {
    const product = await addKit()
    const holder = product.kit.parts[1].variants[0].child_sku_id
    const other = await addSku(farm, { sku: 'SET' })
    const children = [{ child_sku_id: holder, quantity_required: 1 }]
    expect((await farm.request('PUT', `/skus/${other.id}/bom`, { children })).statusCode).toBe(200)
    const body = again(product)
    body.parts = [body.parts[0]]
    const answer = await setKit(product.id, body)
    expect([answer.statusCode, answer.json().error]).toEqual([
      409,
      expect.objectContaining({
        code: 'PART_IN_EXTERNAL_BOM',
        details: { sku_id: holder, sku: 'DESK-LAMP-HOLDER-WHITE', used_by: ['SET'] },
      }),
    ])
    expect((await get(`/products/${product.id}`)).kit).toEqual(product.kit)
  })

  test('a variant that an open order names stays', async () => {
    const product = await addKit()
    const items = [{ product_sku_id: product.skus[1].id, quantity: 1, unit_price: 100 }]
    await farm.request('POST', '/orders', { customer_name: 'A', items })
    const body = again(product)
    body.variants = [body.variants[0]]
    const answer = await setKit(product.id, body)
    expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'SKU_IN_USE_BY_ORDER'])
    expect((await get(`/products/${product.id}`)).skus).toHaveLength(2)
  })

  test('makes a kit of a product whose SKUs it names, which keep their codes and stock', async () => {
    const product = await addProduct(farm, { name: 'Lamp' })
    const sku = await addSku(farm, { product_id: product.id, sku: 'OLD', color: 'Red' })
    await setStock(farm, sku, 4)
    const answer = await setKit(product.id, lamp({ variants: [{ sku_id: sku.id, color: 'Red' }] }))
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().data.skus).toMatchObject([{ id: sku.id, sku: 'OLD', stock_level: 4, is_composite: true }])
    expect((await get(`/products/${product.id}`)).kit.parts).toHaveLength(2)
  })
})

describe('DELETE', () => {
  test('of a SKU without records removes it, with records takes it out of use', async () => {
    const fresh = await addSku(farm, { sku: 'FRESH' })
    const used = await addSku(farm, { sku: 'USED' })
    await setStock(farm, used, 1)
    const remove = async (id: string) => (await farm.request('DELETE', `/skus/${id}`)).json().data
    expect(await remove(fresh.id)).toEqual({ id: fresh.id, deleted: true })
    expect((await farm.request('GET', `/skus/${fresh.id}`)).statusCode).toBe(404)
    await addSku(farm, { sku: 'FRESH' })
    expect(await remove(used.id)).toEqual({ id: used.id, deleted: false })
    expect(await get(`/skus/${used.id}`)).toMatchObject({ is_active: false, stock_level: 1 })
    expect(await get('/inventory?sku=USED')).toMatchObject([{ is_active: false }])
  })

  test('of a SKU is refused while an order, a job, an assembly or another SKU needs it', async () => {
    const refusal = async (id: string) => (await farm.request('DELETE', `/skus/${id}`)).json().error?.code
    const ordered = await addSku(farm)
    const items = [{ product_sku_id: ordered.id, quantity: 1, unit_price: 100 }]
    const order = (await farm.request('POST', '/orders', { customer_name: 'A', items })).json().data
    expect(await refusal(ordered.id)).toBe('SKU_IN_USE_BY_ORDER')
    await farm.request('DELETE', `/orders/${order.id}`)
    expect(await refusal(ordered.id)).toBeUndefined()
    const printed = await addSku(farm)
    await farm.request('POST', '/jobs', { print_file_id: file.id, product_sku_id: printed.id })
    expect(await refusal(printed.id)).toBe('RESOURCE_IN_USE')
    const assembled = await addSku(farm)
    await farm.request('POST', '/assembly', { product_sku_id: assembled.id, quantity: 1 })
    expect(await refusal(assembled.id)).toBe('RESOURCE_IN_USE')
    const [kit, part] = [await addSku(farm), await addSku(farm)]
    const children = [{ child_sku_id: part.id, quantity_required: 1 }]
    await farm.request('PUT', `/skus/${kit.id}/bom`, { children })
    expect(await refusal(part.id)).toBe('PART_IN_EXTERNAL_BOM')
    expect(await refusal(kit.id)).toBeUndefined()
    expect(await refusal(part.id)).toBeUndefined()
    const foreign = await addSku(await t.account())
    expect(await refusal(foreign.id)).toBe('NOT_FOUND')
  })

  test('of a product takes its SKUs, parts and images with it, and lets go of its files', async () => {
    const product = await addKit()
    await farm.request('PATCH', `/files/${file.id}`, { product_id: product.id })
    const answer = await farm.request('DELETE', `/products/${product.id}`)
    expect([answer.statusCode, answer.json().data]).toEqual([200, { id: product.id, deleted: true }])
    expect(await countRows()).toEqual({ products: 0, skus: 0, parts: 0 })
    expect((await get(`/files/${file.id}`)).product_id).toBeNull()
    expect((await farm.request('DELETE', `/materials/components/${screws.id}`)).statusCode).toBe(200)
  })

  test('of a product with records takes it and its SKUs out of use', async () => {
    const product = await addKit()
    await setStock(farm, { sku: 'DESK-LAMP-HOLDER-WHITE' }, 3)
    const answer = await farm.request('DELETE', `/products/${product.id}`)
    expect(answer.json().data).toEqual({ id: product.id, deleted: false })
    expect(await get(`/products/${product.id}`)).toMatchObject({ is_active: false })
    expect(await get('/skus?is_active=true')).toEqual([])
  })

  test('of a product is refused whole while one of its SKUs is needed', async () => {
    const product = await addKit()
    const items = [{ product_sku_id: product.skus[0].id, quantity: 1, unit_price: 100 }]
    await farm.request('POST', '/orders', { customer_name: 'A', items })
    const answer = await farm.request('DELETE', `/products/${product.id}`)
    expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'SKU_IN_USE_BY_ORDER'])
    expect(await get(`/products/${product.id}`)).toEqual(product)
  })
})

test('categories are those that products have, with how many have each', async () => {
  await addProduct(farm, { category: 'Vases' })
  await addProduct(farm, { category: 'Lamps' })
  await addProduct(farm, { category: 'Lamps' })
  await addProduct(farm)
  expect(await get('/products/categories')).toEqual([
    { category: 'Lamps', product_count: 2 },
    { category: 'Vases', product_count: 1 },
  ])
})
