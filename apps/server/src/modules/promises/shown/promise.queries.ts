import type { Sql } from '../../../db/database.ts'
import type { OrderForecastRow } from '../../../db/rows.generated.ts'
import type { AccountId, JobId, OrderId, OrderItemId, PrinterId } from '../../../kernel/ids.ts'

export type PromiseRow = Pick<
  OrderForecastRow,
  'is_ready' | 'ready_p50_at' | 'ready_p90_at' | 'leaves_p90_at' | 'promised_at' | 'reason' | 'sku'
> & { first_promised_at: Date | null }

/** Answers what is expected of these orders, from one statement; orders that are not open, or new, are left out. */
export async function listPromises(
  sql: Sql,
  accountId: AccountId,
  orderIds: readonly OrderId[],
): Promise<Map<OrderId, PromiseRow>> {
  if (orderIds.length === 0) return new Map()
  const rows = await sql<(PromiseRow & { order_id: OrderId })[]>`
    select f.order_id, f.is_ready, f.ready_p50_at, f.ready_p90_at, f.leaves_p90_at, f.promised_at, f.reason, f.sku,
           p.promised_at as first_promised_at
    from order_forecasts f
    left join order_promises p on p.account_id = f.account_id and p.order_id = f.order_id and p.number = 1
    where f.account_id = ${accountId} and f.order_id = any(${[...orderIds]})`
  return new Map(rows.map(({ order_id, ...row }) => [order_id, row]))
}

/** A condition on the order `o`: it leaves too late by its p90. */
export const isAtRisk = (sql: Sql) => sql`exists (
  select from order_forecasts f
  where f.account_id = o.account_id and f.order_id = o.id and coalesce(f.leaves_p90_at, f.ready_p50_at) > o.ship_by)`

interface ForecastTimes {
  p50_at: Date | null
  p90_at: Date | null
  reason: string | null
}

export interface JobForecast extends ForecastTimes {
  printer_id: PrinterId | null
  starts_at: Date | null
}

/** Answers what is forecast of these jobs; one that came after the last forecast is left out. */
export async function listJobForecasts(
  sql: Sql,
  accountId: AccountId,
  jobIds: readonly JobId[],
): Promise<Map<JobId, JobForecast>> {
  const rows = await sql<(JobForecast & { job_id: JobId })[]>`
    select f.job_id, f.p50_at, f.p90_at, f.reason, f.starts_at, p.id as printer_id
    from job_forecasts f left join printers p on p.account_id = f.account_id and p.id = f.printer_id
    where f.account_id = ${accountId} and f.job_id = any(${[...jobIds]})`
  return new Map(rows.map((row) => [row.job_id, row]))
}

interface WholeForecast {
  made_at: Date | null
  /** Time when all jobs are done of which that is known; null for none. */
  p50_at: Date | null
  /** Null while it is not known of one of these. */
  p90_at: Date | null
  unknown: number
}

/** The forecast of all jobs that are not over. */
export async function sumJobForecasts(sql: Sql, accountId: AccountId): Promise<WholeForecast> {
  const [sum] = await sql<WholeForecast[]>`
    select (select made_at from forecast_rounds where account_id = ${accountId}) as made_at, max(p50_at) as p50_at,
           case when bool_and(p90_at is not null) filter (where p50_at is not null) then max(p90_at) end as p90_at,
           (count(*) filter (where p50_at is null))::integer as unknown
    from job_forecasts where account_id = ${accountId}`
  if (!sum) throw new Error('A sum without groups gave no row')
  return sum
}

/** Answers when these jobs end, and when what is still to be queued of these lines is printed. */
export async function listForecastTimes(
  sql: Sql,
  accountId: AccountId,
  { jobIds, itemIds }: { jobIds: readonly JobId[]; itemIds: readonly OrderItemId[] },
): Promise<{ jobs: Map<JobId, ForecastTimes>; gaps: Map<OrderItemId, ForecastTimes[]> }> {
  const [jobs, gaps] = await Promise.all([
    sql<(ForecastTimes & { job_id: JobId })[]>`
      select job_id, p50_at, p90_at, reason from job_forecasts
      where account_id = ${accountId} and job_id = any(${[...jobIds]})`,
    sql<(ForecastTimes & { order_item_id: OrderItemId })[]>`
      select order_item_id, p50_at, p90_at, reason from gap_forecasts
      where account_id = ${accountId} and order_item_id = any(${[...itemIds]})`,
  ])
  return {
    jobs: new Map(jobs.map((row) => [row.job_id, row])),
    gaps: Map.groupBy(gaps, (row) => row.order_item_id),
  }
}
