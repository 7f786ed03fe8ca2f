import type { Sql } from '../../db/database.ts'
import type { ProductRow, RecipeRow, SkuRow } from '../../db/rows.generated.ts'
import type { AccountId, PrintFileId } from '../../kernel/ids.ts'

/** Recipes of one file that are told. */
const mostRecipes = 100

type RecipeOfFile = Pick<RecipeRow, 'id' | 'name' | 'product_id' | 'product_sku_id' | 'units_per_plate'> & {
  product_name: ProductRow['name']
  sku: SkuRow['sku'] | null
}

interface JobsOfFile {
  unfinished: number
  completed: number
  failed: number
  last_ended_at: string | null
}

/** Answers what prints a file: recipes in use, and jobs, also those that have it as one of several ways. */
export async function findFileUses(
  sql: Sql,
  accountId: AccountId,
  fileId: PrintFileId,
): Promise<{ recipes: RecipeOfFile[]; jobs: JobsOfFile }> {
  const [recipes, [jobs]] = await Promise.all([
    sql<RecipeOfFile[]>`
      select r.id, r.name, r.product_id, r.product_sku_id, r.units_per_plate, p.name as product_name, s.sku
      from recipes r
      join products p on p.account_id = r.account_id and p.id = r.product_id
      left join skus s on s.account_id = r.account_id and s.id = r.product_sku_id
      where r.account_id = ${accountId} and r.print_file_id = ${fileId} and r.is_active
      order by p.name, s.sku nulls first, r.rank, r.id limit ${mostRecipes}`,
    sql<(Omit<JobsOfFile, 'last_ended_at'> & { last_ended_at: Date | null })[]>`
      select count(*) filter (where j.status in ('queued', 'processing', 'printing', 'paused')) as unfinished,
             count(*) filter (where j.status = 'completed') as completed,
             count(*) filter (where j.status = 'failed') as failed,
             max(j.time_completed) as last_ended_at
      from jobs j
      where j.account_id = ${accountId} and (j.print_file_id = ${fileId} or j.status = 'queued') and j.id in (
        select id from jobs where account_id = ${accountId} and print_file_id = ${fileId}
        union
        select job_id from job_options where account_id = ${accountId} and print_file_id = ${fileId}
      )`,
  ])
  return {
    recipes,
    jobs: {
      unfinished: jobs?.unfinished ?? 0,
      completed: jobs?.completed ?? 0,
      failed: jobs?.failed ?? 0,
      last_ended_at: jobs?.last_ended_at?.toISOString() ?? null,
    },
  }
}
