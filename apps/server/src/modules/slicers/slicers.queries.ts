import type { Sql } from '../../db/database.ts'
import type { PrintFileVersionRow } from '../../db/rows.generated.ts'
import type { AccountId, PrintFileId, RecipeId, SkuId } from '../../kernel/ids.ts'
import { recipesWithFiles, servesSku } from '../catalogue/recipes/recipes.queries.ts'

/**
 * Lets only one transaction at a time decide what a name stands for: of two first uploads of one name, the second is to
 * find the file of the first.
 */
export async function lockFileName(sql: Sql, accountId: AccountId, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('account_id ' || ${accountId} || ' file ' || ${name}, 0))`
}

/** A print file, with what tells whether something that is sent is its current version. */
type NamedFile = { id: PrintFileId } & Pick<PrintFileVersionRow, 'sha256' | 'archive_plate'>

/** The print file of this name, the newest of several. */
export async function findFileNamed(sql: Sql, accountId: AccountId, name: string): Promise<NamedFile | undefined> {
  const [file] = await sql<NamedFile[]>`
    select f.id, v.sha256, v.archive_plate
    from print_files f
    join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version
    where f.account_id = ${accountId} and f.name = ${name} and f.deleted_at is null
    order by f.created_at desc, f.id desc limit 1`
  return file
}

/** What a file is known to make: the SKU of its only recipe. */
interface OnlyProduct {
  recipe_id: RecipeId
  product_sku_id: SkuId
  units_per_plate: number
}

/** Undefined when no recipe in use prints the file, or more than one SKU is made from it. */
export async function findOnlyProduct(
  sql: Sql,
  accountId: AccountId,
  fileId: PrintFileId,
): Promise<OnlyProduct | undefined> {
  const [only, another] = await sql<OnlyProduct[]>`
    select r.id as recipe_id, s.id as product_sku_id, r.units_per_plate
    from ${recipesWithFiles(sql)} join skus s on ${servesSku(sql)}
    where r.account_id = ${accountId} and r.print_file_id = ${fileId} and r.is_active and s.is_active and v.is_sliced
    limit 2`
  return another ? undefined : only
}

/** True when the account makes products at all. */
export async function hasSkus(sql: Sql, accountId: AccountId): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from skus where account_id = ${accountId} and is_active) as has`
  return row?.has === true
}
