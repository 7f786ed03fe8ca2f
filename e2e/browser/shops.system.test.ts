import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousViolations } from './test/serious-violations.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 120_000 }

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard()
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'a shop is connected, says why it cannot be read, is paused and disconnected; its keys are shown nowhere',
  limits,
  async () => {
    const { page, url } = dashboard
    await page.goto(`${url}/settings/shops`)
    await page.getByText('No shop yet').waitFor()
    await page.getByRole('button', { name: 'Connect a shop' }).click()
    const connecting = page.getByRole('dialog', { name: 'Connect a shop' })
    await connecting.getByRole('textbox', { name: 'Name', exact: true }).fill('Our shop')
    // Nothing leaves the machine: names below .invalid exist nowhere.
    await connecting.getByLabel('Address of the shop').fill('https://shop.invalid')
    await connecting.getByLabel('Consumer key').fill('ck_very_secret')
    await connecting.getByLabel('Consumer secret').fill('cs_very_secret')
    await connecting.getByRole('button', { name: 'Connect the shop' }).click()
    await connecting.getByText(/\/shop-hooks\/sho_/).waitFor()
    expect(await seriousViolations(page)).toEqual([])
    await connecting.getByRole('button', { name: 'Done' }).click()

    const row = page.getByRole('row', { name: /Our shop .*WooCommerce, shop\.invalid/ })
    await row.getByText('Down').waitFor({ timeout: 60_000 })
    await row.getByText(/since .*: .*shop\.invalid/).waitFor()
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'More about the shop Our shop' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Test the connection')
    await page.getByText(/Our shop refuses the connection/).waitFor()
    await choose('Pause')
    await row.getByText('Paused').waitFor()
    expect(await page.content()).not.toContain('very_secret')

    await page.setViewportSize({ width: 360, height: 760 })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(overflow).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1280, height: 800 })

    await choose('Disconnect…')
    await page.getByRole('button', { name: 'Disconnect the shop' }).click()
    await page.getByText('No shop yet').waitFor()
  },
)

test.runIf(hasBrowser)(
  'the signing secret of an Etsy shop is entered later, and what is left empty stays as it is',
  limits,
  async () => {
    const { page, url, ask, faults } = dashboard
    const keys = { keystring: 'a_keystring_of_etsy', shared_secret: 'a_shared_secret' }
    await ask('POST', '/shops', { platform: 'etsy', name: 'Etsy shop', url: 'https://openapi.etsy.com', ...keys })
    await page.goto(`${url}/settings/shops`)
    const row = page.getByRole('row', { name: /Etsy shop/ })
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON())
    })
    await row.getByRole('button', { name: 'More about the shop Etsy shop' }).click()
    await page.getByRole('menuitem', { name: 'Change…' }).click()
    const change = page.getByRole('dialog', { name: 'Change Etsy shop' })
    await change.getByText(/\/shop-hooks\/sho_/).waitFor()
    const secret = change.getByLabel('Signing secret of the webhooks')
    expect(await secret.getAttribute('placeholder')).toBe('Stays as it is')
    await secret.fill('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')
    expect(await seriousViolations(page)).toEqual([])
    await change.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The shop is changed').waitFor()
    expect(sent).toEqual([expect.objectContaining({ signing_secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' })])
    expect(sent).not.toEqual([expect.objectContaining({ keystring: expect.anything() })])
    expect(await page.content()).not.toContain('whsec_')
    expect(faults).toEqual([])
  },
)
