import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { fillFarm } from './test/busy-farm.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 240_000 }

interface Promised {
  is_ready: boolean
  ready_p50_at: string | null
  promised_at: string | null
}

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  const { jobId } = await fillFarm(dashboard)
  await dashboard.ask('POST', `/jobs/${jobId}/stop`)
}, 300_000)
afterAll(() => dashboard?.end(), 60_000)

/** What is promised of an order, once it is. */
const promiseOf = (orderId: string): Promise<Promised | null> =>
  eventually(
    'a promise',
    async () => (await dashboard.ask<{ promise: Promised | null }>('GET', `/orders/${orderId}/details`)).promise,
    (promise) => promise !== null && (promise.is_ready || promise.ready_p50_at !== null),
    60_000,
  )

async function addOrder(sku: string, fields: object): Promise<string> {
  const body = { items: [{ sku, quantity: 1, unit_price: 900 }], ...fields }
  return (await dashboard.ask<{ id: string }>('POST', '/orders', body)).id
}

test.runIf(hasBrowser)(
  'an order that will be ready too late says so in the list, on its page and on the overview',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    // More than lies there, within the minute.
    const orderId = await addOrder('HOOK-GREEN', {
      order_number: 'RUSH-1',
      ship_by: new Date(Date.now() + 120_000).toISOString(),
      items: [{ sku: 'HOOK-GREEN', quantity: 40, unit_price: 900 }],
    })
    expect(await promiseOf(orderId)).toMatchObject({ is_ready: false, ready_p50_at: expect.any(String) })
    await page.goto(`${url}/orders?due=risk`)
    const row = page.getByRole('row', { name: /RUSH-1/ })
    await row.getByText('At risk').waitFor()
    await row.getByRole('link', { name: 'RUSH-1' }).click()
    await page.getByRole('heading', { level: 1, name: 'Order RUSH-1' }).waitFor()
    await page
      .getByText(/^Ready by .* in half of all cases/)
      .first()
      .waitFor()
    await page
      .getByText(/printed by/)
      .first()
      .waitFor()
    await page.goto(url)
    await page.getByRole('link', { name: /Order RUSH-1/ }).waitFor()
    for (const path of [`/orders/${orderId}`, '/orders', '/']) {
      await page.setViewportSize(phone)
      await page.goto(`${url}${path}`)
      await page
        .getByText(/RUSH-1/)
        .first()
        .waitFor()
      expect(await findLayoutFaults(page), path).toEqual([])
    }
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('reports tell what came of plates and of promises, also as CSV', limits, async () => {
  const { page, url, faults, ask } = dashboard
  await ask('PATCH', '/orders/settings', { working_days: [1, 2, 3, 4, 5, 6, 7] })
  const product = await ask<{ id: string }>('POST', '/products', { name: 'Cable tie' })
  await ask('POST', '/skus', { product_id: product.id, sku: 'TIE-RED', color: 'Red', filament_type: 'PLA' })
  const items = await ask<{ id: string; sku: string }[]>('GET', '/inventory?limit=100')
  const item = items.find(({ sku }) => sku === 'TIE-RED')
  await ask('POST', `/inventory/${item?.id}/adjust`, { adjustment: 1, reason: 'inventory_count' })
  const orderId = await addOrder('TIE-RED', { order_number: 'SOON-1', platform: 'etsy' })
  const promise = await promiseOf(orderId)
  expect(promise).toMatchObject({ is_ready: true, promised_at: expect.any(String) })
  await ask('POST', `/orders/${orderId}/fulfill`)

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${url}/reports?report=promises`)
  const platforms = page.getByRole('table', { name: 'By platform' })
  await platforms.getByRole('row', { name: /Etsy 1 1 0 100%/ }).waitFor()
  const csv = await page.getByRole('link', { name: 'By week, as CSV' }).getAttribute('href')
  const rows = await page.context().request.get(`${url}${csv}`)
  expect([rows.status(), await rows.text()]).toEqual([200, expect.stringMatching(/^\uFEFF?week,orders,within,late/)])

  await page.getByRole('tab', { name: 'Yield' }).click()
  await page
    .getByRole('table', { name: 'Causes of lost units' })
    .getByRole('row', { name: /Stopped by a person/ })
    .waitFor()
  await page
    .getByRole('table', { name: 'By printer' })
    .getByRole('row', { name: /North 1/ })
    .waitFor()
  await page.getByRole('img', { name: /Units lost by reason/ }).waitFor()
  // A table whose cells are filled: what is drawn is said in figures.
  await page.getByRole('tab', { name: 'Idle time' }).click()
  const hours = page.getByRole('region', { name: 'Printing by hour of the day, table' })
  const ofPrinter = hours.getByRole('row', { name: /^North 1 / }).getByRole('cell')
  await expect.poll(() => ofPrinter.count()).toBe(24)
  const inFigures = async () => {
    await page.goto(`${url}/reports?report=idle`)
    await ofPrinter.last().waitFor()
    return (await ofPrinter.allTextContents()).filter((share) => /^\d+$/.test(share)).length
  }
  // Times are told in whole minutes: of a printer that is known for less than half of one, nothing is.
  await expect.poll(inFigures, { timeout: 60_000, interval: 3_000 }).toBeGreaterThan(0)
  for (const report of ['yield', 'promises', 'idle']) {
    await page.setViewportSize(phone)
    await page.goto(`${url}/reports?report=${report}`)
    await page
      .getByRole('heading', { name: report === 'idle' ? 'Printing by hour of the day' : 'In all', exact: true })
      .waitFor()
    expect(await findLayoutFaults(page), report).toEqual([])
  }
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('revenue is told by currency, and never sums two', limits, async () => {
  const { page, url, faults } = dashboard
  await addOrder('HOOK-GREEN', { order_number: 'YEN-1', platform: 'etsy', currency: 'JPY', total_revenue: 500 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${url}/reports?report=revenue`)
  await page.getByRole('combobox', { name: 'Currency' }).click()
  await page.getByRole('option', { name: 'JPY: 1 order' }).click()
  await page.waitForURL(/currency=JPY/)
  await page.getByText('¥500').first().waitFor()
  const csv = await page.getByRole('link', { name: 'By platform, as CSV' }).getAttribute('href')
  expect(csv).toContain('currency=JPY')
  await page.setViewportSize(phone)
  // A chart is drawn again once it has seen that it has less room.
  await expect.poll(() => findLayoutFaults(page)).toEqual([])
  expect(faults).toEqual([])
})
