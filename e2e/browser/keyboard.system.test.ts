import { readFile } from 'node:fs/promises'
import { sampleOf, walkedOneIn } from '@printyard/protocol/test/sample'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiClient, type FarmProcess, printyard, startHubProcess } from '../test/farm-processes.ts'
import { readSetUpCode } from '../test/read-set-up-code.ts'
import type { FarmIds } from './test/busy-farm.ts'
import { addressOf, everyPage } from './test/every-page.ts'
import { type KeyboardPerson, keyboardOf } from './test/keyboard-person.ts'
import { walkPage } from './test/page-walk.ts'
import { hasBrowser, owner, startDashboard, type TestDashboard } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

/** The name of the button that opens the menu at the top of every page. */
const accountMenu = `Account menu of ${owner.name}`

/** Low, so that pages scroll beneath what stays at their edges. */
const low = { width: 1100, height: 560 }
const lowPhone = { width: 390, height: 560 }

let dashboard: TestDashboard
let keys: KeyboardPerson
let hub: FarmProcess | undefined
/** The link that the colleague gets. */
let invitation = ''
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] })
  keys = await keyboardOf(dashboard.page)
}, 180_000)
afterAll(async () => {
  await hub?.stop()
  await dashboard?.end()
}, 60_000)

test.runIf(hasBrowser)(
  'by the keyboard alone: the owner is made, and past the navigation there is a link to the content',
  { timeout: 180_000 },
  async () => {
    const { page, url } = dashboard
    await page.goto(url)
    await page.getByRole('textbox', { name: 'Name of the farm' }).waitFor()
    await keys.fill('Set-up code', await readSetUpCode(dashboard.dataDir))
    await keys.fill('Name of the farm', 'Hillside Prints')
    await keys.fill('Your name', owner.name)
    await keys.fill('Email', owner.email)
    await keys.fill('Password', owner.password)
    await keys.choose('Time zone', 'UTC')
    await keys.follow('button', 'Begin')
    await keys.arrives('Overview')

    await page.goto(`${url}/hubs`)
    await page.getByRole('heading', { level: 1, name: 'Hubs' }).waitFor()
    expect(await keys.tab()).toMatchObject({ role: 'link', name: 'Skip to content' })
    await keys.press('Enter')
    expect(await keys.tab()).toMatchObject({ role: 'button', name: 'Add a hub' })
    expect(dashboard.faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'by the keyboard alone: a hub joins, and a printer is added that starts jobs by itself',
  { timeout: 240_000 },
  async () => {
    const { page } = dashboard
    await keys.follow('button', 'Add a hub')
    await keys.inDialog('Add a hub')
    await keys.escapeTo('button', 'Add a hub')
    await keys.press('Enter')
    await keys.inDialog('Add a hub')
    await keys.fill('Name', 'Workshop')
    await keys.press('Enter')
    const command = await page.getByText(/hub join http/).innerText()
    await keys.inDialog('Add a hub')
    const [, address = '', code = ''] = /hub join (\S+) (\S+)/.exec(command) ?? []
    const hubDir = `${dashboard.dataDir}-hub`
    await printyard(dashboard.dataDir, 'hub', 'join', address, code, '--data-dir', hubDir)
    await page.getByText('Joined. Start it now').waitFor()
    hub = startHubProcess({ url: address, dataDir: hubDir, speed: 400 })
    await page.getByText('Workshop has joined').waitFor()
    await keys.follow('link', 'Open the hub')
    await keys.arrives('Workshop')

    await keys.follow('link', 'Printers')
    await keys.arrives('Printers')
    await keys.follow('button', 'Add printer')
    await keys.inDialog('Add a printer')
    await keys.fill('Name', 'Bench 1')
    await keys.fill('Model', 'MK4S', 'combobox')
    await keys.choose('Connection', 'Virtual')
    await keys.follow('button', 'Add printer')
    await keys.arrives('Bench 1')

    await keys.follow('button', 'Edit')
    await keys.inDialog('Edit printer')
    await keys.tabTo('switch', /^Start queued jobs by itself/)
    const selfStart = page.getByRole('switch', { name: 'Start queued jobs by itself' })
    if (!(await selfStart.isChecked())) await keys.press('Space')
    expect(await selfStart.isChecked()).toBe(true)
    await keys.fill('Loaded material', 'PLA')
    await keys.follow('button', 'Save')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await keys.isTakenTo('button', 'Edit')
    expect(dashboard.faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'by the keyboard alone: files are chosen, queued, put in order, printed to the end, and the plate is cleared',
  { timeout: 300_000 },
  async () => {
    const { page } = dashboard
    const content = await readFile(slicedFile)
    const mimeType = 'text/x.gcode'
    const chosen = [
      { name: 'bracket.gcode', mimeType, buffer: content },
      { name: 'lid.gcode', mimeType, buffer: Buffer.concat([content, Buffer.from('; another one\n')]) },
    ]
    // Long before it opens, because the browser begins to tell of file choosers a moment after it was asked to.
    page.once('filechooser', (chooser) => void chooser.setFiles(chosen))
    await keys.follow('link', 'Files')
    await keys.arrives('Files')
    await keys.follow('button', 'Upload print files')
    await page.getByRole('list', { name: 'Uploads' }).getByText('Added').nth(1).waitFor()
    for (const name of ['bracket', 'lid']) {
      await keys.follow('button', `Print this: ${name}.gcode`)
      await keys.inDialog(`Print ${name}.gcode`)
      await keys.escapeTo('button', `Print this: ${name}.gcode`)
      await keys.press('Enter')
      await keys.inDialog(`Print ${name}.gcode`)
      await keys.choose('Printer', 'Bench 1')
      await keys.follow('button', 'Add to the queue')
      await keys.arrives('Queue')
      if (name === 'bracket') {
        await keys.follow('link', 'Files')
        await keys.arrives('Files')
      }
    }

    await orderIs('bracket.gcode', 'lid.gcode')
    await keys.tabTo('button', /^Move lid.gcode/)
    await keys.press('ArrowUp')
    await orderIs('lid.gcode', 'bracket.gcode')
    await keys.isTakenTo('button', /^Move lid.gcode, number 1 /)
    await page.getByText('lid.gcode is now number 1 of 2').waitFor({ state: 'attached' })
    await keys.press('ArrowDown')
    await orderIs('bracket.gcode', 'lid.gcode')
    await keys.isTakenTo('button', /^Move lid.gcode, number 2 /)
    // Until the service has said so, the list may show the order of the move before.
    await page.getByText('lid.gcode is now number 2 of 2').waitFor({ state: 'attached' })
    await keys.chooseFromMenu('Actions for lid.gcode', 'Move to…')
    await keys.inDialog('Move lid.gcode')
    await keys.escapeTo('button', 'Actions for lid.gcode')
    await keys.chooseFromMenu('Actions for lid.gcode', 'Move up')
    await orderIs('lid.gcode', 'bracket.gcode')
    await keys.isTakenTo('button', 'Actions for lid.gcode')

    await keys.follow('link', 'Printers')
    await keys.arrives('Printers')
    await keys.follow('link', /Bench 1/)
    await keys.arrives('Bench 1')
    await clearPlate()
    await page.locator('main header .status-badge').getByText('Printing').waitFor()
    await page.locator('main').getByRole('button', { name: 'Clear plate', exact: true }).waitFor()
    await clearPlate()
    await keys.follow('link', 'History')
    await keys.arrives('History')
    await page.getByRole('row', { name: /lid.gcode Completed Bench 1/ }).waitFor()
    expect(dashboard.faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'by the keyboard alone: a key is made and copied, and a colleague is invited',
  { timeout: 240_000 },
  async () => {
    const { page, url } = dashboard
    await keys.follow('link', 'Settings')
    await keys.arrives('Profile')
    await keys.follow('link', 'API keys')
    await keys.arrives('API keys')
    await keys.follow('button', 'Make an API key')
    await keys.inDialog('Make an API key')
    await keys.fill('Name', 'Shop')
    await keys.follow('button', 'Make the key')
    await page.getByText('Key of Shop: shown only now').waitFor()
    const { status } = await apiClient(url, await copied())('GET', '/printers')
    expect(status).toBe(200)
    await keys.follow('button', 'Done')
    await keys.isTakenTo('button', 'Make an API key')

    await keys.follow('link', 'Members')
    await keys.arrives('Members')
    await keys.follow('button', 'Invite a person')
    await keys.inDialog('Invite a person')
    await keys.fill('Email', 'colleague@example.com')
    await keys.tabTo('radio', /^operator/)
    await keys.follow('button', 'Invite')
    await page.getByText('Invitation link: shown only now').waitFor()
    invitation = await copied()
    expect(invitation).toContain('/invitation#')
    await keys.follow('button', 'Done')
    await keys.isTakenTo('button', 'Invite a person')
    expect(dashboard.faults).toEqual([])
  },
)

describe.runIf(hasBrowser)('once the farm has jobs that wait and plates to clear', () => {
  let ids: FarmIds
  beforeAll(async () => {
    const { ask, page } = dashboard
    const idOf = async (path: string) => (await ask<{ id: string }[]>('GET', path))[0]?.id ?? ''
    ids = { printerId: await idOf('/printers'), fileId: await idOf('/files'), hubId: await idOf('/hubs') }
    await ask('PATCH', `/printers/${ids.printerId}`, { auto_start: false })
    for (const name of ['Hook', 'Lid']) {
      const product = await ask<{ id: string }>('POST', '/products', { name })
      await ask('POST', '/jobs', { print_file_id: ids.fileId, product_id: product.id, printer_id: ids.printerId })
    }
    const items = [{ listing_id: 'Hook, set of two', quantity: 1, unit_price: 900 }]
    const order = await ask<{ id: string }>('POST', '/orders', { items, allow_unmapped: true })
    const productId = await idOf('/products')
    const { id: skuId } = await ask<{ id: string }>('POST', '/skus', { product_id: productId, sku: 'LID-RED' })
    const { id: materialId } = await ask<{ id: string }>('POST', '/materials/filament', { type: 'PLA' })
    ids = { ...ids, jobId: await idOf('/jobs?status=queued'), orderId: order.id, id: ids.printerId ?? '' }
    const { id: assemblyId } = await ask<{ id: string }>('POST', '/assembly', { product_sku_id: skuId, quantity: 1 })
    const { id: articleId } = await ask<{ id: string }>('POST', '/wiki', { title: 'How to glue' })
    const url = 'https://erp.example.invalid/printyard'
    const { id: webhookId } = await ask<{ id: string }>('POST', '/webhooks', { url })
    ids = { ...ids, productId, skuId, itemId: await idOf('/inventory'), kind: 'filament', materialId }
    ids = { ...ids, assemblyId, articleId, webhookId }
    await page.setViewportSize(low)
  }, 120_000)

  test.each(
    sampleOf(
      everyPage.filter((each) => !each.isForVisitors),
      walkedOneIn,
      1,
    ),
  )(
    'Tab goes through all of $path and out of it again, and every menu opens and closes',
    { timeout: 120_000 },
    async ({ path }) => {
      const { page, url, faults } = dashboard
      await page.goto(`${url}${addressOf(path, ids)}`)
      await untilShown(page)
      const { first, faults: found } = await walkPage(page, keys)
      expect(found).toEqual([])
      // The wall has no navigation to skip.
      if (path !== '/printers/wall') expect(first).toBe('Skip to content')
      expect(faults).toEqual([])
    },
  )

  const walksBack = [
    { path: '/printers/$printerId', size: low },
    { path: '/files', size: low },
    { path: '/queue', size: lowPhone },
    { path: '/printers/$printerId', size: lowPhone },
    { path: '/settings/audit', size: low },
  ]
  test.each(sampleOf(walksBack, 2))(
    'Shift+Tab goes back through $path at $size.width × $size.height, and what stays at the edges covers no stop',
    { timeout: 120_000 },
    async ({ path, size }) => {
      const { page, url } = dashboard
      await page.setViewportSize(size)
      await page.goto(`${url}${addressOf(path, ids)}`)
      await untilShown(page)
      expect(await walkPage(page, keys, 'back')).toMatchObject({ faults: [] })
    },
  )

  test('Tab goes through the list of the settings on a phone, and shows each that it comes to', {
    timeout: 120_000,
  }, async () => {
    const { page, url } = dashboard
    await page.setViewportSize(lowPhone)
    await page.goto(`${url}/settings/profile`)
    await untilShown(page)
    expect(await walkPage(page, keys)).toMatchObject({ faults: [] })
  })

  test('one key goes to the search of a page, one presses its button that adds, and both are letters in a field', {
    timeout: 120_000,
  }, async () => {
    const { page, url, faults } = dashboard
    const dialogs = page.getByRole('dialog')
    await page.setViewportSize(low)
    await page.goto(`${url}/queue`)
    await untilShown(page)
    await keys.press('/')
    await keys.isTakenTo('searchbox', 'Search')
    await page.keyboard.type('n/?')
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('n/?')
    await page.getByRole('heading', { name: 'No job that waits matches' }).waitFor()
    expect(await dialogs.count()).toBe(0)

    await page.goto(`${url}/hubs`)
    await untilShown(page)
    await keys.press('n')
    await keys.inDialog('Add a hub')
    await keys.escapeTo('button', 'Add a hub')
    await keys.press('?')
    await keys.inDialog('Keyboard')
    expect(await dialogs.getByRole('row').allInnerTexts()).toContainEqual(expect.stringMatching(/^\/\s+Search/))
    // Beneath a dialog the page is silent.
    await keys.press('n')
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await dialogs.count()).toBe(1)
    await keys.escapeTo('button', 'Add a hub')
    expect(faults).toEqual([])
  })

  const dialogs: { path: string; opener: string | RegExp; item?: string; dialog: string | RegExp; hasList?: true }[] = [
    { path: '/queue', opener: 'Actions for Hook', item: 'Priority, due date', dialog: 'Change Hook' },
    // It begins with its list of printers open, which Escape closes first.
    {
      path: '/queue',
      opener: 'Actions for Hook',
      item: 'Assign a printer',
      dialog: 'Which printer prints Hook?',
      hasList: true,
    },
    { path: '/queue', opener: /^Hook waits: /, dialog: 'Reason why Hook waits' },
    { path: '/files', opener: 'Actions for lid.gcode', item: 'Rename', dialog: 'Rename lid.gcode' },
    { path: '/files', opener: 'Actions for lid.gcode', item: 'Delete', dialog: /lid.gcode/ },
    { path: '/printers/$printerId', opener: 'Heaters', dialog: 'Heat Bench 1?' },
    { path: '/printers/$printerId', opener: 'Remove', dialog: 'Remove Bench 1?' },
    { path: '/hubs/$hubId', opener: 'More about Workshop', item: 'Rename', dialog: 'Rename Workshop' },
    { path: '/worklist', opener: 'New task', dialog: 'New task' },
    { path: '/products', opener: 'Add a kit', dialog: 'Add a kit' },
    { path: '/products/$productId', opener: 'Add a SKU', dialog: 'Add a SKU to Lid' },
    { path: '/skus/$skuId', opener: 'Edit the bill', dialog: 'Parts and components of one LID-RED' },
    { path: '/stock', opener: 'Actions for LID-RED', item: 'Count', dialog: 'Count LID-RED' },
    { path: '/materials/$kind/$materialId', opener: 'Weigh', dialog: 'Weigh PLA' },
  ]
  test.each(sampleOf(dialogs, 3))(
    'on $path, Escape leaves “$dialog” and the focus is back at “$opener”',
    { timeout: 120_000 },
    async ({ path, opener, item, dialog, hasList }) => {
      const { page, url } = dashboard
      await page.setViewportSize(low)
      const address = `${url}${addressOf(path, ids)}`
      if (page.url() !== address) await page.goto(address)
      await untilShown(page)
      if (item === undefined) await keys.follow('button', opener)
      else await keys.chooseFromMenu(opener, item)
      await keys.inDialog(dialog)
      if (hasList) {
        await page.getByRole('listbox').waitFor()
        await keys.press('Escape')
        await page.getByRole('listbox').waitFor({ state: 'hidden' })
        await keys.inDialog(dialog)
      }
      await keys.escapeTo('button', opener)
    },
  )
})

test.runIf(hasBrowser)(
  'by the keyboard alone: the appearance is changed, and the owner signs out',
  { timeout: 180_000 },
  async () => {
    const { page } = dashboard
    const html = page.locator('html')
    await keys.chooseFromMenu(accountMenu, 'Appearance: as this device')
    expect(await html.getAttribute('data-mantine-color-scheme')).toBe('light')
    await page.getByRole('menuitem', { name: 'Appearance: light' }).waitFor()
    await keys.press('Enter')
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
    await keys.press('Escape')
    await keys.isTakenTo('button', accountMenu)
    await keys.chooseFromMenu(accountMenu, 'Sign out')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(dashboard.faults).toEqual([])
  },
)

test.runIf(hasBrowser).each([
  { path: '/sign-in', hasPassword: true },
  { path: '/forgot', hasPassword: false },
  { path: '/reset-password', at: '/reset-password#token-of-the-mail', hasPassword: true },
  { path: '/invitation', hasPassword: true },
])(
  'Tab goes through all of $path and out of it again, and what is typed as a password can be looked at',
  { timeout: 120_000 },
  async ({ path, at = path, hasPassword }) => {
    const { page, url, faults } = dashboard
    await page.goto(path === '/invitation' ? new URL(invitation).href : `${url}${at}`)
    await untilShown(page)
    expect((await walkPage(page, keys)).faults).toEqual([])
    if (hasPassword) {
      const field = page.locator('input[autocomplete$="password"]')
      expect(await field.getAttribute('type')).toBe('password')
      await keys.tabTo('button', 'Show the password')
      await keys.press('Space')
      expect(await field.getAttribute('type')).toBe('text')
    }
    expect(faults).toEqual([])
  },
)

function orderIs(...names: string[]): Promise<void> {
  const list = dashboard.page.getByRole('list', { name: /Jobs that wait/ })
  // The printer that a job is for leads to its page as well.
  const jobs = list.getByRole('link').filter({ hasNotText: /^for / })
  return expect.poll(() => jobs.allTextContents(), { timeout: 60_000 }).toEqual(names)
}

async function clearPlate(): Promise<void> {
  await keys.follow('button', 'Clear plate')
  await keys.inDialog('Is the plate of Bench 1 empty?')
  await keys.follow('button', 'The plate is clear')
  await dashboard.page.getByRole('dialog').waitFor({ state: 'hidden' })
  // The plate is clear: the button is gone, and the focus is at what stands in its place, which is another while the next print runs.
  await dashboard.page
    .locator('main')
    .getByRole('button', { name: 'Clear plate', exact: true })
    .waitFor({ state: 'hidden' })
  await keys.isTakenTo('button', /^(Heaters|Pause)$/)
}

/** Copies what is shown only now, and answers what the clipboard then holds. */
async function copied(): Promise<string> {
  const { page } = dashboard
  await keys.follow('button', 'Copy')
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  return await page.evaluate(() => navigator.clipboard.readText())
}
