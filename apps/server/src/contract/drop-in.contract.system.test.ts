import { beforeAll, describe, expect, test } from 'vitest'
import { printOpenApiDocument } from '../openapi-document.ts'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { addTestFile, putBytes, readSlicedFile } from '../test/farm/sliced-file.ts'
import { addProduct, addSku, itemOf } from '../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../test/farm/test-farm.ts'
import { drawImage, postImage } from '../test/farm/test-images.ts'
import { expectRefused } from './expectations.ts'

// What scripts written for the closed service rely on, beyond the twelve endpoints that have tests of their own.

const { t, account: farm } = accountForEachTest()

async function ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) {
  const answer = await farm.request(method, path, body)
  expect(answer.statusCode, `${method} ${path} ${answer.body}`).toBeLessThan(300)
  return answer.json().data
}

const idsOf = async (path: string): Promise<string[]> => (await ask('GET', path)).map(({ id }: { id: string }) => id)

describe('a filter', () => {
  test('of /skus: product, colour, filament type, low stock, sold or not', async () => {
    const low = await addSku(farm, { color: 'Red', filament_type: 'PLA', low_stock_threshold: 5 })
    const plenty = await addSku(farm, { color: 'Blue', filament_type: 'PETG' })
    await ask('POST', `/inventory/${(await itemOf(farm, plenty)).id}/adjust`, { adjustment: 9 })
    await ask('PATCH', `/skus/${plenty.id}`, { is_active: false })
    for (const [query, found] of [
      [`product_id=${low.product_id}`, low],
      ['color=Red', low],
      ['filament_type=PETG', plenty],
      ['low_stock=true', low],
      ['low_stock=false', plenty],
      ['is_active=true', low],
      ['is_active=false', plenty],
    ] as const) {
      expect([query, await idsOf(`/skus?${query}`)]).toEqual([query, [found.id]])
    }
  })

  test('of /files: filament type and model', async () => {
    const { id } = await addTestFile(t, farm, await readSlicedFile())
    const { filament_type, printer_model_id } = await ask('GET', `/files/${id}`)
    expect(
      await idsOf(`/files?filament_type=${filament_type}&model_id=${encodeURIComponent(printer_model_id)}`),
    ).toEqual([id])
    expect(await idsOf('/files?filament_type=none')).toEqual([])
    expect(await idsOf('/files?model_id=none')).toEqual([])
  })

  test.each(['filament', 'components', 'packaging', 'parts'])(
    'of /materials/%s: low stock, type, colour',
    async (kind) => {
      const remaining = kind === 'filament' ? 'remaining_grams' : 'remaining_units'
      const low = await ask('POST', `/materials/${kind}`, { type: 'A', color: 'red', name: 'low' })
      const plenty = await ask('POST', `/materials/${kind}`, {
        type: 'B',
        color: 'blue',
        name: 'plenty',
        [remaining]: 9,
      })
      for (const [query, found] of [
        ['low_stock=true', low],
        ['low_stock=false', plenty],
        ['material_type=A', low],
        ['color=blue', plenty],
      ] as const) {
        expect([query, await idsOf(`/materials/${kind}?${query}`)]).toEqual([query, [found.id]])
      }
    },
  )

  test('of /inventory: low stock by the threshold and its inverse; the list is ordered by SKU', async () => {
    const skus = [await addSku(farm, { sku: 'B', low_stock_threshold: 5 }), await addSku(farm, { sku: 'A' })]
    const [low, plenty] = await Promise.all(skus.map((sku) => itemOf(farm, sku)))
    await ask('POST', `/inventory/${plenty.id}/adjust`, { adjustment: 9 })
    expect(await idsOf('/inventory?low_stock=true')).toEqual([low.id])
    expect(await idsOf('/inventory?low_stock=false')).toEqual([plenty.id])
    expect(await idsOf('/inventory')).toEqual([plenty.id, low.id])
  })

  test('of /jobs/history: printer, status, file and SKU as in /jobs', async () => {
    const file = await addTestFile(t, farm, await readSlicedFile())
    for (const [id, status, printer] of [
      ['job_done', 'completed', 'One'],
      ['job_bad', 'failed', 'Two'],
    ] as const) {
      const { id: printerId } = await ask('POST', '/printers', {
        name: printer,
        model: 'MK4S',
        connection_type: 'virtual',
      })
      await t.db.sql`
        insert into jobs (account_id, id, status, print_file_id, file_version_id, printer_id, file_name, number_of_units,
          quantity_per_print, plates_total, created_by, time_completed)
        select account_id, ${id}, ${status}, print_file_id, id, ${printerId}, 'clip', 1, 1, 1, 'system', now()
        from print_file_versions where account_id = ${farm.id} and print_file_id = ${file.id}`
      for (const query of [
        `printer_id=${printerId}`,
        `status=${status}`,
        `status=${status}&print_file_id=${file.id}`,
      ]) {
        expect([query, await idsOf(`/jobs/history?${query}`)]).toEqual([query, [id]])
      }
    }
    expect(await idsOf('/jobs/history?status=queued')).toEqual([])
    expect(await idsOf('/jobs/history?product_sku_id=sku_none')).toEqual([])
    expectRefused(await farm.request('GET', '/jobs/history?status=done'), 'status')
  })

  test('of /printers: part of the name, by either word', async () => {
    const { id } = await ask('POST', '/printers', { name: 'Bench 3', model: 'MK4S', connection_type: 'virtual' })
    await ask('POST', '/printers', { name: 'Shelf', model: 'MK4S', connection_type: 'virtual' })
    expect(await idsOf('/printers?search=BENCH')).toEqual([id])
    expect(await idsOf('/printers?name=bench')).toEqual([id])
  })

  test('that another list knows is never ignored, one that no list knows is', async () => {
    for (const [path, name] of [
      ['/colors', 'low_stock'],
      ['/jobs', 'material'],
      ['/orders', 'printer_id'],
      ['/printers', 'is_late'],
    ]) {
      const answer = await farm.request('GET', `${path}?${name}=true&sort=name`)
      expectRefused(answer, name ?? '')
      expect(answer.json().error.details[name ?? ''][0]).toMatch(/^is no filter of this list: its filters are /)
    }
    expect((await farm.request('GET', '/colors?sort=name&x=1')).statusCode).toBe(200)
  })

  test('of every list is either its own, or refused', async () => {
    interface Operation {
      parameters?: { name: string; in: string }[]
    }
    const { paths } = JSON.parse(await printOpenApiDocument()) as { paths: Record<string, { get?: Operation }> }
    const lists = Object.entries(paths).flatMap(([path, { get }]) => {
      const names = get?.parameters?.filter((parameter) => parameter.in === 'query').map(({ name }) => name) ?? []
      return names.includes('limit') && !path.includes('{') ? [{ path: path.replace('/public/v1', ''), names }] : []
    })
    const known = new Set(lists.flatMap(({ names }) => names))
    expect(lists.length).toBeGreaterThan(15)
    for (const { path, names } of lists) {
      const foreign = [...known].filter((name) => !names.includes(name))
      const answer = await farm.request('GET', `${path}?${foreign.map((name) => `${name}=1`).join('&')}`)
      expectRefused(answer, ...foreign)
    }
  })
})

describe('PATCH takes null for nothing', () => {
  test('of a printer: location and notes', async () => {
    const printer = { name: 'Bench', model: 'MK4S', connection_type: 'virtual', location: 'Hall 1', notes: 'Squeaks' }
    const { id } = await ask('POST', '/printers', printer)
    expect(await ask('PATCH', `/printers/${id}`, { location: null, notes: null })).toMatchObject({
      location: '',
      notes: '',
    })
  })

  test('of a product: description and category; of a SKU: its colour code', async () => {
    const { id } = await addProduct(farm, { description: 'A clip', category: 'Office' })
    expect(await ask('PATCH', `/products/${id}`, { description: null, category: null })).toMatchObject({
      description: '',
      category: '',
    })
    const sku = await addSku(farm, { hex_code: '#FF0000' })
    expect((await ask('PATCH', `/skus/${sku.id}`, { hex_code: null })).hex_code).toBe('')
    expect((await addSku(farm, { hex_code: null })).hex_code).toBe('')
  })

  test('of a colour code: as others write it', async () => {
    for (const code of ['#FF00CC', 'FF00CC', '#F0C', 'F0C']) {
      expect((await addSku(farm, { hex_code: code })).hex_code).toBe('#FF00CC')
      const spool = await ask('POST', '/materials/filament', { type: 'PLA', color: 'pink', hex_code: code })
      expect(spool.hex_code).toBe('#FF00CC')
    }
    expectRefused(await farm.request('POST', '/materials/filament', { type: 'PLA', hex_code: 'pink' }), 'hex_code')
  })

  test('of a spool: all but type, colour and what remains; a diameter may be a text', async () => {
    const spool = {
      type: 'PLA',
      color: 'red',
      hex_code: null,
      brand: null,
      spool_weight_grams: null,
      low_threshold: null,
    }
    const made = await ask('POST', '/materials/filament', { ...spool, diameter: '2.85 mm', location: null })
    expect(made).toMatchObject({ hex_code: '', brand: '', spool_weight_grams: null, low_threshold: 0, diameter: 2.85 })
    expect((await ask('PATCH', `/materials/filament/${made.id}`, { diameter: null })).diameter).toBeNull()
    expectRefused(await farm.request('PATCH', `/materials/filament/${made.id}`, { diameter: '9mm' }), 'diameter')
    expectRefused(await farm.request('PATCH', `/materials/filament/${made.id}`, { diameter: 'thick' }), 'diameter')
  })

  test('POST of an article: the slug, which is then made of the title', async () => {
    expect((await ask('POST', '/wiki', { title: 'Clearing a plate', slug: null })).slug).toBe('clearing-a-plate')
  })
})

describe('materials', () => {
  test('parts are added by type alone', async () => {
    expect(await ask('POST', '/materials/packaging', { type: 'Box' })).toMatchObject({ type: 'Box', name: 'Box' })
    expectRefused(await farm.request('POST', '/materials/packaging', {}), 'name')
  })

  test('consuming says what was taken, why, and what was there before and after', async () => {
    const { id } = await ask('POST', '/materials/components', { type: 'screw', remaining_units: 10 })
    const answer = await ask('POST', `/materials/components/${id}/consume`, { quantity: 4, notes: 'Two lost' })
    expect(answer).toMatchObject({
      id,
      remaining_units: 6,
      component: { id, remaining_units: 6 },
      consumed: { quantity: 4, reason: 'manual_adjustment', notes: 'Two lost', previous_quantity: 10, new_quantity: 6 },
    })
    const damaged = await ask('POST', `/materials/components/${id}/consume`, { quantity: 1, reason: 'damaged' })
    expect(damaged.consumed.reason).toBe('damaged')
    const refused = await farm.request('POST', `/materials/components/${id}/consume`, { quantity: 6 })
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'INSUFFICIENT_QUANTITY'])
    const reserved = { quantity: 1, reason: 'assembly_completion' }
    expectRefused(await farm.request('POST', `/materials/components/${id}/consume`, reserved), 'reason')
  })

  test('availability is asked by the type of components', async () => {
    await ask('POST', '/materials/components', { type: 'screw', name: 'Short', remaining_units: 3 })
    const { id } = await ask('POST', '/materials/components', { type: 'screw', name: 'Long', remaining_units: 4 })
    const components = [
      { component_type: 'screw', quantity_needed: 5 },
      { component_type: 'nut', quantity_needed: 2 },
    ]
    expect(await ask('POST', '/materials/components/check-availability', { components })).toMatchObject({
      has_shortage: true,
      components: [
        {
          component_type: 'screw',
          quantity_needed: 5,
          quantity_available: 7,
          has_shortage: false,
          shortage_amount: 0,
          component_id: id,
        },
        {
          component_type: 'nut',
          quantity_needed: 2,
          quantity_available: 0,
          has_shortage: true,
          shortage_amount: 2,
          component_id: null,
        },
      ],
    })
    expectRefused(await farm.request('POST', '/materials/components/check-availability', {}), 'components')
  })
})

describe('POST /inventory/{id}/adjust', () => {
  test('is by hand unless another reason is given, and answers what it changed', async () => {
    const item = await itemOf(farm, await addSku(farm, { low_stock_threshold: 5 }))
    expect(await ask('POST', `/inventory/${item.id}/adjust`, { adjustment: 4 })).toMatchObject({
      id: item.id,
      ready_stock: 4,
      previous_stock: 0,
      adjustment: 4,
      new_stock: 4,
      previous_status: 'out_of_stock',
      new_status: 'low_stock',
      is_low_stock: true,
      reason: 'manual',
    })
    expect(await ask('POST', `/inventory/${item.id}/adjust`, { adjustment: 6, reason: 'returned' })).toMatchObject({
      previous_status: 'low_stock',
      new_status: 'in_stock',
      is_low_stock: false,
      reason: 'returned',
    })
    const reserved = { adjustment: 1, reason: 'order_fulfillment' }
    expectRefused(await farm.request('POST', `/inventory/${item.id}/adjust`, reserved), 'reason')
  })
})

describe('orders', () => {
  test('name their lines by the code of the SKU, as they call it, with the total that they state', async () => {
    const sku = await addSku(farm)
    const line = { sku: sku.sku, product_name: 'Clip, engraved', quantity: 2, unit_price: 650 }
    const order = await ask('POST', '/orders', { customer_name: 'A. Customer', items: [line], total_revenue: 1000 })
    expect(order).toMatchObject({
      total_revenue: 1000,
      items: [{ product_sku_id: sku.id, sku: sku.sku, product_name: 'Clip, engraved', total_price: 1300 }],
    })
    expect((await ask('PATCH', `/orders/${order.id}`, { shipping_cost: 490 })).total_revenue).toBe(1790)
  })

  test('with a line that names no SKU of ours are refused, whole', async () => {
    const items = [
      { sku: 'NOTHING', quantity: 1, unit_price: 1 },
      { product_sku_id: 'sku_none', quantity: 1, unit_price: 1 },
    ]
    const answer = await farm.request('POST', '/orders', { items })
    expect(answer.json().error).toMatchObject({
      code: 'INVALID_PRODUCT_SKU',
      details: {
        lines: [
          { line: 0, sku: 'NOTHING' },
          { line: 1, product_sku_id: 'sku_none' },
        ],
      },
    })
    expectRefused(
      await farm.request('POST', '/orders', { items: [{ quantity: 1, unit_price: 1 }] }),
      'items.0.product_sku_id',
    )
    expect(await idsOf('/orders')).toEqual([])
  })

  test('are fulfilled with their tracking, and what is missing is said line by line', async () => {
    const [first, second] = [await addSku(farm, { sku: 'FIRST' }), await addSku(farm, { sku: 'SECOND' })]
    await ask('POST', `/inventory/${(await itemOf(farm, first)).id}/adjust`, { adjustment: 5 })
    const line = (sku: { id: string }) => ({ product_sku_id: sku.id, quantity: 2, unit_price: 100 })
    const order = await ask('POST', '/orders', { items: [line(first), line(second)] })
    const tracking = { tracking_number: '1Z0', tracking_url: 'https://example.com/1Z0', notify_customer: false }
    expect(await ask('POST', `/orders/${order.id}/fulfill`, tracking)).toMatchObject({
      id: order.id,
      status: 'processing',
      tracking_number: '1Z0',
      tracking_url: 'https://example.com/1Z0',
      items: [{ fulfillment_status: 'fulfilled' }, { fulfillment_status: 'pending' }],
      fulfillment_errors: ['SECOND: 2 of 2 units are not in stock'],
      lines: [{ taken: 2 }, { taken: 0 }],
    })
    await ask('POST', `/inventory/${(await itemOf(farm, second)).id}/adjust`, { adjustment: 2 })
    expect(await ask('POST', `/orders/${order.id}/fulfill`)).toMatchObject({
      status: 'fulfilled',
      shipped_at: expect.any(String),
      tracking_number: '1Z0',
      fulfillment_errors: [],
    })
  })

  test('of composite SKUs say what keeps a line open: its parts, or that no one has put them together', async () => {
    const [single, part, kit] = [
      await addSku(farm),
      await addSku(farm, { sku: 'PART' }),
      await addSku(farm, { sku: 'KIT' }),
    ]
    await ask('PUT', `/skus/${kit.id}/bom`, { children: [{ child_sku_id: part.id, quantity_required: 2 }] })
    const stock = async (sku: { sku: string }, adjustment: number) =>
      ask('POST', `/inventory/${(await itemOf(farm, sku)).id}/adjust`, { adjustment })
    await stock(single, 5)
    const line = (sku: { id: string }) => ({ product_sku_id: sku.id, quantity: 1, unit_price: 100 })
    const order = await ask('POST', '/orders', { items: [line(single), line(kit)] })
    expect((await ask('POST', `/orders/${order.id}/fulfill`)).fulfillment_errors).toEqual([
      'KIT: 1 of 1 units are not in stock (KIT_NOT_PRODUCED)',
    ])
    await stock(part, 2)
    const other = await ask('POST', '/orders', { items: [line(single), line(kit)] })
    expect((await ask('POST', `/orders/${other.id}/fulfill`)).fulfillment_errors).toEqual([
      'KIT: 1 of 1 units are not in stock (KIT_NOT_ASSEMBLED)',
    ])
  })

  test('are fulfilled and cancelled by their status, with all that follows', async () => {
    const sku = await addSku(farm)
    const item = await itemOf(farm, sku)
    const items = [{ product_sku_id: sku.id, quantity: 2, unit_price: 100 }]
    const order = await ask('POST', '/orders', { items })
    await ask('POST', `/inventory/${item.id}/adjust`, { adjustment: 1 })
    const short = await farm.request('PATCH', `/orders/${order.id}`, { status: 'fulfilled', notes: 'Soon' })
    expect(short.json().error.code).toBe('INSUFFICIENT_STOCK')
    expect(await ask('GET', `/orders/${order.id}`)).toMatchObject({ status: 'pending', notes: '' })
    await ask('POST', `/inventory/${item.id}/adjust`, { adjustment: 1 })
    const fulfilled = await ask('PATCH', `/orders/${order.id}`, { status: 'fulfilled', tracking_number: '1Z0' })
    expect(fulfilled).toMatchObject({ status: 'fulfilled', tracking_number: '1Z0', shipped_at: expect.any(String) })
    expect((await itemOf(farm, sku)).ready_stock).toBe(0)
    expect((await ask('PATCH', `/orders/${order.id}`, { status: 'fulfilled' })).updated_at).toBe(fulfilled.updated_at)
    const other = await ask('POST', '/orders', { items })
    expect(await ask('PATCH', `/orders/${other.id}`, { status: 'cancelled', notes: 'Changed mind' })).toMatchObject({
      status: 'cancelled',
      notes: 'Changed mind',
      items: [{ fulfillment_status: 'cancelled' }],
    })
  })

  test('are counted with those that wait and those of the last 30 days', async () => {
    const sku = await addSku(farm)
    const items = [{ product_sku_id: sku.id, quantity: 1, unit_price: 1000 }]
    await ask('POST', '/orders', { items, shipping_cost: 500, tax_amount: 100, discount_amount: 50 })
    await ask('POST', '/orders', { items, order_date: '2020-01-01' })
    expect(await ask('GET', '/orders/stats')).toMatchObject({
      total_orders: 2,
      pending_fulfillment: 2,
      last_30_days: {
        total_orders: 1,
        total_revenue: 1550,
        total_shipping: 500,
        total_tax: 100,
        total_discount: 50,
        avg_order_value: 1550,
      },
    })
  })
})

describe('print files', () => {
  test('are uploaded and added by their storage key, under the ID that was told before', async () => {
    const filename = 'clip.gcode'
    const upload = await ask('POST', '/files/upload-url', { filename, content_type: 'text/x.gcode' })
    expect(upload).toMatchObject({
      file_id: expect.stringMatching(/^fil_/),
      filename,
      upload_token: upload.token,
      content_type: 'text/x.gcode',
      expires_in: 3600,
      upload_url: expect.stringContaining(upload.token),
      storage_key: expect.stringMatching(/^[^/]+\/clip\.gcode$/),
    })
    expect((await putBytes(t, upload.upload_token, await readSlicedFile())).json().data).toEqual({
      size_bytes: expect.any(Number),
    })
    const file = await ask('POST', '/files', { name: filename, storage_key: upload.storage_key })
    expect(file).toMatchObject({ id: upload.file_id, name: filename })
    expectRefused(await farm.request('POST', '/files', {}), 'upload_token')
    const both = { upload_token: 'x', storage_key: 'x/clip.gcode' }
    expectRefused(await farm.request('POST', '/files', both), 'storage_key')
  })

  test('take a version that new jobs do not print yet', async () => {
    const { id } = await addTestFile(t, farm, await readSlicedFile())
    const upload = await ask('POST', '/files/upload-url', { filename: 'clip.gcode' })
    await putBytes(t, upload.token, await readSlicedFile())
    const body = { storage_key: upload.storage_key, notes: 'To be tried', set_as_current: false }
    const added = await ask('POST', `/files/${id}/versions`, body)
    expect(added).toMatchObject({
      id: added.versions[0].id,
      version_number: 2,
      notes: 'To be tried',
      is_current_version: false,
      created_at: expect.any(String),
      file: { id },
    })
    expect(added.versions).toMatchObject([
      { version_number: 2, notes: 'To be tried', is_current_version: false },
      { version_number: 1, is_current_version: true },
    ])
  })
})

test('PUT /products/{id}/images/order takes the IDs as order', async () => {
  const product = await addProduct(farm)
  const ids: string[] = []
  for (const size of [{ width: 20 }, { width: 30 }]) {
    const answer = await postImage(t, farm, product.id, await drawImage('png', size))
    ids.push(answer.json().data.id)
  }
  const order = ids.toReversed()
  const images = await ask('PUT', `/products/${product.id}/images/order`, { order })
  expect(images.map(({ id }: { id: string }) => id)).toEqual(order)
  expectRefused(await farm.request('PUT', `/products/${product.id}/images/order`, {}), 'image_ids')
  expectRefused(await farm.request('PUT', `/products/${product.id}/images/order`, { order, image_ids: order }), 'order')
})

describe('assembly', () => {
  test('is asked for by the finished good, of one unit unless told otherwise', async () => {
    const sku = await addSku(farm)
    const item = await itemOf(farm, sku)
    const task = await ask('POST', '/assembly', { finished_good_id: item.id })
    expect(task).toMatchObject({ product_sku_id: sku.id, quantity: 1, status: 'pending' })
    expect(await ask('PATCH', `/assembly/${task.id}`, { quantity: 3, notes: null })).toMatchObject({
      quantity: 3,
      notes: '',
    })
    expect(await ask('GET', '/assembly/stats')).toMatchObject({
      by_status: { pending: { count: 1, total_quantity: 3 }, completed: { count: 0, total_quantity: 0 } },
      total_units_awaiting: 3,
    })
    expectRefused(await farm.request('POST', '/assembly', {}), 'product_sku_id')
  })

  async function addTask(notes = '') {
    const sku = await addSku(farm)
    const { id } = await ask('POST', '/assembly', { product_sku_id: sku.id, quantity: 2, notes })
    await t.db.sql`
      update inventory_items set quantity_needs_assembly = 2
      where account_id = ${farm.id} and product_sku_id = ${sku.id}`
    return { id, sku }
  }

  test('is listed as it is worked on, also page by page: in progress, pending, completed', async () => {
    const ids: string[] = []
    for (const status of ['completed', 'pending', 'in_progress', 'cancelled', 'pending']) {
      const { id } = await addTask()
      if (status !== 'pending') await ask('PATCH', `/assembly/${id}`, { status })
      ids.push(id)
    }
    const [completed, pending, inProgress, cancelled, newest] = ids
    const order = [inProgress, newest, pending, completed, cancelled]
    expect(await idsOf('/assembly')).toEqual(order)
    const walked: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const answer = await farm.request('GET', `/assembly?limit=1${cursor ? `&cursor=${cursor}` : ''}`)
      walked.push(...answer.json().data.map(({ id }: { id: string }) => id))
      cursor = answer.json().meta.next_cursor
    }
    expect(walked).toEqual(order)
  })

  test('is completed by its status, which moves the stock', async () => {
    const { id, sku } = await addTask()
    expect(await ask('PATCH', `/assembly/${id}`, { status: 'completed', notes: 'Glued' })).toMatchObject({
      status: 'completed',
      quantity_completed: 2,
      notes: 'Glued',
    })
    expect((await itemOf(farm, sku)).ready_stock).toBe(2)
    const again = await farm.request('PATCH', `/assembly/${id}`, { status: 'completed' })
    expect(again.json().error.code).toBe('TASK_ALREADY_COMPLETED')
  })

  test('answers the completed task, with the notes added to those of before', async () => {
    const { id } = await addTask('Glue')
    const done = await ask('POST', `/assembly/${id}/complete`, { quantity_completed: 2, notes: 'Two drops' })
    expect(done).toMatchObject({
      id,
      quantity_completed: 2,
      task: { id, status: 'completed', notes: 'Glue\n---\nTwo drops' },
    })
  })

  test('comes with the whole article that shows how it is done', async () => {
    const { id, sku } = await addTask()
    const sections = [{ type: 'step', title: 'Glue', content: 'Two drops' }]
    const article = await ask('POST', '/wiki', { title: 'Clips', sku_id: sku.id, sections, is_published: true })
    expect((await ask('GET', `/assembly/${id}`)).wiki_article).toEqual(article)
  })
})

describe('wiki', () => {
  test('an article is published with its first request when it is to be', async () => {
    expect(await ask('POST', '/wiki', { title: 'Plates', is_published: true })).toMatchObject({
      is_published: true,
      published_at: expect.any(String),
    })
    expect((await ask('POST', '/wiki', { title: 'Beds', is_published: false })).is_published).toBe(false)
  })

  test('a slug has up to 200 characters', async () => {
    const slug = 'a'.repeat(200)
    const article = await ask('POST', '/wiki', { title: 'Long', slug })
    expect(await ask('GET', `/wiki/${slug}`)).toEqual(article)
    expectRefused(await farm.request('POST', '/wiki', { title: 'Longer', slug: `${slug}a` }), 'slug')
  })
})

describe('a list that is not paged', () => {
  test.each([
    ['/colors', (number: number) => ({ color_name: `C${number}`, hex_code: '#000000' })],
    ['/materials/filament', (number: number) => ({ type: `T${number}`, color: 'red' })],
    ['/materials/components', (number: number) => ({ type: `T${number}` })],
    ['/printers', (number: number) => ({ name: `P${number}`, model: 'MK4S', connection_type: 'virtual' }), 500],
    ['/hubs', (number: number) => ({ name: `H${number}` })],
  ])('%s is answered whole without limit, and by pages with one', async (path, body, most = 100) => {
    const answers = await Promise.all(
      Array.from({ length: 55 }, (_, number) => farm.request('POST', path, body(number))),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
    const whole = (await farm.request('GET', path)).json()
    expect(whole.data).toHaveLength(55)
    expect(whole.meta).toMatchObject({ offset: 0, count: 55, next_cursor: null })
    const page = (await farm.request('GET', `${path}?offset=0`)).json()
    expect(page.meta).toMatchObject({ limit: 50, count: 50 })
    expectRefused(await farm.request('GET', `${path}?limit=${most + 1}`), 'limit')
  })

  test('of SKUs and of their stock is whole too', async () => {
    const { id } = await addProduct(farm)
    for (let number = 0; number < 55; number += 1) await addSku(farm, { product_id: id })
    expect(await idsOf('/skus')).toHaveLength(55)
    expect(await idsOf('/inventory')).toHaveLength(55)
    expect((await farm.request('GET', '/inventory?offset=0')).json().meta.limit).toBe(500)
  })
})

test('a spool may weigh 0 grams when full, which says nothing, and types of 100 characters are found', async () => {
  const type = 'x'.repeat(100)
  const { id, spool_weight_grams } = await ask('POST', '/materials/filament', {
    type,
    color: 'red',
    spool_weight_grams: 0,
  })
  expect(spool_weight_grams).toBeNull()
  expect(await idsOf(`/materials/filament?material_type=${type}`)).toEqual([id])
})

test('PUT /printers/{id}/maintenance takes an empty type for none', async () => {
  const { id } = await ask('POST', '/printers', { name: 'Bench', model: 'MK4S', connection_type: 'virtual' })
  const body = { in_maintenance: true, maintenance_type: '' }
  expect(await ask('PUT', `/printers/${id}/maintenance`, body)).toMatchObject({
    in_maintenance: true,
    maintenance_type: null,
  })
})

test('POST /jobs/{id}/complete takes how long it took', async () => {
  const { id: print_file_id } = await addTestFile(t, farm, await readSlicedFile())
  const { id } = await ask('POST', '/jobs', { print_file_id })
  expect(await ask('POST', `/jobs/${id}/complete`, { actual_print_time_minutes: 90 })).toMatchObject({
    status: 'completed',
    actual_print_time_minutes: 90,
  })
  expectRefused(
    await farm.request('POST', `/jobs/${id}/complete`, { actual_print_time_minutes: 0 }),
    'actual_print_time_minutes',
  )
})

describe('POST /printers/{id}/light', () => {
  let printers: TestFarm
  beforeAll(async () => {
    printers = await createTestFarm(t)
  })

  test.each([
    [true, true],
    ['on', true],
    [false, false],
    ['off', false],
  ])('takes %o, and answers whether it is on', async (state, isOn) => {
    const answer = await printers.account.request('POST', `/printers/${printers.printerId}/light`, { state })
    expect(answer.json().data).toMatchObject({
      printer_id: printers.printerId,
      state: isOn,
      command_id: expect.any(String),
    })
  })
})
