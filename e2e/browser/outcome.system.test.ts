import { slicedFileName as fileName, slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiClient, type FarmProcess, printyard, startHubProcess } from '../test/farm-processes.ts'
import { readSetUpCode } from '../test/read-set-up-code.ts'
import { hasBrowser, owner, phone, startDashboard, type TestDashboard, type Visitor } from './test/test-dashboard.ts'

let dashboard: TestDashboard
let hub: FarmProcess | undefined
beforeAll(async () => {
  if (hasBrowser) dashboard = await startDashboard({ reducedMotion: 'no-preference' })
}, 180_000)
afterAll(async () => {
  await hub?.stop()
  await dashboard?.end()
}, 60_000)

test.runIf(hasBrowser)(
  'from an empty service to a farm that prints: hub, printers, file, job, plate, key and colleague, all in the dashboard',
  { timeout: 420_000 },
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(url)
    await setUp(page)
    await addHub(page)
    for (const name of ['Bench 1', 'Bench 2']) await addVirtualPrinter(page, name)
    await queueFile(page)

    // The page of the printer stays open from here on: what it shows, it was told.
    await page.goto(`${url}/printers`)
    await page.getByRole('link', { name: /Bench 1/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Bench 1' }).waitFor()
    const inHand = await signInOnPhone()
    await chooseInDialog(inHand.page)
    // The printer was added as one that starts jobs by itself: nothing but its plate is in the way.
    await clearPlate(inHand.page, 'Bench 1')
    await page.locator('main header .status-badge').getByText('Printing').waitFor()
    await page
      .getByText(/ left$/)
      .first()
      .waitFor()
    await page.locator('main').getByRole('button', { name: 'Clear plate', exact: true }).waitFor()
    await clearPlate(inHand.page, 'Bench 1')
    await page.getByText('Plate clear', { exact: true }).waitFor()
    expect(await plateOf('Bench 1')).toBe('clear')
    expect(inHand.faults).toEqual([])
    await inHand.context.close()
    await page.goto(`${url}/history`)
    await page.getByRole('link', { name: fileName }).first().waitFor()
    await page.getByText('Completed').first().waitFor()

    await useApiKey(await makeApiKey(page))
    await colleagueJoins(await inviteColleague(page))
    expect(faults).toEqual([])
  },
)

async function setUp(page: Page): Promise<void> {
  await page.getByLabel('Set-up code').fill(await readSetUpCode(dashboard.dataDir))
  await page.getByLabel('Name of the farm').fill('Hillside Prints')
  await page.getByLabel('Your name').fill(owner.name)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** The code of the dialog is typed into the hub program, which then runs; the dialog follows both. */
async function addHub(page: Page): Promise<void> {
  await page.goto(`${dashboard.url}/hubs`)
  await page.getByRole('button', { name: 'Add a hub' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a hub' })
  await dialog.getByLabel('Name').fill('Workshop')
  await dialog.getByRole('button', { name: 'Make a join code' }).click()
  const command = await dialog.getByText(/hub join http/).innerText()
  const [, address = '', code = ''] = /hub join (\S+) (\S+)/.exec(command) ?? []
  const hubDir = `${dashboard.dataDir}-hub`
  await printyard(dashboard.dataDir, 'hub', 'join', address, code, '--data-dir', hubDir)
  await dialog.getByText('Joined. Start it now').waitFor()
  hub = startHubProcess({ url: address, dataDir: hubDir, speed: 60 })
  await dialog.getByText('Workshop has joined').waitFor()
  await dialog.getByRole('link', { name: 'Open the hub' }).click()
  await page.getByRole('heading', { level: 1, name: 'Workshop' }).waitFor()
}

async function addVirtualPrinter(page: Page, name: string): Promise<void> {
  await page.goto(`${dashboard.url}/printers`)
  await page.getByRole('button', { name: 'Add printer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a printer' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Model').fill('MK4S')
  await dialog.getByLabel('Name').focus()
  await choose(page, 'Connection', 'Virtual')
  await dialog.getByRole('button', { name: 'Add printer' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: new RegExp(`^${option}`) }).click()
}

async function queueFile(page: Page): Promise<void> {
  await page.goto(`${dashboard.url}/files`)
  await page.locator('input[type=file]').setInputFiles(slicedFile)
  const uploads = page.getByRole('list', { name: 'Uploads' })
  await uploads.getByText('Added').waitFor()
  await uploads.getByRole('button', { name: 'Print this' }).click()
  const dialog = page.getByRole('dialog', { name: `Print ${fileName}` })
  await choose(page, 'Printer', 'Bench 1')
  await dialog.getByRole('button', { name: 'Add to the queue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
  await page.getByRole('link', { name: fileName }).first().waitFor()
}

async function signInOnPhone(): Promise<Visitor> {
  const visitor = await dashboard.open({ viewport: phone, isMobile: true, hasTouch: true })
  const { page } = visitor
  await page.goto(`${dashboard.url}/printers`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).tap()
  await page.getByRole('heading', { level: 1, name: 'Printers' }).waitFor()
  return visitor
}

async function clearPlate(page: Page, name: string): Promise<void> {
  await page.goto(`${dashboard.url}/printers`)
  await page.getByRole('link', { name: new RegExp(name) }).tap()
  await page.locator('main').getByRole('button', { name: 'Clear plate', exact: true }).tap()
  await page.getByRole('button', { name: 'The plate is clear' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
}

/** A list that opens in a dialog must not move the page under the finger. */
async function chooseInDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add printer' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Add a printer' })
  await dialog.getByRole('combobox', { name: 'Hub' }).tap()
  await page.getByRole('option', { name: 'Workshop' }).tap()
  expect(await page.evaluate(() => window.innerWidth)).toBe(phone.width)
  await dialog.getByRole('button', { name: 'Cancel' }).tap()
  await dialog.waitFor({ state: 'hidden' })
}

async function plateOf(name: string): Promise<string> {
  const printers = await dashboard.ask<{ id: string; name: string }[]>('GET', '/printers')
  const id = printers.find((each) => each.name === name)?.id
  return (await dashboard.ask<{ plate_state: string }>('GET', `/printers/${id}`)).plate_state
}

async function makeApiKey(page: Page): Promise<string> {
  await page.goto(`${dashboard.url}/settings/api-keys`)
  await page
    .getByRole('button', { name: /Make (an API|a) key/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Make an API key' })
  await dialog.getByLabel('Name').fill('Shop')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  const text = await dialog.getByRole('alert').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return /printyard_\w+/.exec(text)?.[0] ?? text
}

async function useApiKey(key: string): Promise<void> {
  const { status, body } = await apiClient(dashboard.url, key)<{ data: { name: string }[] }>('GET', '/printers')
  expect([status, body.data.map(({ name }) => name).sort()]).toEqual([200, ['Bench 1', 'Bench 2']])
}

async function inviteColleague(page: Page): Promise<string> {
  await page.goto(`${dashboard.url}/settings/members`)
  await page.getByRole('button', { name: 'Invite a person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Email').fill('colleague@example.com')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const text = await dialog.getByRole('alert').innerText()
  return /http\S+/.exec(text)?.[0] ?? text
}

async function colleagueJoins(link: string): Promise<void> {
  const { page, context, faults, ask } = await dashboard.open()
  await page.goto(link)
  await page.getByLabel('Your name').fill('Colleague')
  await page.getByRole('textbox', { name: 'Password' }).fill('another horse battery')
  await page.getByRole('button', { name: 'Join Hillside Prints' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect((await ask<{ role: string }>('GET', '/session')).role).toBe('operator')
  await dashboard.page.getByText('colleague@example.com').first().waitFor()
  expect(faults).toEqual([])
  await context.close()
}
