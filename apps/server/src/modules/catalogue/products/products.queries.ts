import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageRow } from '../../../db/page-bounds.ts'
import type { ProductRow as ProductTableRow } from '../../../db/rows.generated.ts'
import type { AccountId, ProductId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { NewProduct, ProductChanges, ProductFilter } from './products.schema.ts'

const columns = columnsOf<ProductTableRow>()(
  'id',
  'name',
  'description',
  'category',
  'requires_assembly',
  'requires_post_processing',
  'wiki_id',
  'is_active',
  'created_at',
  'updated_at',
)

export type ProductRow = RowOf<typeof columns>

export async function findProduct(
  sql: Sql,
  accountId: AccountId,
  productId: ProductId,
): Promise<ProductRow | undefined> {
  const [product] = await sql<ProductRow[]>`
    select ${columns(sql)} from products where account_id = ${accountId} and id = ${productId}`
  return product
}

/** Newest first, by the index `products_by_age`. */
export async function listProducts(
  sql: Sql,
  accountId: AccountId,
  filter: ProductFilter,
): Promise<PageRow<ProductRow>[]> {
  const { search, category, is_active: isActive } = filter
  return sql<PageRow<ProductRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from products
    where account_id = ${accountId}
      ${search === undefined ? sql`` : sql`and strpos(lower(name), lower(${search})) > 0`}
      ${category === undefined ? sql`` : sql`and category = ${category}`}
      ${isActive === undefined ? sql`` : sql`and is_active = ${isActive}`}
      ${filter.after ? sql`and (created_at, id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by created_at desc, id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** Fails on `products_name_key` and `products_wiki_fkey`. */
export async function insertProduct(
  { sql, accountId, now }: Work,
  productId: ProductId,
  product: NewProduct,
): Promise<void> {
  const { description = '', category = '', requires_assembly = false, requires_post_processing = false } = product
  await sql`
    insert into products
      (account_id, id, name, description, category, requires_assembly, requires_post_processing, wiki_id, created_at,
       updated_at)
    values (${accountId}, ${productId}, ${product.name}, ${description}, ${category}, ${requires_assembly},
            ${requires_post_processing}, ${product.wiki_id ?? null}, ${now}, ${now})`
}

/** Changes what is given. Undefined when there is no such product; fails on `products_name_key` and `products_wiki_fkey`. */
export async function updateProduct(
  { sql, accountId, now }: Work,
  productId: ProductId,
  changes: ProductChanges,
): Promise<ProductRow | undefined> {
  const [row] = await sql<ProductRow[]>`
    update products set
      name = coalesce(${changes.name ?? null}, name),
      description = coalesce(${changes.description ?? null}, description),
      category = coalesce(${changes.category ?? null}, category),
      requires_assembly = coalesce(${changes.requires_assembly ?? null}, requires_assembly),
      requires_post_processing = coalesce(${changes.requires_post_processing ?? null}, requires_post_processing),
      is_active = coalesce(${changes.is_active ?? null}, is_active),
      ${changes.wiki_id === undefined ? sql`` : sql`wiki_id = ${changes.wiki_id},`}
      updated_at = ${now}
    where account_id = ${accountId} and id = ${productId}
    returning ${columns(sql)}`
  return row
}

/**
 * Makes others who change the images of this product wait until the transaction ends, and notes that the product, which
 * shows them, has changed. False when there is no such product.
 */
export async function lockProductForImages({ sql, accountId, now }: Work, productId: ProductId): Promise<boolean> {
  const rows = await sql`
    update products set updated_at = ${now} where account_id = ${accountId} and id = ${productId} returning id`
  return rows.length > 0
}

/** True when anything that is over or recorded names the product itself. */
export async function productHasHistory(sql: Sql, accountId: AccountId, productId: ProductId): Promise<boolean> {
  const [row] = await sql<{ has_history: boolean }[]>`
    select exists (select from jobs j where j.account_id = ${accountId} and j.product_id = ${productId})
        or exists (select from wiki_articles w where w.account_id = ${accountId} and w.product_id = ${productId})
      as has_history`
  return row?.has_history ?? false
}

export async function countLiveJobsOfProduct(sql: Sql, accountId: AccountId, productId: ProductId): Promise<number> {
  const [row] = await sql<{ live: number }[]>`
    select count(*) as live from jobs
    where account_id = ${accountId} and product_id = ${productId}
      and status in ('queued', 'processing', 'printing', 'paused')`
  return row?.live ?? 0
}

/** With its kit. Fails on a foreign key when something names it. */
export async function deleteProductRow({ sql, accountId }: Work, productId: ProductId): Promise<void> {
  await sql`delete from products where account_id = ${accountId} and id = ${productId}`
}

interface ProductCategory {
  category: string
  product_count: number
}

/** Those that products have, by their names. */
export async function listProductCategories(sql: Sql, accountId: AccountId): Promise<ProductCategory[]> {
  return sql<ProductCategory[]>`
    select category, count(*) as product_count from products
    where account_id = ${accountId} and category <> ''
    group by category order by category limit 1000`
}
