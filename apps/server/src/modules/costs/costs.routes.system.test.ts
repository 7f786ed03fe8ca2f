import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { printOpenApiDocument } from '../../openapi-document.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { addMaterial, addProduct, addSku, setStock } from '../../test/farm/test-catalogue.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'
import { loadOrderMargins } from './costs.service.ts'
import { ordersOfDays } from './order-facts.queries.ts'

const { t, farm } = farmForEachTest()
let owner: TestPerson

const prices = {
  machine_hour_price: '0.60',
  watts: 100,
  energy_price: '0.30',
  labour_hour_price: '24',
  plate_labour_seconds: 60,
  assembly_labour_seconds: 30,
  order_labour_seconds: 120,
  filaments: [{ filament_type: 'PETG', price: '20' }],
  platform_fees: [{ platform: 'etsy', percent: '6.5', fixed: '0.30' }],
}

beforeEach(async () => {
  owner = await createTestPerson(t, farm.account, 'owner')
  await ask('PATCH', '/orders/settings', { currency: 'EUR' })
})

async function ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) {
  const answer = await farm.account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

async function asOwner(method: 'GET' | 'PUT' | 'PATCH', path: string, body?: object) {
  const answer = await owner.request(method, path, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

const inputsOf = (cost: { unknown: { input: string; subject: string }[] }) =>
  cost.unknown.map(({ input, subject }) => `${input}: ${subject}`)
const partsOf = (cost: { parts: { part: string; known: string; is_known: boolean }[] }) =>
  Object.fromEntries(cost.parts.filter(({ known }) => known !== '0').map(({ part, known }) => [part, known]))

/** A SKU that a plate of the farm's file makes ten of, with screws and a bag. */
async function addClip() {
  const sku = await addSku(farm.account, { sku: 'CLIP', color: 'Black', filament_type: 'PETG' })
  await ask('POST', '/recipes', { product_sku_id: sku.id, print_file_id: farm.fileId, units_per_plate: 10 })
  const screw = await addMaterial(farm.account, 'components', { type: 'screw', name: 'Screw', remaining_units: 100 })
  const bag = await addMaterial(farm.account, 'packaging', { type: 'bag', name: 'Bag', remaining_units: 100 })
  await ask('PUT', `/skus/${sku.id}/bom`, {
    inventory: [screw, bag].map(({ id }, at) => ({ inventory_item_id: id, quantity_required: 2 - at })),
  })
  return { sku, screw, bag }
}

/** Prints a plate from its start to its end; an hour of it, as the hub tells. */
async function printPlate(jobId: string, outcome: 'done' | 'failed' | 'cancelled'): Promise<string> {
  const attempt = await farm.print(jobId)
  await farm.hub.report({ ...attempt, phase: 'finished', outcome })
  await t.db.sql`
    update attempts set finished_at = confirmed_at + interval '1 hour'
    where account_id = ${farm.account.id} and id = ${attempt.attempt_id}`
  return attempt.attempt_id
}

async function clearPlate(seconds: number | null): Promise<void> {
  const { request } = farm.account
  const tasks = (await request('GET', '/worklist?task_type=collection&status=pending')).json().data
  if (seconds !== null) {
    await ask('PUT', `/worklist/${tasks[0].id}/status`, { status: 'in_progress' })
    await t.db.sql`
      update worklist_tasks set started_at = started_at - make_interval(secs => ${seconds})
      where account_id = ${farm.account.id} and id = ${tasks[0].id}`
  }
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  await ask('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
}

describe('the settings', () => {
  test('are what was entered, and what was not entered is not known', async () => {
    const nothing = await asOwner('GET', '/costs/settings')
    expect(nothing).toEqual({
      currency: 'EUR',
      machine_hour_price: null,
      watts: null,
      energy_price: null,
      labour_hour_price: null,
      plate_labour_seconds: null,
      assembly_labour_seconds: null,
      order_labour_seconds: null,
      models: [],
      printers: [],
      filaments: [],
      platform_fees: [],
    })
    const given = {
      ...prices,
      models: [{ model: 'P1S', machine_hour_price: null, watts: 105 }],
      printers: [{ printer_id: farm.printerId, machine_hour_price: '0.000001', watts: null }],
    }
    const saved = await asOwner('PATCH', '/costs/settings', given)
    expect(saved).toEqual({
      ...nothing,
      ...given,
      machine_hour_price: '0.6',
      energy_price: '0.3',
      platform_fees: [{ platform: 'etsy', percent: '6.5', fixed: '0.3' }],
    })
    expect(await asOwner('GET', '/costs/settings')).toEqual(saved)
    expect(await asOwner('PATCH', '/costs/settings', { models: [], watts: null })).toEqual({
      ...saved,
      models: [],
      watts: null,
    })
    const events = await t.db.sql`
      select type, data from events where account_id = ${farm.account.id} and type = 'cost_settings.updated' order by id`
    expect(events.map(({ data }) => data)).toEqual(
      [
        { fields: [...Object.keys(prices).slice(0, 7), 'models', 'printers', 'filaments', 'platform_fees'].toSorted() },
        { fields: ['watts', 'models'] },
      ].map(({ fields }, at) => ({ fields: at === 0 ? expect.arrayContaining(fields) : fields })),
    )
  })

  test('that change nothing tell nothing, and one who expects others is refused', async () => {
    await asOwner('PATCH', '/costs/settings', prices)
    const tag = String((await owner.request('GET', '/costs/settings')).headers.etag)
    await asOwner('PATCH', '/costs/settings', { ...prices, energy_price: '0.3' })
    const told = () =>
      t.db.sql`select id from events where account_id = ${farm.account.id} and type = 'cost_settings.updated'`
    expect(await told()).toHaveLength(1)
    await asOwner('PATCH', '/costs/settings', { watts: 90 })
    const late = await owner.request('PATCH', '/costs/settings', { watts: 80 }, { 'if-match': tag })
    expect(late.json().error.code).toBe('PRECONDITION_FAILED')
  })

  test('keep their currency when that of orders becomes another', async () => {
    await asOwner('PATCH', '/costs/settings', { watts: 1 })
    await ask('PATCH', '/orders/settings', { currency: 'USD' })
    expect((await asOwner('GET', '/costs/settings')).currency).toBe('EUR')
    expect((await asOwner('PATCH', '/costs/settings', { currency: 'USD' })).currency).toBe('USD')
  })

  test.each([
    ['a negative price', { energy_price: '-1' }, 'energy_price'],
    ['a number with seven digits behind the point', { energy_price: '0.0000001' }, 'energy_price'],
    ['a price with an exponent', { machine_hour_price: '1e3' }, 'machine_hour_price'],
    ['a price that is no text', { machine_hour_price: 1.5 }, 'machine_hour_price'],
    ['a currency that there is not', { currency: 'EUX' }, 'currency'],
    [
      'a fee above the whole',
      { platform_fees: [{ platform: 'etsy', percent: '100.01', fixed: '0' }] },
      'platform_fees',
    ],
    [
      'a type of filament twice',
      { filaments: ['PLA', ' pla'].map((type) => ({ filament_type: type, price: '1' })) },
      'filaments',
    ],
    [
      'a model twice',
      { models: ['MK4S', 'Prusa MK4S'].map((model) => ({ model, machine_hour_price: null, watts: 1 })) },
      'models',
    ],
    [
      'a printer that is not there',
      { printers: [{ printer_id: 'prn_x', machine_hour_price: '1', watts: null }] },
      'printers',
    ],
    ['nothing', {}, '_root'],
  ])('%s is refused, by its field', async (_, body, field) => {
    const refused = await owner.request('PATCH', '/costs/settings', body)
    expect([refused.statusCode, Object.keys(refused.json().error.details).join()]).toEqual([400, field])
    expect((await asOwner('GET', '/costs/settings')).watts).toBeNull()
  })

  test('of a material: its price, else of a spool that of its type', async () => {
    const spool = await addMaterial(farm.account, 'filament', { type: 'PETG', remaining_grams: 100 })
    const screw = await addMaterial(farm.account, 'components', { type: 'screw', remaining_units: 1 })
    await asOwner('PATCH', '/costs/settings', { filaments: prices.filaments })
    const path = `/costs/materials/${spool.id}`
    expect(await asOwner('GET', path)).toEqual({
      material_id: spool.id,
      price: null,
      unit: 'kilogram',
      currency: 'EUR',
      type_price: '20',
    })
    expect(await asOwner('PUT', path, { price: '31.90' })).toMatchObject({ price: '31.9', type_price: '20' })
    expect(await asOwner('PUT', `/costs/materials/${screw.id}`, { price: '0.03' })).toMatchObject({
      price: '0.03',
      unit: 'piece',
      type_price: null,
    })
    expect(await asOwner('PUT', path, { price: null })).toMatchObject({ price: null })
    const stranger = await t.account()
    const other = await createTestPerson(t, stranger, 'owner')
    expect((await other.request('GET', path)).statusCode).toBe(404)
    expect((await other.request('PUT', path, { price: '1' })).statusCode).toBe(404)
  })
})

describe('a SKU', () => {
  test('costs what its recipe and bill say, and names what is missing', async () => {
    const { sku, screw, bag } = await addClip()
    const unknown = await asOwner('GET', `/costs/skus/${sku.id}`)
    expect(unknown.estimate).toMatchObject({ total: null, known: '0' })
    expect(inputsOf(unknown.estimate)).toEqual([
      'filament_price: PETG',
      'machine_hour_price: MK4S',
      'energy_price: the account',
      'labour_hour_price: the account',
      'material_price: Screw',
      'material_price: Bag',
    ])
    await asOwner('PATCH', '/costs/settings', prices)
    await asOwner('PUT', `/costs/materials/${bag.id}`, { price: '0.18' })
    const partly = await asOwner('GET', `/costs/skus/${sku.id}`)
    // 12.345 g × 20 ÷ 1,000; 601 s × 0.60; 0.1 kW × 601 s × 0.30; a minute × 24: each ÷ 10 units.
    const plate = { filament: '0.02469', machine: '0.010017', energy: '0.000501', labour: '0.04' }
    expect(partsOf(partly.estimate)).toEqual({ ...plate, packaging: '0.18' })
    expect([partly.estimate.total, partly.estimate.known]).toEqual([null, '0.255208'])
    expect(partly.estimate.unknown).toEqual([
      {
        input: 'material_price',
        subject_kind: 'material',
        subject_id: screw.id,
        subject: 'Screw',
        parts: ['components'],
      },
    ])
    await asOwner('PUT', `/costs/materials/${screw.id}`, { price: '0.03' })
    const whole = await asOwner('GET', `/costs/skus/${sku.id}`)
    expect(partsOf(whole.estimate)).toEqual({ ...plate, components: '0.06', packaging: '0.18' })
    expect(whole.estimate).toMatchObject({ total: '0.315208', known: '0.315208', unknown: [] })
    // It was never printed.
    expect(inputsOf(whole.actual)).toEqual(['prints: CLIP'])
    expect(whole).toMatchObject({ currency: 'EUR', good_units: 0 })
  })

  test('that is a kit costs its parts and the time of its article', async () => {
    const { sku, screw, bag } = await addClip()
    const product = await addProduct(farm.account, { name: 'Set' })
    const kit = await addSku(farm.account, { sku: 'SET', product_id: product.id })
    await ask('PUT', `/skus/${kit.id}/bom`, { children: [{ child_sku_id: sku.id, quantity_required: 4 }] })
    await asOwner('PATCH', '/costs/settings', prices)
    for (const { id } of [screw, bag]) await asOwner('PUT', `/costs/materials/${id}`, { price: '0.05' })
    const before = await asOwner('GET', `/costs/skus/${kit.id}`)
    const article = await ask('POST', '/wiki', {
      title: 'Set',
      product_id: product.id,
      estimated_time_minutes: 5,
      sections: [],
    })
    await ask('POST', `/wiki/${article.id}/publish`)
    const after = await asOwner('GET', `/costs/skus/${kit.id}`)
    expect(partsOf(before.estimate)).toMatchObject({ components: '0.4', labour: '0.36' })
    expect(partsOf(after.estimate)).toMatchObject({ components: '0.4', labour: '2.16' })
    expect(partsOf(after.estimate)).not.toHaveProperty('packaging')
  })

  test('without a way to make it says so', async () => {
    const sku = await addSku(farm.account, { sku: 'BARE' })
    expect(inputsOf((await asOwner('GET', `/costs/skus/${sku.id}`)).estimate)).toEqual(['recipe: BARE'])
  })
})

describe('a job', () => {
  test('costs the plates that were printed, bad ones among them, beside what its file foresees', async () => {
    const { sku } = await addClip()
    await asOwner('PATCH', '/costs/settings', prices)
    const spool = await addMaterial(farm.account, 'filament', { type: 'PETG', color: 'Black', remaining_grams: 500 })
    await ask('PATCH', `/materials/filament/${spool.id}`, { printer_id: farm.printerId, slot: 0 })
    await asOwner('PUT', `/costs/materials/${spool.id}`, { price: '40' })
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 20, quantity_per_print: 10 })
    await printPlate(jobId, 'done')
    await clearPlate(90)
    await printPlate(jobId, 'failed')
    const cost = await asOwner('GET', `/costs/jobs/${jobId}`)
    expect(cost.plates).toMatchObject([
      { plate: 1, outcome: 'done', printer_id: farm.printerId },
      { plate: 2, outcome: 'failed' },
    ])
    const [done, failed] = cost.plates
    // 12.345 g at the price of the spool, an hour of the machine, 100 Wh, and two minutes: a started one counts.
    expect(partsOf(done.cost)).toEqual({ filament: '0.4938', machine: '0.6', energy: '0.03', labour: '0.8' })
    expect(partsOf(failed.cost)).toMatchObject({ machine: '0.6', energy: '0.03' })
    expect(Number(partsOf(failed.cost).filament)).toBeGreaterThan(0)
    expect(cost.actual.unknown).toEqual([])
    expect(Number(cost.actual.total)).toBeCloseTo(Number(done.cost.total) + Number(failed.cost.total), 6)
    expect(partsOf(cost.estimate.plate)).toEqual({
      filament: '0.4938',
      machine: '0.100167',
      energy: '0.005008',
      labour: '0.4',
    })
    expect(partsOf(cost.estimate.whole).machine).toBe('0.200334')
    // The units of the good plate bear what the bad one took.
    expect(cost.good_units).toBe(10)
    expect(Number(cost.actual_per_good_unit.total)).toBeCloseTo(Number(cost.actual.total) / 10, 5)
  })

  test('has a unit cost by its good units, and the SKU has it, too', async () => {
    const { sku, screw, bag } = await addClip()
    await asOwner('PATCH', '/costs/settings', prices)
    for (const { id } of [screw, bag]) await asOwner('PUT', `/costs/materials/${id}`, { price: '0' })
    const spool = await addMaterial(farm.account, 'filament', { type: 'PETG', color: 'Black', remaining_grams: 500 })
    await ask('PATCH', `/materials/filament/${spool.id}`, { printer_id: farm.printerId, slot: 0 })
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 10, quantity_per_print: 10 })
    await printPlate(jobId, 'done')
    // Taken off without saying when it was started: the minute of the settings counts.
    farm.hub.telemetry(farm.printerId, { status: 'idle' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
    await ask('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed', quantity_rejected: 2 })
    const cost = await asOwner('GET', `/costs/jobs/${jobId}`)
    expect(partsOf(cost.actual)).toEqual({ filament: '0.2469', machine: '0.6', energy: '0.03', labour: '0.4' })
    expect([cost.good_units, cost.actual.total, cost.actual_per_good_unit.total]).toEqual([8, '1.2769', '0.159613'])
    const unit = await asOwner('GET', `/costs/skus/${sku.id}`)
    expect([unit.good_units, unit.actual.total]).toEqual([8, '0.159613'])
  })

  test('of which nothing was booked has an unknown cost of filament', async () => {
    await asOwner('PATCH', '/costs/settings', prices)
    const jobId = await farm.queueJob()
    await printPlate(jobId, 'done')
    const cost = await asOwner('GET', `/costs/jobs/${jobId}`)
    expect([cost.actual.total, inputsOf(cost.actual)]).toEqual([null, ['filament_usage: clip']])
    expect(partsOf(cost.actual)).toEqual({ machine: '0.6', energy: '0.03' })
    expect([cost.good_units, cost.actual_per_good_unit]).toEqual([null, null])
  })
})

describe('an order', () => {
  async function addOrder(fields: object = {}) {
    const clip = await addClip()
    await setStock(farm.account, clip.sku, 20)
    const order = await ask('POST', '/orders', {
      order_number: '1001',
      platform: 'etsy',
      shipping_cost: 490,
      tax_amount: 100,
      discount_amount: 60,
      allow_unmapped: true,
      items: [
        { sku: 'CLIP', quantity: 4, unit_price: 390 },
        { sku: 'NONE', listing_id: '77', quantity: 1, unit_price: 0 },
      ],
      ...fields,
    })
    return { ...clip, order }
  }

  test('earns what its lines earn, less fee and work, and what is not mapped is named', async () => {
    const { order, screw, bag } = await addOrder()
    await asOwner('PATCH', '/costs/settings', prices)
    for (const { id } of [screw, bag]) await asOwner('PUT', `/costs/materials/${id}`, { price: '0.1' })
    const cost = await asOwner('GET', `/costs/orders/${order.id}`)
    expect([cost.currency, cost.order_currency]).toEqual(['EUR', 'EUR'])
    // 15.60 less the discount; the fee is that of all that is paid: 20.90.
    expect(cost.estimate.revenue).toBe('15')
    expect(partsOf(cost.estimate.cost)).toMatchObject({ platform_fee: '1.6585', components: '0.8', packaging: '0.4' })
    expect(inputsOf(cost.estimate.cost)).toEqual(['mapping: NONE'])
    expect([cost.estimate.margin, cost.estimate.margin_percent, cost.actual]).toEqual([null, null, null])
    expect(cost.lines).toMatchObject([
      { name: 'CLIP', units: 4, estimate: { revenue: '15' }, actual: null },
      { name: 'NONE', units: 1, product_sku_id: null, estimate: { revenue: '0', margin: null } },
    ])
  })

  test('has an actual cost once it has left: what was booked for its parcels, and what came back does not count', async () => {
    const { order, sku, screw, bag } = await addOrder({ items: [{ sku: 'CLIP', quantity: 4, unit_price: 390 }] })
    await asOwner('PATCH', '/costs/settings', prices)
    for (const { id } of [screw, bag]) await asOwner('PUT', `/costs/materials/${id}`, { price: '0.1' })
    await ask('POST', `/orders/${order.id}/fulfill`, {})
    const left = await asOwner('GET', `/costs/orders/${order.id}`)
    expect(partsOf(left.actual.cost)).toEqual({
      components: '0.8',
      packaging: '0.4',
      platform_fee: '1.6585',
      labour: '0.8',
    })
    expect(inputsOf(left.actual.cost)).toEqual(['prints: CLIP'])
    await ask('POST', `/orders/${order.id}/returns`, {
      items: [{ item_id: order.items[0].id, quantity: 1, disposition: 'restock' }],
    })
    const back = await asOwner('GET', `/costs/orders/${order.id}`)
    expect(partsOf(back.actual.cost)).toMatchObject({ components: '0.6', packaging: '0.4' })
    expect(back.lines[0].product_sku_id).toBe(sku.id)
  })

  test('in another currency has no margin, and says why', async () => {
    const { order } = await addOrder({ currency: 'USD', items: [{ sku: 'CLIP', quantity: 1, unit_price: 390 }] })
    await asOwner('PATCH', '/costs/settings', prices)
    const { estimate, order_currency } = await asOwner('GET', `/costs/orders/${order.id}`)
    expect([order_currency, estimate.revenue, estimate.margin, estimate.margin_at_most]).toEqual([
      'USD',
      null,
      null,
      null,
    ])
    expect(inputsOf(estimate.cost)).toContain('currency: 1001 (USD)')
    const report = await asOwner('GET', '/costs/margin')
    expect(report.summary).toMatchObject({ orders: 0, other_currency_orders: 1, estimate: { revenue: '0' } })
    expect(report.by_sku).toEqual([])
    expect(report.by_order).toMatchObject([{ order_number: '1001', currency: 'USD', estimate: { revenue: null } }])
  })
})

describe('the report', () => {
  async function sell(number: string, unit_price: number, fields: object = {}) {
    return ask('POST', '/orders', {
      order_number: number,
      items: [{ sku: 'CLIP', quantity: 2, unit_price }],
      ...fields,
    })
  }

  test('adds up orders, SKUs and days, also as text for a spreadsheet', async () => {
    const { sku, screw, bag } = await addClip()
    await setStock(farm.account, sku, 20)
    await asOwner('PATCH', '/costs/settings', { ...prices, order_labour_seconds: 0 })
    for (const { id } of [screw, bag]) await asOwner('PUT', `/costs/materials/${id}`, { price: '0.1' })
    const first = await sell('1', 100, { order_date: '2026-06-13T10:00:00Z' })
    await sell('2', 10, { order_date: '2026-06-14T10:00:00Z' })
    const cancelled = await sell('3', 100, { order_date: '2026-06-14T10:00:00Z' })
    await ask('PATCH', `/orders/${cancelled.id}`, { status: 'cancelled' })
    await ask('POST', `/orders/${first.id}/fulfill`, {})
    const days = 'from=2026-06-13&to=2026-06-15'
    const report = await asOwner('GET', `/costs/margin?${days}`)
    const unit = Number((await asOwner('GET', `/costs/skus/${sku.id}`)).estimate.total)
    expect(report).toMatchObject({
      currency: 'EUR',
      summary: { orders: 2, shipped_orders: 1, estimate: { revenue: '2.2' }, actual: { revenue: '2', margin: null } },
      by_order: [{ order_number: '2' }, { order_number: '1', order_id: first.id }],
      by_sku: [{ sku: 'CLIP', units: 4, shipped_units: 2, estimate: { revenue: '2.2' } }],
      daily: [
        { date: '2026-06-13', orders: 1 },
        { date: '2026-06-14', orders: 1 },
        { date: '2026-06-15', orders: 0, estimate: { revenue: '0', margin: '0', margin_percent: null } },
      ],
      orders_left_off: 0,
    })
    expect(Number(report.summary.estimate.cost)).toBeCloseTo(4 * unit, 5)
    expect(report.summary.estimate.margin_percent).toMatch(/^[0-9]+([.][0-9])?$/)
    for (const [by, lines] of [
      ['order', 3],
      ['sku', 2],
      ['day', 3],
    ] as const) {
      const csv = await owner.request('GET', `/costs/margin?${days}&format=csv&by=${by}`)
      expect([by, csv.headers['content-type'], csv.body.trim().split('\r\n').length]).toEqual([
        by,
        'text/csv; charset=utf-8',
        lines,
      ])
    }
    // A loss is a number of a spreadsheet, and no formula.
    const csv = (await owner.request('GET', `/costs/margin?${days}&format=csv`)).body.trim().split('\r\n')
    expect(csv[1]).toMatch(/^2026-06-14,2,manual,EUR,0[.]2,[0-9.]+,[0-9.]+,-[0-9.]+,-[0-9.]+,,,,,,$/)
    expect(csv[2]).toMatch(/prints: CLIP$/)
  })

  test('takes as many statements for many orders of many SKUs as for one', async () => {
    let statements = 0
    const counted = openDatabase({ target: t.db.target, guard: () => (statements += 1) })
    onTestFinished(() => counted.close())
    const from2000 = { starts_at: new Date('2000-01-01'), ends_at: new Date('2100-01-01') }
    async function count(orders: number): Promise<number> {
      statements = 0
      const { margins } = await loadOrderMargins(counted.sql, farm.account.id, ordersOfDays(from2000))
      expect(margins).toHaveLength(orders)
      return statements
    }
    const { sku } = await addClip()
    await sell('1', 100)
    const few = await count(1)
    expect(few).toBeGreaterThan(5)
    const kit = await addSku(farm.account, { sku: 'SET' })
    await ask('PUT', `/skus/${kit.id}/bom`, { children: [{ child_sku_id: sku.id, quantity_required: 4 }] })
    for (const number of ['2', '3', '4', '5'])
      await sell(number, 100, { items: [{ sku: 'SET', quantity: 1, unit_price: 1 }] })
    expect(await count(5)).toBe(few)
  })
})

test('owners and admins alone see what things cost, and keys see nothing of it', async () => {
  const { sku, screw } = await addClip()
  const jobId = await farm.queueJob()
  const order = await ask('POST', '/orders', { items: [{ sku: 'CLIP', quantity: 1, unit_price: 1 }] })
  const paths = [
    '/costs/settings',
    `/costs/materials/${screw.id}`,
    `/costs/skus/${sku.id}`,
    `/costs/jobs/${jobId}`,
    `/costs/orders/${order.id}`,
    '/costs/margin',
  ]
  for (const role of ['owner', 'admin', 'operator', 'viewer'] as const) {
    const person = await createTestPerson(t, farm.account, role)
    const statuses = await Promise.all(paths.map(async (path) => (await person.request('GET', path)).statusCode))
    const changes = [
      (await person.request('PATCH', '/costs/settings', { watts: 5 })).statusCode,
      (await person.request('PUT', `/costs/materials/${screw.id}`, { price: '1' })).statusCode,
    ]
    const expected = role === 'owner' || role === 'admin' ? 200 : 403
    expect([role, ...statuses, ...changes]).toEqual([role, ...[...paths, 1, 2].map(() => expected)])
  }
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  for (const path of paths.slice(1, 5)) {
    expect([path, (await stranger.request('GET', path)).statusCode]).toEqual([path, 404])
  }
  for (const path of paths) expect((await farm.account.request('GET', path)).statusCode).toBe(404)
  const withKey = await t.app.inject({
    url: '/app/v1/costs/settings',
    headers: { authorization: `Bearer ${farm.account.key}` },
  })
  expect(withKey.statusCode).toBe(401)
})

test('what keys are told of holds no price and no cost', async () => {
  const { screw } = await addClip()
  await asOwner('PATCH', '/costs/settings', { watts: 5 })
  await asOwner('PUT', `/costs/materials/${screw.id}`, { price: '1' })
  const events: { type: string }[] = (await farm.account.request('GET', '/events?limit=100')).json().data
  expect(events.length).toBeGreaterThan(0)
  expect(events.filter(({ type }) => /^(cost|material_price)/.test(type))).toEqual([])
})

test('the public description has no field that tells what things cost or earn', async () => {
  const document = JSON.parse(await printOpenApiDocument({ examples: false }))
  const names: string[] = []
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'properties') names.push(...Object.keys(inner as object))
      if (key === 'enum' && Array.isArray(inner)) names.push(...inner.map(String))
      walk(inner)
    }
  }
  walk(document)
  names.push(...Object.keys(document.paths))
  expect(names.length).toBeGreaterThan(500)
  // What a customer pays for shipping, and for a line, is the contract's.
  const ofCustomers = new Set(['shipping_cost', 'unit_price', 'total_price'])
  const telling = names.filter(
    (name) => /cost|margin|profit|price|labour|watts|fee/i.test(name) && !ofCustomers.has(name),
  )
  expect(telling.filter((name) => name !== 'filament_margin_grams')).toEqual([])
})
