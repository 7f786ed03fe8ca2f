import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLayoutFaults } from './test/layout-faults.ts'
import { desktop, hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 180_000 }

let dashboard: TestDashboard
let skuId = ''
let orderId = ''
let screwId = ''
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  const { ask, url } = dashboard
  const product = await ask<{ id: string }>('POST', '/products', { name: 'Shelf bracket' })
  const sku = { product_id: product.id, sku: 'BRACKET', color: 'Orange', filament_type: 'PLA' }
  skuId = (await ask<{ id: string }>('POST', '/skus', sku)).id
  const place = await ask<{ upload_url: string; token: string }>('POST', '/files/upload-url', {
    filename: 'bracket.gcode',
  })
  await fetch(new URL(place.upload_url, url), { method: 'PUT', body: await readFile(slicedFile) })
  const { id: fileId } = await ask<{ id: string }>('POST', '/files', { upload_token: place.token })
  await ask('POST', '/recipes', { product_sku_id: skuId, print_file_id: fileId, units_per_plate: 2 })
  const screw = { type: 'screw', name: 'Screw M4', remaining_units: 100 }
  screwId = (await ask<{ id: string }>('POST', '/materials/components', screw)).id
  await ask('PUT', `/skus/${skuId}/bom`, { inventory: [{ inventory_item_id: screwId, quantity_required: 4 }] })
  await ask('PATCH', '/orders/settings', { currency: 'EUR' })
  const items = [{ sku: 'BRACKET', quantity: 2, unit_price: 1290 }]
  orderId = (await ask<{ id: string }>('POST', '/orders', { order_number: 'C-1', items })).id
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'what is missing leads to where it is entered, until the whole cost is known',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/skus/${skuId}`)
    const card = page.getByRole('region', { name: 'Cost of a unit' })
    await card.getByText('Not known').waitFor()
    expect(await card.getByRole('row', { name: /^Total/ }).innerText()).toMatch(/unknown\s+unknown/)
    await card.getByRole('link', { name: /^Price of a machine hour/ }).click()

    await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor()
    await page.getByLabel('Machine hour, in EUR').fill('0,60')
    await page.getByLabel('Watts of a printer').fill('120')
    await page.getByLabel('Kilowatt hour, in EUR').fill('0.32')
    await page.getByLabel('Hour of a person, in EUR').fill('24')
    await page.getByLabel('Minutes for a plate').fill('2')
    await page.getByLabel('Minutes for an order').fill('5')
    await page.getByRole('button', { name: 'Add a filament type' }).click()
    await page.getByLabel('Type', { exact: true }).fill('PLA')
    await page.getByLabel('Kilogram, in EUR').fill('much')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write an amount such as 0.32').waitFor()
    await page.getByLabel('Kilogram, in EUR').fill('22')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The prices are saved').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Machine hour, in EUR').inputValue()).toBe('0.6')
    expect(await faultsOfBoth(page)).toEqual([])

    await page.goto(`${url}/skus/${skuId}`)
    await card.getByRole('row', { name: /^Total at least €/ }).waitFor()
    // The screws are all that is missing of the plan.
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual([
      'Price of Screw M4',
      'Usage of prints of BRACKET: none has ended with good units',
    ])
    await card.getByRole('link', { name: 'Price of Screw M4' }).click()
    await page.getByRole('heading', { level: 1, name: 'Screw M4' }).waitFor()
    await page.getByLabel('Price of a piece, in EUR').fill('0.04')
    await page.getByRole('button', { name: 'Save the price' }).click()
    await page.getByText('The price is saved').waitFor()
    await page.goto(`${url}/skus/${skuId}`)
    await card.getByRole('row', { name: /^Total €/ }).waitFor()
    expect(await card.getByRole('row', { name: /^Components/ }).innerText()).toMatch(/€0\.16\s+€0\.16/)
    expect(await faultsOfBoth(page)).toEqual([])
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'an order and the report show what is earned, and who is an operator sees none of it',
  limits,
  async () => {
    const { page, url, faults, ask } = dashboard
    const { estimate } = await ask<{ estimate: { margin_percent: string } }>('GET', `/costs/orders/${orderId}`)
    await page.goto(`${url}/orders/${orderId}`)
    const card = page.getByRole('region', { name: 'Cost and margin' })
    await card.getByText(`${estimate.margin_percent} %`).waitFor()
    await card.getByText('€25.80').waitFor()
    expect(await faultsOfBoth(page)).toEqual([])

    await page.goto(`${url}/reports`)
    await page.getByRole('tab', { name: 'Margin' }).click()
    const rows = page.getByRole('table', { name: 'Margin by order' })
    await rows.getByRole('row', { name: new RegExp(`^C-1 .*${estimate.margin_percent} %`) }).waitFor()
    await page.getByRole('img', { name: /^Margin by day/ }).waitFor()
    const csv = await page.getByRole('link', { name: 'Margin by order, as CSV' }).getAttribute('href')
    const text = await (await page.context().request.get(`${url}${csv}`)).text()
    expect(text).toContain(`,${estimate.margin_percent},`)
    expect(await faultsOfBoth(page)).toEqual([])

    const jobId = (await ask<{ id: string }>('POST', '/jobs', { product_sku_id: skuId, number_of_units: 4 })).id
    await page.goto(`${url}/jobs/${jobId}`)
    const job = page.getByRole('table', { name: 'Cost of the job' })
    await job.getByRole('row', { name: /^Total € ?\d/ }).waitFor()
    expect(await faultsOfBoth(page)).toEqual([])

    const operator = await dashboard.openAs('operator', { reducedMotion: 'reduce' })
    for (const [path, title] of [
      [`/skus/${skuId}`, 'BRACKET'],
      [`/orders/${orderId}`, 'Order C-1'],
      [`/jobs/${jobId}`, /bracket/i],
      [`/materials/components/${screwId}`, 'Screw M4'],
    ] as const) {
      await operator.page.goto(`${url}${path}`)
      await operator.page.getByRole('heading', { level: 1, name: title }).waitFor()
      expect([path, await operator.page.getByRole('heading', { name: /Cost|Price/ }).count()]).toEqual([path, 0])
    }
    await operator.page.goto(`${url}/reports?report=margin`)
    await operator.page.getByText('Your role does not allow this').waitFor()
    expect(await operator.page.getByRole('tab', { name: 'Margin' }).count()).toBe(0)
    expect([faults, operator.faults]).toEqual([[], []])
  },
)

/** What does not fit on a desktop and on a phone. */
async function faultsOfBoth(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const viewport of [desktop, phone]) {
    await page.setViewportSize(viewport)
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
    for (let tries = 0; tries < 20 && (await findLayoutFaults(page)).length > 0; tries += 1) {
      await page.waitForTimeout(250)
    }
    found.push(...(await findLayoutFaults(page)).map((fault) => `${viewport.width}: ${fault}`))
  }
  await page.setViewportSize(desktop)
  return found
}
