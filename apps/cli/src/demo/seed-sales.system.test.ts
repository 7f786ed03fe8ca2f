import { forecastAccount } from '@printyard/server/modules/promises/forecaster'
import { createTestApp, type TestApp } from '@printyard/server/test/app/test-app'
import { createTestPerson } from '@printyard/server/test/farm/test-person'
import { expect, onTestFinished, test } from 'vitest'
import { demoKit, demoPrinters, demoProducts } from './demo-farm.ts'
import { createFarmClient, type FarmClient } from './farm-client.ts'
import { seedCosts } from './seed-costs.ts'
import { seedFarm } from './seed-farm.ts'
import { seedPictures } from './seed-pictures.ts'
import { seedPromises } from './seed-promises.ts'
import { seedSales } from './seed-sales.ts'

/** What a key may ask for in a minute: each step of the set-up has one of its own. */
const mostRequests = 120

/** Files are read and pictures drawn of them, beside whatever else the machine does. */
const timeoutMs = 120_000

/** What each file takes is loaded on the printers that it is sliced for: all of the farm has something to print. */
async function expectPrintable({ db }: TestApp, accountId: string) {
  const files = await db.sql<{ name: string; filaments: { type: string | null; color: string | null }[] }[]>`
    select f.name, v.filaments from print_files f
    join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id where f.account_id = ${accountId}`
  expect(files.length).toBe(demoProducts.length)
  for (const { name, filaments } of files) {
    const product = demoProducts.find(({ file }) => file === name)
    const printers = demoPrinters.filter(({ model }) => model === product?.model)
    expect(printers.length, name).toBeGreaterThan(0)
    // Of a file with one filament the product says which.
    const needed =
      filaments.length > 1
        ? filaments.map(({ type, color }) => ({ type, color_hex: color }))
        : [{ type: product?.filamentType, color_hex: product?.hexCode }]
    for (const { filament, slots } of printers) {
      const loaded = slots ?? [{ type: filament[0], color_hex: filament[2] }]
      for (const need of needed) expect(loaded, name).toContainEqual(need)
    }
  }
}

test(
  'the demo sells: every page and report has something to show, within the limits of its keys',
  async () => {
    const t = await createTestApp()
    onTestFinished(() => t.close())
    const account = await t.account()
    const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
    const farm = createFarmClient(url, account.key, AbortSignal.timeout(timeoutMs))
    let requests = 0
    const counted = new Proxy(farm, {
      get:
        (target, name: keyof FarmClient) =>
        (...args: [string, never]) => {
          requests += 1
          return target[name](...args)
        },
    })
    const { id: hubId } = await counted.post<{ id: string }>('/hubs', { name: 'Hub' })
    await seedFarm(counted, hubId)
    expect(requests).toBeLessThan(mostRequests)
    requests = 0
    await seedSales(counted)
    expect(requests).toBeLessThan(mostRequests)
    requests = 0
    await seedPictures(counted)
    expect(requests).toBeLessThan(mostRequests)
    const pictures = await t.db.sql`
      select product_id, count(*) as count from product_images where account_id = ${account.id} group by product_id`
    // Both kits have the pictures of what is in them.
    expect(pictures).toHaveLength(demoProducts.length + 2)

    const get = async (path: string) => (await account.request('GET', path)).json()
    const orders = (await get('/orders?limit=100')).data as {
      platform: string
      status: string
      unmapped_items: number
    }[]
    expect(new Set(orders.map(({ platform }) => platform))).toEqual(new Set(['shopify', 'etsy', 'woocommerce']))
    expect(orders.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(orders.filter(({ unmapped_items }) => unmapped_items > 0)).toHaveLength(1)
    const wished = await t.db.sql`
    select id from order_items where account_id = ${account.id} and personalisation <> '[]'`
    expect(wished).toHaveLength(1)

    expect((await get('/materials/packaging?status=out_of_stock')).data).toMatchObject([{ name: 'Sign sleeve' }])
    const spools = (await get('/materials/filament?limit=100')).data as { printer_id: string | null }[]
    expect(new Set(spools.flatMap(({ printer_id }) => printer_id ?? [])).size).toBe(demoPrinters.length)
    const { data: revenue } = await get('/analytics/revenue')
    expect(revenue.by_platform.length).toBe(3)
    const kit = (await get('/products?search=rail')).data[0]
    expect(kit.kit.parts).toHaveLength(2)
    expect((await get('/recipes?limit=100')).data.length).toBeGreaterThan(6)
    const shelf = (await get('/production/shelf')).data as { sku: string }[]
    expect(new Set(shelf.map(({ sku }) => sku))).toEqual(new Set([...demoProducts, demoKit].map(({ sku }) => sku)))
    await expectPrintable(t, account.id)
    expect((await get('/wiki?category=Assembly')).data).toMatchObject([{ is_published: true }])
    const [first] = (await get('/orders?platform=woocommerce&search=77')).data as { id: string }[]
    expect((await get(`/orders/${first?.id}/picks`)).data.lines).toMatchObject([
      { sku: 'BRACKET-ORANGE', bin: 'A-01' },
      { sku: 'CLIPS-BLUE', bin: 'B-01' },
    ])

    await seedPromises(t.db, account.id)
    const { data: promises } = await get('/analytics/promises')
    expect(promises).toMatchObject({ summary: { orders: 1, late: 1 }, by_platform: [{ platform: 'shopify' }] })
    await forecastAccount(t.context, account.id)
    const open = (await get('/orders?status=pending')).data as { promise: { message: string } | null }[]
    expect(open.every(({ promise }) => promise !== null)).toBe(true)

    await seedCosts(t.db, account.id)
    const owner = await createTestPerson(t, account, 'owner')
    const { data: margin } = (await owner.request('GET', '/costs/margin')).json()
    type Row = { sku: string; estimate: { margin: string | null; unknown: { input: string; subject: string }[] } }
    const rows: Row[] = margin.by_sku
    const known = rows.filter(({ estimate }) => estimate.margin !== null).map(({ sku }) => sku)
    expect(known).toEqual(expect.arrayContaining(['BRACKET-ORANGE', 'CLIPS-BLUE']))
    const sign = rows.find(({ sku }) => sku === 'SIGN-BLACK')
    expect(sign?.estimate.unknown.map(({ subject }) => subject)).toEqual(['Sign sleeve'])
  },
  timeoutMs,
)
