import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PrintFailureRow as FailureTableRow, PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId, JobId, OrderId, PrinterId, PrintFailureId, PrintFileId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { deletePicturesOfJob } from './failure-pictures.queries.ts'

type NewFailure = Pick<
  FailureTableRow,
  | 'id'
  | 'job_id'
  | 'attempt_id'
  | 'printer_id'
  | 'type'
  | 'typed_by_person'
  | 'reason_code'
  | 'reason'
  | 'notes'
  | 'occurred_at'
  | 'picture_wanted_until'
>

/** One attempt fails once: a second record of it is not written. */
export async function insertFailure(sql: Sql, accountId: AccountId, failure: NewFailure): Promise<void> {
  await sql`
    insert into print_failures ${sql({ account_id: accountId, ...failure, updated_at: failure.occurred_at })}
    on conflict on constraint print_failures_attempt_key do nothing`
}

const failureColumns = columnsOf<FailureTableRow>('f')(
  'id',
  'job_id',
  'attempt_id',
  'printer_id',
  'type',
  'typed_by_person',
  'reason_code',
  'reason',
  'notes',
  'resolved_at',
  'resolved_by',
  'occurred_at',
  'updated_at',
)

const columns = (sql: Sql) => sql`
  ${failureColumns(sql)}, p.name as printer_name, j.file_name, j.print_file_id,
  (select d.updated_at from print_files d
   join print_file_versions v on v.account_id = d.account_id and v.print_file_id = d.id and v.is_current_version
   where d.account_id = j.account_id and d.id = j.print_file_id and v.thumbnail_sha256 is not null) as pictured_at,
  s.taken_at as camera_picture_at`

export type FailureRow = RowOf<typeof failureColumns> & {
  printer_name: PrinterRow['name']
  file_name: string
  print_file_id: PrintFileId
  /** Time when the file changed that has a picture; null where it has none. */
  pictured_at: Date | null
  /** Time when its camera took the picture that is kept; null where there is none. */
  camera_picture_at: Date | null
}

const joined = (sql: Sql) => sql`
  print_failures f
  join printers p on p.account_id = f.account_id and p.id = f.printer_id
  join jobs j on j.account_id = f.account_id and j.id = f.job_id
  left join failure_pictures s on s.account_id = f.account_id and s.failure_id = f.id`

export async function findFailure(
  sql: Sql,
  accountId: AccountId,
  failureId: PrintFailureId,
): Promise<FailureRow | undefined> {
  const [failure] = await sql<FailureRow[]>`
    select ${columns(sql)} from ${joined(sql)} where f.account_id = ${accountId} and f.id = ${failureId}`
  return failure
}

export type FailureChange = Partial<
  Pick<FailureTableRow, 'type' | 'typed_by_person' | 'notes' | 'resolved_at' | 'resolved_by'>
>

/** False when there is no such failure. */
export async function updateFailure(
  { sql, accountId, now }: Work,
  failureId: PrintFailureId,
  change: FailureChange,
): Promise<boolean> {
  const rows = await sql`
    update print_failures set ${sql({ ...change, updated_at: now })}
    where account_id = ${accountId} and id = ${failureId} returning id`
  return rows.length > 0
}

/** Forgets what people noted on failures of what was printed for an order alone. Answers how many had any notes. */
export async function emptyNotesOfOrder({ sql, accountId, now }: Work, orderId: OrderId): Promise<number> {
  const rows = await sql`
    update print_failures f set notes = '', updated_at = ${now}
    from jobs j join order_items i on i.account_id = j.account_id and i.id = j.order_item_id
    where f.account_id = ${accountId} and j.account_id = f.account_id and j.id = f.job_id and i.order_id = ${orderId}
      and f.notes <> ''
    returning f.id`
  return rows.length
}

/** A job that was completed after all has made up for its failures. */
export async function resolveFailuresOfJob({ sql, accountId, actor, now }: Work, jobId: JobId): Promise<void> {
  await sql`
    update print_failures set resolved_at = ${now}, resolved_by = ${actor}, updated_at = ${now}
    where account_id = ${accountId} and job_id = ${jobId} and resolved_at is null`
}

/** With their pictures; answers the contents that these had. */
export async function deleteFailuresOfJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<string[]> {
  const contents = await deletePicturesOfJob(sql, accountId, jobId)
  await sql`delete from print_failures where account_id = ${accountId} and job_id = ${jobId}`
  return contents
}

/** From `starts_at` to before `ends_at`; those that were dealt with, those that were not, or both. */
interface Span {
  starts_at: Date
  ends_at: Date
  resolved?: boolean | undefined
}

const within = (sql: Sql, accountId: AccountId, { starts_at, ends_at, resolved }: Span) => sql`
  f.account_id = ${accountId} and f.occurred_at >= ${starts_at} and f.occurred_at < ${ends_at}
  ${resolved === undefined ? sql`` : sql`and (f.resolved_at is not null) = ${resolved}`}`

interface FailureSummary {
  total: number
  resolved: number
}

export async function sumFailures(sql: Sql, accountId: AccountId, span: Span): Promise<FailureSummary> {
  const [sum] = await sql<FailureSummary[]>`
    select count(*) as total, count(f.resolved_at) as resolved from print_failures f where ${within(sql, accountId, span)}`
  // An aggregate without groups has one row.
  return sum as FailureSummary
}

export async function countByType(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ type: FailureTableRow['type']; count: number }[]> {
  return sql<{ type: FailureTableRow['type']; count: number }[]>`
    select f.type, count(*) as count from print_failures f where ${within(sql, accountId, span)}
    group by f.type order by count(*) desc, f.type`
}

/** The ten printers with the most failures. */
export async function countByPrinter(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ printer_id: PrinterId; printer_name: string; count: number }[]> {
  return sql<{ printer_id: PrinterId; printer_name: string; count: number }[]>`
    select f.printer_id, p.name as printer_name, count(*) as count
    from print_failures f join printers p on p.account_id = f.account_id and p.id = f.printer_id
    where ${within(sql, accountId, span)}
    group by f.printer_id, p.name order by count(*) desc, p.name limit 10`
}

/** One row for each day that had failures, by the calendar of the account. */
export async function countByDay(
  sql: Sql,
  accountId: AccountId,
  span: Span,
): Promise<{ date: string; count: number }[]> {
  return sql<{ date: string; count: number }[]>`
    select (f.occurred_at at time zone a.time_zone)::date as date, count(*) as count
    from print_failures f join accounts a on a.id = f.account_id
    where ${within(sql, accountId, span)}
    group by 1 order by 1 limit 400`
}

/** The latest twenty. */
export async function listRecent(sql: Sql, accountId: AccountId, span: Span): Promise<FailureRow[]> {
  return sql<FailureRow[]>`
    select ${columns(sql)} from ${joined(sql)}
    where ${within(sql, accountId, span)} order by f.occurred_at desc, f.id desc limit 20`
}
