import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSetUpCode } from '../test/read-set-up-code.ts'
import { hasBrowser, owner, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  if (hasBrowser) dashboard = await startDashboard()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'the first person sets the farm up and sees its overview, and signs out and in again to where they were',
  { timeout: 180_000 },
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/queue`)
    await page.getByRole('heading', { name: 'Set up your farm' }).waitFor()
    await page.getByLabel('Set-up code').waitFor()
    // The address that the service prints brings the code.
    await page.goto(`${url}/?setup=${await readSetUpCode(dashboard.dataDir)}`)
    await page.getByLabel('Name of the farm').waitFor()
    expect(await page.getByLabel('Set-up code').count()).toBe(0)
    await page.getByLabel('Name of the farm').fill('Hillside Prints')
    await page.getByLabel('Your name').fill(owner.name)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await page.title()).toBe('Overview · Printyard')
    await page.getByText('Hillside Prints').first().waitFor()

    await page.getByRole('button', { name: /Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${url}/hubs`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Hubs' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/hubs')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'when the session ends under an open page, the password brings it back without leaving it',
  { timeout: 180_000 },
  async () => {
    const { page, context, faults } = dashboard
    await context.clearCookies()
    await page.getByRole('link', { name: 'Files' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('No file yet').waitFor()
    expect(new URL(page.url()).pathname).toBe('/files')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a session that ends before the dialog for it is fetched is asked for when it is there',
  { timeout: 180_000 },
  async () => {
    const { page, url, context, faults } = dashboard
    const dialogs = '**/assets/session-dialogs-*.js'
    const held = Promise.withResolvers<void>()
    await page.route(dialogs, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${url}/hubs`)
    await page.getByRole('heading', { level: 1, name: 'Hubs' }).waitFor()
    await context.clearCookies()
    const refused = page.waitForResponse((response) => response.status() === 401)
    await page.getByRole('link', { name: 'Files' }).first().click()
    await (await refused).finished()
    held.resolve()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('No file yet').waitFor()
    await page.unroute(dialogs)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'printers of a hub stand in the list with their state in words',
  { timeout: 180_000 },
  async () => {
    const { page, url, faults } = dashboard
    await dashboard.addPrinters(2)
    await page.goto(`${url}/printers`)
    await page.getByRole('link', { name: /Bench 1.*Idle/ }).waitFor()
    await page.getByRole('link', { name: /Bench 2.*Idle/ }).waitFor()
    expect(faults).toEqual([])
  },
)
