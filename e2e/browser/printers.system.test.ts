import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const phone = { width: 390, height: 844 }

let dashboard: TestDashboard
let printerId: string
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ viewport: phone })
  await dashboard.signedIn()
  // Slow enough that a print outlasts the test: pausing something that is over proves nothing.
  const ids = await dashboard.addPrinters(1, { speed: 2 })
  printerId = ids[0] ?? ''
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

/** A page of another person, who has accepted an invitation. */
async function pageOf(role: 'operator' | 'viewer'): Promise<Page> {
  const { url } = await dashboard.ask<{ url: string }>('POST', '/invitations', { email: `${role}@example.com`, role })
  const token = new URL(url).hash.replace(/^#(?:token=)?/, '') || (new URL(url).searchParams.get('token') ?? '')
  const browser = dashboard.context.browser()
  if (!browser) throw new Error('the browser is gone')
  const context = await browser.newContext({ viewport: phone, hasTouch: true })
  context.setDefaultTimeout(60_000)
  const accepted = await context.request.post(`${dashboard.url}/app/v1/invitations/accept`, {
    headers: { origin: dashboard.url },
    data: { token, name: role, password: 'correct horse battery' },
  })
  expect(accepted.ok(), await accepted.text()).toBe(true)
  return context.newPage()
}

async function startPrint(): Promise<void> {
  const { ask, url } = dashboard
  const { token } = await ask<{ token: string }>('POST', '/files/upload-url', { filename: 'bracket.gcode' })
  const put = await fetch(`${url}/public/v1/files/upload/${token}`, { method: 'PUT', body: await readFile(slicedFile) })
  expect(put.status).toBe(200)
  const file = await ask<{ id: string }>('POST', '/files', { upload_token: token })
  const job = await ask<{ id: string }>('POST', '/jobs', { print_file_id: file.id, printer_id: printerId })
  await ask('POST', `/jobs/${job.id}/start`)
}

test.runIf(hasBrowser)('a viewer sees what a printer does and no controls', { timeout: 180_000 }, async () => {
  const page = await pageOf('viewer')
  await page.goto(`${dashboard.url}/printers`)
  await page.getByRole('link', { name: /Bench 1.*Idle/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Bench 1' }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Now' }).waitFor()
  const buttons = await page.locator('main').getByRole('button').allInnerTexts()
  expect(buttons.filter((label) => /pause|stop|clear|heat|filament|light|service|edit|remove/i.test(label))).toEqual([])
  await page.context().close()
})

test.runIf(hasBrowser)(
  'an operator pauses and resumes a print and clears the plate, on a phone',
  { timeout: 300_000 },
  async () => {
    await startPrint()
    const page = await pageOf('operator')
    await page.goto(`${dashboard.url}/printers/${printerId}`)
    const main = page.locator('main')
    const state = (word: string) => main.locator('header .status-badge', { hasText: word }).waitFor()
    await state('Printing')

    await main.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('dialog', { name: /Pause the print on Bench 1/ }).waitFor()
    await page.getByRole('button', { name: 'Pause printing' }).click()
    await state('Paused')
    await main.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Resume printing' }).click()
    await state('Printing')
    expect(await main.getByRole('button', { name: 'Clear plate', exact: true }).count()).toBe(0)

    await main.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('dialog', { name: /Stop the print on Bench 1/ }).waitFor()
    // Why is one tap, and may be left out.
    await page.getByRole('button', { name: 'Did not stick' }).click()
    await page.getByRole('button', { name: 'Stop printing' }).click()
    await state('Idle')
    const { by_type } = await dashboard.ask<{ by_type: object[] }>('GET', '/analytics/failures')
    expect(by_type).toContainEqual({ type: 'adhesion', failure_type: 'adhesion', count: 1 })
    await main.getByRole('button', { name: 'Clear plate', exact: true }).click()
    await page.getByRole('dialog', { name: /Is the plate of Bench 1 empty/ }).waitFor()
    await page.getByRole('button', { name: 'The plate is clear' }).click()
    // What happened tells of a `Plate cleared` from the start.
    await main.getByText('Plate clear', { exact: true }).waitFor()
    const { plate_state } = await dashboard.ask<{ plate_state: string }>('GET', `/printers/${printerId}`)
    expect(plate_state).toBe('clear')

    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0)
    await page.context().close()
  },
)

test.runIf(hasBrowser)(
  'several printers are cleared and held at once, asked for once by name, and each that fails is told of',
  { timeout: 240_000 },
  async () => {
    const { ask, page, url, faults } = dashboard
    const { hub_id } = await ask<{ hub_id: string }>('GET', `/printers/${printerId}`)
    const add = async (name: string) => {
      const printer = { name, model: 'MK4S', hub_id, connection_type: 'virtual', auto_start: true }
      return (await ask<{ id: string }>('POST', '/printers', printer)).id
    }
    const [second, third] = [await add('Bench 2'), await add('Bench 3')]
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${url}/printers?as=table`)
    for (const name of ['Bench 2', 'Bench 3']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    const bar = page.getByRole('group', { name: 'Selected printers' })
    await bar.getByText('2 printers selected').waitFor()
    expect(await bar.getByRole('button', { name: /^Pause/ }).count()).toBe(0)

    const lost = `**/app/v1/printers/${third}/control`
    const error = { code: 'HUB_OFFLINE', message: 'Its hub is away.' }
    await page.route(lost, (route) => route.fulfill({ status: 409, json: { success: false, error } }))
    await bar.getByRole('button', { name: 'Clear plates (2)…' }).click()
    const question = page.getByRole('dialog', { name: 'Are the plates of 2 printers empty?' })
    await question.getByText('Bench 2, Bench 3').waitFor()
    await question.getByRole('button', { name: 'The plates are clear' }).click()
    await page.getByText('1 printer with a clear plate').waitFor()
    await page.getByRole('alert').getByText('Bench 3: Its hub is away.').waitFor()
    const plateOf = async (id: string) => (await ask<{ plate_state: string }>('GET', `/printers/${id}`)).plate_state
    expect([await plateOf(second), await plateOf(third)]).toEqual(['clear', 'unknown'])

    // What failed stays selected with the others.
    await bar.getByRole('button', { name: 'Hold (2)…' }).click()
    await page.getByRole('dialog', { name: 'Hold 2 printers?' }).getByRole('button', { name: 'Hold them' }).click()
    await page.getByText('2 printers held').waitFor()
    await bar.waitFor({ state: 'hidden' })
    const startsOf = async (id: string) => (await ask<{ auto_start: boolean }>('GET', `/printers/${id}`)).auto_start
    expect([await startsOf(second), await startsOf(third)]).toEqual([false, false])
    expect(faults).toEqual([])
  },
)
