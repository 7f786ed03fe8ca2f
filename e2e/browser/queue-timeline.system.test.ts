import { sampleOf } from '@printyard/protocol/test/sample'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { type FarmIds, fillFarm } from './test/busy-farm.ts'
import { dragTo } from './test/drag-to.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { seriousViolations } from './test/serious-violations.ts'
import { desktop, hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

const limits = { timeout: 180_000 }
const narrowPhone = { width: 360, height: 740 }

interface Timeline {
  forecast_made_at: string | null
  unknown_jobs: number
  printers: { id: string; name: string }[]
  jobs: { id: string; name: string; status: string; printer_id: string | null; starts_at: string | null }[]
}

let dashboard: TestDashboard
let ids: FarmIds
let stuckOn = ''
let lateId = ''
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  ids = await fillFarm(dashboard)
  const { ask } = dashboard
  const working_hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '23:00' }
  await ask('PATCH', '/scheduler/settings', { working_hours })
  const printers = await ask<{ id: string; name: string; model: string }[]>('GET', '/printers')
  const stuck = printers.find(({ id, model }) => id !== ids.printerId && model === 'MK4S')
  stuckOn = stuck?.id ?? ''
  await ask('PUT', `/printers/${stuckOn}/maintenance`, { in_maintenance: true })
  await ask('POST', '/jobs', { print_file_id: ids.fileId, printer_id: stuckOn })
  const due_date = new Date(Date.now() + 60_000).toISOString()
  const late = await ask<{ id: string }>('POST', '/jobs', {
    print_file_id: ids.fileId,
    printer_id: ids.printerId,
    due_date,
  })
  lateId = late.id
  await eventually(
    'a forecast of all jobs',
    () => ask<Timeline>('GET', '/jobs/queue/timeline'),
    ({ jobs, unknown_jobs }) =>
      unknown_jobs === 1 && jobs.some(({ id, starts_at }) => id === lateId && starts_at !== null),
    60_000,
  )
}, 300_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'each row of the queue says when it starts and is done, and above them when all is',
  limits,
  async () => {
    const { page, url, faults } = dashboard
    await page.goto(`${url}/queue`)
    await untilShown(page)
    const rows = page.getByRole('list', { name: 'Jobs that wait, the next one first' }).getByRole('listitem')
    await rows
      .filter({ hasText: /(Starts about .*\d:\d|Could start now).*, done about .*\d:\d/ })
      .nth(1)
      .waitFor()
    await page.getByText(/^The rest done about .* · 1 job without a forecast$/).waitFor()
    // The one that no printer takes says why it waits, and no time.
    expect(await rows.filter({ hasNotText: 'done about' }).count()).toBe(1)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'the timeline draws what prints and what would, names what has no forecast, and is in the address',
  limits,
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/queue`)
    await untilShown(page)
    await page.getByRole('radiogroup', { name: 'View of the queue' }).getByText('Timeline').click()
    await expect.poll(() => new URL(page.url()).search).toBe('?view=timeline')
    const lane = page.locator('.gantt-lane', { has: page.locator('.gantt-name', { hasText: /^North 1$/ }) })
    await lane.locator('.gantt-bar[data-kind="running"]').waitFor()
    const late = lane.locator('.gantt-bar[data-kind="late"]')
    expect(await late.getAttribute('title')).toMatch(/(Starts about|Could start now).*done about .*after it is due$/)
    await lane.locator('.gantt-now').waitFor()
    await lane.locator('.gantt-working').first().waitFor()
    // One after the other: nothing on a printer begins before what is before it ends.
    const boxes = await lane
      .locator('.gantt-bar')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect()).map(({ left, right }) => ({ left, right })))
    for (const [index, { left }] of boxes.slice(1).entries())
      expect(left).toBeGreaterThanOrEqual((boxes[index]?.right ?? 0) - 1)

    const unplanned = page.getByRole('region', { name: 'Not planned (1)' })
    await unplanned.getByText(/^No printer that fits .+ is in use and out of maintenance$/).waitFor()

    await page.getByRole('radiogroup', { name: 'Period shown' }).getByText('3 days').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('hours')).toBe('72')
    await page.reload()
    await page.getByRole('radio', { name: '3 days', checked: true }).waitFor({ state: 'attached' })

    // By the keyboard, and for screen readers.
    await page.getByText('The same as a table').press('Enter')
    const table = page.getByRole('table', { name: 'Jobs by printer, with when they start and are done' })
    const { jobs, printers } = await ask<Timeline>('GET', '/jobs/queue/timeline')
    expect(await table.getByRole('row').count()).toBe(jobs.length + 1)
    const printing = jobs.find(({ status }) => status === 'printing')
    const where = printers.find(({ id }) => id === printing?.printer_id)?.name ?? ''
    await table.getByRole('row', { name: new RegExp(`${where}.*Printing`) }).waitFor()
    await table.getByRole('row', { name: /Not planned.*not known.*No printer that fits/ }).waitFor()
    // Dragged to another printer it is tied to that one, until it is taken back.
    const printerOf = async () => (await ask<{ printer_id: string | null }>('GET', `/jobs/${lateId}`)).printer_id
    const bar = page.locator(`.gantt-bar[data-job-id="${lateId}"]`)
    await dragTo(page, bar, page.locator(`[data-printer-id="${stuckOn}"]`), 'below')
    await expect.poll(printerOf).toBe(stuckOn)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(printerOf).toBe(ids.printerId)
    await eventually(
      'the forecast of before',
      () => ask<Timeline>('GET', '/jobs/queue/timeline'),
      (timeline) => timeline.jobs.some((job) => job.id === lateId && job.printer_id === ids.printerId && job.starts_at),
      60_000,
    )
    await page.reload()
    await late.click()
    await page.getByRole('heading', { level: 1, name: /shelf-bracket/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/jobs/${lateId}`)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'it says that it cannot be read, and a viewer sees it without what changes the queue',
  limits,
  async () => {
    const { page, context, faults } = await dashboard.openAs('viewer')
    const error = { code: 'INTERNAL', message: 'It broke' }
    await page.route('**/jobs/queue/timeline', (route) =>
      route.fulfill({ status: 500, json: { success: false, error } }),
    )
    await page.goto(`${dashboard.url}/queue?view=timeline`)
    await page.getByRole('alert').getByText('The timeline could not be read').waitFor()
    const again = await page.getByRole('alert').getByRole('button', { name: 'Try again' }).elementHandle()
    await page.unroute('**/jobs/queue/timeline')
    // At once: the page also reads again by itself, and the button is gone then.
    await again?.evaluate((button: HTMLElement) => button.click())
    await page.locator('.gantt-bar').first().waitFor()
    expect(await page.getByRole('link', { name: 'Print a file' }).count()).toBe(0)
    expect(faults).toEqual([])
    await context.close()
  },
)

test.runIf(hasBrowser)('at whatever hour it is read, the times above the lanes have room', limits, async () => {
  const { url } = dashboard
  const { page, context, faults } = await dashboard.openAs('viewer')
  let shiftMs = 0
  await page.route('**/jobs/queue/timeline', async (route) => {
    const timeline = await (await route.fetch()).text()
    const shifted = timeline.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) =>
      new Date(Date.parse(at) + shiftMs).toISOString(),
    )
    await route.fulfill({ contentType: 'application/json', body: shifted })
  })
  const axes = [
    { width: narrowPhone.width, span: 12 },
    { width: narrowPhone.width, span: 168 },
    { width: desktop.width, span: 168 },
  ]
  const readings = axes.flatMap((axis) => [0, 0.7, 1.4].map((hours) => ({ ...axis, hours })))
  for (const { width, span, hours } of sampleOf(readings, 4)) {
    await page.setViewportSize({ width, height: 740 })
    shiftMs = hours * 3_600_000
    await page.goto(`${url}/queue?view=timeline&hours=${span}`)
    await page.locator('.gantt-bar').first().waitFor()
    expect(await page.locator('.gantt-tick:visible').count()).toBeGreaterThan(1)
    expect(await findLayoutFaults(page), `${width} px, ${span} h, ${hours} h later`).toEqual([])
  }
  expect(faults).toEqual([])
  await context.close()
})

test.runIf(hasBrowser).each(['light', 'dark'] as const)(
  'list and timeline can be read on a desktop and at 360 px: %s',
  limits,
  async (colorScheme) => {
    const { page, url, faults } = dashboard
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const view of ['', '?view=timeline']) {
      await page.setViewportSize(narrowPhone)
      await page.goto(`${url}/queue${view}`)
      await untilShown(page)
      if (view !== '') {
        await page.locator('.gantt-bar').first().waitFor()
        await page.getByText('The same as a table').click()
      }
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
      for (const size of [narrowPhone, desktop]) {
        await page.setViewportSize(size)
        await page.getByText(/^The rest done about/).waitFor()
        await untilShown(page)
        expect(await findLayoutFaults(page)).toEqual([])
        expect(await seriousViolations(page, colorScheme === 'light' ? 'all' : 'colors')).toEqual([])
      }
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
    expect(faults).toEqual([])
  },
)
