import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PagePosition, PageRow } from '../../db/page-bounds.ts'
import type {
  JobRow as JobTableRow,
  PrinterRow,
  PrintFileRow,
  PrintFileVersionRow,
  SkuRow,
} from '../../db/rows.generated.ts'
import type {
  AccountId,
  AttemptId,
  FileVersionId,
  HubId,
  JobId,
  PrinterId,
  PrintFileId,
  ProductId,
  SkuId,
} from '../../kernel/ids.ts'
import { held } from '../attempts/under-way/live-attempts.ts'
import { goesToAssembly } from '../catalogue/kits/part-assembly.ts'
import type { Work } from '../events/work.ts'
import type { JobStatus } from './job-state.ts'

/** Named one by one: reading columns that no one asked for costs as much as answering them. */
const jobColumns = columnsOf<JobTableRow>('j')(
  'id',
  'status',
  'printer_id',
  'product_id',
  'product_sku_id',
  'product_name',
  'sku_name',
  'file_name',
  'color',
  'filament_type',
  'material_type',
  'number_of_units',
  'plates_total',
  'plates_done',
  'progress_percentage',
  'estimated_print_time_minutes',
  'actual_print_time_minutes',
  'filament_needed_grams',
  'failure_reason',
  'time_submitted',
  'time_started',
  'time_completed',
  'created_at',
  'updated_at',
)

/** What lists show of a job, and what its state is decided by. */
export type JobRow = RowOf<typeof jobColumns> & {
  /** The attempt that holds a printer for this job now. */
  live_attempt_id: AttemptId | null
}

/** A job with what the detail projection adds. */
export interface JobDetailRow extends JobRow {
  printer_name: string | null
  printer_model: string | null
}

/** A select of jobs with their details; its condition follows. */
const jobDetails = (sql: Sql) => sql`
  select ${jobColumns(sql)}, p.name as printer_name, p.model as printer_model, a.id as live_attempt_id
  from jobs j
  left join printers p on p.account_id = j.account_id and p.id = j.printer_id
  left join attempts a on a.account_id = j.account_id and ${held(sql, 'a', 'job_id')} = j.id`

export async function findJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobDetailRow | undefined> {
  const [job] = await sql<JobDetailRow[]>`${jobDetails(sql)} where j.account_id = ${accountId} and j.id = ${jobId}`
  return job
}

interface JobFilter extends PageBounds {
  status?: JobStatus
  printer_id?: PrinterId
  print_file_id?: PrintFileId
  product_sku_id?: SkuId
  /** Not over though its due date has passed. */
  is_late?: boolean
  from?: string
  to?: string
}

const late = (sql: Sql, now: Date) =>
  sql`j.status in ('queued', 'processing', 'printing', 'paused') and j.due_date < ${now}`

/** Newest first. `from` and `to` bound the time of submission, both inclusive. */
export async function listJobs(
  sql: Sql,
  accountId: AccountId,
  filter: JobFilter,
  now: Date,
): Promise<PageRow<JobRow>[]> {
  const { after } = filter
  const isLate = late(sql, now)
  return sql<PageRow<JobRow>[]>`
    select ${jobColumns(sql)}, a.id as live_attempt_id, j.created_at::text as page_key
    from jobs j
    left join attempts a on a.account_id = j.account_id and ${held(sql, 'a', 'job_id')} = j.id
    where j.account_id = ${accountId}
      ${filter.status ? sql`and j.status = ${filter.status}` : sql``}
      ${filter.printer_id ? sql`and j.printer_id = ${filter.printer_id}` : sql``}
      ${filter.print_file_id ? sql`and j.print_file_id = ${filter.print_file_id}` : sql``}
      ${filter.product_sku_id ? sql`and j.product_sku_id = ${filter.product_sku_id}` : sql``}
      ${filter.is_late === undefined ? sql`` : filter.is_late ? sql`and ${isLate}` : sql`and (${isLate}) is not true`}
      ${filter.from ? sql`and j.time_submitted >= ${filter.from}::timestamptz` : sql``}
      ${filter.to ? sql`and j.time_submitted <= ${filter.to}::timestamptz` : sql``}
      ${after ? sql`and (j.created_at, j.id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by j.created_at desc, j.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

interface HistoryFilter extends PageBounds {
  status?: JobStatus
  printer_id?: PrinterId
  print_file_id?: PrintFileId
  product_sku_id?: SkuId
  ended_as?: Extract<JobStatus, 'completed' | 'failed' | 'cancelled'>
  of_printer_id?: PrinterId
  of_file_id?: PrintFileId
  from?: string
  to?: string
}

/** The table lets a job end without a time; such a one stands before all that have one. */
const endedBefore = (sql: Sql, { key, id }: PagePosition) =>
  key === null
    ? sql`and (j.time_completed is not null or j.id < ${id})`
    : sql`and (j.time_completed, j.id) < (${key}::timestamptz, ${id})`

/** Jobs that ended, the latest first, by the partial index `jobs_history`. */
export async function listHistory(sql: Sql, accountId: AccountId, filter: HistoryFilter): Promise<PageRow<JobRow>[]> {
  return sql<PageRow<JobRow>[]>`
    select ${jobColumns(sql)}, null::text as live_attempt_id, j.time_completed::text as page_key
    from jobs j
    where j.account_id = ${accountId} and j.status in ('completed', 'failed', 'cancelled')
      ${filter.status ? sql`and j.status = ${filter.status}` : sql``}
      ${filter.printer_id ? sql`and j.printer_id = ${filter.printer_id}` : sql``}
      ${filter.print_file_id ? sql`and j.print_file_id = ${filter.print_file_id}` : sql``}
      ${filter.product_sku_id ? sql`and j.product_sku_id = ${filter.product_sku_id}` : sql``}
      ${filter.ended_as ? sql`and j.status = ${filter.ended_as}` : sql``}
      ${filter.of_printer_id ? sql`and j.printer_id = ${filter.of_printer_id}` : sql``}
      ${filter.of_file_id ? sql`and j.print_file_id = ${filter.of_file_id}` : sql``}
      ${filter.from ? sql`and j.time_completed >= ${filter.from}::timestamptz` : sql``}
      ${filter.to ? sql`and j.time_completed <= ${filter.to}::timestamptz` : sql``}
      ${filter.after ? endedBefore(sql, filter.after) : sql``}
    order by j.time_completed desc, j.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** What a job takes over from its file. */
export type FileForJob = Pick<PrintFileRow, 'name' | 'product_id'> &
  Pick<
    PrintFileVersionRow,
    'is_sliced' | 'printer_model' | 'print_time_seconds' | 'filament_weight_grams' | 'filament_type' | 'filament_color'
  > & { print_file_id: PrintFileRow['id']; file_version_id: PrintFileVersionRow['id'] }

export async function findFileForJob(
  sql: Sql,
  accountId: AccountId,
  fileId: PrintFileId,
): Promise<FileForJob | undefined> {
  const [file] = await sql<FileForJob[]>`
    select f.id as print_file_id, v.id as file_version_id, f.name, v.is_sliced, v.printer_model, v.print_time_seconds,
           v.filament_weight_grams, v.filament_type, v.filament_color, f.product_id
    from print_files f
    join print_file_versions v
      on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version
    where f.account_id = ${accountId} and f.id = ${fileId} and f.deleted_at is null`
  return file
}

export async function findPrinterForJob(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<Pick<PrinterRow, 'name' | 'model'> | undefined> {
  const [printer] = await sql<Pick<PrinterRow, 'name' | 'model'>[]>`
    select name, model from printers where account_id = ${accountId} and id = ${printerId}`
  return printer
}

export type SkuForJob = Pick<SkuRow, 'id' | 'product_id' | 'sku' | 'color' | 'filament_type'> & {
  product_name: string
  requires_assembly: boolean
}

export async function findSkuForJob(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<SkuForJob | undefined> {
  const [sku] = await sql<SkuForJob[]>`
    select s.id, s.product_id, s.sku, p.name as product_name, ${goesToAssembly(sql)} as requires_assembly, s.color, s.filament_type
    from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and s.id = ${skuId}`
  return sku
}

export async function findProductName(
  sql: Sql,
  accountId: AccountId,
  productId: ProductId,
): Promise<string | undefined> {
  const [product] = await sql<{ name: string }[]>`
    select name from products where account_id = ${accountId} and id = ${productId}`
  return product?.name
}

type NewJob = Pick<
  JobTableRow,
  | 'id'
  | 'print_file_id'
  | 'file_version_id'
  | 'printer_id'
  | 'product_id'
  | 'product_sku_id'
  | 'product_name'
  | 'sku_name'
  | 'file_name'
  | 'color'
  | 'filament_type'
  | 'material_type'
  | 'number_of_units'
  | 'quantity_per_print'
  | 'requires_assembly'
  | 'priority'
  | 'due_date'
  | 'any_color'
  | 'plates_total'
  | 'estimated_print_time_minutes'
  | 'filament_needed_grams'
  | 'recipe_id'
  | 'option_position'
  | 'created_by'
  | 'order_item_id'
>

/**
 * Queues a job, and records it. Its file is held until the transaction ends, so that it is not deleted before the job that needs it is there.
 *
 * @param sql what the statement runs on: the transaction of the work, or what closes it.
 * @returns the job as it stands then.
 * @throws an error of `isMissingValue` for `print_file_id` when the file was deleted meanwhile
 */
export async function insertJob({ accountId, now, recording }: Work, sql: Sql, job: NewJob): Promise<JobRow> {
  const row = {
    account_id: accountId,
    ...job,
    print_file_id: sql`(
      select id from print_files where account_id = ${accountId} and id = ${job.print_file_id} and deleted_at is null for share)`,
    status: 'queued',
    time_submitted: now,
    created_at: now,
    updated_at: now,
  }
  const { id: subjectId, print_file_id, printer_id } = job
  const recorded = recording({ type: 'job.queued', subjectId, data: { print_file_id, printer_id } })
  const rows = await sql<RowOf<typeof jobColumns>[]>`
    with queued as (insert into jobs as j ${sql(row)} returning ${jobColumns(sql)}), told as (${recorded})
    select * from queued`
  // An insert that did not fail has one row, and no attempt is of a job that was not there.
  return { ...(rows[0] as RowOf<typeof jobColumns>), live_attempt_id: null }
}

/** Moves a job from one of `from` to `to` in one statement; false when another request was faster. */
export async function claimStatus(
  sql: Sql,
  accountId: AccountId,
  jobId: JobId,
  from: readonly JobStatus[],
  to: JobStatus,
  at: Date,
): Promise<boolean> {
  const rows = await sql`
    update jobs set status = ${to}, updated_at = ${at}
    where account_id = ${accountId} and id = ${jobId} and status = any(${[...from]}) returning id`
  return rows.length > 0
}

/** What a job is given to another printer by. The row is locked until the transaction ends. */
type JobToAssign = Pick<JobTableRow, 'status' | 'printer_id'> & {
  file_model: PrintFileVersionRow['printer_model']
}

export async function lockJobToAssign(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobToAssign | undefined> {
  const [job] = await sql<JobToAssign[]>`
    select j.status, j.printer_id, v.printer_model as file_model
    from jobs j join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    where j.account_id = ${accountId} and j.id = ${jobId} for no key update of j`
  return job
}

/** Fails on a foreign key when there is no such printer. */
export async function writePrinterOfJob(
  { sql, accountId, now }: Work,
  jobId: JobId,
  printerId: PrinterId | null,
): Promise<void> {
  await sql`
    update jobs set printer_id = ${printerId}, auto_assigned = false, updated_at = ${now}
    where account_id = ${accountId} and id = ${jobId}`
}

/**
 * Puts a job that failed or was cancelled back into the queue, where it stood: its good plates stay done, and nothing is left of the plate
 * that ended it. False when it is not in that state any more.
 */
export async function putBackIntoQueue(
  { sql, accountId, now }: Work,
  jobId: JobId,
  from: 'failed' | 'cancelled',
): Promise<boolean> {
  const rows = await sql`
    update jobs set status = 'queued', failure_reason = null, time_completed = null, actual_print_time_minutes = null,
      cancel_requested_at = null, cancel_requested_by = null, updated_at = ${now},
      time_started = case when status = 'cancelled' and plates_done > 0 then time_started end,
      printer_id = case when auto_assigned then null else printer_id end, auto_assigned = false,
      progress_percentage = case when plates_done > 0 then round(plates_done * 1000.0 / plates_total) / 10 end
    where account_id = ${accountId} and id = ${jobId} and status = ${from} returning id`
  return rows.length > 0
}

/** Keeps that a job is to be cancelled as soon as its hub can be asked. False when no printer is reserved for it any more. */
export async function requestCancel(
  { sql, accountId, actor, now }: Work,
  jobId: JobId,
  reason: string,
): Promise<boolean> {
  const rows = await sql`
    update jobs set cancel_requested_at = coalesce(cancel_requested_at, ${now}),
      cancel_requested_by = coalesce(cancel_requested_by, ${actor}), failure_reason = ${reason}, updated_at = ${now}
    where account_id = ${accountId} and id = ${jobId} and status = 'processing' returning id`
  return rows.length > 0
}

export interface CancelToHonour {
  account_id: AccountId
  job_id: JobId
  attempt_id: AttemptId
  printer_id: PrinterId
  hub_id: HubId
  by: string
}

/**
 * Cancels that wait for a hub, of all farms or of one hub. One whose stop was sent within the last minute is left alone:
 * its answer is on the way, or it was refused.
 */
export async function listCancelsToHonour(
  sql: Sql,
  now: Date,
  only?: { accountId: AccountId; hubId: HubId },
): Promise<CancelToHonour[]> {
  const askedAfter = new Date(now.getTime() - 60_000)
  return sql<CancelToHonour[]>`
    /* every account: the sweep that looks after all farms; a hub is found by its own account */
    select j.account_id, j.id as job_id, a.id as attempt_id, a.printer_id, a.hub_id, j.cancel_requested_by as by
    from jobs j
    join attempts a on a.account_id = j.account_id and ${held(sql, 'a', 'job_id')} = j.id
    where j.cancel_requested_at is not null
      ${only ? sql`and j.account_id = ${only.accountId} and a.hub_id = ${only.hubId}` : sql``}
      and not exists (
        select from commands c
        where c.account_id = j.account_id and c.attempt_id = a.id and c.kind = 'stop'
          and c.created_at > ${askedAfter}
      )
    order by j.cancel_requested_at limit 200`
}

/** Violates a foreign key when something else names the job, such as its attempts and failures. */
export async function deleteJobRow(sql: Sql, accountId: AccountId, jobId: JobId): Promise<void> {
  await sql`delete from jobs where account_id = ${accountId} and id = ${jobId}`
}

export async function hasAttempts(sql: Sql, accountId: AccountId, jobId: JobId): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from attempts where account_id = ${accountId} and job_id = ${jobId}) as has`
  return row?.has === true
}

export interface JobStatsRow {
  queued: number
  processing: number
  printing: number
  paused: number
  completed: number
  failed: number
  cancelled: number
  units_completed: number
  print_minutes: number
}

/** Jobs that are not over now, by `jobs_unfinished`, and those that ended in a span of time, by a range of `jobs_history`. */
export async function countJobStats(
  sql: Sql,
  accountId: AccountId,
  span: { from: Date; to: Date },
): Promise<JobStatsRow> {
  const [stats] = await sql<JobStatsRow[]>`
    select unfinished.queued, unfinished.processing, unfinished.printing, unfinished.paused, ended.completed,
           ended.failed, ended.cancelled, ended.units_completed, ended.print_minutes
    from (
      select count(*) filter (where status = 'queued') as queued,
             count(*) filter (where status = 'processing') as processing,
             count(*) filter (where status = 'printing') as printing,
             count(*) filter (where status = 'paused') as paused
      from jobs
      where account_id = ${accountId} and status in ('queued', 'processing', 'printing', 'paused')
    ) unfinished
    cross join (
      select count(*) filter (where status = 'completed') as completed,
             count(*) filter (where status = 'failed') as failed,
             count(*) filter (where status = 'cancelled') as cancelled,
             coalesce(sum(greatest(0, number_of_units - units_rejected)) filter (where status = 'completed'), 0)::bigint
               as units_completed,
             coalesce(sum(actual_print_time_minutes), 0)::bigint as print_minutes
      from jobs
      where account_id = ${accountId} and status in ('completed', 'failed', 'cancelled')
        and time_completed >= ${span.from} and time_completed <= ${span.to}
    ) ended`
  // An aggregate without groups has one row.
  return stats as JobStatsRow
}

/** Ends a job that no printer works on, and says how many plates it had printed. Undefined when it is not in the queue any more. */
export async function cancelQueuedJob({ sql, accountId, now }: Work, jobId: JobId): Promise<number | undefined> {
  const [job] = await sql<Pick<JobTableRow, 'plates_done'>[]>`
    update jobs set status = 'cancelled', time_completed = ${now}, updated_at = ${now}
    where account_id = ${accountId} and id = ${jobId} and status = 'queued' returning plates_done`
  return job?.plates_done
}

/** What a hub is told of the file that it is to print. */
export type FileOfJob = Pick<
  PrintFileVersionRow,
  | 'original_name'
  | 'sha256'
  | 'file_size_bytes'
  | 'format'
  | 'archive_plate'
  | 'print_time_seconds'
  | 'layer_count'
  | 'nozzle_temp'
  | 'bed_temp'
  | 'max_z_mm'
> & {
  file_version_id: PrintFileVersionRow['id']
  file_filament_type: PrintFileVersionRow['filament_type']
}

const fileColumns = (sql: Sql) => sql`
  v.id as file_version_id, v.original_name, v.sha256, v.file_size_bytes, v.format, v.archive_plate,
  v.print_time_seconds, v.layer_count, v.filament_type as file_filament_type, v.nozzle_temp, v.bed_temp, v.max_z_mm`

export async function listFilesOfJobs(
  sql: Sql,
  accountId: AccountId,
  versionIds: FileVersionId[],
): Promise<FileOfJob[]> {
  return sql<FileOfJob[]>`
    select ${fileColumns(sql)} from print_file_versions v
    where v.account_id = ${accountId} and v.id = any(${versionIds})`
}

/** What is to be printed next of a job, and where. */
export type JobToStart = Pick<JobTableRow, 'status' | 'plates_done' | 'printer_id'> & FileOfJob

export async function findJobToStart(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobToStart | undefined> {
  const [job] = await sql<JobToStart[]>`
    select j.status, j.plates_done, j.printer_id, ${fileColumns(sql)}
    from jobs j
    join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    where j.account_id = ${accountId} and j.id = ${jobId}`
  return job
}
