import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PagePosition, PageRow } from '../../db/page-bounds.ts'
import type { WorklistTaskRow as TaskTableRow } from '../../db/rows.generated.ts'
import { validationError } from '../../kernel/errors.ts'
import type { AccountId, TaskId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { TaskFilter } from './worklist.schema.ts'

const columns = columnsOf<TaskTableRow>()(
  'id',
  'title',
  'subtitle',
  'description',
  'task_type',
  'priority',
  'status',
  'printer_id',
  'assigned_to',
  'estimated_time_minutes',
  'actual_time_minutes',
  'started_at',
  'completed_at',
  'due_date',
  'created_at',
  'updated_at',
  'source',
  'subject_id',
)

export type WorklistTaskRow = RowOf<typeof columns>

export async function findTask(sql: Sql, accountId: AccountId, taskId: TaskId): Promise<WorklistTaskRow | undefined> {
  const [task] = await sql<WorklistTaskRow[]>`
    select ${columns(sql)} from worklist_tasks where account_id = ${accountId} and id = ${taskId}`
  return task
}

/** A task, locked until the transaction ends. */
export async function lockTask(sql: Sql, accountId: AccountId, taskId: TaskId): Promise<WorklistTaskRow | undefined> {
  const [task] = await sql<WorklistTaskRow[]>`
    select ${columns(sql)} from worklist_tasks where account_id = ${accountId} and id = ${taskId} for update`
  return task
}

/** As the indexes of the lists have it. */
const rank = (sql: Sql) => sql`(case priority when 'high' then 3 when 'medium' then 2 else 1 end)`

/** The rank and the time of a `page_key`. Cursors from before lists were in this order have no rank. */
function readKey({ key, id }: PagePosition): { rank: number; time: string; id: string } {
  const [, first, time] = /^([123]) (.+)$/.exec(key ?? '') ?? []
  if (first === undefined || time === undefined) {
    throw validationError({ cursor: ['is not a next_cursor of this list with these filters'] })
  }
  return { rank: Number(first), time, id }
}

/** Lists what presses most first, then the newest. */
export async function listTasks(
  sql: Sql,
  accountId: AccountId,
  filter: TaskFilter,
): Promise<PageRow<WorklistTaskRow>[]> {
  const { status, task_type: taskType, assigned_to: assignedTo, printer_id: printerId } = filter
  const after = filter.after && readKey(filter.after)
  return sql<PageRow<WorklistTaskRow>[]>`
    select ${columns(sql)}, ${rank(sql)} || ' ' || created_at::text as page_key from worklist_tasks
    where account_id = ${accountId}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${taskType === undefined ? sql`` : sql`and task_type = ${taskType}`}
      ${assignedTo === undefined ? sql`` : sql`and assigned_to = ${assignedTo}`}
      ${printerId === undefined ? sql`` : sql`and printer_id = ${printerId}`}
      ${after ? sql`and (${rank(sql)}, created_at, id) < (${after.rank}::integer, ${after.time}::timestamptz, ${after.id})` : sql``}
    order by ${rank(sql)} desc, created_at desc, id desc
    limit ${filter.limit} offset ${filter.offset}`
}

export interface TaskCounts {
  pending: number
  in_progress: number
  completed: number
  cancelled: number
  unassigned: number
  overdue: number
  assembly: number
  filament_change: number
  collection: number
  maintenance: number
  quality_check: number
  low: number
  medium: number
  high: number
}

/** Answers how many tasks there are by status, and how the open ones divide. */
export async function countTasks(sql: Sql, accountId: AccountId, now: Date): Promise<TaskCounts> {
  const [counts] = await sql<TaskCounts[]>`
    select count(*) filter (where status = 'pending') as pending,
           count(*) filter (where status = 'in_progress') as in_progress,
           (select count(*) from worklist_tasks where account_id = ${accountId} and status = 'completed') as completed,
           (select count(*) from worklist_tasks where account_id = ${accountId} and status = 'cancelled') as cancelled,
           count(*) filter (where assigned_to is null) as unassigned,
           count(*) filter (where due_date < ${now}) as overdue,
           count(*) filter (where task_type = 'assembly') as assembly,
           count(*) filter (where task_type = 'filament_change') as filament_change,
           count(*) filter (where task_type = 'collection') as collection,
           count(*) filter (where task_type = 'maintenance') as maintenance,
           count(*) filter (where task_type = 'quality_check') as quality_check,
           count(*) filter (where priority = 'low') as low,
           count(*) filter (where priority = 'medium') as medium,
           count(*) filter (where priority = 'high') as high
    from worklist_tasks
    where account_id = ${accountId} and status in ('pending', 'in_progress')`
  // An aggregate without a group always has its one row.
  return counts as TaskCounts
}

type NewTaskRow = Pick<
  TaskTableRow,
  | 'id'
  | 'title'
  | 'subtitle'
  | 'description'
  | 'task_type'
  | 'priority'
  | 'printer_id'
  | 'assigned_to'
  | 'estimated_time_minutes'
  | 'due_date'
  | 'created_by'
>

/** Fails on `worklist_tasks_printer_fkey` or `worklist_tasks_assignee_fkey`. */
export async function insertTask({ sql, accountId, now }: Work, task: NewTaskRow): Promise<WorklistTaskRow> {
  const [row] = await sql<WorklistTaskRow[]>`
    insert into worklist_tasks ${sql({ account_id: accountId, ...task, created_at: now, updated_at: now })}
    returning ${columns(sql)}`
  // An insert without a condition answers its row or fails.
  return row as WorklistTaskRow
}

export type TaskChange = Partial<Omit<WorklistTaskRow, 'id' | 'created_at' | 'updated_at' | 'source' | 'subject_id'>>

/** Undefined when there is no such task; fails on `worklist_tasks_printer_fkey` or `worklist_tasks_assignee_fkey`. */
export async function updateTask(
  { sql, accountId, now }: Work,
  taskId: TaskId,
  change: TaskChange,
): Promise<WorklistTaskRow | undefined> {
  const [row] = await sql<WorklistTaskRow[]>`
    update worklist_tasks set ${sql({ ...change, updated_at: now })}
    where account_id = ${accountId} and id = ${taskId} returning ${columns(sql)}`
  return row
}

/** Undefined when there is no such task. */
export async function deleteTaskRow(
  { sql, accountId }: Work,
  taskId: TaskId,
): Promise<Pick<WorklistTaskRow, 'title' | 'task_type' | 'status'> | undefined> {
  const [row] = await sql<Pick<WorklistTaskRow, 'title' | 'task_type' | 'status'>[]>`
    delete from worklist_tasks where account_id = ${accountId} and id = ${taskId} returning title, task_type, status`
  return row
}
