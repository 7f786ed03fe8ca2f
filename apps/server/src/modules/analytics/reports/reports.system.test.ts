import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../../test/app/test-app.ts'
import { addMaterial, addProduct, addSku, setStock } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'

let t: TestApp
let farm: TestAccount
const now = new Date('2026-06-15T12:00:00Z')
beforeAll(async () => {
  t = await createTestApp({ context: { clock: { now: () => now } } })
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
})

const get = async (path: string, account = farm) => {
  const answer = await account.request('GET', `/analytics/${path}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const csv = async (path: string, headers = {}) => {
  const answer = await farm.request('GET', `/analytics/${path}`, undefined, headers)
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.body.startsWith('\uFEFF')).toBe(true)
  return answer.body.slice(1).trimEnd().split('\r\n')
}

async function addPrinter(name: string): Promise<string> {
  const answer = await farm.request('POST', '/printers', { name, model: 'MK4S', connection_type: 'virtual' })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id
}

/** A job that ended. */
async function addJob(
  endedAt: string,
  {
    status = 'completed',
    units = 1,
    rejected = 0,
    minutes = 60,
    printerId = null as string | null,
    sku = undefined as { id: string; product_id: string } | undefined,
  } = {},
) {
  const [fileId, versionId, jobId] = [newId('printFile'), newId('fileVersion'), newId('job')]
  await t.db.sql`insert into print_files (account_id, id, name) values (${farm.id}, ${fileId}, 'clip')`
  await t.db.sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata)
    values (${farm.id}, ${versionId}, ${fileId}, 1, true, 'clip.gcode', ${'0'.repeat(64)}, 1, 'gcode', true, '{}')`
  await t.db.sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
      quantity_per_print, plates_total, created_by, time_completed, units_rejected, actual_print_time_minutes, printer_id,
      product_sku_id, product_id)
    values (${farm.id}, ${jobId}, ${status}, ${fileId}, ${versionId}, 'clip', ${units}, 1, 1, 'system', ${endedAt},
      ${rejected}, ${minutes}, ${printerId}, ${sku?.id ?? null}, ${sku?.product_id ?? null})`
}

async function addOrder(order_date: string, unit_price: number, fields: Record<string, unknown> = {}) {
  const sku = await addSku(farm)
  const items = [{ product_sku_id: sku.id, quantity: 1, unit_price }]
  const answer = await farm.request('POST', '/orders', { customer_name: 'A', order_date, items, ...fields })
  expect(answer.statusCode, answer.body).toBe(201)
  return { ...answer.json().data, sku: sku.sku }
}

describe('GET /analytics/production', () => {
  test('counts jobs and units that ended, for every day, SKU and printer, with the revenue of the days', async () => {
    const sku = await addSku(farm)
    const printerId = await addPrinter('Bench 1')
    await addJob('2026-06-14T10:00:00Z', { units: 5, rejected: 1, minutes: 90, printerId, sku })
    await addJob('2026-06-14T11:00:00Z', { status: 'failed', minutes: 30, printerId })
    await addJob('2026-06-15T11:00:00Z', { units: 2, sku })
    await addJob('2026-06-15T11:00:00Z', { status: 'cancelled' })
    await addJob('2026-06-12T23:59:59Z', { units: 100 })
    await addOrder('2026-06-14T09:00:00Z', 1_250)
    const report = await get('production?from=2026-06-13&to=2026-06-15')
    expect(report).toEqual({
      date_range: { from: '2026-06-13', to: '2026-06-15' },
      summary: {
        jobs_completed: 2,
        jobs_failed: 1,
        completion_rate: 66.7,
        units_produced: 6,
        units_rejected: 1,
        total_print_time_hours: 3,
        revenue_cents: 1_250,
      },
      daily: [
        expect.objectContaining({ date: '2026-06-13', jobs_completed: 0, units_produced: 0, revenue_cents: 0 }),
        {
          date: '2026-06-14',
          jobs_completed: 1,
          jobs_failed: 1,
          units_produced: 4,
          units_rejected: 1,
          total_print_time_minutes: 120,
          revenue_cents: 1_250,
        },
        expect.objectContaining({ date: '2026-06-15', jobs_completed: 1, units_produced: 2, revenue_cents: 0 }),
      ],
      by_sku: [expect.objectContaining({ product_sku_id: sku.id, sku: sku.sku, jobs_completed: 2, units_produced: 6 })],
      by_printer: [expect.objectContaining({ printer_id: printerId, printer_name: 'Bench 1', jobs_failed: 1 })],
    })
    expect((await get(`production?printer_id=${printerId}`)).summary).toMatchObject({
      jobs_completed: 1,
      revenue_cents: null,
    })
    expect((await get(`production?product_id=${sku.product_id}`)).summary).toMatchObject({
      units_produced: 6,
      jobs_failed: 0,
      revenue_cents: null,
    })
  })

  test('looks at the last 30 days of the account’s calendar unless told otherwise, and answers each of them', async () => {
    await t.db.sql`update accounts set time_zone = 'Pacific/Auckland' where id = ${farm.id}`
    await addJob('2026-06-14T11:59:59Z')
    await addJob('2026-06-14T12:00:00Z')
    await addJob('2026-05-16T11:00:00Z')
    const { date_range, daily, summary } = await get('production')
    expect(date_range).toEqual({ from: '2026-05-18', to: '2026-06-16' })
    expect(daily).toHaveLength(30)
    expect(daily.filter((day: { jobs_completed: number }) => day.jobs_completed > 0)).toMatchObject([
      { date: '2026-06-14', jobs_completed: 1 },
      { date: '2026-06-15', jobs_completed: 1 },
    ])
    expect(summary.jobs_completed).toBe(2)
  })

  test('as CSV by day, printer or SKU, also by Accept', async () => {
    const sku = await addSku(farm, { product_id: (await addProduct(farm, { name: '=HYPERLINK("x")' })).id, sku: 'A,1' })
    const printerId = await addPrinter('Bench "1"')
    await addJob('2026-06-14T10:00:00Z', { units: 5, printerId, sku })
    expect(await csv('production?from=2026-06-14&to=2026-06-14&format=csv')).toEqual([
      'date,jobs_completed,jobs_failed,units_produced,units_rejected,total_print_time_minutes,revenue_cents',
      '2026-06-14,1,0,5,0,60,0',
    ])
    expect((await csv('production', { accept: 'text/csv' })).length).toBe(31)
    expect((await csv('production?format=csv&by=printer'))[1]).toBe('"Bench ""1""",1,0,5,0,60')
    // A text that a spreadsheet would take for a formula is quoted away.
    expect((await csv('production?format=csv&by=sku'))[1]).toBe(`"A,1","'=HYPERLINK(""x"")",1,0,5,0,60`)
  })
})

test('GET /analytics/printers: jobs, hours and utilisation of the printers in use', async () => {
  const [one, two] = [await addPrinter('One'), await addPrinter('Two')]
  await addPrinter('Unused').then((id) => farm.request('PATCH', `/printers/${id}`, { is_active: false }))
  await t.db.sql`
    insert into printer_periods (account_id, printer_id, cause, started_at, ended_at) values
      (${farm.id}, ${one}, 'printing', '2026-06-13T22:00:00Z', '2026-06-14T06:00:00Z'),
      (${farm.id}, ${one}, 'paused', '2026-06-14T06:00:00Z', '2026-06-14T07:00:00Z'),
      (${farm.id}, ${one}, 'printing', '2026-06-15T06:00:00Z', '2026-06-15T08:00:00Z')`
  await addJob('2026-06-14T06:00:00Z', { printerId: one })
  await addJob('2026-06-14T06:00:00Z', { printerId: one, status: 'failed' })
  const report = await get('printers?from=2026-06-14&to=2026-06-14')
  expect(report.summary).toEqual({
    total_printers: 2,
    average_utilization: 12.5,
    // Seven hours are on record, of one printer.
    busy_percent: 85.7,
    average_success_rate: 75,
    total_jobs: 2,
    total_print_hours: 6,
    total_print_minutes: 360,
  })
  expect(report.printers).toEqual([
    {
      id: one,
      name: 'One',
      model: 'MK4S',
      status: 'offline',
      in_maintenance: false,
      total_jobs: 2,
      completed: 1,
      failed: 1,
      success_rate: 50,
      failure_count: 0,
      total_print_hours: 6,
      total_print_minutes: 360,
      utilization_percent: 25,
      busy_percent: 85.7,
    },
    expect.objectContaining({ id: two, total_jobs: 0, success_rate: 100, utilization_percent: 0, busy_percent: null }),
  ])
  expect((await csv('printers?from=2026-06-14&to=2026-06-14&format=csv'))[1]).toBe(
    'One,MK4S,offline,2,1,1,50,0,6,25,85.7',
  )
  // Half of today is over.
  const today = await get('printers?from=2026-06-15')
  expect(today.printers[0]).toMatchObject({ utilization_percent: 16.7 })
  // What the overview says of the same day.
  const person = await createTestPerson(t, farm, 'viewer')
  const { week } = (await person.request('GET', '/printers/day')).json().data
  expect([today.summary.busy_percent, week.at(-2).busy_percent]).toEqual([week.at(-1).busy_percent, 85.7])
})

test('GET /analytics/inventory: what is short, what is on the spools, and what was used', async () => {
  const short = await addSku(farm, { low_stock_threshold: 5 })
  await setStock(farm, short, 2)
  await setStock(farm, await addSku(farm), 9)
  const spool = await addMaterial(farm, 'filament', {
    type: 'PLA',
    color: 'Red',
    remaining_grams: 500,
    low_threshold: 400,
  })
  await addMaterial(farm, 'filament', { type: 'PETG', remaining_grams: 900 })
  await farm.request('POST', `/materials/filament/${spool.id}/consume`, { quantity: 120.5 })
  await t.db.sql`
    update material_movements set created_at = '2026-06-14T10:00:00Z'
    where account_id = ${farm.id} and reason = 'consumed'`
  const report = await get('inventory?from=2026-06-14&to=2026-06-15')
  expect(report).toEqual({
    date_range: { from: '2026-06-14', to: '2026-06-15' },
    summary: { low_stock_skus: 1, low_filament_spools: 1, total_material_types: 2 },
    low_stock_items: [
      {
        id: expect.stringMatching(/^inv_/),
        sku: short.sku,
        color: '',
        stock_level: 2,
        low_stock_threshold: 5,
        product_name: expect.stringMatching(/^Product/),
      },
    ],
    filament_inventory: [
      { type: 'PLA', color: 'Red', status: 'low', remaining_grams: 379.5, low_threshold: 400 },
      { type: 'PETG', color: '', status: 'in_stock', remaining_grams: 900, low_threshold: 0 },
    ],
    material_usage: [{ material_type: 'PLA', total_usage: 120.5 }],
    usage_trend: [
      { date: '2026-06-14', usage: 120.5 },
      { date: '2026-06-15', usage: 0 },
    ],
  })
  expect(await csv('inventory?from=2026-06-14&to=2026-06-15&format=csv&by=material')).toEqual([
    'material_type,total_usage',
    'PLA,120.5',
  ])
  expect((await csv('inventory?format=csv&by=sku'))[1]).toMatch(new RegExp(`^${short.sku},Product \\d+,,2,5$`))
  expect((await csv('inventory?from=2026-06-14&to=2026-06-15&format=csv'))[1]).toBe('2026-06-14,120.5')
})

test('GET /analytics/revenue: by platform, day and SKU, without cancelled orders', async () => {
  const first = await addOrder('2026-06-14T10:00:00Z', 2_000, { platform: 'etsy' })
  await addOrder('2026-06-15T10:00:00Z', 1_001, { platform: 'etsy', shipping_cost: 500 })
  await addOrder('2026-06-15T11:00:00Z', 100)
  const cancelled = await addOrder('2026-06-15T11:00:00Z', 99_999)
  await farm.request('DELETE', `/orders/${cancelled.id}`)
  await addOrder('2026-06-13T23:00:00Z', 7)
  const report = await get('revenue?from=2026-06-14')
  expect(report).toMatchObject({
    summary: { total_revenue_cents: 3_601, order_count: 3, average_order_value: 1_200 },
    by_platform: [
      { platform: 'etsy', revenue_cents: 3_501, orders: 2 },
      { platform: 'manual', revenue_cents: 100, orders: 1 },
    ],
    daily: [
      { date: '2026-06-14', revenue_cents: 2_000, orders: 1 },
      { date: '2026-06-15', revenue_cents: 1_601, orders: 2 },
    ],
  })
  expect(report.by_sku[0]).toEqual({ sku: first.sku, revenue_cents: 2_000, orders: 1, units: 1 })
  expect(await csv('revenue?from=2026-06-14&format=csv&by=platform')).toEqual([
    'platform,orders,revenue_cents',
    'etsy,2,3501',
    'manual,1,100',
  ])
  expect(await csv('revenue?from=2026-06-14&format=csv')).toEqual([
    'date,orders,revenue_cents',
    '2026-06-14,1,2000',
    '2026-06-15,2,1601',
  ])
  expect((await csv('revenue?from=2026-06-14&format=csv&by=sku'))[1]).toBe(`${first.sku},1,1,2000`)
})

test('GET /analytics/revenue in another currency has the orders in that alone, and never sums two', async () => {
  await addOrder('2026-06-14T10:00:00Z', 2_000)
  const yen = await addOrder('2026-06-14T11:00:00Z', 500, { currency: 'JPY', platform: 'etsy' })
  const own = await get('revenue?from=2026-06-14')
  expect(own.summary).toMatchObject({ total_revenue_cents: 2_000, order_count: 1 })
  const currencies = [
    { currency: 'JPY', orders: 1 },
    { currency: 'USD', orders: 1 },
  ]
  expect([own.currency, own.currencies]).toEqual(['USD', currencies])
  expect(await get('revenue?from=2026-06-14&currency=JPY')).toMatchObject({
    currency: 'JPY',
    currencies,
    summary: { total_revenue_cents: 500, order_count: 1 },
    by_platform: [{ platform: 'etsy', revenue_cents: 500, orders: 1 }],
    by_sku: [{ sku: yen.sku, revenue_cents: 500 }],
    daily: [{ date: '2026-06-14', revenue_cents: 500 }, { revenue_cents: 0 }],
  })
  const unknown = await farm.request('GET', '/analytics/revenue?currency=XXY')
  expect([unknown.statusCode, Object.keys(unknown.json().error.details)]).toEqual([400, ['currency']])
})

test('GET /analytics/failures as CSV by day, type or printer', async () => {
  expect(await csv('failures?format=csv')).toEqual(['date,count'])
  expect(await csv('failures?format=csv&by=type')).toEqual(['type,count'])
  expect(await csv('failures?format=csv&by=printer')).toEqual(['printer_name,count'])
})

describe('every report', () => {
  const names = ['production', 'printers', 'inventory', 'revenue', 'failures']

  test.each(names)('%s refuses days that are none, and says which', async (name) => {
    for (const [query, field] of [
      ['from=2026-06-31', 'from'],
      ['to=yesterday', 'to'],
      ['from=1999-01-01', 'from'],
      ['from=2026-06-15&to=2026-06-14', 'from'],
      ['from=2024-06-15&to=2026-06-14', 'from'],
      ['format=xml', 'format'],
    ] as const) {
      const answer = await farm.request('GET', `/analytics/${name}?${query}`)
      expect([query, answer.statusCode, Object.keys(answer.json().error.details)]).toEqual([query, 400, [field]])
    }
  })

  test.each(names)('%s shows nothing of another account', async (name) => {
    const before = await get(name)
    const stranger = farm
    await addOrder('2026-06-15T10:00:00Z', 5_000)
    await addJob('2026-06-15T10:00:00Z', { sku: await addSku(farm) })
    await addMaterial(farm, 'filament', { type: 'PLA', remaining_grams: 5 })
    farm = await t.account()
    expect(await get(name)).toEqual(before)
    expect(stranger.id).not.toBe(farm.id)
  })

  test.each(names)('%s: 401 without a key, 403 without the scope', async (name) => {
    expect((await t.app.inject({ url: `/public/v1/analytics/${name}` })).statusCode).toBe(401)
    const writer = await t.account({ scopes: ['write', 'control'] })
    expect((await writer.request('GET', `/analytics/${name}`)).json().error.code).toBe('INSUFFICIENT_SCOPE')
  })
})
