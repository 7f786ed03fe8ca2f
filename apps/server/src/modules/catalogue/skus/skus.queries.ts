import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageRow } from '../../../db/page-bounds.ts'
import type { InventoryItemRow, SkuRow as SkuTableRow } from '../../../db/rows.generated.ts'
import type { AccountId, KitPartId, ProductId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { NewSku, SkuChanges, SkuFilter } from './skus.schema.ts'

const skuColumns = columnsOf<SkuTableRow>('s')(
  'id',
  'product_id',
  'sku',
  'color',
  'filament_type',
  'hex_code',
  'quantity',
  'kit_part_id',
  'is_active',
  'restock_point',
  'restock_to',
  'auto_produce',
  'created_at',
  'updated_at',
)

const stockColumns = columnsOf<InventoryItemRow>('i')('ready_stock', 'low_stock_threshold', 'status')
/** Read by the index of each SKU alone; an `exists` may be answered by a table of all bills of all accounts. */
const isComposite = (sql: Sql) => sql`
  coalesce((select true from bom_children b where b.account_id = s.account_id and b.sku_id = s.id limit 1), false)`
const columns = (sql: Sql) => sql`
  ${skuColumns(sql)}, ${stockColumns(sql)},
  ${isComposite(sql)} as is_composite`

/** A SKU with what its inventory item knows. */
export type SkuRow = RowOf<typeof skuColumns> & RowOf<typeof stockColumns> & { is_composite: boolean }

const skusWithStock = (sql: Sql) => sql`
  skus s
  join inventory_items i on i.account_id = s.account_id and i.product_sku_id = s.id`

export async function findSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<SkuRow | undefined> {
  const [sku] = await sql<SkuRow[]>`
    select ${columns(sql)} from ${skusWithStock(sql)} where s.account_id = ${accountId} and s.id = ${skuId}`
  return sku
}

/** Newest first. */
export async function listSkus(sql: Sql, accountId: AccountId, filter: SkuFilter): Promise<PageRow<SkuRow>[]> {
  const { color, search } = filter
  const { product_id: productId, filament_type: filamentType, low_stock: isLow, is_active: isActive } = filter
  return sql<PageRow<SkuRow>[]>`
    select ${columns(sql)}, s.created_at::text as page_key from ${skusWithStock(sql)}
    where s.account_id = ${accountId}
      ${productId === undefined ? sql`` : sql`and s.product_id = ${productId}`}
      ${color === undefined ? sql`` : sql`and s.color = ${color}`}
      ${filamentType === undefined ? sql`` : sql`and s.filament_type = ${filamentType}`}
      ${isLow === undefined ? sql`` : sql`and (i.ready_stock <= i.low_stock_threshold) = ${isLow}`}
      ${isActive === undefined ? sql`` : sql`and s.is_active = ${isActive}`}
      ${
        search === undefined
          ? sql``
          : sql`and (strpos(lower(s.sku), lower(${search})) > 0 or strpos(lower(s.color), lower(${search})) > 0)`
      }
      ${filter.after ? sql`and (s.created_at, s.id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by s.created_at desc, s.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** The SKUs of some products but for the parts of kits, those of each in the order in which they were made. */
export async function listSkusOfProducts(sql: Sql, accountId: AccountId, productIds: ProductId[]): Promise<SkuRow[]> {
  return sql<SkuRow[]>`
    select ${columns(sql)} from ${skusWithStock(sql)}
    where s.account_id = ${accountId} and s.product_id = any(${productIds}) and s.kit_part_id is null
    order by s.product_id, s.created_at, s.id`
}

/** Fails on `skus_product_fkey` or `skus_sku_key`. */
export async function insertSku(
  { sql, accountId, now }: Work,
  skuId: SkuId,
  sku: NewSku,
  kitPartId: KitPartId | null,
): Promise<void> {
  const { color = '', filament_type: filamentType = '', hex_code: hexCode = '', quantity = 1 } = sku
  await sql`
    insert into skus (account_id, id, product_id, sku, color, filament_type, hex_code, quantity, kit_part_id, created_at,
                      updated_at)
    values (${accountId}, ${skuId}, ${sku.product_id}, ${sku.sku}, ${color}, ${filamentType}, ${hexCode}, ${quantity},
            ${kitPartId}, ${now}, ${now})`
}

/** Changes what is given. False when there is no such SKU; fails on `skus_sku_key`. */
export async function updateSku({ sql, accountId, now }: Work, skuId: SkuId, changes: SkuChanges): Promise<boolean> {
  const rows = await sql`
    update skus set
      sku = coalesce(${changes.sku ?? null}, sku),
      color = coalesce(${changes.color ?? null}, color),
      filament_type = coalesce(${changes.filament_type ?? null}, filament_type),
      hex_code = coalesce(${changes.hex_code ?? null}, hex_code),
      quantity = coalesce(${changes.quantity ?? null}, quantity),
      is_active = coalesce(${changes.is_active ?? null}, is_active),
      ${changes.restock_point === undefined ? sql`` : sql`restock_point = ${changes.restock_point},`}
      ${changes.restock_to === undefined ? sql`` : sql`restock_to = ${changes.restock_to},`}
      auto_produce = coalesce(${changes.auto_produce ?? null}, auto_produce),
      updated_at = ${now}
    where account_id = ${accountId} and id = ${skuId} returning id`
  return rows.length > 0
}

/** True when anything that is over or recorded names one of these SKUs, so that its row must stay. */
export async function hasHistory(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<boolean> {
  const [row] = await sql<{ has_history: boolean }[]>`
    select exists (select from stock_movements m
                   join inventory_items i on i.account_id = m.account_id and i.id = m.inventory_item_id
                   where m.account_id = ${accountId} and i.product_sku_id = any(${skuIds}))
        or exists (select from jobs j where j.account_id = ${accountId} and j.product_sku_id = any(${skuIds}))
        or exists (select from order_items t where t.account_id = ${accountId} and t.product_sku_id = any(${skuIds}))
        or exists (select from assembly_tasks a where a.account_id = ${accountId} and a.product_sku_id = any(${skuIds}))
        or exists (select from wiki_articles w where w.account_id = ${accountId} and w.sku_id = any(${skuIds}))
        or exists (select from bom_children b where b.account_id = ${accountId} and b.child_sku_id = any(${skuIds}))
      as has_history`
  return row?.has_history ?? false
}

/** With its bill of materials. Fails on a foreign key when something names it. */
export async function deleteSkuRow({ sql, accountId }: Work, skuId: SkuId): Promise<void> {
  await sql`delete from skus where account_id = ${accountId} and id = ${skuId}`
}

/** All SKUs of a product, the parts of a kit included. */
export async function listSkuIdsOfProduct(sql: Sql, accountId: AccountId, productId: ProductId): Promise<SkuId[]> {
  const rows = await sql<{ id: SkuId }[]>`
    select id from skus where account_id = ${accountId} and product_id = ${productId} order by id`
  return rows.map(({ id }) => id)
}
