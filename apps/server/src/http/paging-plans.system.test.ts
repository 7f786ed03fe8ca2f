import { beforeAll, describe, expect, test } from 'vitest'
import type { PageBounds } from '../db/page-bounds.ts'
import type { AccountId } from '../kernel/ids.ts'
import { listColors } from '../modules/catalogue/colors/colors.queries.ts'
import { listItems, listMovements } from '../modules/catalogue/inventory/inventory.queries.ts'
import { listProducts } from '../modules/catalogue/products/products.queries.ts'
import { listRecipes } from '../modules/catalogue/recipes/recipes.queries.ts'
import { listSkus } from '../modules/catalogue/skus/skus.queries.ts'
import { listFiles } from '../modules/files/files.queries.ts'
import { listHubs } from '../modules/hubs/hubs.queries.ts'
import { listHistory, listJobs } from '../modules/jobs/jobs.queries.ts'
import { listListingMaps } from '../modules/orders/listings/listing-maps.queries.ts'
import { listOrders } from '../modules/orders/orders.queries.ts'
import { listPlaces, listPrinters } from '../modules/printers/printers.queries.ts'
import { listDeliveries } from '../modules/webhooks/log/deliveries.queries.ts'
import { listWebhooks } from '../modules/webhooks/settings/webhooks.queries.ts'
import { listArticles, listCategories, listRevisions } from '../modules/wiki/wiki.queries.ts'
import { listTasks } from '../modules/worklist/worklist.queries.ts'
import { appForAllTests } from '../test/app/app-hooks.ts'
import { filledId, fillLists } from '../test/app/filled-lists.ts'
import { explaining, readPlan } from '../test/run/query-plan.ts'

const t = appForAllTests()

describe('however many rows there are, a page by cursor is a range of an index in the order of the list', () => {
  const many = 5_000
  let accountId: AccountId
  beforeAll(async () => {
    accountId = (await t.account()).id
    await fillLists(t.db.sql, accountId, many)
    await t.db.sql`update jobs set time_completed = created_at
      where account_id = ${accountId} and status <> 'queued' and time_completed is null`
    await t.db.sql`
      insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, outcome,
        finished_at, actor)
      select account_id, 'att_' || id, id, 1, printer_id, ${filledId('hub', 1)}, file_version_id,
             row_number() over (), 'finished', 'done', now(), 'system'
      from jobs where account_id = ${accountId}`
    await t.db.sql`
      insert into bom_children (account_id, id, sku_id, child_sku_id, quantity_required, position, created_at)
      select account_id, 'bom_' || id, id, next, 1, 1, now()
      from (select account_id, id, lead(id) over (order by id) as next from skus where account_id = ${accountId}) sku
      where next is not null`
    await t.db.sql`analyze`
  })

  const time = { key: '2026-03-01 00:00:00.000833+00', id: filledId('x', 1) }
  const ranked = { ...time, key: `2 ${time.key}` }
  const itemId = filledId<'inventoryItem'>('inv', 1)
  const sql = () => explaining(t.db.sql)
  const pages: [
    name: string,
    index: string,
    after: PageBounds['after'],
    read: (page: PageBounds) => Promise<unknown>,
  ][] = [
    ['jobs', 'jobs_by_age', time, (page) => listJobs(sql(), accountId, page, new Date())],
    [
      'jobs of a status',
      'jobs_by_bad_end',
      time,
      (page) => listJobs(sql(), accountId, { ...page, status: 'failed' }, new Date()),
    ],
    [
      'late jobs',
      'jobs_unfinished',
      time,
      (page) => listJobs(sql(), accountId, { ...page, is_late: true }, new Date()),
    ],
    ['history', 'jobs_history', time, (page) => listHistory(sql(), accountId, page)],
    [
      'history from and to',
      'jobs_history',
      time,
      (page) => listHistory(sql(), accountId, { ...page, from: '2026-03-01', to: '2026-03-01T00:00:00.0016Z' }),
    ],
    ['printers', 'printers_name_key', { key: 'Printer 8', id: '' }, (page) => listPrinters(sql(), accountId, page)],
    [
      'printers of a live status',
      'printers_name_key',
      { key: 'Printer f', id: '' },
      ({ after }) => listPlaces(sql(), accountId, { after }),
    ],
    ['hubs', 'hubs_name_key', { key: 'Hub 8', id: '' }, (page) => listHubs(sql(), accountId, page)],
    ['files', 'print_files_by_age', time, (page) => listFiles(sql(), accountId, page)],
    [
      'files by change',
      'print_files_by_change',
      time,
      (page) => listFiles(sql(), accountId, { ...page, order_by: 'changed' }),
    ],
    [
      'files by name',
      'print_files_by_name',
      { key: 'file 8', id: '' },
      (page) => listFiles(sql(), accountId, { ...page, order_by: 'name' }),
    ],
    ['products', 'products_by_age', time, (page) => listProducts(sql(), accountId, page)],
    ['skus', 'skus_by_age', time, (page) => listSkus(sql(), accountId, page)],
    ['recipes', 'recipes_by_age', time, (page) => listRecipes(sql(), accountId, page)],
    ['colors', 'colors_by_age', time, (page) => listColors(sql(), accountId, page)],
    ['inventory', 'skus_sku_key', { key: 'SKU-8', id: '' }, (page) => listItems(sql(), accountId, page)],
    ['movements', 'stock_movements_by_item', time, (page) => listMovements(sql(), accountId, itemId, page)],
    ['worklist', 'worklist_tasks_by_priority', ranked, (page) => listTasks(sql(), accountId, page)],
    [
      'tasks of a status',
      'worklist_tasks_by_status',
      ranked,
      (page) => listTasks(sql(), accountId, { ...page, status: 'in_progress' }),
    ],
    ['orders', 'orders_by_date', time, (page) => listOrders(sql(), accountId, page)],
    [
      'orders of a status',
      'orders_by_status',
      time,
      (page) => listOrders(sql(), accountId, { ...page, status: 'pending' }),
    ],
    ['listing maps', 'listing_maps_by_time', time, (page) => listListingMaps(sql(), accountId, page)],
    ['webhooks', 'webhooks_by_time', time, (page) => listWebhooks(sql(), accountId, page)],
    [
      'deliveries',
      'webhook_deliveries_by_webhook',
      time,
      (page) => listDeliveries(sql(), accountId, filledId<'webhook'>('whk', 1), page),
    ],
    [
      'deliveries of a status',
      'webhook_deliveries_by_status',
      time,
      (page) => listDeliveries(sql(), accountId, filledId<'webhook'>('whk', 1), { ...page, status: 'failed' }),
    ],
    ['wiki', 'wiki_articles_by_age', time, (page) => listArticles(sql(), accountId, page)],
    [
      'categories',
      'wiki_articles_by_category',
      { key: 'Category 8', id: '' },
      (page) => listCategories(sql(), accountId, page),
    ],
    [
      'revisions',
      'wiki_revisions_pkey',
      { key: '2500', id: '' },
      (page) => listRevisions(sql(), accountId, filledId<'wikiArticle'>('wik', 1), page),
    ],
  ]

  test.each(pages)('%s by %s', async (_, index, after, read) => {
    const plan = await read({ limit: 51, offset: 0, after })
    const { nodes, indexes } = readPlan(plan)
    expect(indexes, JSON.stringify(plan)).toContain(index)
    for (const node of ['Sort', 'Incremental Sort', 'Seq Scan', 'Bitmap Heap Scan']) expect(nodes).not.toContain(node)
    // The place is where the reading of the index begins, not a filter on what was read.
    expect(conditionOf(plan, index)).toMatch(
      /ROW\((CASE [^,]+, )?[\w()]+, \w+\) [<>] ROW\(|name > |sku > |category > |number < /,
    )
  })

  test('jobs of a rare kind are found by an index for their filter', async () => {
    await t.db.sql`
      insert into jobs (account_id, id, status, print_file_id, file_version_id, printer_id, product_sku_id, file_name,
        number_of_units, quantity_per_print, plates_total, created_by)
      values (${accountId}, 'job_rare', 'paused', ${filledId('fil', 2)}, ${filledId('ver', 2)}, ${filledId('prt', 2)},
        ${filledId('sku', 2)}, 'a.gcode', 1, 1, 1, 'system')`
    await t.db.sql`analyze jobs`
    for (const [index, filter] of [
      ['jobs_by_printer', { printer_id: filledId<'printer'>('prt', 2) }],
      ['jobs_by_file', { print_file_id: filledId<'printFile'>('fil', 2) }],
      ['jobs_by_sku', { product_sku_id: filledId<'sku'>('sku', 2) }],
    ] as const) {
      const { indexes } = readPlan(
        await listJobs(sql(), accountId, { limit: 51, offset: 0, after: time, ...filter }, new Date()),
      )
      expect(indexes).toContain(index)
    }
  })
})

/** The condition with which a plan reads an index. */
function conditionOf(plan: unknown, index: string): string | undefined {
  if (plan === null || typeof plan !== 'object') return undefined
  const node = plan as Record<string, unknown>
  if (node['Index Name'] === index) return String(node['Index Cond'])
  for (const child of Object.values(node)) {
    const found = conditionOf(child, index)
    if (found !== undefined) return found
  }
  return undefined
}
