import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { desktop, hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 240_000 }
const windows = [
  ['a desktop', desktop],
  ['a phone', phone],
] as const

let dashboard: TestDashboard
let hub: { id: string; stop(): Promise<unknown> }
let printers: string[]
let jobs: string[]

beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  // Slow enough that prints outlast the tests.
  hub = await dashboard.addHub({ speed: 5 })
  printers = [await addPrinter('Bench 1'), await addPrinter('Bench 2')]
  const file = await addFile()
  jobs = []
  for (const printer of printers) jobs.push(await startPrint(printer, file))
  await dashboard.ask('POST', '/jobs', { print_file_id: file, printer_id: printers[0] })
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

const statusOf = (id: string) => dashboard.ask<{ status: string | null }>('GET', `/printers/${id}/status`)

async function addPrinter(name: string): Promise<string> {
  const { ask } = dashboard
  const body = { name, model: 'MK4S', hub_id: hub.id, connection_type: 'virtual', location: 'Hall 1', nozzle_size: 0.4 }
  const { id } = await ask<{ id: string }>('POST', '/printers', body)
  await eventually(
    'the printer being idle',
    () => statusOf(id),
    ({ status }) => status === 'idle',
    60_000,
  )
  await ask('POST', `/printers/${id}/control`, { action: 'clear_bed' })
  return id
}

async function addFile(): Promise<string> {
  const { ask, url } = dashboard
  const { token } = await ask<{ token: string }>('POST', '/files/upload-url', { filename: 'bracket.gcode' })
  await fetch(`${url}/public/v1/files/upload/${token}`, { method: 'PUT', body: await readFile(slicedFile) })
  return (await ask<{ id: string }>('POST', '/files', { upload_token: token })).id
}

async function startPrint(printerId: string, fileId: string): Promise<string> {
  const { ask } = dashboard
  const { id } = await ask<{ id: string }>('POST', '/jobs', { print_file_id: fileId, printer_id: printerId })
  await ask('POST', `/jobs/${id}/start`)
  await eventually(
    'the print running',
    () => statusOf(printerId),
    ({ status }) => status === 'printing',
    90_000,
  )
  await eventually(
    'the job printing',
    () => ask<{ status: string }>('GET', `/jobs/${id}`),
    ({ status }) => status === 'printing',
  )
  return id
}

async function goTo(path: string, title: string, window: { width: number; height: number }): Promise<Page> {
  const { page, url } = dashboard
  await page.setViewportSize(window)
  await page.goto(`${url}${path}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  return page
}

const button = (page: Page, name: string) => page.locator('main').getByRole('button', { name, exact: true })

test.runIf(hasBrowser).each(windows)(
  'during a print only what is possible is offered, and the chart opens with what was, on %s',
  limits,
  async (_, window) => {
    const page = await goTo(`/printers/${printers[0]}`, 'Bench 1', window)
    await button(page, 'Pause').waitFor()
    for (const name of ['Clear plate', 'Filament', 'Resume'])
      expect([name, await button(page, name).count()]).toEqual([name, 0])
    await page.getByText('Over the last hour.').waitFor()
    await page.locator('.temperature-chart canvas').waitFor({ state: 'attached' })
    const { samples } = await dashboard.ask<{ samples: { nozzle: number | null }[] }>(
      'GET',
      `/printers/${printers[0]}/last-hour`,
    )
    expect(samples.length).toBeGreaterThan(1)
    expect(samples.some(({ nozzle }) => nozzle !== null)).toBe(true)
  },
)

test.runIf(hasBrowser).each(windows)(
  'a card tells what prints, when it is done and what is next; sizes and cameras stand in the address, on %s',
  limits,
  async (_, window) => {
    const page = await goTo('/printers', 'Printers', window)
    const card = page.getByRole('list', { name: 'Printers' }).getByRole('listitem').filter({ hasText: 'Bench 1' })
    await card.getByText('bracket.gcode').first().waitFor()
    await card.getByText(/ left · .*\d{1,2}:\d{2}/).waitFor()
    await card.getByRole('link', { name: 'next: bracket.gcode' }).waitFor()
    await card.getByRole('link', { name: 'Camera of Bench 1' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bench 1' }).waitFor()
    await expect
      .poll(() => page.locator('#camera').evaluate((each) => each.getBoundingClientRect().top))
      .toBeLessThan(window.height)
    await page.goBack()
    await page.getByRole('radiogroup', { name: 'Size of cards' }).getByText('L', { exact: true }).click()
    await page.waitForURL(/size=l/)
    await page.reload()
    await card.getByText(/layer \d+ of \d+/).waitFor()
    await page.goto(`${dashboard.url}/printers?as=cameras`)
    await page.getByRole('img', { name: 'Camera picture of Bench 1' }).waitFor()
    await page.goto(`${dashboard.url}/printers/wall?location=Hall 1`)
    await page.getByRole('heading', { level: 1, name: 'Hall 1' }).waitFor()
    await page.getByRole('link', { name: 'Back to the printers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Printers' }).waitFor()
    expect(new URL(page.url()).searchParams.get('location')).toBe('Hall 1')
  },
)

test.runIf(hasBrowser)('a paused plate is paused in words, and its card resumes it in place', limits, async () => {
  await dashboard.ask('POST', `/jobs/${jobs[1]}/pause`)
  const page = await goTo(`/jobs/${jobs[1]}`, 'bracket.gcode', desktop)
  const tries = page.getByRole('table', { name: 'Tries' })
  await tries.getByText('Paused').waitFor()
  expect(await tries.getByText('Printing').count()).toBe(0)
  await goTo('/printers', 'Printers', phone)
  await page.getByRole('button', { name: 'Resume Bench 2' }).click()
  await page
    .getByRole('dialog', { name: 'Resume the print on Bench 2?' })
    .getByRole('button', { name: 'Resume printing' })
    .click()
  await page.getByText('1 printer resumed').waitFor()
})

test.runIf(hasBrowser)(
  'a print that failed leads from the overview to a list where it is looked into; its code is told in words',
  limits,
  async () => {
    const { ask } = dashboard
    await ask('POST', `/jobs/${jobs[1]}/stop`)
    await eventually(
      'the printer being idle',
      () => statusOf(printers[1] ?? ''),
      ({ status }) => status === 'idle',
      60_000,
    )
    const page = await goTo('/', 'Overview', phone)
    await page.getByRole('link', { name: '1 failure is not looked into yet' }).click()
    await page.getByRole('heading', { level: 1, name: 'Failures' }).waitFor()
    const row = page.getByRole('list', { name: 'Failures' }).getByRole('listitem')
    await row
      .getByText(/Stopped by a person/)
      .first()
      .waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/\b[A-Z]{3,}_[A-Z]{3,}\b/)
    await row.locator('.picture img').first().waitFor()
    await seeCameraPicture(page, row)
    await row.getByRole('button', { name: 'Did not stick' }).click()
    await row.locator('.status-badge', { hasText: 'Did not stick' }).waitFor()
    await row.getByRole('button', { name: /^Looked into/ }).click()
    await page.getByText('Every failure was looked into').waitFor()
    await goTo(`/jobs/${jobs[1]}`, 'bracket.gcode', desktop)
    const tries = page.getByRole('table', { name: 'Tries' })
    await tries.getByText('Stopped by a person').waitFor()
    await seeCameraPicture(page, tries)
    expect(await page.locator('main').innerText()).not.toMatch(/\b[A-Z]{3,}_[A-Z]{3,}\b/)
  },
)

/** What the camera saw is there as a picture with its time, and is shown larger where it is pressed. */
async function seeCameraPicture(page: Page, where: Locator): Promise<void> {
  const small = where.getByRole('img', { name: /^Camera picture of Bench 2, \d+:\d\d/ })
  await small.waitFor()
  const widthOf = (image: Locator) => image.evaluate((element: HTMLImageElement) => element.naturalWidth)
  await expect.poll(() => widthOf(small)).toBe(480)
  await small.click()
  const dialog = page.getByRole('dialog', { name: /^Camera picture of Bench 2, / })
  const large = dialog.locator('img')
  await large.waitFor()
  await expect.poll(() => widthOf(large)).toBe(640)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

test.runIf(hasBrowser)('on a phone a plate is collected with one tap, and cleared on its card', limits, async () => {
  const { ask } = dashboard
  const page = await goTo('/worklist', 'Worklist', phone)
  const plateOf = async () => (await ask<{ plate_state: string }>('GET', `/printers/${printers[1]}`)).plate_state
  expect(await plateOf()).toBe('occupied')
  await page.getByRole('button', { name: 'Plate is clear' }).first().click()
  await eventually('the plate being clear', plateOf, (state) => state === 'clear')
  await goTo('/printers', 'Printers', phone)
  expect(await page.getByRole('button', { name: 'Clear plate: Bench 2' }).count()).toBe(0)
})

test.runIf(hasBrowser)(
  'the overview tells the day and the week, and every count leads to its list',
  limits,
  async () => {
    const page = await goTo('/', 'Overview', desktop)
    await page
      .getByRole('list', { name: 'Today by printer' })
      .getByRole('img', { name: /^Bench 1 printed/ })
      .waitFor()
    const week = page.getByRole('list', { name: 'Seven days' }).getByRole('link')
    await week.nth(6).waitFor()
    expect(await week.count()).toBe(7)
    await page.getByRole('list', { name: 'Cameras' }).getByRole('link').first().waitFor()
    await page
      .getByRole('link', { name: '0 jobs failed' })
      .or(page.getByRole('link', { name: /jobs? failed/ }))
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed')
    await goTo('/', 'Overview', phone)
    await page.getByRole('link', { name: /to collect$/ }).click()
    await page.waitForURL(/\/worklist\?type=collection/)
  },
)

test.runIf(hasBrowser)('times have one form wherever they stand', limits, async () => {
  const page = await goTo(`/jobs/${jobs[0]}`, 'bracket.gcode', desktop)
  const times = await page.locator('main time').allInnerTexts()
  expect(times.length).toBeGreaterThan(3)
  // No seconds, and no hour with a zero before it beside one without.
  expect(times.filter((text) => /\d:\d{2}:\d{2}|\b0\d:\d{2}\s?[AP]M/.test(text))).toEqual([])
  // Who reads them where clocks show another time is told whose time it is.
  const storageState = await dashboard.context.storageState()
  const elsewhere = await dashboard.open({ timezoneId: 'Asia/Tokyo', storageState })
  await elsewhere.page.goto(`${dashboard.url}/jobs/${jobs[0]}`)
  await elsewhere.page.getByRole('heading', { level: 1, name: 'bracket.gcode' }).waitFor()
  const clocks = (await elsewhere.page.locator('main time').allInnerTexts()).filter((text) => /\d:\d{2}/.test(text))
  expect(clocks.length).toBeGreaterThan(1)
  expect(clocks.filter((text) => !/ UTC$/.test(text))).toEqual([])
  await elsewhere.context.close()
})

test.runIf(hasBrowser)(
  'while the hub is away the last known state is shown, greyed, with its age',
  limits,
  async () => {
    await eventually(
      'some of it being printed',
      () => dashboard.ask<{ progress: number | null }>('GET', `/printers/${printers[0]}/status`),
      ({ progress }) => progress !== null && progress >= 2,
      90_000,
    )
    await hub.stop()
    await eventually(
      'the hub being away',
      () => dashboard.ask<{ hub_online: boolean }>('GET', `/printers/${printers[0]}/status`),
      ({ hub_online }) => !hub_online,
    )
    for (const [, window] of windows) {
      const page = await goTo('/printers', 'Printers', window)
      const card = page.getByRole('list', { name: 'Printers' }).getByRole('listitem').filter({ hasText: 'Bench 1' })
      await card.getByText(/^Last seen .*: Printing · \d+% · bracket/).waitFor()
      expect(await card.locator('article').getAttribute('data-past')).toBe('true')
      await goTo(`/printers/${printers[0]}`, 'Bench 1', window)
      await page.getByRole('heading', { level: 2, name: 'Last known' }).waitFor()
      await page.getByText(/^Last seen .*: Printing/).waitFor()
      expect(await button(page, 'Clear plate').count()).toBe(0)
      expect(await page.locator('main header .status-badge').innerText()).toBe('Offline')
      await goTo('/queue', 'Queue', window)
      const job = page.getByRole('list', { name: 'Jobs on a printer' }).getByRole('listitem').first()
      await job.getByText('Out of reach').waitFor()
      await job.getByText(/^Printing, as last seen/).waitFor()
      expect(await job.getByText('0%', { exact: true }).count()).toBe(0)
    }
  },
)
