import { readFile } from 'node:fs/promises'
import { readCode } from '@printyard/web/test/read-code'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasBrowser, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const demoFile = (name: string) => readFile(new URL(`../../apps/server/demo-files/${name}`, import.meta.url))

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard()
  await dashboard.signedIn()
}, 240_000)
afterAll(() => dashboard?.end(), 60_000)

/** Lets go of these files over the page, as a person who dragged them from their desktop. */
async function dropFiles(page: Page, files: readonly { name: string; bytes: Buffer }[]): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }))
  const dataTransfer = await page.evaluateHandle((those) => {
    const transfer = new DataTransfer()
    for (const { name, base64 } of those) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      transfer.items.add(new File([bytes], name))
    }
    return transfer
  }, sent)
  await page.getByText('Drop print files here').dispatchEvent('drop', { dataTransfer })
}

const uploadOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name })

test.runIf(hasBrowser)(
  'of several files that are dropped at once each good one is added, and each other one says what is wrong with it',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/files`)
    const clips = await demoFile('cable-clips_p1s_pla.gcode.3mf')
    await dropFiles(page, [
      { name: 'bracket.gcode', bytes: await demoFile('shelf-bracket_mk4s_pla.gcode') },
      { name: 'cut-off.gcode.3mf', bytes: clips.subarray(0, clips.length / 2) },
      { name: 'clips.gcode.3mf', bytes: clips },
    ])
    await uploadOf(page, 'bracket.gcode').getByText('Added').waitFor()
    await uploadOf(page, 'clips.gcode.3mf').getByText('Added').waitFor()
    const refused = uploadOf(page, 'cut-off.gcode.3mf')
    await refused.getByText('Not added').waitFor()
    expect(await refused.getByRole('alert').innerText()).toMatch(/archive.*INVALID_FILE.*request/s)
    const names = (await ask<{ name: string }[]>('GET', '/files')).map(({ name }) => name)
    expect(names.sort()).toEqual(['bracket.gcode', 'clips.gcode.3mf'])
    // Its picture is the slicer's, out of the archive.
    const row = page.getByRole('row').filter({ hasText: 'clips.gcode.3mf' })
    const picture = row.locator('img')
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'the page of a file says what the slicer said, and which of its versions new jobs print',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    await page.goto(`${url}/files`)
    await page.getByRole('link', { name: 'bracket.gcode' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'bracket.gcode' }).waitFor()
    const said = page.locator('dl').first()
    await said.waitFor()
    expect(await said.innerText()).toMatch(/31 min.*PLA|PLA.*31 min/s)

    const rowOf = (version: number) =>
      page.getByRole('row').filter({ has: page.getByText(`Version ${version}`, { exact: true }) })
    await rowOf(1).getByText('This one').waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload a new version' }).click(),
    ])
    await chooser.setFiles({
      name: 'box.gcode',
      mimeType: 'text/plain',
      buffer: await demoFile('cable-box_mk3s_petg.gcode'),
    })
    await rowOf(2).getByText('This one').waitFor()
    await expect.poll(() => said.innerText()).toContain('PETG')

    await page.getByRole('button', { name: 'Make version 1 current' }).click()
    await rowOf(1).getByText('This one').waitFor()
    await page.reload()
    await rowOf(1).getByText('This one').waitFor()
    await expect.poll(() => said.innerText()).not.toContain('PETG')
    const [file] = await ask<{ id: string }[]>('GET', '/files?search=bracket')
    const { versions } = await ask<{ versions: { version_number: number; is_current_version: boolean }[] }>(
      'GET',
      `/files/${file?.id}`,
    )
    expect(versions.find(({ is_current_version }) => is_current_version)?.version_number).toBe(1)
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'a spool, a bin of the stock and an order each get a label whose code opens them',
  { timeout: 240_000 },
  async () => {
    const { page, url, ask, faults } = dashboard
    const spool = await ask<{ id: string }>('POST', '/materials/filament', {
      ...{ type: 'PETG', brand: 'Plain', color: 'black', location: 'Shelf 3' },
    })
    const product = await ask<{ id: string }>('POST', '/products', { name: 'Cable clip' })
    await ask('POST', '/skus', { product_id: product.id, sku: 'CLIP-BLACK', color: 'black', quantity: 4 })
    const [bin] = await ask<{ id: string; product_sku_id: string }[]>('GET', '/inventory')
    if (!bin) throw new Error('no stock')
    const order = await ask<{ id: string }>('POST', '/orders', {
      order_number: '1042',
      platform: 'etsy',
      items: [{ product_sku_id: bin.product_sku_id, quantity: 2, unit_price: 650 }],
    })

    await page.goto(`${url}/labels?items=spool:${spool.id},bin:${bin.id},order:${order.id}`)
    const labels = [
      { name: /^Code of Plain PETG black/, id: spool.id },
      { name: /^Code of CLIP-BLACK/, id: bin.id },
      { name: /^Code of .*1042/, id: order.id },
    ]
    for (const { name, id } of labels) {
      const code = page.getByRole('img', { name })
      await code.waitFor()
      expect(readCode(decodeURIComponent((await code.getAttribute('src')) ?? ''))).toBe(`${url}/s/${id}`)
    }
    for (const [id, words] of [
      [spool.id, 'Plain PETG black'],
      [bin.id, 'CLIP-BLACK'],
      [order.id, '1042'],
    ] as const) {
      await page.goto(`${url}/s/${id}`)
      await page.getByText(words).first().waitFor()
    }
    expect(faults).toEqual([])
  },
)
