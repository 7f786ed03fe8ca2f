import type { Sql } from '../../../db/database.ts'
import type { JobRow, JobOptionRow as OptionTableRow, PrintFileVersionRow } from '../../../db/rows.generated.ts'
import type { AccountId, JobId } from '../../../kernel/ids.ts'
import { goesToAssembly } from '../../catalogue/kits/part-assembly.ts'
import type { RecipeOutput } from '../../catalogue/recipes/recipes.queries.ts'
import type { Work } from '../../events/work.ts'
import { optionValues } from '../state/option-values.ts'

/** One way to print a job, as it would stand in the row of the job. */
export type JobOption = Pick<
  OptionTableRow,
  | 'recipe_id'
  | 'print_file_id'
  | 'file_version_id'
  | 'file_name'
  | 'color'
  | 'filament_type'
  | 'material_type'
  | 'any_color'
  | 'quantity_per_print'
  | 'plates_total'
  | 'estimated_print_time_minutes'
  | 'filament_needed_grams'
> & { also_makes: RecipeOutput[] }

/** Keeps the ways to print a job, the preferred one first, and what it yields by the first of them. */
export async function insertOptions(work: Work, jobId: JobId, options: readonly JobOption[]): Promise<void> {
  const { sql, accountId } = work
  for (const [position, option] of options.entries()) {
    const row = {
      account_id: accountId,
      job_id: jobId,
      position,
      ...option,
      also_makes: sql.json([...option.also_makes].map((output) => ({ ...output }))),
    }
    // The driver's types know no JSON among the values of a row; the driver does.
    await sql`insert into job_options ${sql(row as never)}`
  }
  await writeOutputsOfOptions(sql, accountId, [jobId])
}

type OptionModel = Pick<OptionTableRow, 'position'> & Pick<PrintFileVersionRow, 'printer_model'>

/** The ways that are open to a job, the preferred one first; none when it has just one, or its first plate is done. */
export async function listOpenOptions(sql: Sql, accountId: AccountId, jobId: JobId): Promise<OptionModel[]> {
  return sql<OptionModel[]>`
    select o.position, v.printer_model
    from jobs j
    join job_options o on o.account_id = j.account_id and o.job_id = j.id
    join print_file_versions v on v.account_id = o.account_id and v.id = o.file_version_id
    where j.account_id = ${accountId} and j.id = ${jobId} and j.plates_done = 0
    order by o.position`
}

export type OptionToShow = Pick<
  OptionTableRow,
  'recipe_id' | 'file_name' | 'plates_total' | 'estimated_print_time_minutes'
> & { printer_model: string | null; units_per_plate: number; is_taken: boolean }

/** The ways of a job for people, the preferred one first. */
export async function listOptions(sql: Sql, accountId: AccountId, jobId: JobId): Promise<OptionToShow[]> {
  return sql<OptionToShow[]>`
    select o.recipe_id, o.file_name, v.printer_model, o.quantity_per_print as units_per_plate, o.plates_total,
           o.estimated_print_time_minutes, o.position = j.option_position as is_taken
    from jobs j
    join job_options o on o.account_id = j.account_id and o.job_id = j.id
    join print_file_versions v on v.account_id = o.account_id and v.id = o.file_version_id
    where j.account_id = ${accountId} and j.id = ${jobId}
    order by o.position`
}

/** Gives a job that is locked the values of one of its ways, and the outputs of that. */
export async function applyOption(
  { sql, accountId, now }: Pick<Work, 'sql' | 'accountId' | 'now'>,
  jobId: JobId,
  position: number,
): Promise<void> {
  await sql`
    update jobs j set updated_at = ${now}, ${optionValues(sql)}
    from job_options o
    where j.account_id = ${accountId} and j.id = ${jobId} and o.account_id = j.account_id and o.job_id = j.id
      and o.position = ${position} and j.plates_done = 0`
  await writeOutputsOfOptions(sql, accountId, [jobId])
}

/** What jobs yield by the way that each has now: all plates of it. None of their plates is done yet. */
export async function writeOutputsOfOptions(sql: Sql, accountId: AccountId, jobIds: JobId[]): Promise<void> {
  await sql`delete from job_outputs where account_id = ${accountId} and job_id = any(${jobIds})`
  await sql`
    insert into job_outputs (account_id, job_id, product_sku_id, is_main, units_per_plate, units, requires_assembly)
    select j.account_id, j.id, j.product_sku_id, true, j.quantity_per_print,
           j.plates_total::bigint * j.quantity_per_print, j.requires_assembly
    from jobs j
    where j.account_id = ${accountId} and j.id = any(${jobIds}) and j.product_sku_id is not null
    union all
    select j.account_id, j.id, s.id, false, made.units, j.plates_total::bigint * made.units, ${goesToAssembly(sql)}
    from jobs j
    join job_options o on o.account_id = j.account_id and o.job_id = j.id and o.position = j.option_position
    cross join jsonb_to_recordset(o.also_makes) as made (product_sku_id text, units integer)
    join skus s on s.account_id = j.account_id and s.id = made.product_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where j.account_id = ${accountId} and j.id = any(${jobIds})`
}

/** What a person wants of a queued job holds for whichever way it takes. */
export async function updateOptions(
  { sql, accountId }: Work,
  jobId: JobId,
  change: Partial<Pick<JobRow, 'color' | 'any_color' | 'filament_type' | 'material_type'>>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await sql`update job_options set ${sql(change)} where account_id = ${accountId} and job_id = ${jobId}`
}
