import { readFile } from 'node:fs/promises'
import { slicedFile } from '@printyard/server/test/farm/sliced-file'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { countActs, type HandActs } from './test/hand-acts.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const limits = { timeout: 240_000 }
const narrowPhone = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  reducedMotion: 'reduce' as const,
}

/** More than these, and a needless step was put in the way. */
const mostAtDesk = 30
const mostInHand = 18

/** Of the first order one line is to bear a name, and one is called as no SKU is; the second is for a kit. */
const ordersFile = (first: string, second: string, listing: string) =>
  [
    'order_number,external_id,currency,customer_name,sku,listing_id,variation,product_name,quantity,unit_price,personalisation: Name',
    `${first},,EUR,A. Customer,CLIP,,,Cable clip,1,6.50,Ann`,
    `${first},,EUR,A. Customer,,${listing},blue,${listing},2,4.00,`,
    `${second},,EUR,B. Customer,SET,,,Desk set,1,19.00,`,
  ].join('\n')

const mostPlates = 8

interface Job {
  id: string
  printer_id: string | null
}

interface Task {
  id: string
  title: string
  source: string
  status: string
  wishes: { order_number: string }[]
}

let dashboard: TestDashboard
let printers: string[]
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  const { ask } = dashboard
  printers = await dashboard.addPrinters(2, { speed: 5000 })
  for (const id of printers)
    await ask('PATCH', `/printers/${id}`, { auto_start: true, nozzle_size: 0.4, current_filament_type: 'PLA' })
  await ask('PATCH', '/account', { requeue_rejected_units: true })
  const clip = await addSku('CLIP', 'Cable clip')
  const hook = await addSku('HOOK', 'Wall hook')
  const set = await addSku('SET', 'Desk set')
  await addRecipe(clip, 1)
  await addRecipe(hook, 3)
  await ask('PUT', `/skus/${set}/bom`, {
    children: [
      { child_sku_id: clip, quantity_required: 1 },
      { child_sku_id: hook, quantity_required: 1 },
    ],
  })
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

async function addSku(code: string, name: string): Promise<string> {
  const product = await dashboard.ask<{ id: string }>('POST', '/products', { name })
  return (await dashboard.ask<{ id: string }>('POST', '/skus', { product_id: product.id, sku: code })).id
}

async function addRecipe(skuId: string, unitsPerPlate: number): Promise<void> {
  const { ask, url } = dashboard
  const place = await ask<{ upload_url: string; token: string }>('POST', '/files/upload-url', {
    filename: `${skuId}.gcode`,
  })
  await fetch(new URL(place.upload_url, url), { method: 'PUT', body: await readFile(slicedFile) })
  const file = await ask<{ id: string }>('POST', '/files', { upload_token: place.token })
  await ask('POST', '/recipes', { product_sku_id: skuId, print_file_id: file.id, units_per_plate: unitsPerPlate })
}

test.runIf(hasBrowser)('at a desk, from the file of a shop to the parcels of its orders', limits, async () => {
  const { page, url, faults } = dashboard
  const acts = await countActs(page)
  await page.goto(url)
  await acts.press(page.getByRole('link', { name: 'Orders', exact: true }))
  await acts.press(page.getByRole('link', { name: 'Import' }))
  await acts.chooseFile(page.locator('input[type="file"]'), 'orders.csv', ordersFile('1001', '1002', 'Hook pair'))
  await page.getByText('2 orders would be recorded. 1 line stands for no SKU yet').waitFor()
  await acts.press(page.getByRole('button', { name: 'Import 2 orders' }))
  await acts.press(page.getByRole('link', { name: 'Map lines' }))
  await acts.press(page.getByRole('combobox', { name: 'Stands for' }))
  await acts.press(page.getByRole('option', { name: 'HOOK' }))
  await acts.press(page.getByRole('button', { name: 'Map Hook pair' }))
  await page.getByRole('heading', { name: 'Every line is mapped' }).waitFor()

  await acts.press(page.getByRole('link', { name: 'Units to print' }))
  await acts.press(page.getByRole('button', { name: 'Produce all' }))
  const producing = page.getByRole('dialog', { name: 'Produce all that is needed' })
  await producing.getByText('3 plates').first().waitFor()
  await acts.press(producing.getByRole('button', { name: 'Queue it' }))
  await page.getByRole('heading', { name: 'No units to print' }).waitFor()

  await acts.press(page.getByRole('link', { name: 'Worklist', exact: true }))
  await collectAll(page, acts)
  await doTask(page, acts, /^Assemble/, 'All assembled')
  for (const number of ['1001', '1002']) {
    await doTask(page, acts, `Pick order ${number}`, 'All picked')
    await doTask(page, acts, `Pack order ${number}`, 'Packed')
  }
  await shippedWhole(['1001', '1002'])
  const printed = await dashboard.ask<Job[]>('GET', '/jobs/history')
  expect(printed, 'three plates, and one again').toHaveLength(4)
  expect(new Set(printed.map(({ printer_id }) => printer_id))).toEqual(new Set(printers))
  console.log(`From the file of a shop to two parcels at a desk: ${acts.count()} clicks`)
  expect(acts.count()).toBeLessThanOrEqual(mostAtDesk)
  expect(faults).toEqual([])
})

test.runIf(hasBrowser)(
  'in the hand, from plates that are full to the parcels, by the worklist alone',
  limits,
  async () => {
    const { url, ask, open, context } = dashboard
    const ann = { personalisation: [{ name: 'Name', value: 'Ann' }] }
    await ask('POST', '/orders', {
      order_number: '2001',
      items: [
        { sku: 'CLIP', quantity: 1, unit_price: 650, ...ann },
        { sku: 'HOOK', quantity: 2, unit_price: 400 },
      ],
    })
    await ask('POST', '/orders', { order_number: '2002', items: [{ sku: 'SET', quantity: 1, unit_price: 1900 }] })
    const { page, faults, ...inHand } = await open({ ...narrowPhone, storageState: await context.storageState() })
    const acts = await countActs(page, { isTouch: true })
    await page.goto(url)
    await ask('POST', '/production/produce', {})
    await acts.press(page.getByRole('link', { name: 'Worklist', exact: true }))
    await collectAll(page, acts)
    await doTask(page, acts, /^Assemble/, 'All assembled')
    expect(await findLayoutFaults(page)).toEqual([])
    for (const number of ['2001', '2002']) {
      // Who takes the piece off the shelf sees whose it is.
      const wish = page
        .getByRole('article')
        .filter({ hasText: `Pick order ${number}` })
        .getByText(/Name: Ann/)
      if (number === '2001') await wish.waitFor()
      else expect(await wish.count()).toBe(0)
      await doTask(page, acts, `Pick order ${number}`, 'All picked')
      await doTask(page, acts, `Pack order ${number}`, 'Packed')
    }
    await shippedWhole(['2001', '2002'])
    console.log(`From full plates to two parcels in the hand: ${acts.count()} taps`)
    expect(acts.count()).toBeLessThanOrEqual(mostInHand)
    expect(await findLayoutFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await inHand.context.close()
  },
)

/** Prints come off until all are done; of the first plate of hooks one is bad, and is printed again. */
async function collectAll(page: Page, acts: HandActs): Promise<void> {
  let hasRejected = false
  let wishes = 0
  for (let plates = 0; plates < mostPlates; plates += 1) {
    const { tasks } = await eventually(
      'a plate to collect, or all that was ordered made',
      // A plate that ends after the first look has its task at the second.
      async () => ({ jobs: await liveJobs(), tasks: await platesToCollect() }),
      (now) => now.tasks.length > 0 || now.jobs.length === 0,
      60_000,
    )
    const [next] = tasks
    if (!next) {
      expect(wishes, 'plates of pieces that bear a name').toBe(1)
      return expect(hasRejected, 'a bad unit was booked').toBe(true)
    }
    const card = page.getByRole('article').filter({ hasText: next.title })
    // Whose a piece is stands on the card of the plate that it lies on.
    wishes += next.wishes.length
    for (const { order_number } of next.wishes)
      await card.getByText(`${order_number} · 1 × Cable clip · Name: Ann`, { exact: true }).waitFor()
    if (hasRejected || !next.title.includes('hook'))
      await acts.press(card.getByRole('button', { name: 'Plate is clear' }))
    else {
      hasRejected = true
      await acts.press(card.getByRole('button', { name: 'Some units are bad…' }))
      const drawer = page.getByRole('dialog', { name: 'Task' })
      // It begins with one: whose units are fine does not open it.
      expect(await drawer.getByRole('textbox', { name: 'Bad units' }).inputValue()).toBe('1')
      await acts.press(drawer.getByRole('button', { name: 'Did not stick' }))
      await acts.press(drawer.getByRole('button', { name: 'Plate is clear, 1 bad' }))
      await drawer.waitFor({ state: 'hidden' })
    }
    await eventually(
      'the task being done',
      () => dashboard.ask<Task>('GET', `/work-cards/${next.id}`),
      ({ status }) => status === 'completed',
    )
  }
  throw new Error(`more than ${mostPlates} plates`)
}

async function doTask(page: Page, acts: HandActs, title: string | RegExp, done: string): Promise<void> {
  const card = page.getByRole('article').filter({ hasText: title })
  await acts.press(card.getByRole('button', { name: 'Begin' }))
  // A task that has started moves to the top: a finger is put where its card has come to rest.
  const button = card.getByRole('button', { name: done })
  await untilAtRest(button)
  await acts.press(button)
  await card.getByRole('button', { name: done }).waitFor({ state: 'hidden' })
}

/** Until it has not moved for half a second. */
async function untilAtRest(button: Locator): Promise<void> {
  const atRest: unknown[] = []
  await expect
    .poll(
      async () => {
        atRest.push(JSON.stringify(await button.boundingBox()))
        return new Set(atRest.slice(-4)).size === 1 && atRest.length >= 4
      },
      { interval: 150 },
    )
    .toBe(true)
}

async function platesToCollect(): Promise<Task[]> {
  const open = await dashboard.ask<Task[]>('GET', '/work-cards?state=open')
  return open.filter(({ source }) => source === 'plate')
}

async function liveJobs(): Promise<Job[]> {
  const each = (['queued', 'printing', 'processing'] as const).map((status) =>
    dashboard.ask<Job[]>('GET', `/jobs?status=${status}`),
  )
  return (await Promise.all(each)).flat()
}

async function shippedWhole(numbers: readonly string[]): Promise<void> {
  for (const number of numbers) {
    const [order] = await dashboard.ask<{ status: string }[]>('GET', `/orders?search=${number}`)
    expect(order?.status, number).toBe('fulfilled')
  }
}
