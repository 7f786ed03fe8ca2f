import type { Sql } from '@printyard/server/db/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desktop, hasBrowser, phone, startDashboard, type TestDashboard } from './test/test-dashboard.ts'

const count = 10_000
/** The most that the service answers at once. */
const mostOnPage = 100
const windows = [
  ['a desktop', desktop],
  ['a phone', phone],
] as const

/** Each list, by the field that searches it; the row that is searched is the last but one of its order. */
const lists = [
  { path: '/orders', search: 'Search', wanted: 'N00002' },
  { path: '/files', search: 'Search files', wanted: 'file-00002.gcode' },
  { path: '/products', search: 'Search', wanted: 'Product 00002' },
  { path: '/stock', search: 'Search', wanted: 'SKU-00002' },
  { path: '/history', search: undefined, wanted: undefined },
] as const

const printerNames = Array.from({ length: 130 }, (_, place) => `Printer ${String(place + 1).padStart(5, '0')}`)

let dashboard: TestDashboard
beforeAll(async () => {
  if (!hasBrowser) return
  dashboard = await startDashboard({ reducedMotion: 'reduce' })
  await dashboard.signedIn()
  const { account } = await dashboard.ask<{ account: { id: string } }>('GET', '/session')
  if (!dashboard.sql) throw new Error('the service has a database of its own')
  await fill(dashboard.sql, account.id)
}, 180_000)
afterAll(() => dashboard?.end(), 60_000)

test.runIf(hasBrowser).each(windows)(
  'a list of 10,000 rows draws a page of them, shows more of them, and finds any, on %s',
  { timeout: 240_000 },
  async (_, viewport) => {
    const { page, url, faults } = dashboard
    await page.setViewportSize(viewport)
    for (const { path, search, wanted } of lists) {
      await page.goto(`${url}${path}`)
      const rows = page.locator('.data-table tbody tr')
      await rows.first().waitFor()
      const first = await rows.count()
      expect(first, path).toBeLessThanOrEqual(mostOnPage)
      await page.getByRole('button', { name: 'Show more' }).click()
      await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(first * 2)
      if (search === undefined) continue
      await page.getByRole('searchbox', { name: search, exact: true }).fill(wanted)
      await expect.poll(() => rows.count(), { timeout: 60_000, message: path }).toBe(1)
      await rows.filter({ hasText: wanted }).waitFor()
    }
    expect(faults).toEqual([])
  },
)

test.runIf(hasBrowser)(
  'of a large farm every printer and every job is drawn, and can be dragged, though the first are drawn before the others',
  { timeout: 120_000 },
  async () => {
    const { page, url, faults } = dashboard
    await page.setViewportSize(desktop)
    const links = page.locator('#main a[href^="/printers/prn_"]')
    const namesOf = (selector: string) => page.locator(selector).allTextContents()
    for (const [path, names] of [
      ['/printers', '.printer-card-name'],
      ['/printers?as=table', '.printer-link'],
      ['/', '.farm-lane-name'],
    ] as const) {
      await page.goto(`${url}${path}`)
      await links.first().waitFor()
      await expect.poll(() => namesOf(names), { timeout: 30_000, message: path }).toEqual(printerNames)
    }
    await page.goto(`${url}/queue`)
    const rows = page.getByRole('list', { name: 'Jobs that wait, the next one first' }).getByRole('listitem')
    await expect.poll(() => rows.filter({ has: page.locator('[data-grip]') }).count(), { timeout: 30_000 }).toBe(50)
    const last = rows.nth(49)
    await expect.poll(() => last.getAttribute('draggable')).toBe('true')
    expect(faults).toEqual([])
  },
)

async function fill(sql: Sql, accountId: string): Promise<void> {
  const numbers = sql`generate_series(1, ${count}::integer) n`
  const id = (prefix: string) => sql`${prefix}::text || '_' || lpad(n::text, 26, '0')`
  const name = (before: string, after = '') => sql`${before}::text || lpad(n::text, 5, '0') || ${after}::text`
  const time = sql`timestamptz '2026-03-01T00:00:00Z' + n * interval '1 minute'`
  await sql`
    insert into products (account_id, id, name, created_at)
    select ${accountId}, ${id('prd')}, ${name('Product ')}, ${time} from ${numbers}`
  await sql`
    insert into skus (account_id, id, product_id, sku, created_at)
    select ${accountId}, ${id('sku')}, ${id('prd')}, ${name('SKU-')}, ${time} from ${numbers}`
  await sql`
    insert into inventory_items (account_id, id, product_sku_id, created_at)
    select ${accountId}, ${id('inv')}, ${id('sku')}, ${time} from ${numbers}`
  await sql`
    insert into print_files (account_id, id, name, created_at)
    select ${accountId}, ${id('fil')}, ${name('file-', '.gcode')}, ${time} from ${numbers}`
  await sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata)
    select ${accountId}, ${id('ver')}, ${id('fil')}, 1, true, 'a.gcode', '', 1, 'gcode', true, '{}' from ${numbers}`
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, product_sku_id, file_name, number_of_units,
      quantity_per_print, plates_total, created_by, created_at, time_completed)
    select ${accountId}, ${id('job')}, 'completed', ${id('fil')}, ${id('ver')}, ${id('sku')}, 'a.gcode', 1, 1, 1, 'system',
           ${time}, ${time}
    from ${numbers}`
  await sql`
    insert into orders (account_id, id, order_number, platform, status, order_date, items_total, search_words)
    select ${accountId}, ${id('ord')}, ${name('N')}, 'etsy', 'fulfilled', ${time}, 100,
           array_to_tsvector(array[lower(${name('N')})])
    from ${numbers}`
  await sql`
    insert into printers (account_id, id, name, model, connection_type, connection_sealed)
    select ${accountId}, 'prn_' || lpad(right(name, 5), 26, '0'), name, 'MK4S', 'virtual', '\\x00'::bytea
    from unnest(${printerNames}::text[]) name`
  await sql`
    insert into printer_periods (account_id, printer_id, cause, started_at)
    select ${accountId}, 'prn_' || lpad(right(name, 5), 26, '0'), 'offline', now() - interval '1 second' from unnest(${printerNames}::text[]) name`
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
      quantity_per_print, plates_total, created_by, created_at)
    select ${accountId}, 'job_q' || lpad(n::text, 25, '0'), 'queued', ${id('fil')}, ${id('ver')}, 'a.gcode', 1, 1, 1, 'system', now()
    from generate_series(1, 70) n`
  await sql`analyze`
}
