import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousViolations } from './test/serious-violations.ts'
import { desktop, hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 120_000 }

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard()
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

interface Shifts {
  told: string
  members: { name: string; shifts: { day: number; from: string; to: string }[]; switched_on: boolean | null }[]
}
const shifts = () => dashboard.ask<Shifts>('GET', '/shifts')

test.runIf(hasBrowser)('a week of nights is entered by the keyboard alone, and the page shows it', limits, async () => {
  const { page, url, faults } = dashboard
  await page.setViewportSize(desktop)
  await page.goto(`${url}/settings/shifts`)
  await page
    .getByText('No one has shifts: all members who may act are notified when something needs a person.')
    .waitFor()
  await page.getByRole('button', { name: 'Change the shifts of Owner' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Shifts of Owner' })
  await dialog.getByRole('checkbox', { name: 'Fri' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByRole('checkbox', { name: 'Sat' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByLabel('From').fill('22:00')
  await dialog.getByLabel('Until').fill('06:00')
  expect(await seriousViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('The shifts of Owner are saved').waitFor()
  expect((await shifts()).members[0]?.shifts).toEqual([
    { day: 5, from: '22:00', to: '06:00' },
    { day: 6, from: '22:00', to: '06:00' },
  ])
  const row = page.getByRole('row', { name: /^Owner / })
  expect(await row.getByText('22:00–06:00').count()).toBe(2)
  expect(await page.getByRole('columnheader', { name: 'Sun' }).count()).toBe(1)

  await row.getByRole('button').click()
  await dialog.getByRole('button', { name: 'Add times' }).click()
  const second = dialog.getByRole('group', { name: 'Times 2' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await second.getByText('Choose at least one day').waitFor()
  await dialog.getByRole('button', { name: 'Remove times 2' }).click()
  await dialog.getByRole('button', { name: 'Remove times 1' }).click()
  await dialog.getByText('Owner has no shifts.').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText('No one has shifts: all members who may act are notified when something needs a person.')
    .waitFor()
  expect((await shifts()).members[0]?.shifts).toEqual([])
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('on a phone, who comes switches on at the worklist and off again', limits, async () => {
  const { page, url, faults } = dashboard
  await page.setViewportSize(phone)
  await page.goto(`${url}/worklist`)
  const bar = page.getByRole('region', { name: 'On shift' })
  await bar.getByRole('button', { name: 'I am on shift' }).click()
  await page.getByRole('menuitem', { name: 'For 8 hours' }).click()
  await bar.getByText(/^On shift: Owner until /).waitFor()
  expect(await shifts()).toMatchObject({ told: 'on_shift', members: [{ switched_on: true }] })
  expect((await bar.getByRole('button').boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  expect(await seriousViolations(page)).toEqual([])
  // The page of shifts says the same, and fits.
  await page.goto(`${url}/settings/shifts`)
  await page.getByText(/^On shift until /).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  expect(await seriousViolations(page)).toEqual([])
  await page.goto(`${url}/worklist`)
  await bar.getByRole('button', { name: 'I am not on shift any more' }).click()
  await bar.getByRole('button', { name: 'I am on shift' }).waitFor()
  expect(await shifts()).toMatchObject({ told: 'no_shifts', members: [{ switched_on: null }] })
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)('a colleague changes their own week alone, and a viewer none', limits, async () => {
  const operator = await dashboard.openAs('operator', { viewport: phone })
  await operator.page.goto(`${dashboard.url}/settings/shifts`)
  await operator.page.getByRole('table', { name: 'Shifts of each week' }).waitFor()
  expect(await operator.page.getByRole('button', { name: /^Change the shifts of / }).count()).toBe(1)
  const viewer = await dashboard.openAs('viewer')
  await viewer.page.goto(`${dashboard.url}/settings/shifts`)
  await viewer.page.getByRole('table', { name: 'Shifts of each week' }).waitFor()
  expect(await viewer.page.getByRole('button', { name: /^(Change the shifts of |I am on shift)/ }).count()).toBe(0)
})
