import type { Sql } from '@printyard/server/db/database'
import type { AccountId } from '@printyard/server/kernel/ids'

/** Prints that each printer has behind it. */
const printsPerPrinter = 5

/**
 * A farm that has printed: each printer has done some prints, as a night leaves them on record. Without them every plan of PostgreSQL is
 * made for empty tables, as in no farm after its first hour.
 */
export async function insertPrintHistory(sql: Sql, accountId: AccountId): Promise<void> {
  await sql.unsafe(`
    create temporary table past as
    select 'past_' || p.id || '_' || number as id, p.id as printer_id, p.hub_id, number::bigint as number,
      now() - number * interval '3 hours' as ended_at, f.id as file_version_id, f.print_file_id
    from printers p
    cross join generate_series(1, ${printsPerPrinter}) as number
    cross join lateral (
      select id, print_file_id from print_file_versions v where v.account_id = p.account_id order by id limit 1
    ) f
    where p.account_id = '${accountId}'`)
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, filament_type, number_of_units,
      quantity_per_print, plates_total, plates_done, created_by, printer_id, time_started, time_completed)
    select ${accountId}, 'job_' || id, 'completed', print_file_id, file_version_id, 'clip.gcode', 'PLA', 1, 1, 1, 1, 'system',
      printer_id, ended_at - interval '1 hour', ended_at
    from past`
  await sql`
    insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, outcome,
      actor, reserved_at, confirmed_at, finished_at)
    select ${accountId}, 'att_' || id, 'job_' || id, 1, printer_id, hub_id, file_version_id, number, 'finished', 'done', 'system',
      ended_at - interval '1 hour', ended_at - interval '1 hour', ended_at
    from past`
  await sql`
    insert into commands (account_id, id, printer_id, hub_id, job_id, attempt_id, kind, args, fence, state, actor, deadline,
      created_at, answered_at)
    select ${accountId}, 'cmd_' || id, printer_id, hub_id, 'job_' || id, 'att_' || id, 'print', '{}', number, 'succeeded',
      'system', ended_at, ended_at - interval '1 hour', ended_at - interval '1 hour'
    from past`
  await sql`
    insert into filament_reservations (account_id, id, attempt_id, milligrams)
    select ${accountId}, 'fil_' || id, 'att_' || id, 41500 from past`
  await sql`
    insert into printer_periods (account_id, printer_id, cause, attempt_id, job_id, started_at, ended_at)
    select ${accountId}, printer_id, 'printing', 'att_' || id, 'job_' || id, ended_at - interval '1 hour', ended_at from past`
  await sql`update printers set fence = ${printsPerPrinter} where account_id = ${accountId}`
  await sql`drop table past`
}
