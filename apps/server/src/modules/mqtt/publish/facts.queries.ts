import type { Sql } from '../../../db/database.ts'
import type { JobRow, PrinterRow } from '../../../db/rows.generated.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { liveAttempts } from '../../attempts/under-way/live-attempts.ts'

/** More printers of an account than are published. */
const mostPrinters = 1_000

export type PublishedPrinter = Pick<
  PrinterRow,
  'id' | 'name' | 'model' | 'location' | 'hub_id' | 'is_active' | 'in_maintenance' | 'plate_state' | 'health'
> & {
  job: JobRow['file_name'] | null
  plate_number: number | null
  plates_total: number | null
  open_tasks: number
}

/** Answers what is published of each printer besides what it reports, by name. */
export async function listPublishedPrinters(sql: Sql, accountId: AccountId): Promise<PublishedPrinter[]> {
  const { cte, idOf } = liveAttempts(sql, accountId, 'printer_id')
  return sql<PublishedPrinter[]>`
    with ${cte}
    select p.id, p.name, p.model, p.location, p.hub_id, p.is_active, p.in_maintenance, p.plate_state, p.health,
      j.file_name as job, a.plate_number, j.plates_total, coalesce(t.open_tasks, 0)::int as open_tasks
    from printers p
    left join attempts a on a.account_id = p.account_id and a.id = ${idOf(sql`p.id`)}
    left join jobs j on j.account_id = a.account_id and j.id = a.job_id
    left join (
      select w.printer_id, count(*) as open_tasks from worklist_tasks w
      where w.account_id = ${accountId} and w.status in ('pending', 'in_progress') group by w.printer_id
    ) t on t.printer_id = p.id
    where p.account_id = ${accountId}
    order by p.name, p.id limit ${mostPrinters}`
}

export async function countOpenTasks(sql: Sql, accountId: AccountId): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from worklist_tasks
    where account_id = ${accountId} and status in ('pending', 'in_progress')`
  return row.count
}
