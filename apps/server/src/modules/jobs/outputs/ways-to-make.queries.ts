import type { Sql } from '../../../db/database.ts'
import type { PrintFileRow, PrintFileVersionRow, RecipeRow } from '../../../db/rows.generated.ts'
import type { AccountId, RecipeId, SkuId } from '../../../kernel/ids.ts'
import { alsoMadeBy, type RecipeOutput, recipesWithFiles, servesSku } from '../../catalogue/recipes/recipes.queries.ts'

/** A recipe that serves a SKU, with what the file says that it prints. */
export type WayToMake = {
  recipe_id: RecipeRow['id']
  also_makes: RecipeOutput[]
  print_file_id: PrintFileRow['id']
} & Pick<RecipeRow, 'units_per_plate'> &
  Pick<PrintFileRow, 'name'> &
  Pick<
    PrintFileVersionRow,
    'printer_model' | 'print_time_seconds' | 'filament_weight_grams' | 'filament_type' | 'filament_color'
  > & { file_version_id: PrintFileVersionRow['id'] }

/** The most ways that one job may take. */
const mostWays = 50

/**
 * The ways in which a SKU can be made, the preferred one first; with `recipeIds` only those. Their files are held until the
 * transaction ends, so that none is deleted before the job that needs it is there.
 */
export async function listWaysToMake(
  sql: Sql,
  accountId: AccountId,
  skuId: SkuId,
  recipeIds: readonly RecipeId[] | undefined,
): Promise<WayToMake[]> {
  return sql<WayToMake[]>`
    select r.id as recipe_id, r.units_per_plate, ${alsoMadeBy(sql)} as also_makes, f.id as print_file_id, f.name,
           v.id as file_version_id, v.printer_model, v.print_time_seconds, v.filament_weight_grams, v.filament_type,
           v.filament_color
    from skus s join (${recipesWithFiles(sql)}) on ${servesSku(sql)}
    where s.account_id = ${accountId} and s.id = ${skuId} and r.is_active and f.deleted_at is null and v.is_sliced
      ${recipeIds === undefined ? sql`` : sql`and r.id = any(${[...recipeIds]})`}
    order by r.rank, r.created_at, r.id
    limit ${mostWays}
    for share of f`
}

/** The models of the printers that the farm has in use. */
export async function listModelsInUse(sql: Sql, accountId: AccountId): Promise<string[]> {
  const rows = await sql<{ model: string }[]>`
    select distinct model from printers where account_id = ${accountId} and is_active`
  return rows.map(({ model }) => model)
}
