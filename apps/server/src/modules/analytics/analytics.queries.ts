import type { Sql } from '../../db/database.ts'
import type { AccountId, HubId } from '../../kernel/ids.ts'
import type { Day } from '../people/accounts/account-days.queries.ts'

interface JobCounts {
  pending: number
  queued: number
  printing: number
  processing: number
  today_completed: number
  today_failed: number
}

/**
 * Jobs that wait or run, by the partial index `jobs_unfinished`, and those that ended on a day, by a range of
 * `jobs_history`: what ended on other days is never read. One statement, so that a job that ends meanwhile is counted
 * on one side of its end.
 */
export async function countJobs(
  sql: Sql,
  accountId: AccountId,
  day: Pick<Day, 'starts_at' | 'ends_at'>,
): Promise<JobCounts> {
  const [counts] = await sql<JobCounts[]>`
    select unfinished.pending, unfinished.queued, unfinished.printing, unfinished.processing, ended.today_completed,
           ended.today_failed
    from (
      select count(*) as pending, count(*) filter (where status = 'queued') as queued,
             count(*) filter (where status = 'printing') as printing,
             count(*) filter (where status = 'processing') as processing
      from jobs
      where account_id = ${accountId} and status in ('queued', 'processing', 'printing', 'paused')
    ) unfinished
    cross join (
      select count(*) filter (where status = 'completed') as today_completed,
             count(*) filter (where status = 'failed') as today_failed
      from jobs
      where account_id = ${accountId} and status in ('completed', 'failed', 'cancelled')
        and time_completed >= ${day.starts_at} and time_completed < ${day.ends_at}
    ) ended`
  // An aggregate without groups has one row.
  return counts as JobCounts
}

interface TaskCounts {
  pending: number
  collection: number
  assembly: number
  filament_change: number
}

/** Tasks that are not over, by the index `worklist_tasks_by_status`. */
export async function countTasks(sql: Sql, accountId: AccountId): Promise<TaskCounts> {
  const [counts] = await sql<TaskCounts[]>`
    select count(*) as pending, count(*) filter (where task_type = 'collection') as collection,
           count(*) filter (where task_type = 'assembly') as assembly,
           count(*) filter (where task_type = 'filament_change') as filament_change
    from worklist_tasks
    where account_id = ${accountId} and status in ('pending', 'in_progress')`
  return counts as TaskCounts
}

export async function listHubIds(sql: Sql, accountId: AccountId): Promise<HubId[]> {
  const hubs = await sql<{ id: HubId }[]>`select id from hubs where account_id = ${accountId}`
  return hubs.map((hub) => hub.id)
}

/** Active items of which too little, or nothing, is in stock. */
export async function countLowStock(sql: Sql, accountId: AccountId): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from inventory_items
    where account_id = ${accountId} and is_active and status in ('low_stock', 'out_of_stock')`
  return row?.count ?? 0
}
