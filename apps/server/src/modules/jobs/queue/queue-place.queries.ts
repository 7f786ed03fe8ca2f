import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { JobRow, PrintFileVersionRow } from '../../../db/rows.generated.ts'
import type { AccountId, JobId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const lockedColumns = columnsOf<JobRow>('j')(
  'id',
  'status',
  'printer_id',
  'auto_assigned',
  'color',
  'any_color',
  'filament_type',
  'material_type',
  'priority',
  'due_date',
  'queue_position',
)

/** What a change of a job is judged by. */
export type LockedJob = RowOf<typeof lockedColumns> & { file_model: PrintFileVersionRow['printer_model'] }

/** Reads a job and keeps others from changing or reserving it until the transaction ends. */
export async function lockJobToChange(sql: Sql, accountId: AccountId, jobId: JobId): Promise<LockedJob | undefined> {
  const [job] = await sql<LockedJob[]>`
    select ${lockedColumns(sql)}, v.printer_model as file_model
    from jobs j join print_file_versions v on v.account_id = j.account_id and v.id = j.file_version_id
    where j.account_id = ${accountId} and j.id = ${jobId}
    for no key update of j`
  return job
}

const placeColumns = columnsOf<JobRow>()('id', 'priority', 'due_date', 'queue_position')

export type QueuePlace = RowOf<typeof placeColumns>

export async function findPlace(sql: Sql, accountId: AccountId, jobId: JobId): Promise<QueuePlace | undefined> {
  const [place] = await sql<QueuePlace[]>`
    select ${placeColumns(sql)} from jobs
    where account_id = ${accountId} and id = ${jobId} and status = 'queued'`
  return place
}

/** The position of the queued job next to another one of its priority and due date, leaving out the one that moves. */
export async function findNeighbour(
  sql: Sql,
  accountId: AccountId,
  beside: QueuePlace,
  movingId: JobId,
  side: 'before' | 'after',
): Promise<number | undefined> {
  const [neighbour] = await sql<Pick<JobRow, 'queue_position'>[]>`
    select queue_position from jobs
    where account_id = ${accountId} and status = 'queued' and id <> ${movingId}
      and priority = ${beside.priority} and due_date is not distinct from ${beside.due_date}::timestamptz
      ${
        side === 'before'
          ? sql`and (queue_position, id) < (${beside.queue_position}, ${beside.id}) order by queue_position desc, id desc`
          : sql`and (queue_position, id) > (${beside.queue_position}, ${beside.id}) order by queue_position, id`
      }
    limit 1`
  return neighbour?.queue_position
}

/** Whole positions in the present order for all that is not over. They are smaller than any that the sequence will give. */
export async function renumberQueue(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`
    update jobs set queue_position = ranked.position
    from (
      select id, row_number() over (order by queue_position, id) as position from jobs
      where account_id = ${accountId} and status in ('queued', 'processing', 'printing', 'paused')
    ) ranked
    where jobs.account_id = ${accountId} and jobs.id = ranked.id`
}

export type JobChange = Partial<
  Pick<
    JobRow,
    | 'printer_id'
    | 'auto_assigned'
    | 'color'
    | 'any_color'
    | 'filament_type'
    | 'material_type'
    | 'priority'
    | 'due_date'
    | 'queue_position'
  >
>

/** The job is locked by the caller, so it exists and is queued. */
export async function updateQueuedJob({ sql, accountId, now }: Work, jobId: JobId, change: JobChange): Promise<void> {
  await sql`
    update jobs set ${sql({ ...change, updated_at: now })} where account_id = ${accountId} and id = ${jobId}`
}
