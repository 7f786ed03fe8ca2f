import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageRow } from '../../../db/page-bounds.ts'
import type {
  PrintFileRow,
  PrintFileVersionRow,
  ProductRow,
  RecipeRow as RecipeTableRow,
  SkuRow,
} from '../../../db/rows.generated.ts'
import type { AccountId, PrintFileId, ProductId, RecipeId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { RecipeFilter } from './recipes.schema.ts'

const ownColumns = columnsOf<RecipeTableRow>('r')(
  'id',
  'name',
  'product_id',
  'product_sku_id',
  'print_file_id',
  'units_per_plate',
  'rank',
  'is_active',
  'notes',
  'created_at',
  'updated_at',
)

/** Units of a SKU that one plate yields besides those of its recipe. */
export interface RecipeOutput {
  product_sku_id: SkuId
  units: number
}

/** The same as it is kept, with its place in the list. */
type KeptOutput = RecipeOutput & { position: number }

/** A recipe with what a mixed plate yields besides, and what the file says of itself. */
export type RecipeRow = RowOf<typeof ownColumns> & {
  also_makes: KeptOutput[]
  file_name: PrintFileRow['name']
  file_deleted: boolean
  printer_model: PrintFileVersionRow['printer_model']
}

/** What the mixed plate of the recipe `r` yields besides, as JSON, in no order: a sort here would be one for each row of a page. */
export const alsoMadeBy = (sql: Sql) => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('product_sku_id', o.product_sku_id, 'units', o.units, 'position', o.position))
    from recipe_outputs o where o.account_id = r.account_id and o.recipe_id = r.id
  ), '[]')`

const columns = (sql: Sql) => sql`
  ${ownColumns(sql)}, f.name as file_name, f.deleted_at is not null as file_deleted, v.printer_model,
  ${alsoMadeBy(sql)} as also_makes`

/** Recipes `r` with their files `f` and the versions `v` that are printed. */
export const recipesWithFiles = (sql: Sql) => sql`
  recipes r
  join print_files f on f.account_id = r.account_id and f.id = r.print_file_id
  join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version`

/**
 * Answers whether the recipe `r` with the file version `v` makes the SKU `s`: it names the SKU, or the whole product, and then the file prints
 * the filament type of the SKU. What one of both does not say is no matter.
 */
export const servesSku = (sql: Sql) => sql`
  (r.account_id = s.account_id and r.product_id = s.product_id and (
    r.product_sku_id = s.id
    or r.product_sku_id is null and (
      s.filament_type = '' or v.filament_type is null
      or lower(btrim(s.filament_type)) = any (
        select lower(btrim(type)) from unnest(string_to_array(v.filament_type, ';')) type
      )
    )
  ))`

export async function findRecipe(sql: Sql, accountId: AccountId, id: RecipeId): Promise<RecipeRow | undefined> {
  const [recipe] = await sql<RecipeRow[]>`
    select ${columns(sql)} from ${recipesWithFiles(sql)} where r.account_id = ${accountId} and r.id = ${id}`
  return recipe
}

/** Newest first, by the index `recipes_by_age`. */
export async function listRecipes(sql: Sql, accountId: AccountId, filter: RecipeFilter): Promise<PageRow<RecipeRow>[]> {
  const { product_id: productId, product_sku_id: skuId, print_file_id: fileId, is_active: isActive } = filter
  return sql<PageRow<RecipeRow>[]>`
    select ${columns(sql)}, r.created_at::text as page_key from ${recipesWithFiles(sql)}
    where r.account_id = ${accountId}
      ${productId === undefined ? sql`` : sql`and r.product_id = ${productId}`}
      ${
        skuId === undefined
          ? sql``
          : sql`and exists (select from skus s where s.account_id = ${accountId} and s.id = ${skuId} and ${servesSku(sql)})`
      }
      ${fileId === undefined ? sql`` : sql`and r.print_file_id = ${fileId}`}
      ${isActive === undefined ? sql`` : sql`and r.is_active = ${isActive}`}
      ${filter.after ? sql`and (r.created_at, r.id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by r.created_at desc, r.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** The most recipes of a SKU that are read. */
const mostOfSku = 100

/** The recipes by which a SKU can be made now, the preferred one first. */
export async function listRecipesOfSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<RecipeRow[]> {
  return sql<RecipeRow[]>`
    select ${columns(sql)}
    from skus s join (${recipesWithFiles(sql)}) on ${servesSku(sql)}
    where s.account_id = ${accountId} and s.id = ${skuId} and r.is_active and f.deleted_at is null and v.is_sliced
    order by r.rank, r.created_at, r.id
    limit ${mostOfSku}`
}

export type FileForRecipe = Pick<PrintFileRow, 'id' | 'name'> &
  Pick<PrintFileVersionRow, 'is_sliced' | 'object_count' | 'number_of_units' | 'filament_type'>

/** The file with what its current version says, held until the transaction ends so that it is not deleted before its recipe is there. */
export async function holdFileForRecipe(
  sql: Sql,
  accountId: AccountId,
  fileId: PrintFileId,
): Promise<FileForRecipe | undefined> {
  const [file] = await sql<FileForRecipe[]>`
    select f.id, f.name, v.is_sliced, v.object_count, v.number_of_units, v.filament_type
    from print_files f
    join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version
    where f.account_id = ${accountId} and f.id = ${fileId} and f.deleted_at is null
    for share of f`
  return file
}

/** The recipe of this product that makes the SKU by the file. */
export async function findRecipeByWay(
  sql: Sql,
  accountId: AccountId,
  { productId, skuId, fileId }: { productId: ProductId; skuId: SkuId; fileId: PrintFileId },
): Promise<RecipeId | undefined> {
  const [recipe] = await sql<{ id: RecipeId }[]>`
    select id from recipes
    where account_id = ${accountId} and product_id = ${productId} and product_sku_id = ${skuId}
      and print_file_id = ${fileId}`
  return recipe?.id
}

/** The recipes that name a SKU as what they make. */
export async function listRecipesForSku(
  sql: Sql,
  accountId: AccountId,
  skuId: SkuId,
): Promise<Pick<RecipeTableRow, 'id' | 'product_id' | 'print_file_id'>[]> {
  return sql<Pick<RecipeTableRow, 'id' | 'product_id' | 'print_file_id'>[]>`
    select id, product_id, print_file_id from recipes
    where account_id = ${accountId} and product_sku_id = ${skuId} order by id`
}

export type SkuForRecipe = Pick<SkuRow, 'id' | 'product_id' | 'is_active'>

export async function listSkusForRecipe(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<SkuForRecipe[]> {
  return sql<SkuForRecipe[]>`
    select id, product_id, is_active from skus where account_id = ${accountId} and id = any(${skuIds})`
}

export async function hasProduct(sql: Sql, accountId: AccountId, productId: ProductId): Promise<boolean> {
  const rows = await sql<Pick<ProductRow, 'id'>[]>`
    select id from products where account_id = ${accountId} and id = ${productId}`
  return rows.length > 0
}

type NewRecipeRow = Pick<
  RecipeTableRow,
  'id' | 'name' | 'product_id' | 'product_sku_id' | 'print_file_id' | 'units_per_plate' | 'rank' | 'is_active' | 'notes'
>

/** Fails on `recipes_way_key`. */
export async function insertRecipe({ sql, accountId, now }: Work, recipe: NewRecipeRow): Promise<void> {
  await sql`insert into recipes ${sql({ account_id: accountId, ...recipe, created_at: now, updated_at: now })}`
}

/** Changes what is given. Fails on `recipes_way_key`. */
export async function updateRecipe(
  { sql, accountId, now }: Work,
  id: RecipeId,
  changes: Partial<Omit<NewRecipeRow, 'id' | 'product_id'>>,
): Promise<void> {
  await sql`update recipes set ${sql({ ...changes, updated_at: now })} where account_id = ${accountId} and id = ${id}`
}

/** Replaces what the plates of a recipe yield besides. */
export async function replaceOutputs({ sql, accountId }: Work, id: RecipeId, outputs: RecipeOutput[]): Promise<void> {
  await sql`delete from recipe_outputs where account_id = ${accountId} and recipe_id = ${id}`
  if (outputs.length === 0) return
  await sql`
    insert into recipe_outputs (account_id, recipe_id, product_sku_id, position, units)
    select ${accountId}, ${id}, output.sku_id, output.position, output.units
    from unnest(${outputs.map((output) => output.product_sku_id)}::text[], ${outputs.map((output) => output.units)}::integer[])
      with ordinality as output (sku_id, units, position)`
}

/** False when there is no such recipe. */
export async function deleteRecipeRow({ sql, accountId }: Work, id: RecipeId): Promise<boolean> {
  const rows = await sql`delete from recipes where account_id = ${accountId} and id = ${id} returning id`
  return rows.length > 0
}
