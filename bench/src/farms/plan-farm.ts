import type { Sql } from '@printyard/server/db/database'
import { type AccountId, newId, type OrderId, type SkuId } from '@printyard/server/kernel/ids'
import { insertAccountWithKey } from './farm.ts'

export const printedSkus = 1_700
export const kits = 300
export const openItems = 20_000
const orders = 8_000
const liveJobs = 3_000
const endedOrders = 20_000
const models = ['MK4S', 'P1S']

/** An account with much to plan, as IDs. */
export interface PlanFarm {
  accountId: AccountId
  key: string
  skuIds: SkuId[]
  orderIds: OrderId[]
}

/**
 * 20,000 open lines in 8,000 orders and as many that were fulfilled, over 2,000 SKUs of which 300 are kits. Ten kits and 56 printed
 * SKUs are a family, as those of a shop are. Each printed SKU has a recipe of one unit and one of many on a plate, every eighth is on a
 * mixed plate, too. What stands in the tables follows from the number of the row, so that each run has the same farm.
 */
export async function seedPlanFarm(sql: Sql): Promise<PlanFarm> {
  const { id: accountId, key } = await insertAccountWithKey(sql)
  const skuIds = Array.from({ length: printedSkus + kits }, () => newId('sku'))
  await insertSkus(sql, accountId, skuIds)
  await insertRecipes(sql, accountId, skuIds)
  await insertKits(sql, accountId, skuIds)
  await insertPrintersAndJobs(sql, accountId, skuIds)
  const orderIds = await insertOrders(sql, accountId, skuIds, { count: orders, lines: openItems, isOpen: true })
  await insertOrders(sql, accountId, skuIds, { count: endedOrders / 2, lines: endedOrders, isOpen: false })
  await sql`vacuum analyze`
  return { accountId, key, skuIds, orderIds }
}

async function insertSkus(sql: Sql, accountId: AccountId, skuIds: readonly SkuId[]): Promise<void> {
  const productIds = skuIds.map(() => newId('product'))
  const itemIds = skuIds.map(() => newId('inventoryItem'))
  const movementIds = skuIds.map(() => newId('stockMovement'))
  await sql`
    insert into products (account_id, id, name)
    select ${accountId}, id, 'Product ' || number from unnest(${productIds}::text[]) with ordinality as p (id, number)`
  await sql`
    insert into skus (account_id, id, product_id, sku, filament_type, color)
    select ${accountId}, id, product_id, 'SKU-' || number, 'PLA', 'Black'
    from unnest(${[...skuIds]}::text[], ${productIds}::text[]) with ordinality as s (id, product_id, number)`
  await sql`
    insert into inventory_items (account_id, id, product_sku_id, ready_stock, status)
    select ${accountId}, id, sku_id, number * 7 % 20, case when number * 7 % 20 = 0 then 'out_of_stock' else 'in_stock' end
    from unnest(${itemIds}::text[], ${[...skuIds]}::text[]) with ordinality as i (id, sku_id, number)`
  await sql`
    insert into stock_movements
      (account_id, id, inventory_item_id, stock, reason, change, quantity_before, quantity_after, actor)
    select ${accountId}, id, item_id, 'ready', 'inventory_count', number * 7 % 20, 0, number * 7 % 20, 'benchmark'
    from unnest(${movementIds}::text[], ${itemIds}::text[]) with ordinality as m (id, item_id, number)
    where number * 7 % 20 > 0`
}

async function insertRecipes(sql: Sql, accountId: AccountId, skuIds: readonly SkuId[]): Promise<void> {
  const rows = skuIds.slice(0, printedSkus).flatMap((skuId, index) => {
    const next = skuIds[index + 1] ?? skuId
    const plates = [
      { skuId, units: 1, also: null, seconds: 1_800 },
      { skuId, units: 6 + (index % 10), also: null, seconds: 9_000 },
      ...(index % 8 === 0 ? [{ skuId, units: 3, also: next, seconds: 6_000 }] : []),
    ]
    return plates.map((plate, way) => ({
      ...plate,
      id: newId('recipe'),
      fileId: newId('printFile'),
      versionId: newId('fileVersion'),
      model: models[(index + way) % models.length] ?? '',
    }))
  })
  const column = <T>(of: (row: (typeof rows)[number]) => T) => rows.map(of)
  await sql`
    insert into print_files (account_id, id, name)
    select ${accountId}, id, 'plate ' || number from unnest(${column((row) => row.fileId)}::text[]) with ordinality as f (id, number)`
  await sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata, printer_model, print_time_seconds, filament_type)
    select ${accountId}, id, file_id, 1, true, 'plate.gcode', ${'0'.repeat(64)}, 1000, 'gcode', true, '{}', model, seconds, 'PLA'
    from unnest(${column((row) => row.versionId)}::text[], ${column((row) => row.fileId)}::text[],
      ${column((row) => row.model)}::text[], ${column((row) => row.seconds)}::integer[]) as v (id, file_id, model, seconds)`
  await sql`
    insert into recipes (account_id, id, name, product_id, product_sku_id, print_file_id, units_per_plate)
    select s.account_id, r.id, 'recipe', s.product_id, s.id, r.file_id, r.units
    from unnest(${column((row) => row.id)}::text[], ${column((row) => row.skuId)}::text[],
      ${column((row) => row.fileId)}::text[], ${column((row) => row.units)}::integer[]) as r (id, sku_id, file_id, units)
    join skus s on s.account_id = ${accountId} and s.id = r.sku_id`
  const mixed = rows.filter(({ also }) => also !== null)
  await sql`
    insert into recipe_outputs (account_id, recipe_id, product_sku_id, position, units)
    select ${accountId}, r.id, r.sku_id, 0, 3
    from unnest(${mixed.map(({ id }) => id)}::text[], ${mixed.map(({ also }) => also)}::text[]) as r (id, sku_id)`
}

/** Kits have three printed parts, three of ten in a family another kit besides, and all take screws. */
async function insertKits(sql: Sql, accountId: AccountId, skuIds: readonly SkuId[]): Promise<void> {
  const screws = newId('material')
  await sql`
    insert into materials (account_id, id, kind, name, remaining)
    values (${accountId}, ${screws}, 'components', 'Screw', 1000000)`
  const children = Array.from({ length: kits }, (_, kit) => {
    const family = Math.floor(kit / 10) * 56
    const parts = [3, 17, 31].map((step) => skuIds[family + ((kit * step) % 56)] as SkuId)
    const inner = kit % 10 > 6 ? [skuIds[printedSkus + kit - 5] as SkuId] : []
    return [...new Set([...parts, ...inner])].map((child, position) => ({
      sku: skuIds[printedSkus + kit] as SkuId,
      child,
      position,
      units: child === inner[0] ? 1 : 1 + (position % 3),
    }))
  }).flat()
  await sql`
    insert into bom_children (account_id, id, sku_id, child_sku_id, quantity_required, position, created_at)
    select ${accountId}, c.* , now()
    from unnest(${children.map(() => newId('bomLine'))}::text[], ${children.map(({ sku }) => sku)}::text[],
      ${children.map(({ child }) => child)}::text[], ${children.map(({ units }) => units)}::integer[],
      ${children.map(({ position }) => position)}::integer[]) as c (id, sku_id, child_id, units, position)`
  await sql`
    insert into bom_materials (account_id, id, sku_id, material_id, quantity_required, position, created_at)
    select ${accountId}, m.id, m.sku_id, ${screws}, 4, 0, now()
    from unnest(${Array.from({ length: kits }, () => newId('bomLine'))}::text[],
      ${skuIds.slice(printedSkus)}::text[]) as m (id, sku_id)`
}

async function insertPrintersAndJobs(sql: Sql, accountId: AccountId, skuIds: readonly SkuId[]): Promise<void> {
  const hubId = newId('hub')
  const printerIds = Array.from({ length: 30 }, () => newId('printer'))
  await sql`insert into hubs (account_id, id, name) values (${accountId}, ${hubId}, 'Hub')`
  await sql`
    insert into printers (account_id, id, hub_id, name, model, manufacturer, location, connection_type,
      connection_sealed, nozzle_size, plate_state)
    select ${accountId}, id, ${hubId}, 'Printer ' || number, (${models}::text[])[1 + number % 2], '', '', 'virtual',
      '\\x00'::bytea, 0.4, 'clear'
    from unnest(${printerIds}::text[]) with ordinality as printer (id, number)`
  const jobIds = Array.from({ length: liveJobs }, () => newId('job'))
  const skuOfJob = jobIds.map((_, index) => skuIds[(index * 13) % printedSkus] as SkuId)
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, product_sku_id, product_name, sku_name,
      file_name, color, filament_type, material_type, number_of_units, quantity_per_print, plates_total,
      estimated_print_time_minutes, filament_needed_grams, created_by)
    select r.account_id, j.id, 'queued', r.print_file_id, v.id, j.sku_id, 'Product', 'Black', 'plate.gcode', 'Black', 'PLA',
      'PLA', 1 + j.number % 12, 1, 1 + j.number % 12, 30, 10, 'benchmark'
    from unnest(${jobIds}::text[], ${skuOfJob}::text[]) with ordinality as j (id, sku_id, number)
    join recipes r on r.account_id = ${accountId} and r.product_sku_id = j.sku_id and r.units_per_plate = 1
    join print_file_versions v on v.account_id = r.account_id and v.print_file_id = r.print_file_id`
  await sql`
    insert into job_outputs (account_id, job_id, product_sku_id, is_main, units_per_plate, units)
    select account_id, id, product_sku_id, true, 1, number_of_units from jobs where account_id = ${accountId}`
}

async function insertOrders(
  sql: Sql,
  accountId: AccountId,
  skuIds: readonly SkuId[],
  { count, lines, isOpen }: { count: number; lines: number; isOpen: boolean },
): Promise<OrderId[]> {
  const orderIds = Array.from({ length: count }, () => newId('order'))
  const status = isOpen ? 'pending' : 'fulfilled'
  await sql`
    insert into orders (account_id, id, order_number, platform, status, priority, order_date, ship_by, items_total, currency)
    select ${accountId}, id, ${status} || '-' || number, 'manual', ${status},
      (array['normal', 'high', 'urgent'])[1 + number % 3], now() - number * interval '1 minute',
      now() + (number * 7 % 30) * interval '1 day', 0, 'EUR'
    from unnest(${orderIds}::text[]) with ordinality as o (id, number)`
  const step = 1_009
  const items = Array.from({ length: lines }, (_, index) => ({
    id: newId('orderItem'),
    order: orderIds[index % count] as OrderId,
    sku: skuIds[(index * step) % skuIds.length] as SkuId,
    quantity: 1 + (index % 5),
    isDedicated: index % 20 === 0,
  }))
  await sql`
    insert into order_items (account_id, id, order_id, product_sku_id, sku, product_name, quantity, quantity_fulfilled,
      fulfillment_status, unit_price, personalisation)
    select ${accountId}, i.id, i.order_id, i.sku_id, 'SKU', 'Product', i.quantity,
      case when ${isOpen} then 0 else i.quantity end, case when ${isOpen} then 'pending' else 'fulfilled' end, 100,
      case when i.is_dedicated then '[{"name": "Name", "value": "Kim"}]'::jsonb else '[]' end
    from unnest(${items.map(({ id }) => id)}::text[], ${items.map(({ order }) => order)}::text[],
      ${items.map(({ sku }) => sku)}::text[], ${items.map(({ quantity }) => quantity)}::integer[],
      ${items.map(({ isDedicated }) => isDedicated)}::boolean[]) as i (id, order_id, sku_id, quantity, is_dedicated)`
  return orderIds
}
