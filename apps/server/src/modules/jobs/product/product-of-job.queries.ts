import type { JobRow } from '../../../db/rows.generated.ts'
import type { JobId } from '../../../kernel/ids.ts'
import { goesToAssembly } from '../../catalogue/kits/part-assembly.ts'
import type { RecipeOutput } from '../../catalogue/recipes/recipes.queries.ts'
import type { Work } from '../../events/work.ts'

type ProductOfJob = Pick<JobRow, 'product_id' | 'product_sku_id' | 'product_name' | 'sku_name' | 'requires_assembly'> &
  Partial<Pick<JobRow, 'recipe_id' | 'quantity_per_print' | 'number_of_units'>>

/** The job is locked by the caller. */
export async function writeProductOfJob(
  { sql, accountId, now }: Work,
  jobId: JobId,
  product: ProductOfJob,
): Promise<void> {
  await sql`update jobs set ${sql({ ...product, updated_at: now })} where account_id = ${accountId} and id = ${jobId}`
}

/** What a job yields whose product was named just now; what was found bad of it before counts. */
export async function insertNamedOutputs(
  { sql, accountId }: Work,
  jobId: JobId,
  alsoMakes: readonly RecipeOutput[],
): Promise<void> {
  await sql`
    insert into job_outputs
      (account_id, job_id, product_sku_id, is_main, units_per_plate, units, units_rejected, requires_assembly)
    select account_id, id, product_sku_id, true, quantity_per_print, number_of_units, units_rejected, requires_assembly
    from jobs where account_id = ${accountId} and id = ${jobId}
    union all
    select j.account_id, j.id, s.id, false, made.units, made.units::bigint * j.plates_total, 0, ${goesToAssembly(sql)}
    from jobs j
    cross join unnest(${alsoMakes.map((output) => output.product_sku_id)}::text[], ${alsoMakes.map(({ units }) => units)}::integer[])
      as made (product_sku_id, units)
    join skus s on s.account_id = j.account_id and s.id = made.product_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where j.account_id = ${accountId} and j.id = ${jobId}`
}
