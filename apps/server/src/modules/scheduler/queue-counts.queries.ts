import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { matchesFilter, type QueueFilter } from './queue-filter.ts'

export interface QueueCounts {
  waiting: number
  running: number
  filament_types: string[]
}

/** More kinds than a farm has; a choice of more would help no one. */
const mostFilamentTypes = 50

/** Counts the jobs that are not over and match, in one reading of the index `jobs_unfinished`; filaments are those of all. */
export async function countQueue(sql: Sql, accountId: AccountId, filter: QueueFilter): Promise<QueueCounts> {
  const isMeant = matchesFilter(sql, filter)
  const [counts] = await sql<QueueCounts[]>`
    select (count(*) filter (where j.status = 'queued' and ${isMeant}))::integer as waiting,
           (count(*) filter (where j.status <> 'queued' and ${isMeant}))::integer as running,
           coalesce(
             (array_agg(distinct btrim(j.filament_type)) filter (where btrim(j.filament_type) <> ''))[1:${mostFilamentTypes}],
             '{}'
           ) as filament_types
    from jobs j
    left join printers p on p.account_id = j.account_id and p.id = j.printer_id
    where j.account_id = ${accountId} and j.status in ('queued', 'processing', 'printing', 'paused')`
  if (!counts) throw new Error('A count without groups gave no row')
  return counts
}
