import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { dragTo } from './test/drag-to.ts'
import { findLayoutFaults } from './test/layout-faults.ts'
import { desktop, hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'
import { untilShown } from './test/until-shown.ts'

const clipsFile = 'cable-clips_p1s_pla.gcode.3mf'
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  const { ask, url } = dashboard
  const { upload_url, token } = await ask<{ upload_url: string; token: string }>('POST', '/files/upload-url', {
    filename: clipsFile,
  })
  const body = await readFile(new URL(`../../apps/server/demo-files/${clipsFile}`, import.meta.url))
  await fetch(new URL(new URL(upload_url).pathname, url), { method: 'PUT', body })
  await ask('POST', '/files', { upload_token: token, name: clipsFile })
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Chooses in a list that a field opens. */
async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

test.runIf(hasBrowser)(
  'a product is made: a SKU, a recipe by what its file says, pictures in their order',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/products`)
    await page.getByRole('heading', { name: 'No product yet' }).waitFor()
    await page.getByRole('button', { name: 'Add a product' }).first().click()
    const adding = dialogOf(page, 'Add a product')
    await adding.getByLabel('Name').fill('Cable clip')
    await adding.getByLabel('Category').fill('Office')
    await adding.getByRole('button', { name: 'Add product' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cable clip' }).waitFor()

    await page.getByRole('button', { name: 'Add a SKU' }).click()
    const sku = dialogOf(page, 'Add a SKU to Cable clip')
    await sku.getByRole('textbox', { name: 'Code', exact: true }).fill('CLIP-BLUE')
    await sku.getByLabel('Colour', { exact: true }).fill('Blue')
    await sku.getByLabel('Filament').fill('PLA')
    await sku.getByRole('button', { name: 'Add SKU' }).click()
    await page.getByRole('link', { name: 'CLIP-BLUE' }).waitFor()

    await page.getByRole('button', { name: 'Add a recipe' }).click()
    const recipe = dialogOf(page, 'Recipe of Cable clip')
    await choose(page, 'File', clipsFile)
    await recipe.getByText(/^The file says \d+ units?/).waitFor()
    const [file] = await ask<{ object_count: number | null }[]>('GET', '/files')
    await recipe.getByRole('button', { name: 'Add recipe' }).click()
    await page.getByRole('row', { name: new RegExp(`${clipsFile}.*CLIP-BLUE`) }).waitFor()
    const [made] = await ask<{ units_per_plate: number }[]>('GET', '/recipes')
    expect(made?.units_per_plate).toBe(file?.object_count ?? 1)

    for (const name of ['front.png', 'back.png']) {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Add pictures' }).click(),
      ])
      await chooser.setFiles({ name, mimeType: 'image/png', buffer: picture })
      await page
        .getByRole('img', { name: name === 'front.png' ? 'Cable clip, 1 of 1' : 'Cable clip, 2 of 2' })
        .waitFor()
    }
    const imagesOf = async () => (await ask<{ images: { id: string }[] }[]>('GET', '/products'))[0]?.images ?? []
    const before = (await imagesOf()).map(({ id }) => id)
    await page.getByRole('button', { name: 'Move picture 2 forward' }).click()
    await expect.poll(async () => (await imagesOf()).map(({ id }) => id)).toEqual(before.toReversed())
    const pictureOf = (number: number) =>
      page
        .getByRole('list', { name: 'Pictures' })
        .getByRole('listitem')
        .nth(number - 1)
    await dragTo(page, pictureOf(1), pictureOf(2), 'below')
    await expect.poll(async () => (await imagesOf()).map(({ id }) => id)).toEqual(before)
    await page.getByRole('button', { name: 'Delete picture 2' }).click()
    await page.getByRole('button', { name: 'Delete the picture' }).click()
    await page.getByRole('img', { name: 'Cable clip, 1 of 1' }).waitFor()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a SKU gets a bill of materials, and as many can be put together as there is enough for',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    const product = await ask<{ id: string }>('POST', '/products', { name: 'Clip set' })
    const { id } = await ask<{ id: string }>('POST', '/skus', { product_id: product.id, sku: 'SET-BLUE' })
    await page.goto(`${url}/materials?kind=components`)
    await page.getByRole('button', { name: 'Add a component' }).first().click()
    const adding = dialogOf(page, 'Add a component')
    await adding.getByLabel('Name').fill('Screw')
    await adding.getByLabel('Type').fill('screw')
    await adding.getByLabel('Pieces in stock').fill('30')
    await adding.getByRole('button', { name: 'Add a component' }).click()
    await page.getByRole('link', { name: 'Screw' }).waitFor()

    await page.goto(`${url}/skus/${id}`)
    await page.getByRole('button', { name: 'Edit the bill' }).click()
    const bill = dialogOf(page, 'Parts and components of one SET-BLUE')
    await bill.getByRole('button', { name: 'Add a SKU to the bill' }).click()
    await choose(page, 'SKU, line 1', /CLIP-BLUE/)
    await bill.getByLabel('Each takes').first().fill('4')
    await bill.getByRole('button', { name: 'Add a component or packaging' }).click()
    await choose(page, 'Material, line 1', /Screw/)
    await bill.getByLabel('Each takes').nth(1).fill('2')
    await bill.getByRole('button', { name: 'Save the bill' }).click()
    await page.getByRole('row', { name: /CLIP-BLUE.*4/ }).waitFor()

    const [clips] = await ask<{ id: string }[]>('GET', '/inventory?sku=CLIP-BLUE')
    await ask('POST', `/inventory/${clips?.id}/adjust`, { adjustment: 9, reason: 'inventory_count' })
    // Without a reload: the page follows the events.
    await page.getByText('2 units can be put together now').waitFor()
    await page.getByRole('button', { name: 'Put together' }).click()
    const asking = dialogOf(page, 'Put SET-BLUE together')
    await asking.getByLabel('Units').fill('3')
    await asking.getByRole('button', { name: 'Add the task' }).click()
    await asking.getByText(/3 × CLIP-BLUE missing/).waitFor()
    await asking.getByLabel('Units').fill('2')
    await asking.getByRole('button', { name: 'Add the task' }).click()
    await asking.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Set the shelf' }).click()
    const shelf = dialogOf(page, 'Keep SET-BLUE on the shelf')
    await shelf.getByLabel('Fill up from').fill('3')
    await shelf.getByLabel('Up to').fill('3')
    await shelf.getByRole('button', { name: 'Save' }).click()
    await shelf.getByText('Must be more than').waitFor()
    await shelf.getByLabel('Up to').fill('8')
    await shelf.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Restocked to 8 when 3 or fewer are in stock').waitFor()
    const tasks = await ask<{ sku: string; quantity: number }[]>('GET', '/assembly')
    expect(tasks.map(({ sku, quantity }) => [sku, quantity])).toEqual([['SET-BLUE', 2]])
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a bill that would make a SKU of itself is refused, and the dialog says by which way',
  { timeout: 120_000 },
  async () => {
    const { page, url, ask } = dashboard
    const [clips] = await ask<{ id: string }[]>('GET', '/skus?search=CLIP-BLUE')
    await page.goto(`${url}/skus/${clips?.id}`)
    await page.getByRole('button', { name: 'Edit the bill' }).click()
    const bill = dialogOf(page, 'Parts and components of one CLIP-BLUE')
    await bill.getByRole('button', { name: 'Add a SKU to the bill' }).click()
    await choose(page, 'SKU, line 1', /SET-BLUE/)
    await bill.getByRole('button', { name: 'Save the bill' }).click()
    await bill.getByRole('alert').getByText('would make a cycle: CLIP-BLUE → SET-BLUE → CLIP-BLUE').waitFor()
  },
)

test.runIf(hasBrowser)(
  'stock is found, counted and adjusted, and its movements say who did it and why',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    const [clips] = await ask<{ id: string; product_sku_id: string }[]>('GET', '/inventory?sku=CLIP-BLUE')
    const items = [{ product_sku_id: clips?.product_sku_id, quantity: 2, unit_price: 300 }]
    await ask('POST', '/orders', { order_number: '1001', platform: 'etsy', items })
    await eventually(
      'the plan holding two units',
      () => ask<{ reserved: number }>('GET', `/inventory/${clips?.id}`),
      ({ reserved }) => reserved === 2,
      30_000,
    )
    await page.goto(`${url}/stock`)
    await page.getByRole('row', { name: /CLIP-BLUE.* 9\s+2\s+7\s/ }).waitFor()
    await page.getByLabel('Search').fill('clip-b')
    await page.getByRole('link', { name: 'SET-BLUE' }).waitFor({ state: 'hidden' })
    expect(new URL(page.url()).search).toBe('?search=clip-b')
    await page.getByRole('button', { name: 'Actions for CLIP-BLUE' }).click()
    await page.getByRole('menuitem', { name: 'Count…' }).click()
    const counting = dialogOf(page, 'Count CLIP-BLUE')
    await counting.getByLabel('Ready units on the shelf').fill('12')
    await counting.getByRole('button', { name: 'Book the count' }).click()
    await page.getByRole('row', { name: /CLIP-BLUE.*12/ }).waitFor()

    await page.getByRole('link', { name: 'CLIP-BLUE' }).click()
    await page.getByRole('button', { name: 'Adjust' }).click()
    const adjusting = dialogOf(page, 'Adjust CLIP-BLUE')
    await adjusting.getByLabel('Change in units').fill('-20')
    await choose(page, 'Reason', 'Damaged')
    await adjusting.getByLabel('Notes').fill('Fell off the shelf')
    await adjusting.getByRole('button', { name: 'Book the change' }).click()
    await adjusting.getByRole('alert').waitFor()
    await adjusting.getByLabel('Change in units').fill('-2')
    await adjusting.getByRole('button', { name: 'Book the change' }).click()
    await page.getByRole('row', { name: /Damaged.*−2\s+10\s+Owner\s+Fell off the shelf/ }).waitFor()
    await page.getByRole('row', { name: /Counted.*\+3\s+12\s+Owner/ }).waitFor()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a spool is added, weighed and put into a printer, which then shows its filament',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    const printer = await ask<{ id: string }>('POST', '/printers', {
      ...{ name: 'Bench 1', model: 'MK4S', connection_type: 'virtual' },
    })
    await page.goto(`${url}/materials`)
    await page.getByRole('button', { name: 'Add a spool' }).first().click()
    const adding = dialogOf(page, 'Add a spool')
    await adding.getByLabel('Type').fill('PETG')
    await adding.getByLabel('Brand').fill('Plain')
    await adding.getByRole('button', { name: 'Add a spool' }).click()
    await page.getByRole('link', { name: 'Plain PETG' }).click()
    await page.getByRole('button', { name: 'Weigh' }).click()
    const weighing = dialogOf(page, 'Weigh Plain PETG')
    await weighing.getByLabel('Grams left').fill('412.5')
    await weighing.getByRole('button', { name: 'Book it' }).click()
    await page.getByRole('row', { name: /Counted or weighed.*−588 g\s+413 g\s+Owner/ }).waitFor()

    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await choose(page, 'Printer', 'Bench 1')
    await page.getByRole('button', { name: 'It is loaded' }).click()
    await page.getByRole('button', { name: 'Take off' }).waitFor()
    const { current_filament_type } = await ask<{ current_filament_type: string }>('GET', `/printers/${printer.id}`)
    expect(current_filament_type).toBe('PETG')
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a kit is made of parts, in two colours, and its dialog fits a phone',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${url}/products`)
    await page.getByRole('button', { name: 'Add a kit' }).click()
    const kit = dialogOf(page, 'Add a kit')
    await kit.getByLabel('Name').first().fill('Desk lamp')
    await kit.getByRole('textbox', { name: 'Colour', exact: true }).fill('Red')
    await kit.getByRole('button', { name: 'Add a variant' }).click()
    await kit.getByRole('textbox', { name: 'Colour', exact: true }).nth(1).fill('Blue')
    const part = kit.getByRole('group', { name: 'Part 1' })
    await part.getByLabel('Name').fill('Base')
    await part.getByLabel('Pieces in one kit').fill('2')
    await untilShown(page)
    expect(await findLayoutFaults(page)).toEqual([])
    await kit.getByRole('button', { name: 'Add kit' }).click()
    await page.getByRole('heading', { level: 1, name: 'Desk lamp' }).waitFor()
    await page.getByRole('link', { name: 'DESK-LAMP-BASE-RED' }).waitFor()
    const [product] = await ask<{ skus: { color: string }[] }[]>('GET', '/products?search=lamp')
    expect(product?.skus.map(({ color }) => color)).toEqual(['Red', 'Blue'])
    await untilShown(page)
    expect(await findLayoutFaults(page)).toEqual([])
    await page.setViewportSize(desktop)
    expect(faults).toEqual([])
  },
)
