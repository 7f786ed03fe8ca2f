import type { Sql } from '../../../db/database.ts'
import type { PrintFailureRow } from '../../../db/rows.generated.ts'
import type { AccountId, PrinterId, PrintFileId } from '../../../kernel/ids.ts'
import type { ReportDays } from '../report-days.ts'

type Span = Pick<ReportDays, 'starts_at' | 'ends_at'>

/** What a row of the report counts. */
export interface YieldFigures {
  plates_done: number
  plates_failed: number
  plates_stopped: number
  units_good: number
  units_rejected: number
}

/**
 * Plates that ended within some days, by the index `attempts_ended`: what was on each, all SKUs together. Units that were found bad are
 * those of the whole job, and count with its last good plate; a plate that never began is none.
 */
const endedPlates = (sql: Sql, accountId: AccountId, span: Span) => sql`
  select a.id, a.job_id, a.printer_id, j.print_file_id, coalesce(nullif(j.filament_type, ''), 'unknown') as material, a.outcome,
         coalesce(o.units, greatest(0, least(j.quantity_per_print,
           j.number_of_units - j.quantity_per_print * (a.plate_number - 1)))) as units,
         case when a.outcome = 'done' and not exists (
           select from attempts later
           where later.account_id = a.account_id and later.job_id = a.job_id and later.outcome = 'done'
             and later.plate_number > a.plate_number
         ) then coalesce(o.rejected, j.units_rejected) else 0 end as rejected
  from attempts a
  join jobs j on j.account_id = a.account_id and j.id = a.job_id
  left join lateral (
    select sum(greatest(0, least(u.units_per_plate, u.units - u.units_per_plate * (a.plate_number - 1)))) as units,
           sum(u.units_rejected) as rejected
    from job_outputs u where u.account_id = j.account_id and u.job_id = j.id
  ) o on true
  where a.account_id = ${accountId} and a.outcome in ('done', 'failed', 'cancelled')
    and a.finished_at >= ${span.starts_at} and a.finished_at < ${span.ends_at}
    and (a.outcome <> 'cancelled' or a.confirmed_at is not null)`

const figures = (sql: Sql) => sql`
  count(*) filter (where e.outcome = 'done') as plates_done,
  count(*) filter (where e.outcome = 'failed') as plates_failed,
  count(*) filter (where e.outcome = 'cancelled') as plates_stopped,
  coalesce(sum(e.units) filter (where e.outcome = 'done'), 0)::int8 - coalesce(sum(e.rejected), 0)::int8 as units_good,
  coalesce(sum(e.rejected), 0)::int8 as units_rejected`

/** The hundred files, printers or materials with the most plates. */
const worst = (sql: Sql) => sql`order by count(*) desc, 1 limit 100`

export async function sumYield(sql: Sql, accountId: AccountId, span: Span): Promise<YieldFigures> {
  const [sum] = await sql<YieldFigures[]>`select ${figures(sql)} from (${endedPlates(sql, accountId, span)}) e`
  // An aggregate without groups has one row.
  return sum as YieldFigures
}

export async function listYieldByFile(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<(YieldFigures & { print_file_id: PrintFileId; file_name: string })[]> {
  return sql<(YieldFigures & { print_file_id: PrintFileId; file_name: string })[]>`
    select f.name as file_name, e.print_file_id, ${figures(sql)}
    from (${endedPlates(sql, accountId, span)}) e
    join print_files f on f.account_id = ${accountId} and f.id = e.print_file_id
    group by f.name, e.print_file_id ${worst(sql)}`
}

export async function listYieldByPrinter(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<(YieldFigures & { printer_id: PrinterId; printer_name: string })[]> {
  return sql<(YieldFigures & { printer_id: PrinterId; printer_name: string })[]>`
    select p.name as printer_name, e.printer_id, ${figures(sql)}
    from (${endedPlates(sql, accountId, span)}) e
    join printers p on p.account_id = ${accountId} and p.id = e.printer_id
    group by p.name, e.printer_id ${worst(sql)}`
}

export async function listYieldByMaterial(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<(YieldFigures & { material: string })[]> {
  return sql<(YieldFigures & { material: string })[]>`
    select e.material, ${figures(sql)} from (${endedPlates(sql, accountId, span)}) e
    group by e.material ${worst(sql)}`
}

interface LossOfType {
  type: PrintFailureRow['type']
  count: number
  units_lost: number
}

/** Answers what failed and stopped plates and bad units cost, by what people or printers said went wrong. */
export async function listLossesByType(sql: Sql, accountId: AccountId, span: Span): Promise<LossOfType[]> {
  return sql<LossOfType[]>`
    with ended as (${endedPlates(sql, accountId, span)})
    select type, sum(times)::int8 as count, sum(units)::int8 as units_lost
    from (
      select coalesce(f.type, 'unknown') as type, 1 as times, e.units
      from ended e left join print_failures f on f.account_id = ${accountId} and f.attempt_id = e.id
      where e.outcome <> 'done'
      union all
      select u.type, u.times, u.units
      from ended e join unit_rejects u on u.account_id = ${accountId} and u.job_id = e.job_id
      where e.rejected > 0
    ) lost
    group by type`
}

/** Plates of which units were found bad without a word why, and assemblies. */
export async function countRejects(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ plates: number; units_of_plates: number; assemblies: number; units_of_assemblies: number }> {
  const [plates] = await sql<{ plates: number; units_of_plates: number }[]>`
    select count(*) as plates, coalesce(sum(unnamed), 0)::int8 as units_of_plates
    from (
      select e.rejected - coalesce((
        select sum(u.units) from unit_rejects u where u.account_id = ${accountId} and u.job_id = e.job_id
      ), 0) as unnamed
      from (${endedPlates(sql, accountId, span)}) e where e.rejected > 0
    ) found where unnamed > 0`
  const [assemblies] = await sql<{ assemblies: number; units_of_assemblies: number }[]>`
    select count(*) as assemblies, coalesce(sum(quantity_rejected), 0)::int8 as units_of_assemblies
    from assembly_tasks
    where account_id = ${accountId} and quantity_rejected > 0
      and coalesce(completed_at, updated_at) >= ${span.starts_at} and coalesce(completed_at, updated_at) < ${span.ends_at}`
  return {
    plates: plates?.plates ?? 0,
    units_of_plates: plates?.units_of_plates ?? 0,
    assemblies: assemblies?.assemblies ?? 0,
    units_of_assemblies: assemblies?.units_of_assemblies ?? 0,
  }
}
