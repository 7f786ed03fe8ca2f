import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const isLost = /connection to the service is lost|no network|service is starting/

let dashboard: TestDashboard
let hubId: string
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({}, { hasOwnPostgres: true })
  await dashboard.signedIn()
  const [printerId] = await dashboard.addPrinters(2)
  hubId = (await dashboard.ask<{ hub_id: string }>('GET', `/printers/${printerId}`)).hub_id
}, 240_000)
afterEach(() => dashboard?.context.setOffline(false))
afterAll(() => dashboard?.end(), 60_000)

/** Opens the printers and answers what tells whether this very page was ever loaded again. */
async function openPrinters(): Promise<() => Promise<boolean>> {
  const { page, url } = dashboard
  await page.goto(`${url}/printers`)
  await untilPageIsTrue()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  return () => page.evaluate(() => 'isSamePage' in window)
}

/** The page names each printer that the service has, once, and no other. */
async function untilPageIsTrue(): Promise<void> {
  const { page, ask } = dashboard
  const names = (await ask<{ name: string }[]>('GET', '/printers')).map(({ name }) => name).sort()
  const cards = page.getByRole('list', { name: 'Printers' }).getByRole('listitem')
  const shown = async () => (await cards.allInnerTexts()).map((text) => /Bench [\w-]+/.exec(text)?.[0]).sort()
  await expect.poll(shown, { timeout: 90_000 }).toEqual(names)
}

async function addPrinter(name: string): Promise<string> {
  const printer = { name, model: 'MK4S', hub_id: hubId, connection_type: 'virtual' }
  return (await dashboard.ask<{ id: string }>('POST', '/printers', printer)).id
}

test.runIf(hasBrowser)(
  'a page that loses its network says so, and shows all that happened meanwhile once it is back, without being loaded again',
  { timeout: 240_000 },
  async () => {
    const { page, context, ask, faults } = dashboard
    const isSame = await openPrinters()
    await context.setOffline(true)
    await page.getByText(isLost).waitFor()
    const id = await addPrinter('Bench away')
    await ask('DELETE', `/printers/${await addPrinter('Bench gone')}`)
    await context.setOffline(false)
    await untilPageIsTrue()
    await page.getByText(isLost).waitFor({ state: 'hidden' })
    await ask('DELETE', `/printers/${id}`)
    await untilPageIsTrue()
    expect(await isSame()).toBe(true)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'on a network that comes and goes nothing is shown twice and nothing is lost',
  { timeout: 240_000 },
  async () => {
    const { page, context, faults } = dashboard
    const isSame = await openPrinters()
    for (let round = 1; round <= 5; round += 1) {
      await context.setOffline(true)
      await addPrinter(`Bench dark-${round}`)
      await context.setOffline(false)
      await addPrinter(`Bench lit-${round}`)
    }
    await untilPageIsTrue()
    await page.getByText(isLost).waitFor({ state: 'hidden' })
    expect(await isSame()).toBe(true)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('on a slow network pages arrive and stay live', { timeout: 240_000 }, async () => {
  const { page, context, url, faults } = dashboard
  const wire = await context.newCDPSession(page)
  await wire.send('Network.enable')
  const slow = { offline: false, latency: 800, downloadThroughput: 40_000, uploadThroughput: 10_000 }
  await wire.send('Network.emulateNetworkConditions', slow)
  await page.goto(`${url}/files`)
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
  const isSame = await openPrinters()
  await addPrinter('Bench slow')
  await untilPageIsTrue()
  await page.getByRole('link', { name: 'Queue' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
  expect(await isSame()).toBe(true)
  await wire.detach()
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)(
  'when the service is killed and comes back, the open page says so, goes on, and what is done then is done once',
  { timeout: 240_000 },
  async () => {
    const { page, faults } = dashboard
    const isSame = await openPrinters()
    await dashboard.killService()
    await page.getByText(isLost).waitFor()
    await dashboard.startService()
    await page.getByText(isLost).waitFor({ state: 'hidden' })
    await addPrinter('Bench after')
    await untilPageIsTrue()
    // The hub is back, too, and with it what its printers say.
    await page.getByText('Idle').first().waitFor()
    expect(await isSame()).toBe(true)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'after an update of the service, a page whose script is gone says so and comes when it is reloaded',
  { timeout: 240_000 },
  async () => {
    const { page, context } = dashboard
    const isSame = await openPrinters()
    const script = '**/assets/history-page-*.js'
    await page.route(script, (route) => route.fulfill({ status: 404, body: 'gone' }))
    await page.getByRole('link', { name: 'History' }).first().click()
    await page.getByRole('heading', { name: 'Printyard was updated' }).waitFor()
    // Nothing was reloaded unasked.
    expect(await isSame()).toBe(true)

    // Without a service a reload would lead nowhere.
    await page.unroute(script)
    await context.setOffline(true)
    const reload = page.getByRole('button', { name: 'Reload' })
    await reload.click()
    await page.getByRole('heading', { name: 'The service does not answer' }).waitFor()
    expect(await isSame()).toBe(true)
    await context.setOffline(false)
    await reload.click()
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    expect(await isSame()).toBe(false)
  },
)
