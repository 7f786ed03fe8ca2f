import type { Sql } from '../../db/database.ts'
import type { Fragment } from '../../db/driver/statement.ts'
import type { AccountId, AttemptId, JobId, MaterialId, PrinterId, SkuId } from '../../kernel/ids.ts'

/** Jobs of a SKU that tell what it costs: the latest, so that what changed since is forgotten. */
const latestJobs = 20

/** `key` and `job_id` of the latest jobs of each of these SKUs that are over. */
const jobsOfSkus = (sql: Sql, accountId: AccountId, skuIds: readonly SkuId[]) => sql`
  select wanted.id as key, latest.id as job_id
  from unnest(${[...skuIds]}::text[]) as wanted (id)
  cross join lateral (
    select j.id from jobs j
    where j.account_id = ${accountId} and j.product_sku_id = wanted.id
      and j.status in ('completed', 'failed', 'cancelled')
    order by j.created_at desc, j.id desc limit ${latestJobs}
  ) latest`

/** Plates that were printed, by what they are summed up by. */
type Plates = (sql: Sql, accountId: AccountId) => Fragment

export const platesOfSkus =
  (skuIds: readonly SkuId[]): Plates =>
  (sql, accountId) =>
    sql`
    select wanted.key, a.id as attempt_id
    from (${jobsOfSkus(sql, accountId, skuIds)}) wanted
    join attempts a on a.account_id = ${accountId} and a.job_id = wanted.job_id
    where ${isOver(sql)}`

/** Each plate of a job by itself: the key is its attempt. */
export const platesOfJob =
  (jobId: JobId): Plates =>
  (sql, accountId) =>
    sql`
    select a.id as key, a.id as attempt_id from attempts a
    where a.account_id = ${accountId} and a.job_id = ${jobId} and ${isOver(sql)}`

/** Condition for attempts that printed, and of which it is known how they ended. */
const isOver = (sql: Sql) => sql`
  a.phase = 'finished' and a.confirmed_at is not null and a.outcome in ('done', 'failed', 'cancelled')`

export interface RunRow {
  key: string
  printer_id: PrinterId
  printer_name: string
  model: string
  seconds: number
  /** Plates that took filament of which nothing is booked. */
  unbooked: number
}

/**
 * Answers how long the machines ran. Where a person told how a print ended, the time until they did says little: it counts for no longer than
 * the slicer says.
 */
export async function listRuns(sql: Sql, accountId: AccountId, plates: Plates): Promise<RunRow[]> {
  return sql<RunRow[]>`
    select wanted.key, p.id as printer_id, p.name as printer_name, p.model,
           sum(greatest(0, round(case
             when a.evidence ->> 'kind' = 'person'
               then least(extract(epoch from a.finished_at - a.confirmed_at), v.print_time_seconds)
             else extract(epoch from a.finished_at - a.confirmed_at)
           end)))::int8 as seconds,
           count(*) filter (
             where (a.outcome = 'done' or coalesce(a.progress, 0) >= 1)
               and not exists (
                 select from material_movements m
                 where m.account_id = ${accountId} and m.attempt_id = a.id and m.reason = 'printed')
           ) as unbooked
    from (${plates(sql, accountId)}) wanted
    join attempts a on a.account_id = ${accountId} and a.id = wanted.attempt_id
    join printers p on p.account_id = ${accountId} and p.id = a.printer_id
    join print_file_versions v on v.account_id = ${accountId} and v.id = a.file_version_id
    group by wanted.key, p.id, p.name, p.model
    order by wanted.key, p.id`
}

export interface SpoolRow {
  key: string
  material_id: MaterialId
  type: string
  name: string
  milligrams: number
}

/** Answers what was booked on spools, what was used beyond what was known to be there included. */
export async function listSpoolsUsed(sql: Sql, accountId: AccountId, plates: Plates): Promise<SpoolRow[]> {
  return sql<SpoolRow[]>`
    select wanted.key, k.id as material_id, k.type, concat_ws(' ', nullif(k.brand, ''), k.type, nullif(k.color, '')) as name,
           sum(m.shortage - m.change)::int8 as milligrams
    from (${plates(sql, accountId)}) wanted
    join material_movements m on m.account_id = ${accountId} and m.attempt_id = wanted.attempt_id and m.reason = 'printed'
    join materials k on k.account_id = ${accountId} and k.id = m.material_id
    group by wanted.key, k.id, k.type, k.brand, k.color
    order by wanted.key, k.id`
}

export interface PlateLabourRow {
  key: string
  seconds: number
  /** Plates that were taken off without a recorded time. */
  untimed: number
}

/** The time of the task that asked for the plate of each attempt to be taken off: the first one between it and the next attempt. */
export async function listPlateLabour(sql: Sql, accountId: AccountId, plates: Plates): Promise<PlateLabourRow[]> {
  return sql<PlateLabourRow[]>`
    select wanted.key, coalesce(sum(task.actual_time_minutes), 0)::int8 * 60 as seconds,
           count(*) filter (where task.actual_time_minutes is null) as untimed
    from (${plates(sql, accountId)}) wanted
    join attempts a on a.account_id = ${accountId} and a.id = wanted.attempt_id
    cross join lateral (
      select w.status, w.actual_time_minutes from worklist_tasks w
      where w.account_id = ${accountId} and w.source = 'plate' and w.subject_id = a.printer_id
        and w.created_at >= a.reserved_at
        and w.created_at < coalesce((
          select later.reserved_at from attempts later
          where later.account_id = ${accountId} and later.printer_id = a.printer_id and later.fence > a.fence
          order by later.fence limit 1
        ), 'infinity')
      order by w.created_at limit 1
    ) task
    where task.status = 'completed'
    group by wanted.key`
}

/** Good units of the same jobs as `platesOfSkus`, those that mixed plates yielded of other SKUs among them. */
export async function listGoodUnits(
  sql: Sql,
  accountId: AccountId,
  skuIds: readonly SkuId[],
): Promise<{ key: SkuId; units: number }[]> {
  return sql<{ key: SkuId; units: number }[]>`
    select wanted.key, sum(greatest(0, least(u.units_credited, u.units - u.units_rejected)))::int8 as units
    from (${jobsOfSkus(sql, accountId, skuIds)}) wanted
    join job_outputs u on u.account_id = ${accountId} and u.job_id = wanted.job_id
    group by wanted.key`
}

export interface PlateOfJob {
  id: AttemptId
  plate_number: number
  printer_id: PrinterId
  printer_name: string
  outcome: 'done' | 'failed' | 'cancelled'
  started_at: Date
  finished_at: Date
}

/** In the order in which they were printed. */
export async function listPlatesOfJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<PlateOfJob[]> {
  return sql<PlateOfJob[]>`
    select a.id, a.plate_number, a.printer_id, p.name as printer_name, a.outcome, a.confirmed_at as started_at, a.finished_at
    from attempts a join printers p on p.account_id = a.account_id and p.id = a.printer_id
    where a.account_id = ${accountId} and a.job_id = ${jobId} and ${isOver(sql)}
    order by a.reserved_at, a.id`
}
