import type { Sql } from '../../db/database.ts'
import type { PrinterPeriodRow } from '../../db/rows.generated.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import type { PeriodCause } from './period-cause.ts'

/** A stretch of time, from the first moment to before the second. */
export interface Span {
  from: Date
  to: Date
}

type SegmentRow = Pick<PrinterPeriodRow, 'cause' | 'attempt_id' | 'job_id'> & {
  started_at: Date
  ended_at: Date
  is_open: boolean
}

/**
 * The periods of a printer that overlap with a span, cut off at its ends. The first of them began last before the span,
 * so that the primary key finds all without looking at older ones.
 */
const overlapping = (sql: Sql, accountId: AccountId, printerId: PrinterId, { from, to }: Span) => sql`
  from printer_periods s
  where s.account_id = ${accountId} and s.printer_id = ${printerId} and s.started_at < ${to}
    and s.started_at >= coalesce((
      select max(b.started_at) from printer_periods b
      where b.account_id = ${accountId} and b.printer_id = ${printerId} and b.started_at <= ${from}
    ), ${from})
    and coalesce(s.ended_at, ${to}) > ${from}`

/** In the order of time. */
export async function listSegments(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  span: Span,
  { limit }: { limit: number },
): Promise<SegmentRow[]> {
  return sql<SegmentRow[]>`
    select s.cause, s.attempt_id, s.job_id, greatest(s.started_at, ${span.from}) as started_at,
           least(coalesce(s.ended_at, ${span.to}), ${span.to}) as ended_at, s.ended_at is null as is_open
    ${overlapping(sql, accountId, printerId, span)}
    order by s.started_at
    limit ${limit}`
}

/** What went to one cause: milliseconds, periods, and when the first of them begins within the span. */
interface CauseTime {
  cause: PeriodCause
  ms: number
  periods: number
  first_at: Date
}

export async function sumPrinterTime(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  span: Span,
): Promise<CauseTime[]> {
  return sql<CauseTime[]>`
    select s.cause, count(*) as periods, min(greatest(s.started_at, ${span.from})) as first_at,
           (extract(epoch from sum(least(coalesce(s.ended_at, ${span.to}), ${span.to}) - greatest(s.started_at, ${span.from}))) * 1000)::int8 as ms
    ${overlapping(sql, accountId, printerId, span)}
    group by s.cause`
}

export interface PrinterCauseTime {
  printer_id: PrinterId
  cause: PeriodCause
  ms: number
}

/**
 * The periods of all printers of a farm that overlap with a span, cut off at its ends. What ended within the span is read from the index
 * `printer_periods_by_end` alone; the one period of each printer that goes on beyond its end is found by the primary key. Older
 * and later periods cost nothing.
 */
const farmPeriods = (sql: Sql, accountId: AccountId, { from, to }: Span) => sql`
  from (select e.printer_id, e.cause, greatest(e.started_at, ${from}) as started_at, e.ended_at
  from printer_periods e
  where e.account_id = ${accountId} and e.ended_at > ${from} and e.ended_at <= ${to}
  union all
  select p.id, last.cause, greatest(last.started_at, ${from}), ${to}::timestamptz
  from printers p
  cross join lateral (
    select o.cause, o.started_at, o.ended_at from printer_periods o
    where o.account_id = p.account_id and o.printer_id = p.id and o.started_at < ${to}
    order by o.started_at desc limit 1
  ) last
  where p.account_id = ${accountId} and coalesce(last.ended_at > ${to}, true)) t`

/** The same as `sumPrinterTime` for all printers of a farm. */
export async function sumFarmTime(sql: Sql, accountId: AccountId, span: Span): Promise<PrinterCauseTime[]> {
  return sql<PrinterCauseTime[]>`
    select t.printer_id, t.cause, (extract(epoch from sum(t.ended_at - t.started_at)) * 1000)::int8 as ms
    ${farmPeriods(sql, accountId, span)}
    group by t.printer_id, t.cause`
}

export interface PrinterHour {
  printer_id: PrinterId
  /** Hour of the day in the time zone of the account, from 0. */
  hour: number
  printing_ms: number
  wall_ms: number
}

/** Answers how much of each hour of the day printers printed: periods are cut at the hours of the account's clock. */
export async function sumFarmHours(sql: Sql, accountId: AccountId, span: Span): Promise<PrinterHour[]> {
  return sql<PrinterHour[]>`
    select piece.printer_id, extract(hour from piece.at at time zone piece.time_zone)::int as hour,
           coalesce(extract(epoch from sum(piece.length) filter (where piece.cause = 'printing')) * 1000, 0)::int8 as printing_ms,
           (extract(epoch from sum(piece.length)) * 1000)::int8 as wall_ms
    from (
      select t.printer_id, t.cause, a.time_zone, hours.at,
             least(t.ended_at, hours.at + interval '1 hour') - greatest(t.started_at, hours.at) as length
      ${farmPeriods(sql, accountId, span)}
      join accounts a on a.id = ${accountId}
      cross join lateral generate_series(
        date_trunc('hour', t.started_at, a.time_zone), t.ended_at, interval '1 hour'
      ) hours (at)
      where hours.at < t.ended_at
    ) piece
    group by piece.printer_id, 2`
}

export async function listPrinterNames(
  sql: Sql,
  accountId: AccountId,
  printerIds: PrinterId[],
): Promise<{ id: PrinterId; name: string }[]> {
  return sql<{ id: PrinterId; name: string }[]>`
    select id, name from printers where account_id = ${accountId} and id = any(${printerIds})`
}
