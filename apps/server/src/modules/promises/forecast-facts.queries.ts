import type { Sql, Transaction } from '../../db/database.ts'
import { readInPages } from '../../db/read-in-pages.ts'
import type { JobRow, OrderForecastRow } from '../../db/rows.generated.ts'
import type { AccountId, FileVersionId, JobId, OrderId, OrderItemId, PrinterId, SkuId } from '../../kernel/ids.ts'
import { liveAttempts } from '../attempts/under-way/live-attempts.ts'
import { recipesWithFiles, servesSku } from '../catalogue/recipes/recipes.queries.ts'
import { placeInQueue } from '../jobs/queue/queue-order.ts'

/** Printers that take jobs: a hub that is away for a night comes back. */
export async function listWorkingPrinters(sql: Sql, accountId: AccountId): Promise<{ id: PrinterId; model: string }[]> {
  return sql<{ id: PrinterId; model: string }[]>`
    select id, model from printers where account_id = ${accountId} and is_active and not in_maintenance order by id`
}

interface WayOfJob {
  file_version_id: FileVersionId
  printer_model: string | null
  plates_total: number
}

export type JobToForecast = Pick<JobRow, 'id' | 'status' | 'printer_id' | 'plates_done'> &
  WayOfJob & {
    /** Model of its printer. */
    model: string | null
    started_at: Date | null
    /** The ways that are open to it; null when there is just one. */
    options: WayOfJob[] | null
  }

/** Jobs that are not over, page by page in the order of the queue, by the index `jobs_unfinished`. */
export function listJobsToForecast(sql: Transaction, accountId: AccountId): AsyncGenerator<JobToForecast[], void> {
  const { cte, idOf } = liveAttempts(sql, accountId, 'job_id')
  const jobs = sql`
    with ${cte}
    select j.id, j.status, j.printer_id, j.plates_done, j.plates_total, j.file_version_id, v.printer_model, p.model,
           a.confirmed_at as started_at,
           case when j.plates_done = 0 then (
             select jsonb_agg(jsonb_build_object(
               'file_version_id', o.file_version_id, 'printer_model', w.printer_model, 'plates_total', o.plates_total
             ) order by o.position)
             from job_options o
             join print_file_versions w on w.account_id = o.account_id and w.id = o.file_version_id
             where o.account_id = j.account_id and o.job_id = j.id
           ) end as options
    from jobs j
    join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    left join printers p on p.account_id = j.account_id and p.id = j.printer_id
    left join attempts a on a.account_id = j.account_id and a.id = ${idOf(sql`j.id`)}
    where j.account_id = ${accountId} and j.status in ('queued', 'processing', 'printing', 'paused')
    order by ${placeInQueue(sql)}`
  return readInPages(sql, 'jobs_to_forecast', jobs)
}

export interface LineToForecast {
  order_id: OrderId
  id: OrderItemId
  product_sku_id: SkuId | null
  sku: string
  units: number
  is_dedicated: boolean
  /** Units that the plan says something of; fewer than `units` until the line is planned whole. */
  planned_units: number
  /** Units of these on the shelf. */
  reserved_units: number
  /** Reason why units of it cannot be made, and the SKU that is the reason: itself, or a part of it. */
  blocked_by: { reason: string; sku: string }[]
  job_ids: JobId[]
  gaps: { product_sku_id: SkuId; units: number }[]
}

/** Open lines of orders that wait, page by page in the order of service, with what the last plan says of each; by the index `orders_unshipped`. */
export function listLinesToForecast(sql: Transaction, accountId: AccountId): AsyncGenerator<LineToForecast[], void> {
  const lines = sql`
    select i.order_id, i.id, i.product_sku_id, i.sku, (i.quantity - i.quantity_fulfilled) * i.pack_size as units,
           i.personalisation <> '[]' as is_dedicated, coalesce(s.planned_units, 0)::int8 as planned_units,
           coalesce(s.reserved_units, 0)::int8 as reserved_units,
           case when s.is_blocked then (
             select coalesce(jsonb_agg(jsonb_build_object('reason', b -> 'reason', 'sku', coalesce(k.sku, i.sku))), '[]')
             from order_item_states t
             cross join jsonb_array_elements(t.blockers) b
             left join skus k on k.account_id = t.account_id and k.id = b ->> 'skuId'
             where t.account_id = i.account_id and t.order_item_id = i.id and t.state = 'blocked'
           ) else '[]' end as blocked_by,
           coalesce(p.job_ids, '{}') as job_ids, coalesce(g.gaps, '[]') as gaps
    from orders o
    join order_items i on i.account_id = o.account_id and i.order_id = o.id
    left join lateral (
      select sum(s.units) as planned_units, sum(s.units) filter (where s.state = 'reserved') as reserved_units,
             bool_or(s.state = 'blocked') as is_blocked
      from order_item_states s where s.account_id = i.account_id and s.order_item_id = i.id
    ) s on true
    left join lateral (
      select array_agg(p.supply_id) as job_ids from pegs p
      where p.account_id = i.account_id and p.demand_id = i.id and p.supply_kind = 'job'
    ) p on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('product_sku_id', g.product_sku_id, 'units', g.units)) as gaps
      from plan_gaps g where g.account_id = i.account_id and g.order_item_id = i.id
    ) g on true
    where o.account_id = ${accountId} and o.status in ('pending', 'processing', 'printed', 'assembled')
      and i.fulfillment_status in ('pending', 'partial')
    order by o.ship_by nulls last, array_position('{urgent,high,normal,low}'::text[], o.priority), o.order_date, i.id`
  return readInPages(sql, 'lines_to_forecast', lines)
}

interface RecipeToForecast {
  sku_id: SkuId
  file_version_id: FileVersionId
  printer_model: string | null
  units_per_plate: number
}

/** Page by page, the preferred first. */
export function listRecipesToForecast(
  sql: Transaction,
  accountId: AccountId,
  skuIds: readonly SkuId[],
): AsyncGenerator<RecipeToForecast[], void> {
  const recipes = sql`
    select s.id as sku_id, v.id as file_version_id, v.printer_model, r.units_per_plate
    from skus s join (${recipesWithFiles(sql)}) on ${servesSku(sql)}
    where s.account_id = ${accountId} and s.id = any(${[...skuIds]}) and r.is_active and f.deleted_at is null and v.is_sliced
    order by r.rank, r.id`
  return readInPages(sql, 'recipes_to_forecast', recipes)
}

/** Assemblies that a time is learnt from; fewer say too little, and older ones are forgotten. As for prints. */
const leastAssemblies = 3
const mostAssemblies = 20

interface AssemblySeconds {
  product_sku_id: SkuId
  p50_seconds: number
  p90_seconds: number
}

/** Answers what putting one unit of these together took, from when a person began to when they were done. */
export async function listAssemblySeconds(
  sql: Sql,
  accountId: AccountId,
  skuIds: readonly SkuId[],
): Promise<AssemblySeconds[]> {
  if (skuIds.length === 0) return []
  return sql<AssemblySeconds[]>`
    select product_sku_id, percentile_cont(0.5) within group (order by seconds) as p50_seconds,
           percentile_disc(0.9) within group (order by seconds) as p90_seconds
    from (
      select a.product_sku_id,
             (extract(epoch from t.completed_at - t.started_at) / a.quantity_completed)::float8 as seconds,
             row_number() over (partition by a.product_sku_id order by t.completed_at desc) as age
      from assembly_tasks a
      join worklist_tasks t on t.account_id = a.account_id and t.source = 'assembly' and t.subject_id = a.id
      where a.account_id = ${accountId} and a.product_sku_id = any(${[...skuIds]}) and a.status = 'completed'
        and a.quantity_completed > 0 and t.status = 'completed' and t.started_at < t.completed_at
    ) done
    where age <= ${mostAssemblies}
    group by product_sku_id having count(*) >= ${leastAssemblies}`
}

export type StoredForecast = Pick<
  OrderForecastRow,
  'order_id' | 'is_ready' | 'ready_p50_at' | 'ready_p90_at' | 'leaves_p90_at' | 'promised_at' | 'reason' | 'sku'
>

export async function listStoredForecasts(
  sql: Sql,
  accountId: AccountId,
  orderIds: readonly OrderId[],
): Promise<StoredForecast[]> {
  return sql<StoredForecast[]>`
    select order_id, is_ready, ready_p50_at, ready_p90_at, leaves_p90_at, promised_at, reason, sku
    from order_forecasts where account_id = ${accountId} and order_id = any(${[...orderIds]})`
}

interface LastPromise {
  order_id: OrderId
  number: number
  ready_p90_at: Date
  promised_at: Date
}

/** The last promise of each of these orders. */
export async function listLastPromises(
  sql: Sql,
  accountId: AccountId,
  orderIds: readonly OrderId[],
): Promise<LastPromise[]> {
  return sql<LastPromise[]>`
    select distinct on (order_id) order_id, number, ready_p90_at, promised_at
    from order_promises where account_id = ${accountId} and order_id = any(${[...orderIds]})
    order by order_id, number desc`
}
