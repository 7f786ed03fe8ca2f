import { slicedFileName as fileName, slicedFile } from '@printyard/server/test/farm/sliced-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dragTo } from './test/drag-to.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

let dashboard: TestDashboard
let printerId = ''
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'no-preference' })
  await dashboard.signedIn()
  ;[printerId = ''] = await dashboard.addPrinters(1, { speed: 2000 })
  // Jobs wait for a person, so that they can be ordered.
  await dashboard.ask('PATCH', `/printers/${printerId}`, { auto_start: false, current_filament_type: 'PLA' })
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

const namesInQueue = () =>
  dashboard.page
    .getByRole('list', { name: /Jobs that wait/ })
    .getByRole('link')
    .allTextContents()

const hasFocus = (element: Element) => element === document.activeElement

test.runIf(hasBrowser)(
  'a file that is no print file is refused, and another one in its place is sent, read, and queued from there',
  { timeout: 180_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/files`)
    await page.getByText('Send files straight').or(page.getByText('No file yet')).waitFor()
    await page.getByText(`${url}/octoprint`).waitFor()
    const noPrint = { name: 'notes.gcode', mimeType: 'text/x.gcode', buffer: Buffer.from('nothing that prints\n') }
    await page.locator('input[type=file]').setInputFiles(noPrint)
    const uploads = page.getByRole('list', { name: 'Uploads' })
    const another = uploads.getByRole('button', { name: 'Choose another file in place of notes.gcode' })
    await another.waitFor()
    expect(await uploads.getByRole('alert').innerText()).toContain('INVALID_FILE')
    expect(await uploads.getByRole('button', { name: /^Send .* again$/ }).count()).toBe(0)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), another.click()])
    await chooser.setFiles(slicedFile)
    await uploads.getByText('Added').waitFor()
    await uploads.getByRole('button', { name: 'Print this' }).click()

    const dialog = page.getByRole('dialog', { name: `Print ${fileName}` })
    await dialog.getByRole('textbox', { name: 'Units', exact: true }).fill('2')
    await dialog.getByText('2 plates').waitFor()
    // What the service answers of it: the printer fits, but a person starts what it prints.
    await dialog.getByText('Fits 1 printer.').waitFor()
    await dialog.getByText(/^Fits 1 printer\. Bench 1.*Done about .*\d:\d/).waitFor()
    await ask('PATCH', `/printers/${printerId}`, { name: 'North 2' })
    await dialog.getByRole('textbox', { name: 'Units', exact: true }).fill('3')
    await dialog.getByText(/North 2/).waitFor()
    await dialog.getByText('3 plates').waitFor()
    await ask('PATCH', `/printers/${printerId}`, { name: 'Bench 1' })
    await dialog.getByRole('textbox', { name: 'Units', exact: true }).fill('1')
    await dialog.getByRole('button', { name: 'Add to the queue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor()
    await page
      .getByRole('list', { name: /Jobs that wait/ })
      .getByRole('link', { name: fileName })
      .waitFor()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'jobs are put in order by keys and by the menu, and the order is the service’s',
  { timeout: 180_000 },
  async () => {
    const { page, ask, faults } = dashboard
    const [file] = await ask<{ id: string }[]>('GET', '/files')
    const product = async (name: string) => {
      const { id } = await ask<{ id: string }>('POST', '/products', { name })
      await ask('POST', '/jobs', { print_file_id: file?.id, product_id: id })
    }
    await product('Hook')
    await product('Lid')
    const order = (...names: string[]) => expect.poll(namesInQueue, { timeout: 60_000 }).toEqual(names)
    // They appear by the live stream.
    await order(fileName, 'Hook', 'Lid')

    await page.getByRole('button', { name: /^Move Lid/ }).press('ArrowUp')
    await order(fileName, 'Lid', 'Hook')
    await page.getByText('Lid is now number 2 of 3').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Actions for Hook' }).click()
    await page.getByRole('menuitem', { name: 'Move to the top' }).click()
    await order('Hook', fileName, 'Lid')
    await page.getByText('Hook is now number 1 of 3').waitFor({ state: 'attached' })
    await page.reload()
    await order('Hook', fileName, 'Lid')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a job is dragged by its grip to another place, and stands there after the page is loaded again',
  { timeout: 180_000 },
  async () => {
    const { page, faults } = dashboard
    const order = (...names: string[]) => expect.poll(namesInQueue, { timeout: 60_000 }).toEqual(names)
    await order('Hook', fileName, 'Lid')
    const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
    await dragTo(page, page.getByRole('button', { name: /^Move Lid/ }), row('Hook'), 'above')
    await order('Lid', 'Hook', fileName)
    await page.getByText('Lid is now number 1 of 3').waitFor({ state: 'attached' })
    await page.reload()
    await order('Lid', 'Hook', fileName)
    await dragTo(page, page.getByRole('button', { name: /^Move Lid/ }), row(fileName), 'below')
    await order('Hook', fileName, 'Lid')
    await page.getByText('Lid is now number 3 of 3').waitFor({ state: 'attached' })
    await page.reload()
    await order('Hook', fileName, 'Lid')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'several jobs get another priority at once, and go where it puts them',
  { timeout: 180_000 },
  async () => {
    const { page, ask, faults } = dashboard
    await page.getByRole('checkbox', { name: 'Select Lid' }).check()
    await page.getByRole('button', { name: 'Select all 3 shown' }).click()
    await page.getByText('3 jobs selected').waitFor()
    await page.getByRole('checkbox', { name: 'Select Hook' }).uncheck()
    await page.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('menuitem', { name: 'Low' }).click()
    await page.getByText('2 jobs set to low priority').waitFor()
    const priorities = async () =>
      (await ask<{ priority: string }[]>('GET', '/jobs/queue')).map(({ priority }) => priority)
    expect(await priorities()).toEqual(['normal', 'low', 'low'])
    await expect.poll(namesInQueue, { timeout: 60_000 }).toEqual(['Hook', fileName, 'Lid'])
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a cancel, a move and a change of many are done at once, and Undo takes each back to what it was',
  { timeout: 180_000 },
  async () => {
    const { page, ask, faults } = dashboard
    const queue = async () =>
      (await ask<{ id: string; priority: string }[]>('GET', '/jobs/queue')).map(({ id, priority }) => [id, priority])
    const order = (...names: string[]) => expect.poll(namesInQueue, { timeout: 60_000 }).toEqual(names)
    const undo = (words: RegExp) =>
      page.getByRole('alert').filter({ hasText: words }).getByRole('button', { name: 'Undo' }).click()
    await order('Hook', fileName, 'Lid')
    const before = await queue()

    await page.getByRole('button', { name: `Actions for ${fileName}` }).click()
    await page.getByRole('menuitem', { name: 'Cancel', exact: true }).click()
    await order('Hook', 'Lid')
    await undo(/is cancelled/)
    await order('Hook', fileName, 'Lid')
    expect(await queue()).toEqual(before)

    await page.getByRole('button', { name: /^Move Lid/ }).press('ArrowUp')
    await order('Hook', 'Lid', fileName)
    await undo(/Lid is moved/)
    await order('Hook', fileName, 'Lid')
    expect(await queue()).toEqual(before)

    // Of the test before.
    await page.getByRole('button', { name: 'Select none' }).click()
    await page.getByRole('checkbox', { name: 'Select Hook' }).check()
    await page.getByRole('checkbox', { name: 'Select Lid' }).check()
    await page.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('menuitem', { name: 'High' }).click()
    await undo(/2 jobs set to high priority/)
    await expect.poll(queue, { timeout: 60_000 }).toEqual(before)
    await page.getByRole('button', { name: 'Select none' }).click()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'the queue says how many jobs wait, and shows those that match what is typed and chosen, which the address keeps',
  { timeout: 180_000 },
  async () => {
    const { page, faults } = dashboard
    await page.getByRole('heading', { name: 'Waiting (3)' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('hoo')
    await page.getByRole('heading', { name: 'Waiting (1)' }).waitFor()
    await expect.poll(namesInQueue, { timeout: 60_000 }).toEqual(['Hook'])
    expect(new URL(page.url()).searchParams.get('search')).toBe('hoo')
    // Among some of the jobs a place is none in the queue.
    expect(await page.getByRole('button', { name: /^Move / }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'Priority' }).click()
    await page.getByRole('option', { name: 'Low' }).click()
    await page.getByRole('heading', { name: 'No job that waits matches' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await expect.poll(namesInQueue, { timeout: 60_000 }).toEqual([fileName, 'Lid'])
    await page.reload()
    await expect.poll(namesInQueue, { timeout: 60_000 }).toEqual([fileName, 'Lid'])
    expect(await page.getByRole('combobox', { name: 'Priority' }).inputValue()).toBe('Low')
    await page.goto(`${dashboard.url}/queue`)
    await page.getByRole('heading', { name: 'Waiting (3)' }).waitFor()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a job tells why it waits, rule by rule; started by a person it completes and stands in the history',
  { timeout: 240_000 },
  async () => {
    const { page, faults } = dashboard
    await page.getByRole('button', { name: /^Hook waits: Bench 1: / }).click()
    const why = page.getByRole('dialog', { name: 'Reason why Hook waits' })
    await why.getByText('In the way: The printer starts jobs only when a person says so').waitFor()
    await why.getByText('Holds: The plate is clear.').waitFor()
    await why.getByRole('button', { name: 'Let it start jobs by itself' }).click()
    // The question stands over the drawer: its buttons can be pressed.
    const question = page.getByRole('dialog', { name: 'Let Bench 1 start jobs by itself?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    // Escape, too, takes away the question alone.
    const open = why.getByRole('button', { name: 'Let it start jobs by itself' })
    await open.press('Enter')
    await question.waitFor()
    await expect
      .poll(() => question.getByRole('button', { name: 'Cancel' }).evaluate(hasFocus), { timeout: 60_000 })
      .toBe(true)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    await expect.poll(() => open.evaluate(hasFocus), { timeout: 60_000 }).toBe(true)
    await why.getByText('Holds: The plate is clear.').waitFor()
    await page.keyboard.press('Escape')
    await why.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: 'Actions for Hook' }).click()
    await page.getByRole('menuitem', { name: 'Start now on…' }).click()
    const assign = page.getByRole('dialog', { name: 'Which printer prints Hook?' })
    await assign.getByRole('combobox', { name: 'Printer' }).click()
    await page.getByRole('option', { name: 'Bench 1' }).click()
    await assign.getByRole('button', { name: 'Start on Bench 1 now' }).click()
    await assign.waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'History' }).first().click()
    await page.getByRole('row', { name: /Hook Completed Bench 1/ }).waitFor({ timeout: 120_000 })
    await page.getByRole('link', { name: 'Hook' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hook' }).waitFor()
    await page.getByRole('row', { name: /Plate 1 Bench 1 Done/ }).waitFor()
    expect(faults).toEqual([])
  },
)
