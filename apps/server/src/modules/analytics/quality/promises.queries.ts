import type { Sql } from '../../../db/database.ts'
import type { OrderRow } from '../../../db/rows.generated.ts'
import type { AccountId, OrderId } from '../../../kernel/ids.ts'
import type { ReportDays } from '../report-days.ts'

type Span = Pick<ReportDays, 'starts_at' | 'ends_at'>

export interface PromiseFigures {
  orders: number
  within: number
  late: number
  late_open: number
  changed: number
  late_days_average: number | null
  late_days_worst: number | null
}

/**
 * Orders that were promised, by their first promise, to leave within some days and by now; by the index `order_promises_by_date`. Those
 * that were cancelled or refunded are left out: no one waits for them. An order that has not left is late since its promise.
 */
const kept = (sql: Sql, accountId: AccountId, span: Span, now: Date) => sql`
  select o.id, o.order_number, o.platform, p.promised_at, o.shipped_at,
         extract(epoch from coalesce(o.shipped_at, ${now}) - p.promised_at) / 86400 as late_days,
         exists (
           select from order_promises later
           where later.account_id = p.account_id and later.order_id = p.order_id and later.number > 1
         ) as is_changed
  from order_promises p
  join orders o on o.account_id = p.account_id and o.id = p.order_id
  where p.account_id = ${accountId} and p.number = 1 and o.status not in ('cancelled', 'refunded')
    and p.promised_at > ${span.starts_at} and p.promised_at <= ${span.ends_at}
    and (o.shipped_at is not null or p.promised_at < ${now})`

const figures = (sql: Sql) => sql`
  count(*) as orders, count(*) filter (where k.late_days <= 0) as within,
  count(*) filter (where k.late_days > 0) as late,
  count(*) filter (where k.late_days > 0 and k.shipped_at is null) as late_open,
  count(*) filter (where k.is_changed) as changed,
  round(avg(k.late_days) filter (where k.late_days > 0), 1)::float8 as late_days_average,
  round(max(k.late_days) filter (where k.late_days > 0), 1)::float8 as late_days_worst`

export async function sumPromises(sql: Sql, accountId: AccountId, span: Span, now: Date): Promise<PromiseFigures> {
  const [sum] = await sql<PromiseFigures[]>`select ${figures(sql)} from (${kept(sql, accountId, span, now)}) k`
  // An aggregate without groups has one row.
  return sum as PromiseFigures
}

/** By the Monday of the week for which they were promised, in the calendar of the account. */
export async function listPromisesByWeek(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  now: Date,
): Promise<(PromiseFigures & { week: string })[]> {
  return sql<(PromiseFigures & { week: string })[]>`
    select date_trunc('week', (k.promised_at - interval '1 microsecond') at time zone
             (select time_zone from accounts where id = ${accountId}))::date as week,
           ${figures(sql)}
    from (${kept(sql, accountId, span, now)}) k
    group by 1 order by 1 limit 400`
}

export async function listPromisesByPlatform(
  sql: Sql,
  accountId: AccountId,
  span: Span,
  now: Date,
): Promise<(PromiseFigures & Pick<OrderRow, 'platform'>)[]> {
  return sql<(PromiseFigures & Pick<OrderRow, 'platform'>)[]>`
    select k.platform, ${figures(sql)}
    from (${kept(sql, accountId, span, now)}) k
    group by k.platform order by count(*) desc, k.platform`
}

interface LateOrder {
  order_id: OrderId
  order_number: string
  platform: OrderRow['platform']
  promised_at: Date
  shipped_at: Date | null
  late_days: number
}

/** The hundred orders that are, or were, the latest. */
export async function listLateOrders(sql: Sql, accountId: AccountId, span: Span, now: Date): Promise<LateOrder[]> {
  return sql<LateOrder[]>`
    select k.id as order_id, k.order_number, k.platform, k.promised_at, k.shipped_at,
           round(k.late_days, 1)::float8 as late_days
    from (${kept(sql, accountId, span, now)}) k
    where k.late_days > 0 order by k.late_days desc, k.id limit 100`
}
