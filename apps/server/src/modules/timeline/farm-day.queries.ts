import type { Sql } from '../../db/database.ts'
import type { JobRow, PrinterPeriodRow } from '../../db/rows.generated.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Span } from './timeline.queries.ts'

/** A farm of a thousand printers goes through some ten thousand periods in a day. */
const mostPeriods = 20_000

type FarmPeriod = Pick<PrinterPeriodRow, 'printer_id' | 'cause' | 'job_id'> & {
  started_at: Date
  ended_at: Date
  job_name: JobRow['file_name'] | null
}

/**
 * The periods of all printers that overlap with a span, cut off at its ends; those that ended within it by the index
 * `printer_periods_by_end`, the one of each printer that goes on beyond it by the primary key.
 */
export async function listFarmPeriods(sql: Sql, accountId: AccountId, { from, to }: Span): Promise<FarmPeriod[]> {
  return sql<FarmPeriod[]>`
    select t.printer_id, t.cause, t.job_id, t.started_at, t.ended_at, coalesce(j.product_name, j.file_name) as job_name
    from (
      select e.printer_id, e.cause, e.job_id, greatest(e.started_at, ${from}) as started_at, e.ended_at
      from printer_periods e
      where e.account_id = ${accountId} and e.ended_at > ${from} and e.ended_at <= ${to}
      union all
      select p.id, last.cause, last.job_id, greatest(last.started_at, ${from}), ${to}::timestamptz
      from printers p
      cross join lateral (
        select o.cause, o.job_id, o.started_at, o.ended_at from printer_periods o
        where o.account_id = p.account_id and o.printer_id = p.id and o.started_at < ${to}
        order by o.started_at desc limit 1
      ) last
      where p.account_id = ${accountId} and coalesce(last.ended_at > ${to}, true)
    ) t
    left join jobs j on j.account_id = ${accountId} and j.id = t.job_id
    order by t.printer_id, t.started_at
    limit ${mostPeriods}`
}
