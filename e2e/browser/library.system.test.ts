import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLayoutFaults } from './test/layout-faults.ts'
import { hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const demoFile = (name: string) => readFile(new URL(`../../apps/server/demo-files/${name}`, import.meta.url))

let dashboard: TestDashboard
let bracketId = ''
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard()
  const page = await dashboard.signedIn()
  await page.goto(`${dashboard.url}/files`)
  const files = [
    { name: 'bracket.gcode', from: 'shelf-bracket_mk4s_pla.gcode' },
    { name: 'box.gcode', from: 'cable-box_mk3s_petg.gcode' },
    { name: 'clips.gcode.3mf', from: 'cable-clips_p1s_pla.gcode.3mf' },
  ]
  for (const { name, from } of files) {
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'text/x.gcode', buffer: await demoFile(from) })
    await page
      .getByRole('list', { name: 'Uploads' })
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByText('Added')
      .waitFor()
  }
  const listed = await dashboard.ask<{ id: string; name: string }[]>('GET', '/files')
  bracketId = listed.find(({ name }) => name === 'bracket.gcode')?.id ?? ''
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser)(
  'several files get a tag at once, are found by it, sorted and shown as a grid, and the address keeps it all',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/files`)
    await page.getByRole('checkbox', { name: 'Select bracket.gcode' }).check()
    await page.getByRole('checkbox', { name: 'Select clips.gcode.3mf' }).check()
    const selected = page.getByRole('group', { name: 'Selected files' })
    await selected.getByText('2 files selected').waitFor()
    await selected.getByRole('button', { name: 'Add tags…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add tags to 2 files' })
    await dialog.locator('input:not([type=hidden])').fill('PLA things')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByText('2 files tagged').waitFor()
    // What was done with many is taken back in one step, and done again.
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => ask('GET', '/files/tags')).toEqual({ tags: [] })
    await page.getByRole('link', { name: 'PLA things' }).first().waitFor({ state: 'detached' })
    await selected.getByRole('button', { name: 'Add tags…' }).click()
    await dialog.locator('input:not([type=hidden])').fill('PLA things')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByText('2 files tagged').last().waitFor()
    await expect.poll(() => ask('GET', '/files/tags')).not.toEqual({ tags: [] })
    expect(await ask('GET', '/files/tags')).toEqual({ tags: [{ tag: 'PLA things', files: 2 }] })

    await page.getByRole('row').filter({ hasText: 'bracket.gcode' }).getByRole('link', { name: 'PLA things' }).click()
    await page.getByRole('link', { name: 'box.gcode' }).waitFor({ state: 'detached' })
    await page.getByText('Grid', { exact: true }).click()
    const grid = page.getByRole('list', { name: 'Files' })
    await grid.waitFor()
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option', { name: 'By name' }).click()
    const names = () => grid.getByRole('link', { name: /gcode/ }).allTextContents()
    await expect.poll(names).toEqual(['bracket.gcode', 'clips.gcode.3mf'])
    await page.reload()
    await expect.poll(names).toEqual(['bracket.gcode', 'clips.gcode.3mf'])
    expect(new URL(page.url()).search).toMatch(/tag=PLA.things.*sort=name.*as=grid/)
    // The picture is the slicer's.
    const picture = grid.getByRole('listitem').filter({ hasText: 'clips' }).locator('img')
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)

    await grid.getByRole('checkbox', { name: 'Select clips.gcode.3mf' }).check()
    await selected.getByRole('button', { name: 'Remove a tag' }).click()
    await page.getByRole('menuitem', { name: 'PLA things' }).click()
    await expect.poll(names).toEqual(['bracket.gcode'])
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'files are moved into folders and back, a folder shows what is in it and below, and takes what is uploaded there',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask } = dashboard
    await page.goto(`${url}/files`)
    const folders = page.getByRole('navigation', { name: 'Folders' })
    expect(await folders.count()).toBe(0)
    const moveTo = async (folder: string) => {
      const dialog = page.getByRole('dialog', { name: /^Move / })
      await dialog.getByLabel('Folder').fill(folder)
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    }
    await page.getByRole('checkbox', { name: 'Select bracket.gcode' }).check()
    await page.getByRole('checkbox', { name: 'Select box.gcode' }).check()
    await page.getByRole('group', { name: 'Selected files' }).getByRole('button', { name: 'Move to a folder…' }).click()
    await moveTo('Workshop')
    await page.getByText('2 files moved').waitFor()
    await page.getByRole('button', { name: 'Actions for box.gcode' }).click()
    await page.getByRole('menuitem', { name: 'Move to a folder…' }).click()
    await moveTo(' Workshop / 2026 ')
    await page.getByText('1 file moved').waitFor()
    await expect
      .poll(() => ask('GET', '/files/folders'))
      .toEqual({
        folders: [
          { folder: 'Workshop', files: 1 },
          { folder: 'Workshop/2026', files: 1 },
        ],
      })

    await folders.getByRole('link', { name: 'Workshop 2' }).click()
    await page.waitForURL(/folder=Workshop$/)
    const rows = page.getByRole('table', { name: 'Files' }).getByRole('link', { name: /gcode/ })
    await expect.poll(async () => (await rows.allTextContents()).sort()).toEqual(['box.gcode', 'bracket.gcode'])
    await folders.getByRole('link', { name: '2026 1' }).click()
    await expect.poll(() => rows.allTextContents()).toEqual(['box.gcode'])
    await page.reload()
    await expect.poll(() => rows.allTextContents()).toEqual(['box.gcode'])

    const buffer = Buffer.concat([await demoFile('shelf-bracket_mk4s_pla.gcode'), Buffer.from('; another\n')])
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'put-here.gcode', mimeType: 'text/x.gcode', buffer })
    await expect.poll(async () => (await rows.allTextContents()).sort()).toEqual(['box.gcode', 'put-here.gcode'])
    await page.setViewportSize(phone)
    expect(await findLayoutFaults(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })

    // For the tests below all is as it was.
    await folders.getByRole('link', { name: 'All files' }).click()
    for (const { id, name } of await ask<{ id: string; name: string }[]>('GET', '/files')) {
      if (name === 'put-here.gcode') await ask('DELETE', `/files/${id}`)
      else await ask('PATCH', `/files/${id}`, { folder: '' })
    }
    await folders.waitFor({ state: 'detached' })
  },
)

test.runIf(hasBrowser)(
  'the page of a file has its tags, and says which recipes and jobs use it',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    const product = await ask<{ id: string }>('POST', '/products', { name: 'Shelf bracket' })
    const sku = await ask<{ id: string }>('POST', '/skus', { product_id: product.id, sku: 'BRACKET-RED', color: 'red' })
    await ask('POST', '/recipes', { product_sku_id: sku.id, print_file_id: bracketId, units_per_plate: 2 })
    await ask('POST', '/jobs', { print_file_id: bracketId })
    await page.goto(`${url}/files/${bracketId}`)
    const recipes = page.getByRole('list', { name: 'Recipes that print it' })
    await recipes.getByText('BRACKET-RED · 2 units per plate').waitFor()
    await page.getByRole('link', { name: '1 job in the queue or printing' }).waitFor()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags of bracket.gcode' })
    await dialog.locator('input:not([type=hidden])').fill('shelf')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'shelf', exact: true }).waitFor()
    await recipes.getByRole('link', { name: 'Shelf bracket' }).click()
    await page.getByRole('heading', { level: 1, name: 'Shelf bracket' }).waitFor()
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'on a phone the grid has two files beside each other, and a file that is in use is not deleted with the others',
  { timeout: 240_000 },
  async () => {
    const { url, ask, openAs } = dashboard
    const { page, faults } = await openAs('operator', { viewport: phone })
    await page.goto(`${url}/files?as=grid`)
    const cards = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
    await cards.nth(2).waitFor()
    expect(await cards.count()).toBe(3)
    const [first, second] = await Promise.all([cards.nth(0).boundingBox(), cards.nth(1).boundingBox()])
    expect(first?.y).toBe(second?.y)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
    await page.getByRole('checkbox', { name: 'Select bracket.gcode' }).check()
    await page.getByRole('checkbox', { name: 'Select box.gcode' }).check()
    await page.getByRole('group', { name: 'Selected files' }).getByRole('button', { name: 'Add tags…' }).click()
    const adding = page.getByRole('dialog', { name: 'Add tags to 2 files' })
    await adding.locator('input:not([type=hidden])').fill('By mistake')
    await page.keyboard.press('Enter')
    await adding.getByRole('button', { name: 'Add' }).click()
    const told = page.getByRole('alert').filter({ hasText: '2 files tagged' })
    await told.waitFor()
    expect(await findLayoutFaults(page)).toEqual([])
    await told.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => ask<{ tags: { tag: string }[] }>('GET', '/files/tags'))
      .not.toMatchObject({
        tags: expect.arrayContaining([{ tag: 'By mistake', files: 2 }]),
      })
    await page.getByRole('button', { name: 'Delete selected…' }).click()
    await page.getByRole('button', { name: 'Delete 2 files' }).click()
    await page.getByText('1 file deleted').waitFor()
    await page.getByText(/bracket\.gcode: .*use/i).waitFor()
    expect((await ask<{ name: string }[]>('GET', '/files')).map(({ name }) => name).sort()).toEqual([
      'bracket.gcode',
      'clips.gcode.3mf',
    ])
    expect(faults).toEqual([])
  },
)
