import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type {
  InventoryItemRow as InventoryItemTableRow,
  ProductImageRow,
  SkuRow,
  StockMovementRow,
} from '../../../db/rows.generated.ts'
import { type AccountId, type InventoryItemId, newId, type ProductId, type SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { reservedUnits } from '../../planning/pegs/reserved.queries.ts'
import type { InventoryFilter } from './inventory.schema.ts'

const itemColumns = columnsOf<InventoryItemTableRow>('i')(
  'id',
  'product_sku_id',
  'ready_stock',
  'low_stock_threshold',
  'status',
  'image_url',
  'bin',
  'is_active',
  'created_at',
  'updated_at',
)

/** An inventory item with what it shows of its SKU, and of the first image of the product. */
export type InventoryItemRow = RowOf<typeof itemColumns> &
  Pick<SkuRow, 'sku' | 'color'> & {
    material: SkuRow['filament_type']
    image_token: ProductImageRow['token'] | null
    /** Ready units that orders hold by the last plan. */
    reserved: number
  }

const columns = (sql: Sql) => sql`
  ${itemColumns(sql)}, s.sku, s.color, s.filament_type as material, hero.token as image_token,
  ${reservedUnits(sql, sql`i.account_id`, sql`i.product_sku_id`)} as reserved`

const itemsWithSkus = (sql: Sql) => sql`
  inventory_items i
  join skus s on s.account_id = i.account_id and s.id = i.product_sku_id
  left join product_images hero
    on hero.account_id = s.account_id and hero.product_id = s.product_id and hero.sort_order = 0`

export async function findItem(
  sql: Sql,
  accountId: AccountId,
  itemId: InventoryItemId,
): Promise<InventoryItemRow | undefined> {
  const [item] = await sql<InventoryItemRow[]>`
    select ${columns(sql)} from ${itemsWithSkus(sql)} where i.account_id = ${accountId} and i.id = ${itemId}`
  return item
}

/** By the code of the SKU, by the index `skus_sku_key`. */
export async function listItems(
  sql: Sql,
  accountId: AccountId,
  filter: InventoryFilter,
): Promise<PageRow<InventoryItemRow>[]> {
  return sql<PageRow<InventoryItemRow>[]>`
    select ${columns(sql)}, s.sku as page_key from ${itemsWithSkus(sql)}
    where i.account_id = ${accountId}
      ${filter.low_stock === undefined ? sql`` : sql`and (i.ready_stock <= i.low_stock_threshold) = ${filter.low_stock}`}
      ${filter.product_sku_id === undefined ? sql`` : sql`and i.product_sku_id = ${filter.product_sku_id}`}
      ${filter.is_active === undefined ? sql`` : sql`and i.is_active = ${filter.is_active}`}
      ${filter.sku === undefined ? sql`` : sql`and s.sku = ${filter.sku}`}
      ${filter.material === undefined ? sql`` : sql`and s.filament_type = ${filter.material}`}
      ${filter.status === undefined ? sql`` : sql`and i.status = ${filter.status}`}
      ${
        filter.search === undefined
          ? sql``
          : sql`and (strpos(lower(s.sku), lower(${filter.search})) > 0 or strpos(lower(s.color), lower(${filter.search})) > 0)`
      }
      ${filter.bin === undefined ? sql`` : sql`and starts_with(lower(i.bin), lower(${filter.bin}))`}
      ${filter.after ? sql`and s.sku > ${filter.after.key}` : sql``}
    order by s.sku
    limit ${filter.limit} offset ${filter.offset}`
}

/** What else the detail of an item shows. */
export interface AroundItem {
  product_id: ProductId
  product_name: string
}

export async function findAroundItem(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<AroundItem | undefined> {
  const [around] = await sql<AroundItem[]>`
    select s.product_id, p.name as product_name
    from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and s.id = ${skuId}`
  return around
}

export type AlertRow = InventoryItemRow & { product_name: string }

/** Active items that are short, those that lack most to their threshold first. */
export async function listAlerts(sql: Sql, accountId: AccountId, limit: number): Promise<AlertRow[]> {
  return sql<AlertRow[]>`
    select ${columns(sql)}, p.name as product_name from ${itemsWithSkus(sql)}
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where i.account_id = ${accountId} and i.is_active and i.status in ('low_stock', 'out_of_stock')
    order by i.low_stock_threshold - i.ready_stock desc, s.sku
    limit ${limit}`
}

export interface InventoryCounts {
  total_items: number
  total_ready: number
  total_needs_assembly: number
  in_stock: number
  low_stock: number
  out_of_stock: number
  needs_assembly: number
}

/** Counts active items. */
export async function countInventory(sql: Sql, accountId: AccountId): Promise<InventoryCounts> {
  const [counts] = await sql<InventoryCounts[]>`
    select count(*) as total_items, coalesce(sum(ready_stock), 0)::int8 as total_ready,
           coalesce(sum(quantity_needs_assembly), 0)::int8 as total_needs_assembly,
           count(*) filter (where status = 'in_stock') as in_stock,
           count(*) filter (where status = 'low_stock') as low_stock,
           count(*) filter (where status = 'out_of_stock') as out_of_stock,
           count(*) filter (where status = 'needs_assembly') as needs_assembly
    from inventory_items where account_id = ${accountId} and is_active`
  // An aggregate without groups has one row.
  return counts as InventoryCounts
}

/** What still needs the stock of a SKU. */
interface NeedsOfStock {
  open_orders: number
  live_jobs: number
  open_assemblies: number
}

export async function countNeedsOfSkus(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<NeedsOfStock> {
  const [needs] = await sql<NeedsOfStock[]>`
    select
      (select count(distinct t.order_id) from order_items t
       where t.account_id = ${accountId} and t.product_sku_id = any(${skuIds})
         and t.fulfillment_status in ('pending', 'partial')) as open_orders,
      (select count(*) from jobs j
       where j.account_id = ${accountId} and j.product_sku_id = any(${skuIds})
         and j.status in ('queued', 'processing', 'printing', 'paused')) as live_jobs,
      (select count(*) from assembly_tasks a
       where a.account_id = ${accountId} and a.product_sku_id = any(${skuIds})
         and a.status in ('pending', 'in_progress')) as open_assemblies`
  // A row of sub-selects is always there.
  return needs as NeedsOfStock
}

/** The empty inventory row of a new SKU. */
export async function insertItem({ sql, accountId, now }: Work, skuId: SkuId, threshold: number): Promise<void> {
  await sql`
    insert into inventory_items (account_id, id, product_sku_id, low_stock_threshold, created_at, updated_at)
    values (${accountId}, ${newId('inventoryItem', now.getTime())}, ${skuId}, ${threshold}, ${now}, ${now})`
}

/** Changes what is given of an item that this transaction has locked. */
export async function updateItem(
  { sql, accountId, now }: Work,
  itemId: InventoryItemId,
  changes: Partial<Pick<InventoryItemTableRow, 'image_url' | 'bin' | 'is_active'>>,
): Promise<void> {
  await sql`
    update inventory_items set ${sql({ ...changes, updated_at: now })}
    where account_id = ${accountId} and id = ${itemId}`
}

export async function setItemActive(
  { sql, accountId, now }: Work,
  itemId: InventoryItemId,
  isActive: boolean,
): Promise<void> {
  await sql`
    update inventory_items set is_active = ${isActive}, updated_at = ${now}
    where account_id = ${accountId} and id = ${itemId}`
}

const movementColumns = columnsOf<StockMovementRow>()(
  'id',
  'stock',
  'reason',
  'change',
  'quantity_before',
  'quantity_after',
  'job_id',
  'order_id',
  'assembly_task_id',
  'notes',
  'actor',
  'happened_at',
  'created_at',
)

export type MovementRow = RowOf<typeof movementColumns>

/** Newest first, by the index `stock_movements_by_item`. */
export async function listMovements(
  sql: Sql,
  accountId: AccountId,
  itemId: InventoryItemId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<MovementRow>[]> {
  return sql<PageRow<MovementRow>[]>`
    select ${movementColumns(sql)}, created_at::text as page_key from stock_movements
    where account_id = ${accountId} and inventory_item_id = ${itemId}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit} offset ${offset}`
}

/** Deletes the item of a SKU that never had any stock. Fails on a foreign key when it had. */
export async function deleteItemOfSku({ sql, accountId }: Work, skuId: SkuId): Promise<void> {
  await sql`delete from inventory_items where account_id = ${accountId} and product_sku_id = ${skuId}`
}
