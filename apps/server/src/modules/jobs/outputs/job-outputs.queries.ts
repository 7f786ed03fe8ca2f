import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { JobOutputRow as OutputTableRow } from '../../../db/rows.generated.ts'
import type { AccountId, JobId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<OutputTableRow>('o')(
  'product_sku_id',
  'is_main',
  'units_per_plate',
  'units',
  'units_credited',
  'units_rejected',
  'requires_assembly',
)

/** What a job yields of one SKU; `units` are those of all its plates that count. */
export type JobOutputRow = RowOf<typeof columns>

export type NamedOutput = JobOutputRow & { sku: string; product_name: string }

/** In one order for all, so that two transactions that move the stock of the same SKUs wait for each other. */
export async function listOutputs(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobOutputRow[]> {
  return sql<JobOutputRow[]>`
    select ${columns(sql)} from job_outputs o
    where o.account_id = ${accountId} and o.job_id = ${jobId} order by o.product_sku_id`
}

/** The order item that a job is made for alone. */
export async function findOrderItemOfJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<OrderItemId | null> {
  const [job] = await sql<{ order_item_id: OrderItemId | null }[]>`
    select order_item_id from jobs where account_id = ${accountId} and id = ${jobId}`
  return job?.order_item_id ?? null
}

/** The outputs of a job for people: the main one first, with the code of each SKU. */
export async function listNamedOutputs(sql: Sql, accountId: AccountId, jobId: JobId): Promise<NamedOutput[]> {
  return sql<NamedOutput[]>`
    select ${columns(sql)}, s.sku, p.name as product_name
    from job_outputs o
    join skus s on s.account_id = o.account_id and s.id = o.product_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where o.account_id = ${accountId} and o.job_id = ${jobId} order by o.is_main desc, s.sku`
}

/** Inserts the output of a job that was made without a recipe: just the units that it must yield, whatever else its last plate holds. */
export async function insertMainOutput(
  { sql, accountId }: Work,
  jobId: JobId,
  output: Pick<OutputTableRow, 'product_sku_id' | 'units_per_plate' | 'units' | 'requires_assembly'>,
): Promise<void> {
  await sql`insert into job_outputs ${sql({ account_id: accountId, job_id: jobId, is_main: true, ...output })}`
}

export async function recordCredit({ sql, accountId }: Work, jobId: JobId, skuId: SkuId, units: number): Promise<void> {
  await sql`
    update job_outputs set units_credited = ${units}
    where account_id = ${accountId} and job_id = ${jobId} and product_sku_id = ${skuId}`
}

export async function addRejects({ sql, accountId }: Work, jobId: JobId, skuId: SkuId, units: number): Promise<void> {
  await sql`
    update job_outputs set units_rejected = units_rejected + ${units}
    where account_id = ${accountId} and job_id = ${jobId} and product_sku_id = ${skuId}`
}

/** The outputs of the reprint of a job: of a recipe what whole plates yield, else as many main units as are asked for. */
export async function copyOutputs(
  { sql, accountId }: Work,
  from: JobId,
  to: { id: JobId; units: number; plates: number },
): Promise<void> {
  await sql`
    insert into job_outputs (account_id, job_id, product_sku_id, is_main, units_per_plate, units, requires_assembly)
    select o.account_id, ${to.id}, o.product_sku_id, o.is_main, o.units_per_plate,
           case when o.is_main and j.recipe_id is null then ${to.units}::integer
             else o.units_per_plate * ${to.plates}::integer end,
           o.requires_assembly
    from job_outputs o join jobs j on j.account_id = o.account_id and j.id = o.job_id
    where o.account_id = ${accountId} and o.job_id = ${from}`
}
