import type { Sql } from '../../db/database.ts'
import type { AccountId, HubId } from '../../kernel/ids.ts'

/** A calendar day of an account: from `starts_at` to before `ends_at`. It may have 23 or 25 hours. */
interface Day {
  /** As `2026-11-20`. */
  date: string
  starts_at: Date
  ends_at: Date
}

/**
 * When a day begins in the time zone of account `a`. Where clocks are put forward at midnight, that is the moment of the
 * change, as PostgreSQL has it. Where they are put back to midnight it comes twice and PostgreSQL takes the second one,
 * so what is left of the day just before that one is taken off.
 */
const beginning = (sql: Sql, midnight: ReturnType<Sql>) => sql`
  (${midnight}) at time zone a.time_zone - greatest(
    ((${midnight}) at time zone a.time_zone - interval '1 microsecond') at time zone a.time_zone
      + interval '1 microsecond' - (${midnight}),
    interval '0')`

/** The day that a moment belongs to by the calendar of the account. */
export async function getDay(sql: Sql, accountId: AccountId, at: Date): Promise<Day> {
  return dayOf(sql, accountId, sql`date_trunc('day', ${at}::timestamptz at time zone a.time_zone)`)
}

/** The day of this name (`2026-11-20`) by the calendar of the account. */
export async function getCalendarDay(sql: Sql, accountId: AccountId, date: string): Promise<Day> {
  return dayOf(sql, accountId, sql`${date}::date::timestamp`)
}

async function dayOf(sql: Sql, accountId: AccountId, midnight: ReturnType<Sql>): Promise<Day> {
  const [day] = await sql<Day[]>`
    select local.midnight::date as date, ${beginning(sql, sql`local.midnight`)} as starts_at,
           ${beginning(sql, sql`local.midnight + interval '1 day'`)} as ends_at
    from accounts a
    cross join lateral (select ${midnight} as midnight) local
    where a.id = ${accountId}`
  if (!day) throw new Error(`There is no account ${accountId}`)
  return day
}

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
