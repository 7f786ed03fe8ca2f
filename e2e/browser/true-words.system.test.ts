import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, printyard } from '../test/farm-processes.ts'
import { desktop, hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

const limits = { timeout: 240_000 }
const fewPrinters = 3
const windows = [
  ['a desktop', desktop],
  ['a phone', phone],
] as const

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

const bytesOf = async (change: (whole: Buffer) => Buffer = (whole) => whole) => change(await readFile(slicedFile))

async function addFile(name: string, bytes: Buffer): Promise<string> {
  const { ask, url } = dashboard
  const { token } = await ask<{ token: string }>('POST', '/files/upload-url', { filename: name })
  await fetch(`${url}/public/v1/files/upload/${token}`, { method: 'PUT', body: new Uint8Array(bytes) })
  return (await ask<{ id: string }>('POST', '/files', { upload_token: token })).id
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

async function goTo(path: string, title: string, window: { width: number; height: number }): Promise<Page> {
  const { page, url } = dashboard
  await page.setViewportSize(window)
  await page.goto(`${url}${path}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  return page
}

test.runIf(hasBrowser)(
  'the first steps stay until a print is done, and their buttons do what they say',
  limits,
  async () => {
    const { page, url, ask } = dashboard
    const steps = page.getByRole('list', { name: 'Your first print' })
    await steps.getByRole('link', { name: 'Set up a hub' }).waitFor()

    // The very command that the page shows, in the folder of the project.
    await page.goto(`${url}/hubs`)
    await page.getByRole('button', { name: 'Add a hub' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a hub' })
    await dialog.getByLabel('Name').fill('Workshop')
    await dialog.getByRole('button', { name: 'Make a join code' }).click()
    const command = await dialog.getByText(/hub join http/).innerText()
    const [, script = '', address = '', code = ''] =
      /^node (\S+) printyard hub join (\S+) ([A-Z0-9]{8})$/.exec(command) ?? []
    // In a fresh clone, that program fetches what is missing and runs the command of the workspace.
    expect([command, existsSync(new URL(`../../${script}`, import.meta.url)), address]).toEqual([command, true, url])
    await printyard(dashboard.dataDir, 'hub', 'join', address, code, '--data-dir', `${dashboard.dataDir}-joined`)
    await dialog.getByText('Joined. Start it now').waitFor()

    await dashboard.addHub({ speed: 200 })
    await page.goto(url)
    await steps.getByRole('button', { name: 'Try with 50 virtual printers' }).click()
    await page.getByText('50 virtual printers added').waitFor()
    expect((await ask<unknown[]>('GET', '/printers?limit=100')).length).toBe(50)
    await steps.getByRole('link', { name: 'To the printers' }).waitFor()

    const [first] = await ask<{ id: string; name: string }[]>('GET', '/printers?limit=1')
    await eventually(
      'the first printer being idle',
      () => ask<{ status: string | null }>('GET', `/printers/${first?.id}/status`),
      ({ status }) => status === 'idle',
      60_000,
    )
    await ask('POST', `/printers/${first?.id}/control`, { action: 'clear_bed' })
    await steps.getByRole('button', { name: 'Take the sample' }).click()
    await page.getByText('sample-square-3-minutes.gcode is added').waitFor()
    const [sample] = await ask<{ id: string; print_time_seconds: number; is_sliced: boolean }[]>('GET', '/files')
    expect(sample).toMatchObject({ print_time_seconds: 180, is_sliced: true })
    await steps.getByRole('link', { name: 'Choose the file' }).waitFor()
    const job = await ask<{ id: string }>('POST', '/jobs', { print_file_id: sample?.id, printer_id: first?.id })
    await steps.getByText('It prints now.').waitFor()
    await eventually(
      'the first print being done',
      () => ask<{ status: string }>('GET', `/jobs/${job.id}`),
      ({ status }) => status === 'completed',
      120_000,
    )
    await steps.waitFor({ state: 'hidden' })
    // All of them tell of themselves as long as they are there: the other tests need a few.
    const added = await ask<{ id: string }[]>('GET', '/printers?limit=100')
    for (const { id } of added.slice(fewPrinters)) await ask('DELETE', `/printers/${id}`)
  },
)

test.runIf(hasBrowser).each(windows)('a name of 200 characters widens no page, on %s', limits, async (_, window) => {
  const name = `${'long'.repeat(48)}.gcode`
  const id = await addFile(name, await bytesOf())
  const printers = await dashboard.ask<{ id: string }[]>('GET', '/printers?limit=1')
  await dashboard.ask('POST', '/jobs', { print_file_id: id, printer_id: printers[0]?.id })
  for (const [path, title] of [
    ['/files', 'Files'],
    ['/queue', 'Queue'],
    ['/', 'Overview'],
    [`/files/${id}`, name],
  ] as const) {
    const page = await goTo(path, title, window)
    await untilShown(page)
    expect([path, await widthOf(page)]).toEqual([path, window.width])
  }
})

test.runIf(hasBrowser).each(windows)('uploads speak to people, on %s', limits, async (_, window) => {
  const page = await goTo('/files', 'Files', window)
  const whole = await bytesOf((bytes) => Buffer.concat([bytes, Buffer.from(`; ${window.width}\n`)]))
  const named = (name: string, buffer: Buffer) => ({ name, mimeType: 'text/plain', buffer })
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      named('letter.gcode', Buffer.from('Dear customer,\nit is done.\n')),
      named('picture.png', Buffer.from('89504e470d0a1a0a', 'hex')),
      named('empty.gcode', Buffer.alloc(0)),
      named('cut.gcode', whole.subarray(0, Math.floor(whole.length * 0.6))),
      named('part.stl', Buffer.from(`solid a\nfacet normal 0 0 1\nendsolid ${window.width}\n`)),
      named('whole.gcode', whole),
    ])
  const uploads = page.getByRole('list', { name: 'Uploads' })
  const row = (name: string) => uploads.getByRole('listitem').filter({ hasText: name })
  await row('letter.gcode').getByText('This is not a print file; it looks like text.').waitFor()
  await row('picture.png').getByText('This is not a print file. Printyard takes G-code').waitFor()
  await row('empty.gcode').getByText('This file is empty. Export it from the slicer again.').waitFor()
  await row('cut.gcode').getByText('the file may be cut short').waitFor()
  await row('part.stl').getByText('Not sliced').waitFor()
  expect(await row('part.stl').getByRole('button', { name: 'Print this' }).count()).toBe(0)
  await row('whole.gcode').getByRole('button', { name: 'Print this' }).waitFor()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([named('again.gcode', whole)])
  await row('again.gcode').getByRole('link', { name: 'whole.gcode' }).waitFor()
  expect(await page.getByRole('button', { name: 'Print this: part.stl' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Clear finished' }).click()
  expect(await widthOf(page)).toBe(window.width)
})

test.runIf(hasBrowser).each(windows)(
  'a wrong address is tried before it is taken, and never said to be right, on %s',
  limits,
  async (kind, window) => {
    const page = await goTo('/printers', 'Printers', window)
    const name = `Wrong on ${kind}`
    await page.getByRole('button', { name: 'Add printer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a printer' })
    await dialog.getByRole('combobox', { name: 'Connection' }).click()
    await page.getByRole('option', { name: /^Klipper/ }).click()
    await dialog.getByLabel('Address').fill('127.0.0.1')
    await dialog.getByLabel('Port').fill('9')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Model').fill('MK4S')
    await dialog.getByLabel('Name').focus()
    // With two hubs, a person says which.
    if ((await dialog.getByRole('combobox', { name: 'Hub' }).inputValue()) === '') {
      await dialog.getByRole('combobox', { name: 'Hub' }).click()
      await page.getByRole('option').first().click()
    }
    await dialog.getByRole('button', { name: 'Add printer' }).click()
    const anyway = dialog.getByRole('button', { name: 'Add it although it does not answer' })
    await anyway.waitFor()
    const named = async () =>
      (await dashboard.ask<{ name: string }[]>('GET', '/printers?limit=100')).filter((each) => each.name === name)
        .length
    expect(await named()).toBe(0)
    await anyway.click()
    await page.getByRole('alert').getByText(`${name} is added, but it was not reached`).waitFor()
    expect(await named()).toBe(1)
    expect(await page.getByText(`${name} is added. Look at its plate`).count()).toBe(0)
    await page.getByRole('button', { name: 'Close the message' }).first().click()
  },
)

test.runIf(hasBrowser)('printers of a CSV are added, and lines that name none are told', limits, async () => {
  const page = await goTo('/printers', 'Printers', desktop)
  await page.getByRole('button', { name: 'Add printer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Several from a CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add printers from a CSV' })
  if ((await dialog.getByRole('combobox', { name: 'Hub' }).inputValue()) === '') {
    await dialog.getByRole('combobox', { name: 'Hub' }).click()
    await page.getByRole('option').last().click()
  }
  const text =
    'name,model,connection,location\nCsv 1,MK4S,virtual,Shelf\nCsv 2,MK4S,virtual,Shelf\nCsv 3,MK4S,pigeon,\n'
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await dialog.getByText('“pigeon” is no connection').waitFor()
  await dialog.getByRole('button', { name: 'Test and add 2 printers' }).click()
  await page.getByText('2 printers added').waitFor()
  const names = (await dashboard.ask<{ name: string }[]>('GET', '/printers?limit=100')).map((each) => each.name)
  expect(names.filter((each) => each.startsWith('Csv'))).toEqual(['Csv 1', 'Csv 2'])
})

test.runIf(hasBrowser)('a search shows that it searches, and what it found', limits, async () => {
  const hubs = await dashboard.ask<{ id: string; name: string; is_online: boolean }[]>('GET', '/hubs')
  const hub = hubs.find(({ is_online }) => is_online)
  const page = await goTo(`/hubs/${hub?.id}`, hub?.name ?? '', phone)
  await page.getByRole('button', { name: 'Search now' }).click()
  await page.getByText('searches its network …').waitFor()
  await page.getByText(/No printer answered\.|Nothing new: |new printers? found\.$/).waitFor()
})

test.runIf(hasBrowser)('the drawer of why has a named way out, and no dialog is a second banner', limits, async () => {
  const page = await goTo('/queue', 'Queue', desktop)
  await page
    .getByRole('button', { name: / waits: / })
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: /^Reason why / })
  await drawer.waitFor()
  expect(await page.getByRole('banner').count()).toBeLessThanOrEqual(1)
  expect(await drawer.getByRole('banner').count()).toBe(0)
  await drawer.getByRole('button', { name: 'Close' }).click()
  await drawer.waitFor({ state: 'hidden' })
})

test.runIf(hasBrowser)('one job that is cancelled leaves, and does not do so in the plural', limits, async () => {
  const page = await goTo('/queue', 'Queue', phone)
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  await page.getByRole('button', { name: 'Cancel selected' }).click()
  const toast = page.getByRole('alert').filter({ hasText: /is cancelled/ })
  expect(await toast.innerText()).not.toMatch(/1 job|jobs/)
  await toast.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/is back in the queue/).waitFor()
})

test.runIf(hasBrowser)('on a phone the open tab of the settings can be seen', limits, async () => {
  const page = await goTo('/settings/audit', 'Audit log', phone)
  const box = await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Audit log' })
    .boundingBox()
  expect(box && box.x >= 0 && box.x + box.width <= phone.width).toBe(true)
})

test.runIf(hasBrowser)('what jobs wait for is told together, and done for all at once', limits, async () => {
  const { ask, page } = dashboard
  // Others that wait for a plate would stand in the same group.
  for (const { id } of await ask<{ id: string }[]>('GET', '/jobs?status=queued&limit=100'))
    await ask('POST', `/jobs/${id}/cancel`)
  const printers = await ask<{ id: string; name: string }[]>('GET', '/printers?limit=100')
  const [one, two] = printers.filter(({ name }) => name.startsWith('Csv'))
  const id = await addFile('grouped.gcode', await bytesOf((bytes) => Buffer.concat([bytes, Buffer.from('; g\n')])))
  for (const printer of [one, two]) {
    await eventually(
      'the printer being idle',
      () => ask<{ status: string | null }>('GET', `/printers/${printer?.id}/status`),
      ({ status }) => status === 'idle',
      60_000,
    )
    await ask('PATCH', `/printers/${printer?.id}`, {
      ...{ nozzle_size: 0.4, auto_start: true, current_filament_type: 'PLA' },
    })
    await ask('POST', '/jobs', { print_file_id: id, printer_id: printer?.id, any_color: true })
  }
  await goTo('/queue', 'Queue', desktop)
  const group = page
    .getByRole('list', { name: 'Reasons why jobs wait' })
    .getByRole('listitem')
    .filter({ hasText: 'the plate was not' })
  await group.getByText('2 jobs could start on 2 idle printers').waitFor()
  await group.getByRole('button', { name: 'Clear them all…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'The plates are clear' }).click()
  await page.getByText('2 printers cleared').waitFor()
  await group.waitFor({ state: 'hidden' })
})
