import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLayoutFaults } from './test/layout-faults.ts'
import { desktop, hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 180_000 }
const narrowPhone = { width: 360, height: 740 }

interface Sku {
  id: string
  sku: string
}

let dashboard: TestDashboard
let clip: Sku
let hook: Sku
let kit: Sku
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  const { ask } = dashboard
  // So that recipes fit a printer; it is out of reach, and nothing is ever printed.
  await ask('POST', '/printers', { name: 'Bench 1', model: 'MK4S', connection_type: 'virtual' })
  clip = await addSku('CLIP-RED')
  hook = await addSku('HOOK-BLUE')
  kit = await addSku('SET-RED')
  await addRecipe(clip)
  const screws = await ask<{ id: string }>('POST', '/materials/components', {
    ...{ name: 'Screw', type: 'screw', remaining_units: 6, location: 'Drawer 2' },
  })
  await ask('PUT', `/skus/${kit.id}/bom`, {
    children: [{ child_sku_id: clip.id, quantity_required: 1 }],
    inventory: [{ inventory_item_id: screws.id, quantity_required: 4 }],
  })
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

async function addSku(code: string): Promise<Sku> {
  const product = await dashboard.ask<{ id: string }>('POST', '/products', { name: `Product of ${code}` })
  return dashboard.ask<Sku>('POST', '/skus', { product_id: product.id, sku: code })
}

async function addRecipe({ id }: Sku): Promise<void> {
  const { ask, url } = dashboard
  const place = await ask<{ upload_url: string; token: string }>('POST', '/files/upload-url', {
    filename: `${id}.gcode`,
  })
  await fetch(new URL(place.upload_url, url), { method: 'PUT', body: await readFile(slicedFile) })
  const file = await ask<{ id: string }>('POST', '/files', { upload_token: place.token })
  await ask('POST', '/recipes', { product_sku_id: id, print_file_id: file.id, units_per_plate: 2 })
}

async function order(number: string, skuId: string, quantity: number, days?: number): Promise<{ id: string }> {
  const items = [{ product_sku_id: skuId, quantity, unit_price: 500 }]
  const shipBy = days === undefined ? {} : { ship_by: new Date(Date.now() + days * 86_400_000).toISOString() }
  return dashboard.ask('POST', '/orders', { order_number: number, items, ...shipBy })
}

test.runIf(hasBrowser)(
  'what must be printed stands under its due date with its reason, and is queued after a look at what that would be',
  limits,
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/production`)
    await page.getByRole('heading', { name: 'No units to print' }).waitFor()
    await order('1001', clip.id, 3, -1)
    await order('1002', clip.id, 1, 3)
    await order('1003', hook.id, 2, 3)
    // Without a reload: the page follows the events.
    const late = page.getByRole('region', { name: 'Late (1 SKU)' })
    await late.getByRole('listitem').filter({ hasText: 'Orders 1001 (3), 1002 (1)' }).waitFor()
    const week = page.getByRole('region', { name: 'Within seven days (1 SKU)' })
    await week.getByText('HOOK-BLUE has no recipe').waitFor()
    expect(await week.getByRole('link', { name: 'Add a recipe' }).getAttribute('href')).toBe(`/skus/${hook.id}`)
    expect(await week.getByRole('checkbox', { name: 'Select HOOK-BLUE' }).isDisabled()).toBe(true)

    await late.getByRole('checkbox', { name: 'Select CLIP-RED' }).check()
    await page.getByRole('button', { name: 'Produce 1 SKU' }).click()
    const dialog = page.getByRole('dialog', { name: 'Produce 1 SKU' })
    await dialog.getByText(/2 jobs? with 2 plates|1 job with 2 plates/).waitFor()
    expect(await ask<unknown[]>('GET', '/jobs')).toEqual([])
    await dialog.getByRole('button', { name: 'Queue it' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await late.waitFor({ state: 'hidden' })
    expect((await ask<unknown[]>('GET', '/jobs')).length).toBeGreaterThan(0)

    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Can be queued' }).click()
    await page.getByRole('heading', { name: 'No matching units to print' }).waitFor()
    expect(new URL(page.url()).search).toBe('?state=ready')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('a shelf is set, changed in its row, and filled up', limits, async () => {
  const { page, url, ask, faults } = dashboard
  await page.goto(`${url}/production?tab=shelf`)
  await page.getByRole('button', { name: 'Keep a SKU on the shelf' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Keep a SKU on the shelf' })
  await dialog.getByRole('combobox', { name: 'SKU' }).fill('clip')
  await page.getByRole('option', { name: 'CLIP-RED' }).click()
  await dialog.getByLabel('Fill up from').fill('2')
  await dialog.getByLabel('Up to').fill('6')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('row', { name: /CLIP-RED.* 0\s+0\s+6\s/ }).waitFor()
  await page.getByRole('textbox', { name: 'Up to, CLIP-RED' }).fill('1')
  await page.getByRole('textbox', { name: 'Up to, CLIP-RED' }).press('Enter')
  await page.getByText('“Up to” must be more than “Fill up from”').waitFor()
  await page.getByRole('textbox', { name: 'Up to, CLIP-RED' }).fill('8')
  await page.getByRole('textbox', { name: 'Up to, CLIP-RED' }).press('Enter')
  await page.getByRole('row', { name: /CLIP-RED.* 0\s+0\s+8\s/ }).waitFor()
  await expect
    .poll(async () => (await ask<{ restock_to: number }>('GET', `/skus/${clip.id}`)).restock_to, { timeout: 30_000 })
    .toBe(8)
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('what nothing wants any more is cancelled by one button', limits, async () => {
  const { page, url, ask, faults } = dashboard
  for (const { id } of await ask<{ id: string }[]>('GET', '/orders')) await ask('DELETE', `/orders/${id}`)
  await ask('PATCH', `/skus/${clip.id}`, { restock_point: null, restock_to: null })
  const jobs = await ask<unknown[]>('GET', '/jobs?status=queued')
  await page.goto(`${url}/production?tab=unwanted`)
  await page.getByRole('button', { name: 'Cancel all of them…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel all of them' }).click()
  await page.getByRole('heading', { name: 'All that is queued is needed' }).waitFor()
  expect(jobs.length).toBeGreaterThan(0)
  expect(await ask<unknown[]>('GET', '/jobs?status=queued')).toEqual([])
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('at a bench with a phone a kit is put together, and a reject is booked', limits, async () => {
  const { page, url, ask, faults } = dashboard
  const [item] = await ask<{ id: string }[]>('GET', '/inventory?sku=CLIP-RED')
  await ask('PATCH', `/inventory/${item?.id}`, { bin: 'A-03' })
  await ask('POST', `/inventory/${item?.id}/adjust`, { adjustment: 1, reason: 'inventory_count' })
  const article = await ask<{ id: string }>('POST', '/wiki', {
    ...{ title: 'Putting the set together', sku_id: kit.id, content: 'Fetch the **parts** first.' },
    sections: [{ type: 'step', number: 1, title: 'Screw it on', content: 'Four screws', warnings: ['Not too tight'] }],
  })
  await ask('POST', `/wiki/${article.id}/publish`)
  await page.setViewportSize(narrowPhone)
  await page.goto(`${url}/assembly`)
  await page.getByRole('heading', { name: 'Nothing to put together yet' }).waitFor()
  await ask('POST', `/skus/${kit.id}/assemble`, { quantity: 1 })
  await ask('POST', `/inventory/${item?.id}/adjust`, { adjustment: 1, reason: 'inventory_count' })
  const [task] = await ask<{ id: string }[]>('GET', '/assembly')
  await ask('PATCH', `/assembly/${task?.id}`, { quantity: 2 })
  await page.getByRole('link', { name: 'SET-RED' }).click()
  await page.getByRole('heading', { level: 1, name: 'Assemble SET-RED' }).waitFor()
  const parts = page.getByRole('list', { name: 'Parts' })
  await parts
    .getByRole('listitem')
    .filter({ hasText: /2 ×.*CLIP-RED.*A-03/ })
    .waitFor()
  await parts
    .getByRole('listitem')
    .filter({ hasText: /8 ×.*Screw.*2 missing.*Drawer 2/ })
    .waitFor()
  await page.getByRole('heading', { name: '1. Screw it on' }).waitFor()
  await page.getByText('Not too tight').waitFor()
  expect(await page.locator('strong', { hasText: 'parts' }).count()).toBe(1)
  expect(await findLayoutFaults(page)).toEqual([])

  await page.getByRole('button', { name: 'Book 2 units' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('button', { name: 'One fewer: Put together' }).click()
  await page.getByRole('button', { name: 'Book 1 unit', exact: true }).click()
  await page.getByText('1 unit is in stock').waitFor()
  await page.getByRole('button', { name: 'One more: Rejected' }).click()
  await page.getByLabel('Defects of the rejected units').fill('Cracked')
  const [screws] = await ask<{ id: string }[]>('GET', '/materials/components')
  await ask('POST', `/materials/components/${screws?.id}/restock`, { quantity: 2 })
  await page.getByRole('button', { name: 'Book 1 unit', exact: true }).click()
  await page.getByText('1 unit is rejected').waitFor()
  await page.locator('main header .status-badge').getByText('Done', { exact: true }).waitFor()
  expect(await ask('GET', `/assembly/${task?.id}`)).toMatchObject({
    ...{ status: 'completed', quantity_completed: 1, quantity_rejected: 1, notes: 'Cracked' },
  })
  await page.setViewportSize(desktop)
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('units are held for a line by hand, and its order has a picking list', limits, async () => {
  const { page, url, ask, faults } = dashboard
  const [item] = await ask<{ id: string; ready_stock: number }[]>('GET', '/inventory?sku=CLIP-RED')
  await ask('POST', `/inventory/${item?.id}/adjust`, {
    adjustment: 2 - (item?.ready_stock ?? 0),
    reason: 'inventory_count',
  })
  await order('2001', clip.id, 2, 1)
  const later = await order('2002', clip.id, 2, 5)
  await page.goto(`${url}/orders/${later.id}`)
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByText('2 to print').waitFor()
  await plan.getByRole('button', { name: 'Hold units for Product of CLIP-RED…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hold units for Product of CLIP-RED' })
  await dialog.getByRole('button', { name: 'Hold 2 units' }).click()
  await plan.getByText('2 reserved').waitFor()
  await plan.getByRole('button', { name: 'Hold units for Product of CLIP-RED…' }).click()
  await dialog.getByRole('textbox', { name: 'Units' }).fill('0')
  await dialog.getByRole('button', { name: 'Release them' }).click()
  await plan.getByText('2 to print').waitFor()
  const list = await page.getByRole('link', { name: 'Picking list' }).getAttribute('href')
  const printed = await page.context().request.get(`${url}${list}`)
  expect([printed.status(), await printed.text()]).toEqual([200, expect.stringContaining('CLIP-RED')])
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('a bin is set, found by its shelf, and its labels are printed', limits, async () => {
  const { page, url, faults } = dashboard
  const items = await dashboard.ask<{ id: string }[]>('GET', '/inventory?sku=HOOK-BLUE')
  await page.goto(`${url}/stock/${items[0]?.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Bin').fill(' B-12 ')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'B-12' }).click()
  await page.getByRole('row', { name: /HOOK-BLUE.*B-12/ }).waitFor()
  expect(new URL(page.url()).search).toBe('?bin=B-12')
  await page.getByLabel('Bin').fill('b')
  await page.getByRole('row', { name: /HOOK-BLUE/ }).waitFor()
  await page.getByRole('link', { name: 'CLIP-RED' }).waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Print the bin label' }).click()
  await page.getByText('B-12').first().waitFor()
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)(
  'what is missing for what was ordered is on the list of what must be bought',
  limits,
  async () => {
    const { page, url, ask, faults } = dashboard
    await ask('POST', '/orders', { items: [{ product_sku_id: kit.id, quantity: 5, unit_price: 100 }] })
    // The planner gathers changes before it plans what they concern.
    await expect
      .poll(async () =>
        (await ask<{ items: { name: string }[] }>('GET', '/materials/forecast')).items.map(({ name }) => name),
      )
      .toContain('Screw')
    await page.goto(`${url}/materials`)
    await page.getByRole('tab', { name: 'Forecast' }).click()
    await page.getByRole('table', { name: 'To buy' }).getByRole('row', { name: /Screw/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?tab=forecast')
    const csv = await page.getByRole('link', { name: 'To buy, as CSV' }).getAttribute('href')
    const sheet = await page.context().request.get(`${url}${csv}`)
    expect([sheet.status(), await sheet.text()]).toEqual([200, expect.stringContaining('Screw')])
    await page.setViewportSize(narrowPhone)
    expect(await findLayoutFaults(page)).toEqual([])
    await page.setViewportSize(desktop)
    expect(faults).toEqual([])
  },
)
