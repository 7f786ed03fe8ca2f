import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = import.meta.dirname

/** Test rooms, which write what they need. */
const testRooms = ['test', 'abuse', 'contract', 'db/test-processes']

/** The module that writes each table, its subfolders included. Others call it; all may read. */
const owners: Record<string, string> = {
  account_imports: 'modules/account-data/import',
  accounts: 'modules/people/accounts',
  api_keys: 'modules/people/api-keys',
  assembly_tasks: 'modules/assembly',
  attempts: 'modules/attempts',
  bom_children: 'modules/catalogue/bom',
  bom_materials: 'modules/catalogue/bom',
  backup_runs: 'modules/backups',
  backup_schedule: 'modules/backups',
  backup_codes: 'modules/people/second-factor',
  colors: 'modules/catalogue/colors',
  commands: 'modules/commands',
  cost_settings: 'modules/costs/settings',
  events: 'modules/events',
  failure_pictures: 'modules/failures',
  filament_prices: 'modules/costs/settings',
  filament_reservations: 'modules/materials',
  hub_connections: 'modules/hubs',
  hub_join_codes: 'modules/hubs',
  hubs: 'modules/hubs',
  idempotency_keys: 'http',
  inventory_items: 'modules/catalogue/inventory',
  invitations: 'modules/people/invitations',
  job_options: 'modules/jobs',
  job_outputs: 'modules/jobs',
  unit_rejects: 'modules/jobs',
  jobs: 'modules/jobs',
  kit_extras: 'modules/catalogue/kits',
  kit_part_components: 'modules/catalogue/kits',
  kit_parts: 'modules/catalogue/kits',
  listing_maps: 'modules/orders/listings',
  material_movements: 'modules/materials',
  material_prices: 'modules/costs/settings',
  material_settings: 'modules/materials/settings',
  materials: 'modules/materials',
  members: 'modules/people/accounts',
  model_prices: 'modules/costs/settings',
  mqtt_brokers: 'modules/mqtt',
  smart_plugs: 'modules/mqtt',
  automation_feeds: 'modules/automation',
  automation_rules: 'modules/automation',
  automation_runs: 'modules/automation',
  notification_channels: 'modules/notifications',
  notification_feeds: 'modules/notifications',
  notification_rules: 'modules/notifications',
  notification_states: 'modules/notifications',
  notifications: 'modules/notifications',
  oidc_identities: 'modules/people/oidc',
  order_import_progress: 'modules/orders',
  order_items: 'modules/orders',
  order_picks: 'modules/orders/pick',
  order_forecasts: 'modules/promises',
  order_promises: 'modules/promises',
  job_forecasts: 'modules/promises',
  gap_forecasts: 'modules/promises',
  forecast_rounds: 'modules/promises',
  plan_gaps: 'modules/planning',
  order_returns: 'modules/orders',
  order_settings: 'modules/orders/settings',
  order_item_states: 'modules/planning',
  order_progress: 'modules/planning',
  pegs: 'modules/planning',
  pinned_pegs: 'modules/planning',
  platform_fees: 'modules/costs/settings',
  replan_requests: 'modules/planning',
  scarce_materials: 'modules/planning',
  component_uses: 'modules/planning',
  orders: 'modules/orders',
  passkey_challenges: 'modules/people/passkeys',
  passkeys: 'modules/people/passkeys',
  password_resets: 'modules/people/accounts',
  print_failures: 'modules/failures',
  shifts: 'modules/people/shifts',
  print_file_versions: 'modules/files',
  print_files: 'modules/files',
  printer_marks: 'modules/printers',
  printer_periods: 'modules/timeline',
  printer_prices: 'modules/costs/settings',
  printer_watches: 'modules/timeline',
  printers: 'modules/printers',
  product_images: 'modules/catalogue/images',
  products: 'modules/catalogue/products',
  push_keys: 'modules/notifications',
  recipe_outputs: 'modules/catalogue/recipes',
  recipes: 'modules/catalogue/recipes',
  scheduler_settings: 'modules/scheduler',
  schema_migrations: 'db',
  second_factors: 'modules/people/second-factor',
  sessions: 'modules/people/sign-in',
  shipment_items: 'modules/orders',
  shipments: 'modules/orders',
  shop_orders: 'modules/shops',
  shop_pushes: 'modules/shops',
  shop_stock: 'modules/shops',
  shops: 'modules/shops',
  spool_tags: 'modules/materials',
  spoolman_connections: 'modules/materials',
  spoolman_spools: 'modules/materials',
  spoolman_usages: 'modules/materials',
  skus: 'modules/catalogue/skus',
  stock_movements: 'modules/catalogue/inventory',
  task_assignment_defaults: 'modules/worklist',
  uploads: 'modules/files',
  users: 'modules/people/accounts',
  webhook_deliveries: 'modules/webhooks',
  webhook_feeds: 'modules/webhooks',
  webhooks: 'modules/webhooks',
  wiki_articles: 'modules/wiki',
  wiki_images: 'modules/wiki',
  wiki_revisions: 'modules/wiki',
  worklist_tasks: 'modules/worklist',
}

/** Tables that only triggers of their migrations write. */
const writtenByTriggers = ['printer_marks']

interface Write {
  file: string
  table: string
}

/** The tables that the statements of a text write. A comment may speak of an update of anything. */
function tablesWrittenIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const statement = /\b(?:insert\s+into|delete\s+from|update|merge\s+into|truncate)\s+(?:only\s+)?"?([a-z_]+)/gi
  const tables = [...code.matchAll(statement)].map(([, table = '']) => table.toLowerCase())
  return [...new Set(tables)].filter((table) => table in owners)
}

/** Statements whose table is a parameter would escape. */
const hiddenTable = /\b(?:insert\s+into|delete\s+from|update|merge\s+into|truncate)\s+\$\{/i

function readProduct(): { file: string; text: string }[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const isProduct = (file: string) =>
    file.endsWith('.ts') && !file.endsWith('.test.ts') && !testRooms.some((room) => file.startsWith(`${room}/`))
  return files.filter(isProduct).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

function listTables(): string[] {
  const folder = join(root, '../migrations')
  const statements = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return statements.flatMap((text) =>
    [...text.matchAll(/^create table (?:if not exists )?([a-z_]+)/gim)].map(([, table = '']) => table),
  )
}

/** Writes of files that are not in the folder of the owner, or below it. */
function findTrespassers(writes: Write[]): Write[] {
  return writes.filter(({ file, table }) => !`${dirname(file)}/`.startsWith(`${owners[table]}/`))
}

describe('the tables of the service', () => {
  const product = readProduct()
  const writes = product.flatMap(({ file, text }) => tablesWrittenIn(text).map((table) => ({ file, table })))

  test('each has one owner, which alone writes it', () => {
    expect(findTrespassers(writes)).toEqual([])
  })

  test('each that the migrations make has an owner, and is written by it', () => {
    expect(Object.keys(owners).toSorted()).toEqual([...listTables(), 'schema_migrations'].toSorted())
    const written = [...new Set(writes.map(({ table }) => table)), ...writtenByTriggers]
    expect(written.toSorted()).toEqual(Object.keys(owners).toSorted())
  })

  test('no statement hides which table it writes', () => {
    const hiding = product.filter(({ text }) => hiddenTable.test(text)).map(({ file }) => file)
    // Loading a backup writes every table, whichever they are; so does the import of an account.
    expect(hiding.toSorted()).toEqual(['db/copy/json-rows.ts', 'db/copy/tables.ts'])
  })

  test('a write by another module would be found', () => {
    const text = 'await sql`\n  with job as (\n    update\n jobs set status = 1) insert into "attempts" (id) select 1`'
    expect(tablesWrittenIn(text)).toEqual(['jobs', 'attempts'])
    expect(tablesWrittenIn('await sql`delete from hubs where id = 1`')).toEqual(['hubs'])
    expect(
      tablesWrittenIn('// update jobs\n/** update orders */ sql`select id from users for no key update of users`'),
    ).toEqual([])
    expect(findTrespassers([{ file: 'modules/assembly/x.ts', table: 'jobs' }])).toHaveLength(1)
    expect(findTrespassers([{ file: 'modules/jobs-of-old/x.ts', table: 'jobs' }])).toHaveLength(1)
    expect(findTrespassers([{ file: 'modules/jobs/state/x.ts', table: 'jobs' }])).toEqual([])
  })
})
