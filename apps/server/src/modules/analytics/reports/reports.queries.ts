import type { Sql } from '../../../db/database.ts'
import type { MaterialRow, OrderRow, PrinterRow } from '../../../db/rows.generated.ts'
import type { AccountId, InventoryItemId, PrinterId, ProductId, SkuId } from '../../../kernel/ids.ts'
import { fallbackCurrency } from '../../orders/settings/currencies.ts'
import type { ReportDays } from '../report-days.ts'

type Span = Pick<ReportDays, 'starts_at' | 'ends_at'>

export interface ProductionFilter {
  printer_id?: PrinterId
  product_id?: ProductId
}

/** Jobs that were completed or failed within some days; by a range of the index `jobs_history`. */
const endedJobs = (sql: Sql, accountId: AccountId, span: Span, filter: ProductionFilter) => sql`
  from jobs j
  where j.account_id = ${accountId} and j.status in ('completed', 'failed')
    and j.time_completed >= ${span.starts_at} and j.time_completed < ${span.ends_at}
    ${filter.printer_id === undefined ? sql`` : sql`and j.printer_id = ${filter.printer_id}`}
    ${filter.product_id === undefined ? sql`` : sql`and j.product_id = ${filter.product_id}`}`

const figures = (sql: Sql) => sql`
  count(*) filter (where j.status = 'completed') as jobs_completed,
  count(*) filter (where j.status = 'failed') as jobs_failed,
  coalesce(sum(greatest(0, j.number_of_units - j.units_rejected)) filter (where j.status = 'completed'), 0)::int8 as units_produced,
  coalesce(sum(j.units_rejected), 0)::int8 as units_rejected,
  coalesce(sum(j.actual_print_time_minutes), 0)::int8 as total_print_time_minutes`

interface ProductionFigures {
  jobs_completed: number
  jobs_failed: number
  units_produced: number
  units_rejected: number
  total_print_time_minutes: number
}

/** One row for each day on which a job ended, by the calendar of the account. */
export async function listProductionByDay(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  filter: ProductionFilter,
): Promise<(ProductionFigures & { date: string })[]> {
  return sql<(ProductionFigures & { date: string })[]>`
    select (j.time_completed at time zone (select time_zone from accounts where id = ${accountId}))::date as date,
           ${figures(sql)}
    ${endedJobs(sql, accountId, span, filter)}
    group by 1 order by 1 limit 400`
}

/** The hundred SKUs with the most units, as they were named when their jobs were queued. */
export async function listProductionBySku(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  filter: ProductionFilter,
): Promise<(ProductionFigures & { product_sku_id: SkuId; sku: string; product_name: string })[]> {
  return sql<(ProductionFigures & { product_sku_id: SkuId; sku: string; product_name: string })[]>`
    with made as (
      select j.product_sku_id, ${figures(sql)}
      ${endedJobs(sql, accountId, span, filter)} and j.product_sku_id is not null
      group by j.product_sku_id
    )
    select made.*, s.sku, p.name as product_name
    from made
    join skus s on s.account_id = ${accountId} and s.id = made.product_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    order by made.units_produced desc, s.sku limit 100`
}

/** The hundred printers that ended the most jobs. */
export async function listProductionByPrinter(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  filter: ProductionFilter,
): Promise<(ProductionFigures & { printer_id: PrinterId; printer_name: string })[]> {
  return sql<(ProductionFigures & { printer_id: PrinterId; printer_name: string })[]>`
    with made as (
      select j.printer_id, ${figures(sql)}
      ${endedJobs(sql, accountId, span, filter)} and j.printer_id is not null
      group by j.printer_id
    )
    select made.*, p.name as printer_name
    from made join printers p on p.account_id = ${accountId} and p.id = made.printer_id
    order by made.jobs_completed + made.jobs_failed desc, p.name limit 100`
}

/** Printers in use by their names: what their live status is found by. */
export async function listActivePrinters(
  sql: Sql,
  accountId: AccountId,
): Promise<Pick<PrinterRow, 'id' | 'name' | 'model' | 'hub_id' | 'is_active' | 'in_maintenance'>[]> {
  return sql<Pick<PrinterRow, 'id' | 'name' | 'model' | 'hub_id' | 'is_active' | 'in_maintenance'>[]>`
    select id, name, model, hub_id, is_active, in_maintenance from printers
    where account_id = ${accountId} and is_active order by name limit 10000`
}

interface PrinterFigures {
  printer_id: PrinterId
  completed: number
  failed: number
}

export async function countJobsByPrinter(sql: Sql, accountId: AccountId, span: Span): Promise<PrinterFigures[]> {
  return sql<PrinterFigures[]>`
    select j.printer_id, count(*) filter (where j.status = 'completed') as completed,
           count(*) filter (where j.status = 'failed') as failed
    ${endedJobs(sql, accountId, span, {})} and j.printer_id is not null
    group by j.printer_id`
}

export async function countFailuresByPrinter(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ printer_id: PrinterId; count: number }[]> {
  return sql<{ printer_id: PrinterId; count: number }[]>`
    select printer_id, count(*) as count from print_failures
    where account_id = ${accountId} and occurred_at >= ${span.starts_at} and occurred_at < ${span.ends_at}
    group by printer_id`
}

/**
 * Orders within some days in one currency, by default that of the account, without those that were cancelled or refunded; by the index
 * `orders_by_date`. Amounts of several currencies are never summed.
 */
const countedOrders = (sql: Sql, accountId: AccountId, span: Span, currency: string | undefined) => sql`
  from orders o
  cross join (
    select coalesce(
      (select named.currency from order_settings named where named.account_id = ${accountId}),
      ${fallbackCurrency}::text) as currency
  ) account
  where o.account_id = ${accountId} and o.status not in ('cancelled', 'refunded')
    and coalesce(o.currency, account.currency) = coalesce(${currency ?? null}::text, account.currency)
    and o.order_date >= ${span.starts_at} and o.order_date < ${span.ends_at}`

/** Answers how many orders within some days are in each currency, without those that were cancelled or refunded; the most used first. */
export async function countOrdersByCurrency(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ currency: string; orders: number }[]> {
  return sql<{ currency: string; orders: number }[]>`
    select coalesce(o.currency, (select named.currency from order_settings named where named.account_id = ${accountId}),
             ${fallbackCurrency}::text) as currency,
           count(*)::int8 as orders
    from orders o
    where o.account_id = ${accountId} and o.status not in ('cancelled', 'refunded')
      and o.order_date >= ${span.starts_at} and o.order_date < ${span.ends_at}
    group by 1 order by orders desc, currency limit 200`
}

interface RevenueFigures {
  revenue_cents: number
  orders: number
}

// The sum of an account may exceed int8 as JSON carries it; as a float it loses a cent before it fails.
const revenue = (sql: Sql) => sql`coalesce(sum(o.total_revenue), 0)::float8 as revenue_cents, count(*) as orders`

export async function listRevenueByDay(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  currency?: string,
): Promise<(RevenueFigures & { date: string })[]> {
  return sql<(RevenueFigures & { date: string })[]>`
    select (o.order_date at time zone (select time_zone from accounts where id = ${accountId}))::date as date,
           ${revenue(sql)}
    ${countedOrders(sql, accountId, span, currency)}
    group by 1 order by 1 limit 400`
}

export async function listRevenueByPlatform(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  currency?: string,
): Promise<(RevenueFigures & Pick<OrderRow, 'platform'>)[]> {
  return sql<(RevenueFigures & Pick<OrderRow, 'platform'>)[]>`
    select o.platform, ${revenue(sql)}
    ${countedOrders(sql, accountId, span, currency)}
    group by o.platform order by revenue_cents desc, o.platform`
}

/** Answers what the lines of these orders come to by the code that they name, the hundred largest. */
export async function listRevenueBySku(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  currency?: string,
): Promise<(RevenueFigures & { sku: string; units: number })[]> {
  return sql<(RevenueFigures & { sku: string; units: number })[]>`
    select t.sku, sum(t.total_price)::float8 as revenue_cents, count(distinct t.order_id) as orders,
           sum(t.quantity)::int8 as units
    from order_items t
    where t.account_id = ${accountId} and t.fulfillment_status <> 'cancelled'
      and t.order_id in (select o.id ${countedOrders(sql, accountId, span, currency)})
    group by t.sku order by revenue_cents desc, t.sku limit 100`
}

interface ShortItem {
  id: InventoryItemId
  sku: string
  color: string
  stock_level: number
  low_stock_threshold: number
  product_name: string
}

/** The twenty active items with the least stock, of those that are short. */
export async function listShortItems(sql: Sql, accountId: AccountId): Promise<ShortItem[]> {
  return sql<ShortItem[]>`
    select i.id, s.sku, s.color, i.ready_stock as stock_level, i.low_stock_threshold, p.name as product_name
    from inventory_items i
    join skus s on s.account_id = i.account_id and s.id = i.product_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where i.account_id = ${accountId} and i.is_active and i.status in ('low_stock', 'out_of_stock')
    order by i.ready_stock, s.sku limit 20`
}

interface MaterialCounts {
  low_filament_spools: number
  total_material_types: number
}

export async function countMaterials(sql: Sql, accountId: AccountId): Promise<MaterialCounts> {
  const [counts] = await sql<MaterialCounts[]>`
    select count(*) filter (where status <> 'in_stock') as low_filament_spools,
           count(distinct type) as total_material_types
    from materials where account_id = ${accountId} and kind = 'filament'`
  // An aggregate without groups has one row.
  return counts as MaterialCounts
}

/** Spools, those with the least left first; the first 500. */
export async function listFilament(
  sql: Sql,
  accountId: AccountId,
): Promise<Pick<MaterialRow, 'type' | 'color' | 'status' | 'remaining' | 'low_threshold'>[]> {
  return sql<Pick<MaterialRow, 'type' | 'color' | 'status' | 'remaining' | 'low_threshold'>[]>`
    select type, color, status, remaining, low_threshold from materials
    where account_id = ${accountId} and kind = 'filament' order by remaining, type, color, id limit 500`
}

/** Filament that prints and people took within some days; by the index `material_movements_by_time`. */
const usedFilament = (sql: Sql, accountId: AccountId, span: Span) => sql`
  from material_movements m join materials k on k.account_id = m.account_id and k.id = m.material_id
  where m.account_id = ${accountId} and k.kind = 'filament' and m.reason in ('printed', 'consumed')
    and coalesce(m.happened_at, m.created_at) >= ${span.starts_at} and coalesce(m.happened_at, m.created_at) < ${span.ends_at}`

/** Milligrams by type, what was used beyond what was known to be there included. */
export async function listUsageByType(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ material_type: string; usage: number }[]> {
  return sql<{ material_type: string; usage: number }[]>`
    select k.type as material_type, sum(m.shortage - m.change)::int8 as usage
    ${usedFilament(sql, accountId, span)}
    group by k.type order by usage desc, k.type limit 100`
}

export async function listUsageByDay(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ date: string; usage: number }[]> {
  return sql<{ date: string; usage: number }[]>`
    select (coalesce(m.happened_at, m.created_at) at time zone (select time_zone from accounts where id = ${accountId}))::date as date,
           sum(m.shortage - m.change)::int8 as usage
    ${usedFilament(sql, accountId, span)}
    group by 1 order by 1 limit 400`
}
