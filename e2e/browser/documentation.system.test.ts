import { sampleOf } from '@printyard/protocol/test/sample'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLayoutFaults } from './test/layout-faults.ts'
import { seriousViolations } from './test/serious-violations.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

/** A page of each kind, as its head and its content are laid out. */
const kindsOfPages = ['/docs', '/docs/cli', '/docs/api/reference/products', '/docs/search?q=backup', '/docs/overview']

let dashboard: TestDashboard
beforeAll(async () => {
  if (hasBrowser) dashboard = await startDashboard()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'the documentation is found, searched and read on a desktop and a phone, light and dark, without signing in',
  { timeout: 240_000 },
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/docs`)
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('restore a backup')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^Restoring · Backups/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#restoring')

    await page.goto(`${url}/docs/api/reference/products#createProduct`)
    const operation = page.locator('section.operation').filter({ has: page.locator('#createProduct') })
    expect(await operation.getByText('urllib.request').isVisible()).toBe(false)
    await operation.getByText('Python', { exact: true }).click()
    await operation.getByText('urllib.request').first().waitFor()

    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      for (const path of sampleOf(kindsOfPages, 3)) {
        await page.goto(`${url}${path}`)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(
            await seriousViolations(page, colorScheme === 'light' ? 'all' : 'colors'),
            `${path} ${size.width} ${colorScheme}`,
          ).toEqual([])
        }
        expect(await findLayoutFaults(page), `${path} ${size.width}`).toEqual([])
      }
    }
    await page.goto(`${url}/docs/overview`)
    await page.getByRole('link', { name: 'Contents', exact: true }).click()
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Backups' }).click()
    await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor()
    await page.getByRole('link', { name: 'Reference' }).click()
    await page.getByRole('link', { name: 'explorer' }).click()
    await page.getByText('List printers by name', { exact: true }).waitFor()
    expect(faults).toEqual([])
  },
)
