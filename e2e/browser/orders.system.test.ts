import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLayoutFaults } from './test/layout-faults.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 180_000 }
const narrowPhone = { width: 360, height: 740 }

/** Two orders; of the first one line names no SKU of ours. Of the others a row has a mistake, or two do not agree. */
const file = [
  'order_number,external_id,currency,customer_name,sku,listing_id,variation,product_name,quantity,unit_price,personalisation: Name,gift wrap',
  '1001,,EUR,A. Customer,CLIP-RED,,,Cable clip,2,6.50,Ann,',
  '1001,,EUR,,,Clips of four,red,Clips of four,1,20.00,,',
  '1002,,EUR,B. Customer,,Clips of four,red,Clips of four,2,20.00,,',
  '1003,,EUR,C. Customer,CLIP-RED,,,Cable clip,some,6.50,,',
  '1004,,EUR,D. Customer,CLIP-RED,,,Cable clip,1,6.50,,',
  '1004,,EUR,E. Customer,CLIP-RED,,,Cable clip,1,6.50,,',
].join('\n')

let dashboard: TestDashboard
let skuId = ''
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  const { ask } = dashboard
  const product = await ask<{ id: string }>('POST', '/products', { name: 'Cable clip' })
  const sku = { product_id: product.id, sku: 'CLIP-RED', color: 'Red', filament_type: 'PLA' }
  skuId = (await ask<{ id: string }>('POST', '/skus', sku)).id
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'a file of a shop becomes orders, and its unknown line is mapped where it stands',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/orders`)
    await page.getByRole('heading', { name: 'No order yet' }).waitFor()
    await page.getByRole('link', { name: 'Import' }).click()
    await page.locator('input[type="file"]').setInputFiles({
      ...{ name: 'orders.csv', mimeType: 'application/vnd.ms-excel' },
      buffer: Buffer.from(file),
    })
    // The choice of a file is enough for a look at it.
    await page.getByText('2 orders would be recorded, 2 are refused. 2 lines stand for no SKU yet').waitFor()
    await page.getByText('Columns that our template does not have are not read: gift wrap.').waitFor()
    await page
      .getByRole('row', { name: /^Row 7 1004 Refused ‘customer_name’: is not that of row 6, which has the same order/ })
      .waitFor()
    expect(await page.getByRole('row', { name: /^Row 6 1004 Refused another row of its order/ }).count()).toBe(1)
    expect(await findLayoutFaults(page)).toEqual([])
    expect(
      await page.getByRole('row', { name: /^Row 5 1003 Refused ‘quantity’: must be a whole number/ }).count(),
    ).toBe(1)
    expect(await page.getByRole('row', { name: /^Row 4 1002 Will be recorded stands for no SKU yet/ }).count()).toBe(1)
    // A preview writes nothing.
    expect(await dashboard.ask<unknown[]>('GET', '/orders')).toEqual([])
    await page.getByRole('button', { name: 'Import 2 orders' }).click()
    await page.getByText('2 orders are recorded, 2 are refused').waitFor()

    await page.getByRole('link', { name: 'Map lines' }).click()
    await page.getByText('2 lines: orders').waitFor()
    await page.getByRole('combobox', { name: 'Stands for' }).fill('clip')
    await page.getByRole('option', { name: 'CLIP-RED · Red PLA' }).click()
    await page.getByRole('textbox', { name: 'Units in one' }).fill('4')
    await page.getByRole('button', { name: 'Map Clips of four, red' }).click()
    await page.getByRole('heading', { name: 'Every line is mapped' }).waitFor()
    await page.getByRole('row', { name: /Clips of four, red .*4 × CLIP-RED, Cable clip/ }).waitFor()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('an order is shipped with tracking, and what comes back goes into stock', limits, async () => {
  const { page, url, faults } = dashboard
  await page.goto(`${url}/orders`)
  await page.getByRole('link', { name: '1001' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order 1001' }).waitFor()
  await page.getByText('Ann', { exact: true }).waitFor()
  expect(await page.getByText('CLIP-RED · red · packs of 4, 4 units').count()).toBe(1)
  await page.getByText('€33.00').waitFor()

  await page.getByRole('button', { name: 'Ship' }).click()
  const ship = page.getByRole('dialog', { name: 'Ship order 1001' })
  await ship.getByRole('button', { name: 'Ship' }).click()
  await ship.getByText('2 units needed, 0 in stock').waitFor()
  // What the other order of the file holds is not taken.
  await adjust(14)
  await ship.getByLabel('Carrier').fill('Parcel service')
  await ship.getByLabel('Tracking number').fill('1Z 999')
  await ship.getByLabel('Page that follows the parcel').fill('https://carrier.example/1Z999')
  await ship.getByRole('button', { name: 'Ship' }).click()
  await page.getByText('Order 1001 is shipped whole').waitFor()
  await statusIs(page, 'Fulfilled')
  expect(await page.getByRole('link', { name: '1Z 999' }).getAttribute('href')).toBe('https://carrier.example/1Z999')
  const slip = await page.getByRole('link', { name: 'Packing slip of parcel 1' }).getAttribute('href')
  const printed = await page.context().request.get(`${url}${slip}`)
  expect([printed.status(), await printed.text()]).toEqual([200, expect.stringContaining('Ann')])

  const left = (await stock()).ready_stock
  await page.getByRole('button', { name: 'Return' }).click()
  const back = page.getByRole('dialog', { name: 'Return of order 1001' })
  const clip = back.getByRole('group', { name: 'Cable clip, CLIP-RED' })
  expect(await back.getByRole('button', { name: 'Book the return' }).isDisabled()).toBe(true)
  await clip.getByLabel('Came back').fill('1')
  await back.getByRole('button', { name: 'Book the return' }).click()
  await page.getByText('1 returned').waitFor()
  expect((await stock()).ready_stock).toBe(left + 1)
  await page.getByRole('button', { name: 'Return' }).click()
  await clip.getByLabel('Came back').fill('1')
  await clip.getByRole('combobox', { name: 'Disposition' }).click()
  await page.getByRole('option', { name: 'Make it again' }).click()
  await back.getByRole('button', { name: 'Book the return' }).click()
  // The line is open again.
  await statusIs(page, 'In process')
  await page.getByText('1 of 2 fulfilled').waitFor()
  expect((await stock()).ready_stock).toBe(left + 1)
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)(
  'an order is entered by hand, moved to the front, cancelled, and its customer erased',
  limits,
  async () => {
    const { page, url, faults, ask } = dashboard
    await page.goto(`${url}/orders?status=pending`)
    await page.getByRole('link', { name: 'New order' }).click()
    await page.getByRole('combobox', { name: 'SKU' }).click()
    await page.getByRole('option', { name: /^CLIP-RED/ }).click()
    await page.getByRole('textbox', { name: 'Pieces' }).fill('3')
    await page.getByRole('textbox', { name: 'Price of one' }).fill('6.5')
    await page.getByRole('textbox', { name: 'Order number' }).fill('1001')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('D. Customer')
    await page.getByText('Total $19.50').waitFor()
    // The number is taken within its own shop only.
    await ask('POST', '/orders', { order_number: 'M-1', items: [{ sku: 'CLIP-RED', quantity: 1, unit_price: 1 }] })
    await page.getByRole('textbox', { name: 'Order number' }).fill('M-1')
    await page.getByRole('button', { name: 'Record the order' }).click()
    await page.getByText('Another order of this shop has this number.').waitFor()
    await page.getByRole('textbox', { name: 'Order number' }).fill('M-2')
    await page.getByRole('button', { name: 'Record the order' }).click()
    await page.getByRole('heading', { level: 1, name: 'Order M-2' }).waitFor()

    await page.getByRole('button', { name: 'Change' }).click()
    const change = page.getByRole('dialog', { name: 'Change order M-2' })
    await change.getByRole('combobox', { name: 'Priority' }).click()
    await page.getByRole('option', { name: 'Urgent' }).click()
    const threeHoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 16)
    await change.getByLabel('To ship by').fill(threeHoursAgo)
    await change.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It should have been shipped by now.').waitFor()

    await more(page, 'Cancel the order…', 'Cancel the order')
    await page.getByText('Order M-2 is cancelled: 3 units cancelled').waitFor()
    await statusIs(page, 'Cancelled')
    await more(page, 'Erase the customer…', 'Erase the customer')
    await page.getByText('The customer is unknown or was erased.').waitFor()
    expect(await page.getByText('D. Customer').count()).toBe(0)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('the list follows what happens, and its filters stand in the address', limits, async () => {
  const { page, url, faults, ask } = dashboard
  await page.goto(`${url}/orders`)
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row')
  await rows.filter({ hasText: '1001' }).waitFor()
  const items = [{ sku: 'CLIP-RED', quantity: 1, unit_price: 1000 }]
  const body = { order_number: 'SH-7', platform: 'shopify', customer_name: 'E. Customer', currency: 'JPY', items }
  const { id } = await ask<{ id: string }>('POST', '/orders', body)
  await rows.filter({ hasText: /SH-7.*E. Customer.*¥1,000/ }).waitFor()
  await ask('DELETE', `/orders/${id}`)
  await rows.filter({ hasText: /SH-7.*Cancelled/ }).waitFor()

  await page.getByRole('combobox', { name: 'Platform' }).click()
  await page.getByRole('option', { name: 'Shopify' }).click()
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(2)
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it')
  await page.getByRole('heading', { name: 'No order matches' }).waitFor()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    platform: 'shopify',
    search: 'nothing like it',
  })
  await page.getByRole('link', { name: 'Show all' }).click()
  await rows.filter({ hasText: '1002' }).waitFor()

  await page.getByRole('radiogroup', { name: 'Shown as' }).getByText('Board', { exact: true }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?as=board')
  const column = (title: RegExp) => page.getByRole('region', { name: title })
  const { id: newId } = await ask<{ id: string }>('POST', '/orders', { order_number: 'SH-8', items })
  const order = { name: 'SH-8', exact: true }
  await page.getByRole('link', order).waitFor()
  // It moves by what happens to it.
  for (const [status, title] of [
    ['assembled', /^Assembled \(\d+\)$/],
    ['shipped', /^Shipped \(\d+\)$/],
  ] as const) {
    await ask('PATCH', `/orders/${newId}`, { status, force: true })
    await column(title).getByRole('link', order).waitFor()
  }
  expect(await page.getByRole('link', order).count()).toBe(1)
  await page.getByRole('link', order).click()
  await page.getByRole('heading', { level: 1, name: 'Order SH-8' }).waitFor()
  await page.goto(`${url}/orders?as=board&status=shipped`)
  await column(/^Shipped/).waitFor()
  expect(await page.getByRole('region').count()).toBe(1)
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)(
  'the overview names the orders that are late or due soon, and leads to them',
  limits,
  async () => {
    const { page, url, faults, ask, addPrinters } = dashboard
    await addPrinters(1)
    const items = [{ sku: 'CLIP-RED', quantity: 1, unit_price: 1000 }]
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    await ask('POST', '/orders', { order_number: 'L-1', ship_by: inHours(-2), items })
    await ask('POST', '/orders', { order_number: 'L-2', ship_by: inHours(3), items })
    await ask('POST', '/orders', { order_number: 'L-3', ship_by: inHours(30), items })
    await page.goto(url)
    await page.getByRole('link', { name: 'Order L-2 It is to be shipped within a day' }).waitFor()
    expect(await page.getByRole('link', { name: /^Order L-3/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Order L-1 It should have been shipped by now' }).click()
    await page.getByRole('heading', { level: 1, name: 'Order L-1' }).waitFor()
    await page.goto(`${url}/orders?due=late`)
    const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row')
    await rows.filter({ hasText: /L-1.*Late/ }).waitFor()
    expect(await rows.filter({ hasText: 'L-2' }).count()).toBe(0)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('what an order still needs is told with its reason, and queued', limits, async () => {
  const { page, url, faults, ask } = dashboard
  const product = await ask<{ id: string }>('POST', '/products', { name: 'Wall hook' })
  const sku = await ask<{ id: string }>('POST', '/skus', { product_id: product.id, sku: 'HOOK-BLUE' })
  const items = [{ sku: 'HOOK-BLUE', quantity: 1, unit_price: 500 }]
  const order = await ask<{ id: string }>('POST', '/orders', { order_number: 'P-1', items })
  await page.goto(`${url}/orders/${order.id}`)
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByText('1 blocked').waitFor()
  await plan.getByText('HOOK-BLUE has no recipe').waitFor()

  const place = await ask<{ upload_url: string; token: string }>('POST', '/files/upload-url', {
    filename: 'hook.gcode',
  })
  await fetch(new URL(place.upload_url, url), { method: 'PUT', body: await readFile(slicedFile) })
  const { id: fileId } = await ask<{ id: string }>('POST', '/files', { upload_token: place.token })
  await ask('POST', '/recipes', { product_sku_id: sku.id, print_file_id: fileId, units_per_plate: 1 })
  await plan.getByText('1 to print').waitFor()
  await plan.getByRole('button', { name: 'Produce' }).click()
  const dialog = page.getByRole('dialog', { name: 'Produce order P-1' })
  await dialog.getByText('1 job with 1 plate would be queued').waitFor()
  await dialog.getByText('1 plate: 1 × HOOK-BLUE').waitFor()
  expect(await ask<unknown[]>('GET', '/jobs')).toEqual([])
  await dialog.getByRole('button', { name: 'Queue it' }).click()
  await page.getByText('1 job with 1 plate queued for order P-1').waitFor()
  await plan.getByText('1 on jobs').waitFor()
  expect(await ask<unknown[]>('GET', '/jobs')).toHaveLength(1)
  await plan.getByRole('button', { name: 'Produce' }).click()
  await dialog.getByText('No work to queue').waitFor()
  expect(await dialog.getByRole('button', { name: 'Queue it' }).isDisabled()).toBe(true)
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('on a narrow phone an order is found and shipped, and nothing is cut off', limits, async () => {
  const { page, url, faults, ask } = dashboard
  await adjust(40)
  await page.setViewportSize(narrowPhone)
  await page.goto(`${url}/orders?search=1002`)
  await page.getByRole('link', { name: '1002' }).click()
  await page.getByRole('heading', { level: 1, name: 'Order 1002' }).waitFor()
  await page.getByRole('button', { name: 'Ship' }).click()
  const ship = page.getByRole('dialog', { name: 'Ship order 1002' })
  await ship.getByLabel('Tracking number').waitFor()
  expect(await findLayoutFaults(page)).toEqual([])
  await ship.getByRole('button', { name: 'Ship' }).click()
  await statusIs(page, 'Fulfilled')
  await page.getByRole('button', { name: 'Return' }).click()
  await page.getByRole('dialog').getByLabel('Came back').waitFor()
  expect(await findLayoutFaults(page)).toEqual([])
  expect((await ask<{ status: string }[]>('GET', '/orders?search=1002'))[0]?.status).toBe('fulfilled')
  expect(faults).toEqual([])
})

async function statusIs(page: Page, word: string): Promise<void> {
  await page.locator('main header .status-badge').getByText(word, { exact: true }).waitFor()
}

/** From the menu of the order that is shown, and past the question. */
async function more(page: Page, entry: string, action: string): Promise<void> {
  await page.getByRole('button', { name: /^More for order / }).click()
  await page.getByRole('menuitem', { name: entry }).click()
  await page.getByRole('dialog').getByRole('button', { name: action }).click()
}

async function stock(): Promise<{ id: string; ready_stock: number }> {
  const rows = await dashboard.ask<{ id: string; product_sku_id: string; ready_stock: number }[]>('GET', '/inventory')
  const row = rows.find(({ product_sku_id }) => product_sku_id === skuId)
  if (!row) throw new Error('the SKU has no stock item')
  return row
}

async function adjust(adjustment: number): Promise<void> {
  const { id } = await stock()
  await dashboard.ask('POST', `/inventory/${id}/adjust`, { adjustment, reason: 'inventory_count' })
}
