import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import { readCode } from '@printyard/web/test/read-code'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { dragTo } from './test/drag-to.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

let dashboard: TestDashboard
let printers: string[]
let fileId: string
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ viewport: { width: 390, height: 844 } })
  await dashboard.signedIn()
  printers = await dashboard.addPrinters(2, { speed: 5000 })
  const { upload_url } = await dashboard.ask<{ upload_url: string }>('POST', '/files/upload-url', {
    filename: 'bracket.gcode',
  })
  const put = await fetch(new URL(upload_url, dashboard.url), { method: 'PUT', body: await readFile(slicedFile) })
  expect(put.status).toBe(200)
  const upload_token = upload_url.split('/').at(-1)
  fileId = (await dashboard.ask<{ id: string }>('POST', '/files', { upload_token })).id
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

interface Card {
  id: string
  title: string
  status: string
}

/** Prints on a printer until the farm asks for a person who takes the print off: that task. */
async function printUntilCollection(printerId: string): Promise<Card> {
  const body = { print_file_id: fileId, printer_id: printerId, number_of_units: 1 }
  const job = await dashboard.ask<{ id: string }>('POST', '/jobs', body)
  const { status } = await dashboard.ask<{ status: string }>('GET', `/jobs/${job.id}`)
  if (status === 'queued') await dashboard.ask('POST', `/jobs/${job.id}/start`)
  const [card] = await eventually(
    'a collection task of the printer',
    () => dashboard.ask<Card[]>('GET', `/work-cards?printer_id=${printerId}&task_type=collection`),
    (cards) => cards.length > 0,
  )
  if (!card) throw new Error('no task')
  return card
}

const plateOf = async (printerId: string) =>
  (await dashboard.ask<{ plate_state: string }>('GET', `/printers/${printerId}`)).plate_state

test.runIf(hasBrowser)(
  'on a phone, the collection after a print is done with one tap, and the plate is clear',
  { timeout: 240_000 },
  async () => {
    const { page, url, faults } = dashboard
    const [printerId = ''] = printers
    const task = await printUntilCollection(printerId)
    expect(await plateOf(printerId)).toBe('occupied')
    await page.goto(`${url}/worklist`)
    const card = page.getByRole('article').filter({ hasText: task.title })
    await card.getByText('Clears the plate of Bench 1').waitFor()
    const collect = card.getByRole('button', { name: 'Plate is clear' })
    expect((await collect.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await collect.click()
    await page.getByText('The plate of Bench 1 is clear').waitFor()
    await page.getByRole('heading', { name: 'Done today' }).waitFor()
    expect(await plateOf(printerId)).toBe('clear')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'on the board of a wide screen, a card is dragged to another column and stands there after the page is loaded again',
  { timeout: 240_000 },
  async () => {
    const { url, ask, open, context } = dashboard
    const task = await ask<Card>('POST', '/worklist', { title: 'Sweep the floor', task_type: 'maintenance' })
    const { page, faults, ...wide } = await open({ storageState: await context.storageState() })
    await page.goto(`${url}/worklist`)
    const column = (name: RegExp) => page.getByRole('region', { name })
    const cardIn = (name: RegExp) => column(name).getByRole('article').filter({ hasText: task.title })
    await dragTo(page, cardIn(/^Pending/), column(/^In progress/), 'above')
    await cardIn(/^In progress/).waitFor()
    await eventually(
      'the task being in progress',
      () => ask<Card>('GET', `/work-cards/${task.id}`),
      ({ status }) => status === 'in_progress',
    )
    await page.reload()
    await dragTo(page, cardIn(/^In progress/), column(/^Pending/), 'above')
    await cardIn(/^Pending/).waitFor()
    expect(faults).toEqual([])
    await wide.context.close()
  },
)

test.runIf(hasBrowser)(
  "typing the code of a printer's label opens its task with the one button that ends it",
  { timeout: 240_000 },
  async () => {
    const { page, url, faults } = dashboard
    const printerId = printers[1] ?? ''
    const task = await printUntilCollection(printerId)
    await page.goto(`${url}/scan`)
    const field = page.getByRole('textbox', { name: 'Scanned code' })
    await field.pressSequentially('4006381333931')
    await field.press('Enter')
    await page.getByText('is no label of this farm').waitFor()
    await field.pressSequentially(`https://another-name.example/s/${printerId}`)
    await field.press('Enter')
    await page.getByRole('heading', { name: task.title }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/s/${printerId}`)
    await page.getByRole('button', { name: 'Plate is clear' }).click()
    await page.getByRole('status').getByText('The plate of Bench 2 is clear').waitFor()
    expect(await plateOf(printerId)).toBe('clear')
    // Nothing is left to be done: the next scan opens the printer itself.
    await page.goto(`${url}/s/${printerId}`)
    await page.waitForURL(`${url}/printers/${printerId}`)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a tag that is on no spool is put on the one whose label is scanned next, and opens it from then on',
  { timeout: 240_000 },
  async () => {
    const { page, url, faults, ask } = dashboard
    const { id } = await ask<{ id: string }>('POST', '/materials/filament', { type: 'PETG', color: 'Signal red' })
    await page.goto(`${url}/scan`)
    const field = page.getByRole('textbox', { name: 'Scanned code' })
    const scan = async (text: string) => {
      await field.pressSequentially(text)
      await field.press('Enter')
    }
    await scan('BC6F2F66080104E0')
    await page.getByRole('status').getByText('No spool has this tag').waitFor()
    await scan(`https://another-name.example/s/${id}`)
    await page.getByText('The tag is on the spool').waitFor()
    await page.waitForURL(`${url}/s/${id}`)
    await page.goto(`${url}/scan`)
    await scan('E0:04:01:08:66:2F:6F:BC')
    await page.waitForURL(`${url}/s/${id}`)
    expect(faults).toEqual([])
  },
)

/** The payload of an OpenPrintTag with an instance, of PETG by Prusament, 1,000 g when it was full. */
const openPrintTag = [
  ...['a0bf0050', '0123456789abcdef'.repeat(2), '080009010a685045544720526564'],
  ...['0b6950727573616d656e74', '101903e8ff'],
].join('')

test.runIf(hasBrowser)(
  'a spool is added as its OpenPrintTag says, shows the tag on its page, and loses it there',
  { timeout: 240_000 },
  async () => {
    const { page, url, faults, ask } = dashboard
    await page.goto(`${url}/scan`)
    const field = page.getByRole('textbox', { name: 'Scanned code' })
    await field.fill(openPrintTag)
    await field.press('Enter')
    await page.getByText('It says: Prusament, PETG, PETG Red').waitFor()
    await page.getByRole('button', { name: 'Add the spool as the tag says' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a spool' })
    expect(await dialog.getByLabel('Type').inputValue()).toBe('PETG')
    expect(await dialog.getByLabel('Left on it, in grams').inputValue()).toBe('1000')
    await dialog.getByLabel('Left on it, in grams').fill('640')
    await dialog.getByRole('button', { name: 'Add a spool' }).click()
    await page.waitForURL(/\/materials\/filament\/mat_/)
    const spoolId = page.url().split('/').at(-1)
    const tags = page.getByRole('region', { name: 'Tags' })
    await tags.getByText('01234567-89ab-cdef-0123-456789abcdef').waitFor()
    expect(await ask('GET', `/materials/filament/${spoolId}`)).toMatchObject({
      ...{ type: 'PETG', color: 'PETG Red', brand: 'Prusament', remaining_grams: 640, spool_weight_grams: 1000 },
    })

    await tags.getByLabel('Another tag').fill('75886B1D')
    await tags.getByRole('button', { name: 'Put it on' }).click()
    await tags.getByText('75:88:6B:1D').waitFor()
    await tags.getByLabel('Another tag').fill('Black')
    await tags.getByRole('button', { name: 'Put it on' }).click()
    await tags.getByText('is no tag that is known here').waitFor()
    await tags.getByRole('button', { name: 'Take tag 01234567-89ab-cdef-0123-456789abcdef off' }).click()
    await page.getByRole('button', { name: 'Take the tag off' }).click()
    await tags.getByText('01234567-89ab-cdef-0123-456789abcdef').waitFor({ state: 'detached' })
    expect(await ask('GET', `/materials/filament/${spoolId}/tags`)).toMatchObject({ tags: [{ value: '75886b1d' }] })
    // Who reads the tag that was taken off is asked again whose it is.
    await page.goto(`${url}/scan`)
    await field.fill(openPrintTag)
    await field.press('Enter')
    await page.getByText('No spool has this tag').waitFor()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a sheet of labels holds a code that reads as the address of its thing, and prints nothing else',
  { timeout: 240_000 },
  async () => {
    const { page, url, faults } = dashboard
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${url}/labels?items=${printers.map((id) => `printer:${id}`).join(',')}&size=62x29`)
    await page.getByText('Bench 2').first().waitFor()
    const codes = page.getByRole('img', { name: /^Code of Bench/ })
    await codes.nth(1).waitFor()
    const shown = await codes.evaluateAll((images) => images.map((image) => image.getAttribute('src') ?? ''))
    expect(shown.map((source) => readCode(decodeURIComponent(source)))).toEqual(printers.map((id) => `${url}/s/${id}`))
    expect(
      await codes.evaluateAll((images) => images.every((image) => (image as HTMLImageElement).naturalWidth > 0)),
    ).toBe(true)

    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Print', exact: true }).isVisible()).toBe(false)
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
    expect(await page.getByText('Bench 1').first().isVisible()).toBe(true)
    await page.emulateMedia({ media: null })
    // One page per label, and none besides.
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(paper.match(/\/Count \d+/g)).toEqual([`/Count ${printers.length}`])
    expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([])
    expect(faults).toEqual([])
  },
)

/** Takes the place of the camera: the code of a label on a grey table, at an angle and not quite sharp. */
const holdBeforeCamera = (source: string) => `{
  delete globalThis.BarcodeDetector
  navigator.mediaDevices.getUserMedia = async () => {
    const image = new Image()
    image.src = ${JSON.stringify(source)}
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
    const picture = canvas.getContext('2d')
    setInterval(() => {
      picture.filter = 'blur(1px)'
      picture.setTransform(1, 0, 0, 1, 0, 0)
      picture.fillStyle = '#999'
      picture.fillRect(0, 0, 640, 480)
      picture.translate(320, 240)
      picture.rotate(0.3)
      picture.drawImage(image, -120, -120, 240, 240)
    }, 50)
    return canvas.captureStream()
  }
}`

test.runIf(hasBrowser)(
  'a browser without a reader of codes of its own scans a label by the one it is given',
  { timeout: 240_000 },
  async () => {
    const { page, url, faults, context } = dashboard
    const printerId = printers[0] ?? ''
    await page.goto(`${url}/labels?items=printer:${printerId}&size=62x29`)
    const code = page.getByRole('img', { name: /^Code of Bench/ })
    const source = (await code.getAttribute('src')) ?? ''
    const phone = await context.newPage()
    const asked: string[] = []
    phone.on('request', (request) => asked.push(request.url()))
    await phone.addInitScript(holdBeforeCamera(source))
    await phone.goto(`${url}/scan`)
    await phone.getByRole('button', { name: 'Scan with the camera' }).click()
    await phone.waitForURL(`${url}/printers/${printerId}`)
    expect(asked.filter((address) => address.endsWith('.wasm'))).toHaveLength(1)
    expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([])
    await phone.close()
    expect(faults).toEqual([])
  },
)
