import { sampleOf } from '@printyard/protocol/test/sample'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FarmIds, fillFarm } from './test/busy-farm.ts'
import { addressOf, everyPage } from './test/every-page.ts'
import { goTo } from './test/go-to.ts'
import { findNamesWithoutLink, readThingNames, type ThingNames } from './test/names-without-link.ts'
import { desktop, hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

const limits = { timeout: 240_000 }

/** Pages on which a name is no way: no one presses on a wall display, labels are paper, and the card of a task opens all about it. */
const withoutWays = ['/printers/wall', '/labels', '/worklist']

const pagesWithWays = everyPage.filter(({ path, isForVisitors }) => !isForVisitors && !withoutWays.includes(path))

let dashboard: TestDashboard
let ids: FarmIds
let names: ThingNames
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  ids = await fillFarm(dashboard)
  names = await readThingNames(dashboard)
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'wherever a printer, a SKU, an order or a product is named, its page is one press away',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.setViewportSize(desktop)
    const found: string[] = []
    for (const { path } of sampleOf(pagesWithWays, 3)) {
      await goTo(page, new URL(addressOf(path, ids), url))
      await untilShown(page)
      for (const name of await findNamesWithoutLink(page, names)) found.push(`${path}: ${name}`)
    }
    expect(found).toEqual([])
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('a line of a plan, of costs and of what a job yields leads to its SKU', limits, async () => {
  const { page, url, ask } = dashboard
  const order = await ask<{ items: { product_sku_id: string | null }[] }>('GET', `/orders/${ids.orderId}`)
  const skuIds = order.items.flatMap(({ product_sku_id }) => product_sku_id || [])
  await page.goto(`${url}/orders/${ids.orderId}`)
  const ways = async (region: string) => {
    const links = page.getByRole('region', { name: region, exact: true }).locator('a[href^="/skus/"]')
    await links.first().waitFor()
    return links.evaluateAll((all) => [...new Set(all.map((each) => each.getAttribute('href')))])
  }
  expect(await ways('Plan')).toEqual(skuIds.map((id) => `/skus/${id}`))
  expect(await ways('Cost and margin')).toEqual(skuIds.map((id) => `/skus/${id}`))

  const [sku] = await ask<{ id: string }[]>('GET', '/skus?search=HOOK-GREEN')
  const { id: jobId } = await ask<{ id: string }>('POST', '/jobs', { product_sku_id: sku?.id, number_of_units: 1 })
  await page.goto(`${url}/jobs/${jobId}`)
  expect(await ways('Output')).toEqual([`/skus/${sku?.id}`])
})

test.runIf(hasBrowser)('what is looked at stands in the address, also in a panel of a page', limits, async () => {
  const { page, url, faults } = dashboard
  const stays = async (address: string, search: string) => {
    await expect.poll(() => new URL(page.url()).search, { message: address }).toBe(search)
    await page.reload()
    await untilShown(page)
  }
  await page.goto(`${url}/printers/${ids.printerId}`)
  await page.getByRole('button', { name: 'The day before' }).click()
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?day=\d{4}-\d{2}-\d{2}$/)
  await stays('the day of a printer', new URL(page.url()).search)
  expect(await page.getByRole('button', { name: 'The day after' }).isEnabled()).toBe(true)
  await page.getByRole('button', { name: 'The day after' }).click()
  await stays('today', '')

  await page.goto(`${url}/settings/notifications`)
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Failed', { exact: true }).click()
  await stays('what was not sent', '?sent=failed')
  await page.getByRole('radio', { name: 'Failed', checked: true }).waitFor({ state: 'attached' })

  await page.goto(`${url}/settings/automation`)
  await page.getByRole('radiogroup', { name: 'Outcome' }).locator('label').nth(1).click()
  await stays('what rules did', '?outcome=ran')

  await page.goto(`${url}/labels`)
  await page.getByText('Stock', { exact: true }).last().click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('HOOK')
  await stays('what is looked through for labels', '?kind=bin&search=HOOK')
  await page.getByRole('checkbox', { name: /^HOOK-GREEN/ }).waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(1)
  expect(faults).toEqual([])
})
