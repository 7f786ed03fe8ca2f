import type { Sql } from '../../db/database.ts'
import type {
  BomChildrenRow,
  BomMaterialRow,
  JobRow,
  MaterialRow,
  PrinterRow,
  PrintFileRow,
  PrintFileVersionRow,
  ProductRow,
  RecipeRow,
  SkuRow,
} from '../../db/rows.generated.ts'
import type { AccountId, JobId, SkuId } from '../../kernel/ids.ts'
import { alsoMadeBy, type RecipeOutput, recipesWithFiles, servesSku } from '../catalogue/recipes/recipes.queries.ts'
import type { FilamentOfFile } from '../matching/matching.queries.ts'

/** What a file says of its plate. */
export type FileFacts = Pick<
  PrintFileVersionRow,
  'printer_model' | 'print_time_seconds' | 'filament_weight_grams' | 'filament_type'
> & {
  file_id: PrintFileRow['id']
  file_name: PrintFileRow['name']
  filaments: FilamentOfFile[]
}

const fileFacts = (sql: Sql) => sql`
  f.id as file_id, f.name as file_name, v.printer_model, v.print_time_seconds, v.filament_weight_grams, v.filament_type,
  v.filaments`

/** All of an account: what is below a SKU is found in memory. */
export async function listChildren(
  sql: Sql,
  accountId: AccountId,
): Promise<Pick<BomChildrenRow, 'sku_id' | 'child_sku_id' | 'quantity_required'>[]> {
  return sql<Pick<BomChildrenRow, 'sku_id' | 'child_sku_id' | 'quantity_required'>[]>`
    select sku_id, child_sku_id, quantity_required from bom_children where account_id = ${accountId} order by sku_id, position`
}

type MaterialOfSku = Pick<BomMaterialRow, 'sku_id' | 'material_id' | 'quantity_required'> &
  Pick<MaterialRow, 'name'> & { kind: 'components' | 'packaging' }

export async function listMaterials(
  sql: Sql,
  accountId: AccountId,
  skuIds: readonly SkuId[],
): Promise<MaterialOfSku[]> {
  return sql<MaterialOfSku[]>`
    select b.sku_id, b.material_id, b.quantity_required, m.kind, m.name
    from bom_materials b join materials m on m.account_id = b.account_id and m.id = b.material_id
    where b.account_id = ${accountId} and b.sku_id = any(${[...skuIds]}) and m.kind in ('components', 'packaging')
    order by b.sku_id, b.position`
}

type SkuToCost = Pick<SkuRow, 'id' | 'sku' | 'color' | 'filament_type'> &
  Pick<ProductRow, 'requires_assembly'> & { assembly_minutes: number | null; product_name: string }

/** SKUs with what the article that goes with them says of the time to put one together. */
export async function listSkus(sql: Sql, accountId: AccountId, skuIds: readonly SkuId[]): Promise<SkuToCost[]> {
  return sql<SkuToCost[]>`
    select s.id, s.sku, s.color, s.filament_type, p.requires_assembly, p.name as product_name,
           (
             select w.estimated_time_minutes from wiki_articles w
             where w.account_id = s.account_id and w.is_published
               and (w.sku_id = s.id or w.id = p.wiki_id or (w.sku_id is null and w.product_id = p.id))
             order by (w.sku_id is not distinct from s.id) desc, (w.id is not distinct from p.wiki_id) desc, w.created_at desc
             limit 1
           ) as assembly_minutes
    from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and s.id = any(${[...skuIds]})`
}

export type PreferredRecipe = FileFacts &
  Pick<RecipeRow, 'units_per_plate'> & { sku_id: SkuId; also_makes: RecipeOutput[] }

/** The preferred recipe of each of these SKUs that can be used now. */
export async function listPreferredRecipes(
  sql: Sql,
  accountId: AccountId,
  skuIds: readonly SkuId[],
): Promise<PreferredRecipe[]> {
  return sql<PreferredRecipe[]>`
    select distinct on (s.id) s.id as sku_id, r.units_per_plate, ${alsoMadeBy(sql)} as also_makes, ${fileFacts(sql)}
    from skus s join (${recipesWithFiles(sql)}) on ${servesSku(sql)}
    where s.account_id = ${accountId} and s.id = any(${[...skuIds]}) and r.is_active and f.deleted_at is null and v.is_sliced
    order by s.id, r.rank, r.created_at, r.id`
}

/** Time that people recorded for putting units of these SKUs together, by the tasks that are completed. */
export async function listAssemblyLabour(
  sql: Sql,
  accountId: AccountId,
  skuIds: readonly SkuId[],
): Promise<{ sku_id: SkuId; seconds: number; units: number }[]> {
  return sql<{ sku_id: SkuId; seconds: number; units: number }[]>`
    select t.product_sku_id as sku_id, sum(w.actual_time_minutes)::int8 * 60 as seconds,
           sum(t.quantity_completed)::int8 as units
    from assembly_tasks t
    join worklist_tasks w on w.account_id = t.account_id and w.source = 'assembly' and w.subject_id = t.id
      and w.status = 'completed' and w.actual_time_minutes is not null
    where t.account_id = ${accountId} and t.product_sku_id = any(${[...skuIds]}) and t.status = 'completed'
      and t.quantity_completed > 0
    group by t.product_sku_id`
}

type JobToCost = FileFacts &
  Pick<
    JobRow,
    'id' | 'status' | 'product_name' | 'color' | 'plates_total' | 'plates_done' | 'printer_id' | 'filament_needed_grams'
  > & {
    wanted_filament: JobRow['filament_type']
    printer_name: PrinterRow['name'] | null
    model: PrinterRow['model'] | null
    good_units: number
    has_outputs: boolean
  }

export async function findJobToCost(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobToCost | undefined> {
  const [job] = await sql<JobToCost[]>`
    select j.id, j.status, j.product_name, j.color, j.filament_type as wanted_filament, j.plates_total, j.plates_done,
           j.printer_id, j.filament_needed_grams, p.name as printer_name, p.model, ${fileFacts(sql)},
           made.units is not null as has_outputs, coalesce(made.units, 0) as good_units
    from jobs j
    join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    join print_files f on f.account_id = v.account_id and f.id = v.print_file_id
    left join printers p on p.account_id = j.account_id and p.id = j.printer_id
    left join lateral (
      select sum(greatest(0, least(u.units_credited, u.units - u.units_rejected)))::int8 as units
      from job_outputs u where u.account_id = j.account_id and u.job_id = j.id
    ) made on true
    where j.account_id = ${accountId} and j.id = ${jobId}`
  return job
}
