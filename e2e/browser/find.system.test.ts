import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FarmIds, fillFarm } from './test/busy-farm.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { seriousViolations } from './test/serious-violations.ts'
import { desktop, hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

const searches = '**/app/v1/search**'
const limits = { timeout: 180_000 }

let dashboard: TestDashboard
let ids: FarmIds
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  ids = await fillFarm(dashboard)
}, 300_000)
afterAll(() => dashboard?.end(), 60_000)

const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Search terms' })
const optionsOf = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).getByRole('option')

/** Resolves when what is shown belongs to what was typed. */
async function look(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text)
  await page
    .getByRole('status')
    .getByText(/^\d+ found$/)
    .waitFor({ state: 'attached' })
  await page.locator('.find-list:not([data-stale])').waitFor()
}

test.runIf(hasBrowser)('Ctrl K finds each kind of thing from any page, and Enter goes there', limits, async () => {
  const { page, url, faults } = dashboard
  await page.goto(`${url}/hubs`)
  await untilShown(page)
  await page.keyboard.press('Control+k')
  await fieldOf(page).waitFor()
  // At first what can be done, and where one can go.
  expect(await optionsOf(page, 'Actions').first().innerText()).toContain('Add printer')
  expect(await optionsOf(page, 'Pages').count()).toBeGreaterThan(20)

  await look(page, 'nor')
  expect(await optionsOf(page, 'Printers').allInnerTexts()).toContainEqual(expect.stringMatching(/^North 1\s+MK4S/))
  await look(page, 'north 1')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'North 1' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/printers/${ids.printerId}`)

  const kinds: [text: string, group: string, title: RegExp, path: RegExp][] = [
    ['shelf', 'Files', /^shelf-bracket/, /^\/files\/fil_/],
    ['shelf', 'Jobs', /shelf-bracket/i, /^\/jobs\/job_/],
    ['2041', 'Orders', /^2041/, new RegExp(`^/orders/${ids.orderId}$`)],
    [ids.jobId ?? '', 'Jobs', /Printing/, new RegExp(`^/jobs/${ids.jobId}$`)],
  ]
  for (const [text, group, title, path] of kinds) {
    await page.keyboard.press('Control+k')
    await look(page, text)
    const option = optionsOf(page, group).filter({ hasText: title }).first()
    await option.click()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(path)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  const products = await dashboard.ask<{ id: string; name: string }[]>('GET', '/products')
  const skus = await dashboard.ask<{ id: string; sku: string }[]>('GET', '/skus')
  const articles = await dashboard.ask<{ id: string; title: string }[]>('GET', '/wiki')
  for (const [text, path] of [
    [products[0]?.name, `/products/${products[0]?.id}`],
    [skus[0]?.sku, `/skus/${skus[0]?.id}`],
    [articles[0]?.title, `/wiki/${articles[0]?.id}`],
    ['owner@example.com', '/settings/members'],
  ] as const) {
    await page.keyboard.press('Control+k')
    // Enter comes before the answer does.
    await fieldOf(page).fill(text ?? '')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname, { timeout: 30_000 }).toBe(path)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)(
  'by the keyboard alone an action is found and done, and a screen reader follows',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/queue`)
    await untilShown(page)
    // In a field too.
    await page.keyboard.press('/')
    await page.keyboard.press('Control+k')
    const field = fieldOf(page)
    await field.waitFor()
    await look(page, 'print')
    const chosen = async () => {
      const id = await field.getAttribute('aria-activedescendant')
      return page.locator(`[id="${id}"][aria-selected="true"]`).innerText()
    }
    expect(await field.getAttribute('aria-expanded')).toBe('true')
    const [first = '', second = ''] = await optionsOf(page, 'Actions and pages').allInnerTexts()
    expect(await chosen()).toBe(first)
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).toBe(second)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen()).toBe(await page.getByRole('option').last().innerText())
    await look(page, 'add pri')
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog', { name: 'Add printers' })
      .or(page.getByRole('dialog', { name: /Add a? ?printer/ }))
      .waitFor()
    // A dialog keeps the page beneath it silent.
    await page.keyboard.press('Control+k')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    const button = page.getByRole('button', { name: 'Find anything' })
    await button.click()
    await field.waitFor()
    await look(page, 'shelf')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'hidden' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).getByRole('row', { name: 'mod+k Find anything' }).waitFor()
    await page.keyboard.press('Escape')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'it says when nothing has the words, that it searches, and what failed; and tries again',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/hubs`)
    await untilShown(page)
    await page.keyboard.press('Control+k')
    await fieldOf(page).fill('qqzzy')
    await page.getByText('No results').waitFor()
    // Closed and opened again, nothing of the search before is left.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    const { promise: isHeld, resolve: go } = Promise.withResolvers<void>()
    await page.route(searches, async (route) => {
      await isHeld
      await route.continue()
    })
    await fieldOf(page).fill('shelf')
    await page.getByText('Searching…').waitFor()
    go()
    await optionsOf(page, 'Files').first().waitFor()
    await page.unroute(searches)

    const error = { code: 'INTERNAL', message: 'It broke' }
    await page.route(searches, (route) => route.fulfill({ status: 500, json: { success: false, error } }))
    await fieldOf(page).fill('bracket')
    const alert = page.getByRole('alert')
    await alert.getByText('The farm could not be searched').waitFor()
    await page.unroute(searches)
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'hidden' })
    await optionsOf(page, 'Files').first().waitFor()
    await page.keyboard.press('Escape')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser).each(['viewer', 'operator', 'admin', 'owner'] as const)(
  'who is %s finds what this role may list and do',
  limits,
  async (role) => {
    const { url } = dashboard
    const { page, context, faults } = role === 'owner' ? dashboard : await dashboard.openAs(role)
    await page.goto(`${url}/hubs`)
    await untilShown(page)
    await page.keyboard.press('Control+k')
    await optionsOf(page, 'Actions').first().waitFor()
    const actions = await optionsOf(page, 'Actions').allInnerTexts()
    const isOf = (name: string) => actions.some((each) => each.trim() === name)
    expect([isOf('Scan a label'), isOf('Add printer'), isOf('Invite a person')]).toEqual([
      true,
      role !== 'viewer',
      role === 'admin' || role === 'owner',
    ])
    const isRunner = role === 'admin' || role === 'owner'
    expect((await optionsOf(page, 'Pages').filter({ hasText: 'Audit log' }).count()) > 0).toBe(isRunner)
    await fieldOf(page).fill('owner@example.com')
    if (isRunner) await optionsOf(page, 'People').first().waitFor()
    else await page.getByText('No results').waitFor()
    await page.keyboard.press('Escape')
    expect(faults).toEqual([])
    if (role !== 'owner') await context.close()
  },
)

test.runIf(hasBrowser).each(['light', 'dark'] as const)(
  'on a narrow phone a button in the head opens it: %s',
  limits,
  async (colorScheme) => {
    const { page, url, faults } = dashboard
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto(`${url}/queue`)
    for (const size of [{ width: 360, height: 740 }, desktop]) {
      await page.setViewportSize(size)
      await untilShown(page)
      expect(await findLayoutFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Find anything' }).click()
      await fieldOf(page).waitFor()
      await look(page, 'br')
      expect(await findLayoutFaults(page)).toEqual([])
      expect(await seriousViolations(page, colorScheme === 'light' ? 'all' : 'colors')).toEqual([])
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
    expect(faults).toEqual([])
  },
)
