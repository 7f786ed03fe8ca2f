import type { Sql } from '../../db/database.ts'
import type {
  JobRow as JobTableRow,
  PrinterRow,
  PrintFileRow,
  PrintFileVersionRow,
  SkuRow,
} from '../../db/rows.generated.ts'
import type { JobStatus } from './job-state.ts'

/** What lists show of a job, and what its state is decided by. */
export type JobRow = Pick<
  JobTableRow,
  | 'id'
  | 'status'
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
  | 'plates_total'
  | 'plates_done'
  | 'progress_percentage'
  | 'estimated_print_time_minutes'
  | 'actual_print_time_minutes'
  | 'filament_needed_grams'
  | 'failure_reason'
  | 'time_submitted'
  | 'time_started'
  | 'time_completed'
  | 'created_at'
  | 'updated_at'
> & {
  /** The attempt that holds a printer for this job now. */
  live_attempt_id: string | null
}

/** Named one by one: reading columns that nobody asked for costs as much as answering them. */
const jobColumns = (sql: Sql) => sql`
  j.id, j.status, j.printer_id, j.product_id, j.product_sku_id, j.product_name, j.sku_name, j.file_name, j.color,
  j.filament_type, j.material_type, j.number_of_units, j.plates_total, j.plates_done, j.progress_percentage,
  j.estimated_print_time_minutes, j.actual_print_time_minutes, j.filament_needed_grams, j.failure_reason,
  j.time_submitted, j.time_started, j.time_completed, j.created_at, j.updated_at`

/** A job with what the detail projection adds. */
export interface JobDetailRow extends JobRow {
  printer_name: string | null
  printer_model: string | null
}

export async function findJob(sql: Sql, accountId: string, jobId: string): Promise<JobDetailRow | undefined> {
  const [job] = await sql<JobDetailRow[]>`
    select ${jobColumns(sql)}, p.name as printer_name, p.model as printer_model, a.id as live_attempt_id
    from jobs j
    left join printers p on p.account_id = j.account_id and p.id = j.printer_id
    left join attempts a on a.account_id = j.account_id and a.job_id = j.id and a.phase <> 'finished'
    where j.account_id = ${accountId} and j.id = ${jobId}`
  return job
}

export interface JobFilter {
  status?: JobStatus
  printer_id?: string
  print_file_id?: string
  product_sku_id?: string
  from?: string
  to?: string
  limit: number
  offset: number
}

/** Newest first. `from` and `to` bound the time of submission, both inclusive. */
export async function listJobs(sql: Sql, accountId: string, filter: JobFilter): Promise<JobRow[]> {
  return sql<JobRow[]>`
    select ${jobColumns(sql)}, a.id as live_attempt_id
    from jobs j
    left join attempts a on a.account_id = j.account_id and a.job_id = j.id and a.phase <> 'finished'
    where j.account_id = ${accountId}
      ${filter.status ? sql`and j.status = ${filter.status}` : sql``}
      ${filter.printer_id ? sql`and j.printer_id = ${filter.printer_id}` : sql``}
      ${filter.print_file_id ? sql`and j.print_file_id = ${filter.print_file_id}` : sql``}
      ${filter.product_sku_id ? sql`and j.product_sku_id = ${filter.product_sku_id}` : sql``}
      ${filter.from ? sql`and j.time_submitted >= ${filter.from}::timestamptz` : sql``}
      ${filter.to ? sql`and j.time_submitted <= ${filter.to}::timestamptz` : sql``}
    order by j.created_at desc, j.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

export interface HistoryFilter {
  from?: string
  to?: string
  limit: number
  offset: number
}

/** Jobs that ended, the latest first, by the partial index `jobs_history`. */
export async function listHistory(sql: Sql, accountId: string, filter: HistoryFilter): Promise<JobRow[]> {
  return sql<JobRow[]>`
    select ${jobColumns(sql)}, null::text as live_attempt_id
    from jobs j
    where j.account_id = ${accountId} and j.status in ('completed', 'failed', 'cancelled')
      ${filter.from ? sql`and j.time_completed >= ${filter.from}::timestamptz` : sql``}
      ${filter.to ? sql`and j.time_completed <= ${filter.to}::timestamptz` : sql``}
    order by j.time_completed desc, j.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** What a job takes over from its file. */
export type FileForJob = Pick<PrintFileRow, 'name' | 'product_id'> &
  Pick<
    PrintFileVersionRow,
    'is_sliced' | 'printer_model' | 'print_time_seconds' | 'filament_weight_grams' | 'filament_type' | 'filament_color'
  > & { print_file_id: PrintFileRow['id']; file_version_id: PrintFileVersionRow['id'] }

/** The file, held until the transaction ends so that it is not deleted before the job that needs it is there. */
export async function findFileForJob(sql: Sql, accountId: string, fileId: string): Promise<FileForJob | undefined> {
  const [file] = await sql<FileForJob[]>`
    select f.id as print_file_id, v.id as file_version_id, f.name, v.is_sliced, v.printer_model, v.print_time_seconds,
           v.filament_weight_grams, v.filament_type, v.filament_color, f.product_id
    from print_files f
    join print_file_versions v
      on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version
    where f.account_id = ${accountId} and f.id = ${fileId} and f.deleted_at is null
    for share of f`
  return file
}

export async function findPrinterModel(sql: Sql, accountId: string, printerId: string): Promise<string | undefined> {
  const [printer] = await sql<{ model: string }[]>`
    select model from printers where account_id = ${accountId} and id = ${printerId}`
  return printer?.model
}

export type SkuForJob = Pick<SkuRow, 'id' | 'product_id' | 'color' | 'filament_type'> & { product_name: string }

export async function findSkuForJob(sql: Sql, accountId: string, skuId: string): Promise<SkuForJob | undefined> {
  const [sku] = await sql<SkuForJob[]>`
    select s.id, s.product_id, p.name as product_name, s.color, s.filament_type
    from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and s.id = ${skuId}`
  return sku
}

export async function findProductName(sql: Sql, accountId: string, productId: string): Promise<string | undefined> {
  const [product] = await sql<{ name: string }[]>`
    select name from products where account_id = ${accountId} and id = ${productId}`
  return product?.name
}

export type NewJob = Pick<
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
  | 'created_by'
>

export async function insertJob(sql: Sql, accountId: string, job: NewJob, now: Date): Promise<void> {
  await sql`
    insert into jobs ${sql({
      account_id: accountId,
      ...job,
      status: 'queued',
      time_submitted: now,
      created_at: now,
      updated_at: now,
    })}`
}

/** Moves a job from one of `from` to `to` in one statement; false when another request was faster. */
export async function claimStatus(
  sql: Sql,
  accountId: string,
  jobId: string,
  from: readonly JobStatus[],
  to: JobStatus,
): Promise<boolean> {
  const rows = await sql`
    update jobs set status = ${to}, updated_at = now()
    where account_id = ${accountId} and id = ${jobId} and status = any(${[...from]}) returning id`
  return rows.length > 0
}

/** Ends a job that no printer works on. False when it is not in the queue any more. */
export async function cancelQueuedJob(sql: Sql, accountId: string, jobId: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update jobs set status = 'cancelled', time_completed = ${now}, updated_at = ${now}
    where account_id = ${accountId} and id = ${jobId} and status = 'queued' returning id`
  return rows.length > 0
}

/** What a left join may not find. */
type OrNull<Row> = { [Column in keyof Row]: Row[Column] | null }

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
> & {
  file_version_id: PrintFileVersionRow['id']
  file_filament_type: PrintFileVersionRow['filament_type']
}

const fileColumns = (sql: Sql) => sql`
  v.id as file_version_id, v.original_name, v.sha256, v.file_size_bytes, v.format, v.archive_plate,
  v.print_time_seconds, v.layer_count, v.filament_type as file_filament_type, v.nozzle_temp, v.bed_temp`

export async function listFilesOfJobs(sql: Sql, accountId: string, versionIds: string[]): Promise<FileOfJob[]> {
  return sql<FileOfJob[]>`
    select ${fileColumns(sql)} from print_file_versions v
    where v.account_id = ${accountId} and v.id = any(${versionIds})`
}

/** What the start of a job is decided by. */
export type JobToStart = Pick<JobTableRow, 'status' | 'plates_done' | 'printer_id'> &
  FileOfJob &
  OrNull<Pick<PrinterRow, 'hub_id' | 'is_active' | 'in_maintenance' | 'plate_state'>> & {
    printer_name: PrinterRow['name'] | null
    printer_model: PrinterRow['model'] | null
    file_model: PrintFileVersionRow['printer_model']
  }

export async function findJobToStart(sql: Sql, accountId: string, jobId: string): Promise<JobToStart | undefined> {
  const [job] = await sql<JobToStart[]>`
    select j.status, j.plates_done, j.printer_id, p.name as printer_name, p.model as printer_model, p.hub_id,
           p.is_active, p.in_maintenance, p.plate_state, v.printer_model as file_model, ${fileColumns(sql)}
    from jobs j
    join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    left join printers p on p.account_id = j.account_id and p.id = j.printer_id
    where j.account_id = ${accountId} and j.id = ${jobId}`
  return job
}
