import type { Sql } from '../../db/database.ts'
import type { AccountId, Id, IdKind } from '../../kernel/ids.ts'

/** The ID that `fillLists` gives to row `n` (from 1) of a table: not in the order of `n`. */
export function filledId<Kind extends IdKind>(prefix: string, n: number): Id<Kind> {
  return `${prefix}_${String((n * 7919) % 100_003).padStart(6, '0')}` as Id<Kind>
}

/**
 * Puts `count` rows into every list of an account. Three rows each are of one time, and the next three are a microsecond
 * younger. Every eleventh job ended without a time. All movements and revisions are of the item and the article 1.
 */
export async function fillLists(sql: Sql, accountId: AccountId, count: number): Promise<void> {
  const numbers = sql`generate_series(1, ${count}::integer) n`
  const id = (prefix: string) => sql`${prefix}::text || '_' || lpad((n * 7919 % 100003)::text, 6, '0')`
  const time = sql`timestamptz '2026-03-01T00:00:00Z' + n / 3 * interval '1 microsecond'`

  await sql`
    insert into hubs (account_id, id, name) select ${accountId}, ${id('hub')}, 'Hub ' || md5(n::text) from ${numbers}`
  await sql`
    insert into printers (account_id, id, name, model, connection_type, connection_sealed)
    select ${accountId}, ${id('prt')}, 'Printer ' || md5(n::text), 'MK4S', 'virtual', '\\x00' from ${numbers}`
  // People are not of one account: each has users of its own.
  await sql`
    insert into users (id, email) select ${accountId} || n, ${accountId} || n || '@example.com' from ${numbers}`
  await sql`
    insert into members (account_id, id, user_id, role, created_at)
    select ${accountId}, ${id('mem')}, ${accountId} || n, 'viewer', ${time} from ${numbers}`
  await sql`
    insert into products (account_id, id, name, created_at)
    select ${accountId}, ${id('prd')}, 'Product ' || n, ${time} from ${numbers}`
  await sql`
    insert into product_images (account_id, id, product_id, sort_order, token, content_type, sha256, thumb_sha256)
    select ${accountId}, ${id('img')}, ${id('prd')}, 0, ${accountId} || n, 'image/png', md5(n::text), md5(n::text)
    from ${numbers}`
  await sql`
    insert into skus (account_id, id, product_id, sku, restock_point, restock_to, created_at)
    select ${accountId}, ${id('sku')}, ${filledId('prd', 1)}, 'S-' || n, 1, 5, ${time} from ${numbers}`
  await sql`
    insert into inventory_items (account_id, id, product_sku_id, created_at)
    select ${accountId}, ${id('inv')}, ${id('sku')}, ${time} from ${numbers}`
  await sql`
    insert into pegs (account_id, demand_kind, demand_id, product_sku_id, supply_kind, supply_id, units)
    select ${accountId}, 'order_item', ${id('itm')}, ${id('sku')}, 'ready_stock', ${id('sku')}, 1 from ${numbers}`
  await sql`
    insert into stock_movements
      (account_id, id, inventory_item_id, stock, reason, change, quantity_before, quantity_after, actor, created_at)
    select ${accountId}, ${id('mov')}, ${filledId('inv', 1)}, 'ready', 'manual', 1, n - 1, n, 'system', ${time}
    from ${numbers}`
  await sql`
    insert into colors (account_id, id, color_name, hex_code, created_at)
    select ${accountId}, ${id('col')}, 'Colour ' || n, '#000000', ${time} from ${numbers}`
  await sql`
    insert into materials (account_id, id, kind, created_at)
    select ${accountId}, kind || '_' || ${id('mat')}, kind, ${time}
    from ${numbers}, unnest(array['filament', 'components', 'packaging', 'parts']) kind`
  await sql`
    insert into material_movements
      (account_id, id, material_id, reason, change, quantity_before, quantity_after, actor, created_at)
    select ${accountId}, kind || '_' || ${id('mmv')}, kind || '_' || ${filledId('mat', 1)}::text, 'restocked', 1000, 1000 * (n - 1),
           1000 * n, 'system', ${time}
    from ${numbers}, unnest(array['filament', 'components', 'packaging', 'parts']) kind`
  await sql`
    insert into print_files (account_id, id, name, created_at)
    select ${accountId}, ${id('fil')}, 'File ' || n, ${time} from ${numbers}`
  await sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata)
    select ${accountId}, ${id('ver')}, ${id('fil')}, 1, true, 'a.gcode', '', 1, 'gcode', true, '{}' from ${numbers}`
  await sql`
    insert into recipes (account_id, id, name, product_id, product_sku_id, print_file_id, units_per_plate, created_at)
    select ${accountId}, ${id('rcp')}, 'Recipe ' || n, ${filledId('prd', 1)}, ${id('sku')}, ${filledId('fil', 1)}, 1, ${time}
    from ${numbers}`
  await sql`
    insert into recipe_outputs (account_id, recipe_id, product_sku_id, position, units)
    select ${accountId}, ${id('rcp')}, ${id('sku')}, 1, 1 from ${numbers}`
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, printer_id, product_sku_id, file_name,
      number_of_units, quantity_per_print, plates_total, created_by, created_at, time_completed)
    select ${accountId}, ${id('job')}, case n % 5 when 0 then 'queued' when 1 then 'failed' else 'completed' end,
           ${filledId('fil', 1)}, ${filledId('ver', 1)}, ${filledId('prt', 1)}, ${filledId('sku', 1)}, 'a.gcode', 1, 1, 1,
           'system', ${time}, case when n % 5 > 0 and n % 11 > 0 then ${time} end
    from ${numbers}`
  await sql`
    insert into assembly_tasks
      (account_id, id, kind, status, product_sku_id, product_name, sku, quantity, created_by, created_at, updated_at)
    select ${accountId}, ${id('asm')}, 'print_assembly', case when n % 4 = 0 then 'in_progress' else 'pending' end,
           ${filledId('sku', 1)}, 'Product', 'S-1', 1, 'system', ${time}, ${time}
    from ${numbers}`
  await sql`
    insert into orders (account_id, id, order_number, platform, status, order_date, items_total)
    select ${accountId}, ${id('ord')}, n::text, 'etsy', case when n % 4 = 0 then 'pending' else 'fulfilled' end,
           ${time}, 100
    from ${numbers}`
  await sql`
    insert into listing_maps (account_id, id, platform, seller_sku, product_sku_id, created_at)
    select ${accountId}, ${id('lmp')}, 'etsy', 'E-' || n, ${filledId('sku', 1)}, ${time}
    from ${numbers}`
  await sql`
    insert into worklist_tasks (account_id, id, title, task_type, status, created_by, created_at)
    select ${accountId}, ${id('wlt')}, 'Task', 'collection', case when n % 4 = 0 then 'in_progress' else 'pending' end,
           'system', ${time}
    from ${numbers}`
  await sql`
    insert into wiki_articles
      (account_id, id, title, slug, excerpt, category, tags, meta_title, meta_description, featured_image_url,
       description, tools_required, content, sections, created_at)
    select ${accountId}, ${id('wik')}, 'Article', 'article-' || n, '', 'Category ' || md5(n::text), '{}', '', '', '', '',
           '{}', '', '[]', ${time}
    from ${numbers}`
  await sql`
    insert into webhooks
      (account_id, id, url, secrets_sealed, since_txid, since_event_id, paused_at, pause_reason, created_by, created_at, updated_at)
    select ${accountId}, ${id('whk')}, 'https://erp.invalid/' || n, '', 0, '', ${time}, 'person', 'system', ${time}, ${time}
    from ${numbers}`
  await sql`
    insert into webhook_deliveries
      (account_id, id, webhook_id, event_id, event_type, subject_id, event_txid, status, due_at, created_at)
    select ${accountId}, ${id('whd')}, ${filledId('whk', 1)}, ${id('evt')}, 'job.queued', ${id('job')}, 1,
           case when n % 4 = 0 then 'failed' else 'pending' end, ${time}, ${time}
    from ${numbers}`
  await sql`
    insert into wiki_revisions (account_id, article_id, number, fields, article, actor)
    select ${accountId}, ${filledId('wik', 1)}, n, '{}', '{}', 'system' from ${numbers}`
}
