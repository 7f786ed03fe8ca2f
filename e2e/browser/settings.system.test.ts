import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandLine } from '../test/command-line.ts'
import { apiClient, printyard } from '../test/farm-processes.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { desktop, hasBrowser, owner, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

/** Nothing of a developer's own settings. */
const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('PRINTYARD_')),
)
const limits = { timeout: 240_000 }

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard()
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)('a new API key is shown once, works, and works no longer once revoked', limits, async () => {
  const { page, url, faults } = dashboard
  await page.goto(`${url}/settings/api-keys`)
  await page.getByRole('button', { name: 'Make an API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make an API key' })
  await dialog.getByLabel('Name').fill('Shop')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await dialog.getByText('Key of Shop: shown only now').waitFor()
  const key = await shownSecret(dialog, 'printyard_live_')
  const request = apiClient(url, key)
  expect((await request('GET', '/printers')).status).toBe(200)
  expect((await request('POST', '/hubs', { name: 'Not by this key' })).status).toBe(403)

  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /Shop .*Works/ }).waitFor()
  await page.reload()
  const row = page.getByRole('row', { name: /Shop .*Works/ })
  await row.waitFor()
  expect(await page.content()).not.toContain(key)

  await row.getByRole('button', { name: 'Revoke the key Shop' }).click()
  await page
    .getByRole('dialog', { name: 'Revoke the key Shop?' })
    .getByRole('button', { name: 'Revoke the key' })
    .click()
  await page.getByRole('row', { name: /Shop .*Revoked/ }).waitFor()
  expect((await request('GET', '/printers')).status).toBe(401)
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)(
  'an owner finds the commands that take this account along, and the guide; an admin finds neither',
  limits,
  async () => {
    const { page, url, ask, faults } = dashboard
    const { account } = await ask<{ account: { id: string } }>('GET', '/session')
    await page.goto(`${url}/settings/leaving`)
    const leave = page.getByRole('region', { name: 'Leave: export everything' })
    await leave.getByText(`printyard export --account ${account.id} --to `).waitFor()
    await leave.getByText('Credentials of printers').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      leave.getByRole('button', { name: 'Download everything' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/ \d{4}-\d{2}-\d{2}\.tar\.gz$/)
    expect(await download.failure()).toBeNull()
    await leave.getByText('The download has started.').waitFor()
    const arrive = page.getByRole('region', { name: 'Arrive: import an export' })
    await arrive.getByText(`--account ${account.id} --dry-run`).waitFor()
    expect(await arrive.getByText(`printyard import ./my-farm.tar.gz --account ${account.id}`).count()).toBe(2)
    await page.getByRole('link', { name: 'documentation of the commands' }).click()
    await page.getByRole('heading', { level: 1, name: 'Leaving and arriving' }).waitFor()
    expect(faults).toEqual([])

    const admin = await dashboard.openAs('admin')
    await admin.page.goto(`${url}/settings/leaving`)
    await admin.page.getByRole('heading', { level: 1, name: 'Leave and arrive' }).waitFor()
    expect(await admin.page.getByRole('link', { name: 'Leave and arrive' }).count()).toBe(0)
    expect(await admin.page.content()).not.toContain('printyard export')
    await admin.context.close()
  },
)

test.runIf(hasBrowser)(
  'the currency and the handling days of orders are saved on the account page',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/settings/account`)
    const panel = page.getByRole('region', { name: 'Orders' })
    await panel.getByLabel('Currency').fill('eur')
    await panel.getByLabel('Handling days').fill('2')
    await panel.getByLabel('Fri').uncheck()
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings of orders are saved').waitFor()
    await page.reload()
    await panel.getByRole('button', { name: 'Save' }).waitFor()
    expect(await panel.getByLabel('Currency').inputValue()).toBe('EUR')
    expect(await panel.getByLabel('Handling days').inputValue()).toBe('2')
    expect(await panel.getByLabel('Fri').isChecked()).toBe(false)
    expect(await panel.getByLabel('Mon').isChecked()).toBe(true)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser).each([
  ['a desktop', desktop],
  ['a phone', phone],
] as const)(
  'when jobs start by themselves is set, and what the account uses is told, on %s',
  limits,
  async (_, viewport) => {
    const { page, url, ask, faults } = dashboard
    await page.setViewportSize(viewport)
    await page.goto(`${url}/settings/account`)
    const panel = page.getByRole('region', { name: 'Automatic start of jobs' })
    await panel.getByRole('switch', { name: 'Working hours' }).check()
    await panel.getByRole('textbox', { name: 'From' }).fill('17:00')
    await panel.getByRole('textbox', { name: 'To' }).fill('08:30')
    await panel.getByRole('textbox', { name: 'Printers that heat up at once' }).fill('3')
    await panel.getByRole('button', { name: 'Save' }).click()
    await panel.getByText('must be later than from').waitFor()
    expect(await findLayoutFaults(page)).toEqual([])
    await panel.getByRole('textbox', { name: 'From' }).fill('08:30')
    await panel.getByRole('textbox', { name: 'To' }).fill('17:00')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The schedule is saved').waitFor()
    const saved = { working_hours: { from: '08:30', to: '17:00' }, heating_at_once: 3 }
    expect(await ask('GET', '/scheduler/settings')).toMatchObject(saved)
    const uses = page.getByRole('region', { name: 'Usage of the account' })
    await uses
      .getByText(/^\d+ of [\d,]+$/)
      .first()
      .waitFor()
    await ask('PATCH', '/scheduler/settings', { working_hours: null, heating_at_once: null })
    await page.setViewportSize(desktop)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)('who signs out everywhere is signed out in each of their browsers at once', limits, async () => {
  const { url, openAs, open } = dashboard
  const { page, ask } = await openAs('viewer', { viewport: phone })
  const { user } = await ask<{ user: { email: string } }>('GET', '/session')
  const elsewhere = await open()
  await elsewhere.page.goto(`${url}/sign-in`)
  await elsewhere.page.getByRole('textbox', { name: 'Email' }).fill(user.email)
  await elsewhere.page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await elsewhere.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await elsewhere.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await page.goto(`${url}/settings/sessions`)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  expect(await findLayoutFaults(page)).toEqual([])
  const question = page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await question.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await elsewhere.page.goto(`${url}/orders`)
  await elsewhere.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test.runIf(hasBrowser)(
  'who is invited as operator joins by the link and sees no settings of the account',
  limits,
  async () => {
    const { page, url, context, faults } = dashboard
    await page.goto(`${url}/settings/members`)
    await page.getByRole('row', { name: /owner, the only one/ }).waitFor()
    await page.getByRole('button', { name: 'Invite a person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a person' })
    await dialog.getByLabel('Email').fill('operator@example.com')
    await dialog.getByRole('radio', { name: 'operator' }).check()
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText('Invitation link: shown only now').waitFor()
    const link = await shownSecret(dialog, '/invitation#')
    await dialog.getByRole('button', { name: 'Done' }).click()

    const browser = context.browser()
    if (!browser) throw new Error('the context has a browser')
    const theirs = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    theirs.setDefaultTimeout(60_000)
    try {
      const other = await theirs.newPage()
      await other.goto(link)
      await other.getByLabel('Your name').fill('Operator')
      await other.getByRole('textbox', { name: 'Password' }).fill('another long password')
      await other.getByRole('button', { name: /^Join/ }).click()
      await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

      await other.goto(`${url}/settings/account`)
      await other.getByRole('heading', { name: 'The farm' }).waitFor()
      const settings = other.getByRole('navigation', { name: 'Settings' })
      await settings.getByRole('link', { name: 'Members' }).waitFor()
      expect(await settings.getByRole('link').allInnerTexts()).toEqual([
        'Profile',
        'Sessions',
        'Notifications',
        'Account',
        'Members',
        'Task assignment',
        'Shifts',
      ])
      expect(await other.getByLabel('Name of the farm').count()).toBe(0)
      await settings.getByRole('link', { name: 'Members' }).click()
      await other.getByRole('row', { name: /Operator/ }).waitFor()
      expect(await other.getByRole('button', { name: 'Invite a person' }).count()).toBe(0)
      await other.goto(`${url}/settings/api-keys`)
      await other.getByText('Your role does not allow this').waitFor()

      await page
        .getByRole('row', { name: /Operator/ })
        .getByRole('button', { name: 'Change Operator' })
        .click()
      await page.getByRole('menuitem', { name: 'End all sessions' }).click()
      const ending = page.getByRole('dialog', { name: 'End all sessions of Operator?' })
      await ending.getByText('is signed out of this account on every device').waitFor()
      await ending.getByRole('button', { name: 'End all sessions' }).click()
      await page.getByText('The sessions of Operator are ended').waitFor()
      await other.goto(url)
      await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    } finally {
      await theirs.close()
    }
    // The page of the owner hears of it by itself.
    await page
      .getByRole('row', { name: /operator@example.com .*operator/ })
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a hub joins by the command shown, the page says so, and a printer that it found is adopted',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/hubs`)
    await page.getByRole('button', { name: 'Add a hub' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a hub' })
    await dialog.getByLabel('Name').fill('Hall 1')
    await dialog.getByRole('button', { name: 'Make a join code' }).click()
    await dialog.getByText('Waiting for the machine to join').waitFor()
    const [node, script, program, ...args] = (await shownSecret(dialog, 'printyard hub join')).split(' ')
    expect([node, script, program]).toEqual(['node', 'scripts/run.mjs', 'printyard'])

    const folder = await mkdtemp(join(tmpdir(), 'printyard-joining-'))
    const hubDir = join(folder, 'hub')
    try {
      await printyard(folder, ...args, '--data-dir', hubDir)
      await dialog.getByText('node scripts/run.mjs printyard hub run').waitFor()
      const hub = spawn(
        process.execPath,
        [commandLine, 'hub', 'run', '--data-dir', hubDir, '--virtual', '1', '--speed', '100'],
        {
          env: { ...ownEnvironment, PRINTYARD_HUB_DISCOVERY: 'off' },
          stdio: 'ignore',
        },
      )
      const ended = once(hub, 'exit')
      try {
        await dialog.getByText('Hall 1 has joined').waitFor()
        await dialog.getByRole('link', { name: 'Open the hub' }).click()
        await page.getByLabel('Look at an address').fill('127.0.0.1:9')
        await page.getByRole('button', { name: 'Look there' }).click()
        await page.getByText('No printer answers at 127.0.0.1:9').waitFor()
        await page.getByRole('button', { name: /^Adopt / }).click()
        const adopting = page.getByRole('dialog', { name: /^Adopt / })
        await adopting.getByRole('button', { name: 'Test the connection' }).click()
        await adopting.getByText('The connection works').waitFor()
        await adopting.getByLabel('Name').fill('Bench 1')
        await expect.poll(() => adopting.getByLabel('Nozzle, in mm').inputValue()).toBe('0.4')
        expect(await adopting.getByLabel('Start queued jobs by itself').isChecked()).toBe(true)
        await adopting.getByRole('button', { name: 'Add printer' }).click()
        await page.getByRole('list', { name: 'Printers of this hub' }).getByRole('link', { name: 'Bench 1' }).waitFor()
        await page.getByRole('link', { name: 'In this farm' }).waitFor()
      } finally {
        hub.kill('SIGTERM')
        await ended
      }
      await page.getByText('Its printers cannot be seen or moved').waitFor()
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
    expect(faults).toEqual([])
  },
)

/** The text of the box in a dialog that holds this. */
function shownSecret(dialog: Locator, part: string): Promise<string> {
  return dialog.locator('code', { hasText: part }).innerText()
}
