import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { AttemptRow, JobRow, PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { held } from '../attempts/under-way/live-attempts.ts'
import { placeInQueue } from '../jobs/queue/queue-order.ts'
import { type JobForRules, jobColumnsForRules } from '../matching/matching.queries.ts'
import { matchesFilter, type QueueFilter } from './queue-filter.ts'

const listedColumns = columnsOf<JobRow>('j')(
  'print_file_id',
  'printer_id',
  'product_name',
  'sku_name',
  'number_of_units',
  'quantity_per_print',
  'progress_percentage',
  'estimated_print_time_minutes',
  'failure_reason',
  'time_submitted',
  'time_started',
  'cancel_requested_at',
)

/** What lists of the queue show of a job, and what the rules ask of it. */
export type ListedJob = JobForRules &
  RowOf<typeof listedColumns> & {
    printer_name: PrinterRow['name'] | null
    live_attempt_id: AttemptRow['id'] | null
    fate_unknown: boolean
    /** Model of its printer. */
    model: PrinterRow['model'] | null
    /** Time when the plate that prints was seen to begin; null while none prints. */
    plate_started_at: Date | null
  }

const columns = (sql: Sql) => sql`
  ${jobColumnsForRules(sql)}, ${listedColumns(sql)},
  p.name as printer_name, a.id as live_attempt_id, coalesce(a.outcome = 'unknown', false) as fate_unknown,
  p.model, a.confirmed_at as plate_started_at`

const tables = (sql: Sql) => sql`
  jobs j
  join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
  left join printers p on p.account_id = j.account_id and p.id = j.printer_id
  left join attempts a on a.account_id = j.account_id and ${held(sql, 'a', 'job_id')} = j.id`

/** Place of a job in the queue, as the text of a page's key. */
type Place = [priorityRank: number, dueDate: string, queuePosition: number]

/** Queued jobs in the order of the queue, by the index `jobs_queue`. */
export async function listWaiting(
  sql: Sql,
  accountId: AccountId,
  { after, limit, offset, ...filter }: PageBounds & QueueFilter,
): Promise<PageRow<ListedJob>[]> {
  // Made by this very statement.
  const [rank, due, position] = after ? (JSON.parse(after.key ?? '[]') as Place) : []
  return sql<PageRow<ListedJob>[]>`
    select ${columns(sql)},
      jsonb_build_array(j.priority_rank, coalesce(j.due_date, 'infinity')::text, j.queue_position)::text as page_key
    from ${tables(sql)}
    where j.account_id = ${accountId} and j.status = 'queued' and ${matchesFilter(sql, filter)}
      ${
        after && rank !== undefined && due !== undefined && position !== undefined
          ? sql`and (${placeInQueue(sql)}) > (${rank}, ${due}::timestamptz, ${position}, ${after.id})`
          : sql``
      }
    order by ${placeInQueue(sql)}
    limit ${limit} offset ${offset}`
}

/** Jobs that hold a printer, in the order in which they were made, by the index `jobs_unfinished`. */
export async function listRunning(
  sql: Sql,
  accountId: AccountId,
  { after, limit, offset, ...filter }: PageBounds & QueueFilter,
): Promise<PageRow<ListedJob>[]> {
  return sql<PageRow<ListedJob>[]>`
    select ${columns(sql)}, j.created_at::text as page_key
    from ${tables(sql)}
    where j.account_id = ${accountId} and j.status in ('processing', 'printing', 'paused') and ${matchesFilter(sql, filter)}
      ${after ? sql`and (j.created_at, j.id) > (${after.key}::timestamptz, ${after.id})` : sql``}
    order by j.created_at, j.id
    limit ${limit} offset ${offset}`
}
