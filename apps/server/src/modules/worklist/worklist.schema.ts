import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../db/page-bounds.ts'
import { answer, idOf, nullable, oneOf, pageQuery, request, resource, text, timestamp } from '../../http/schema.ts'
import { taskTypes } from './task-assignment.ts'
import { taskStatuses } from './task-status.ts'
import type { TaskCounts, WorklistTaskRow } from './worklist.queries.ts'

const taskPriorities = ['low', 'medium', 'high'] as const
export const defaultPriority = 'medium'

/** About 19 years: more is a mistake, and what JSON may spell is no number that a database takes. */
const mostMinutes = 10_000_000

const fields = {
  title: text(1, 200, 'Title of the task'),
  subtitle: text(0, 200, 'A second line, such as a place; empty for none'),
  description: text(0, 2000, 'Instructions; empty for none'),
  task_type: oneOf(taskTypes, { description: 'Kind of work' }),
}
const priority = { description: 'Priority' }
const printerId = idOf('printer', 'The printer that it is about')
const estimatedTimeMinutes = Type.Number({
  minimum: 0,
  maximum: mostMinutes,
  description: 'Expected duration, in minutes',
})
const dueDate = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'Due date; a date without a time means 00:00 UTC',
})

export const NewTaskBody = request({
  ...fields,
  subtitle: Type.Optional(fields.subtitle),
  description: Type.Optional(fields.description),
  priority: Type.Optional(oneOf(taskPriorities, { ...priority, default: defaultPriority })),
  printer_id: Type.Optional(printerId),
  assigned_to: Type.Optional(
    idOf('user', 'User ID (`usr_…`) of the assignee, a member of this account; overrides every default'),
  ),
  estimated_time_minutes: Type.Optional(estimatedTimeMinutes),
  due_date: Type.Optional(dueDate),
  apply_default_assignee: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether an unassigned task of this type goes to the default assignee of the account',
    }),
  ),
})
export type NewTask = Static<typeof NewTaskBody>

export const TaskChangesBody = request(
  Type.Partial(
    Type.Object({
      ...fields,
      priority: oneOf(taskPriorities, priority),
      printer_id: nullable(printerId),
      estimated_time_minutes: nullable(estimatedTimeMinutes),
      due_date: nullable(dueDate),
    }),
  ).properties,
  { minProperties: 1 },
)
export type TaskChanges = Static<typeof TaskChangesBody>

/** Bad units of a plate by SKU, where it yields several. */
export const rejectedOutputs = Type.Array(
  request({
    product_sku_id: idOf('sku', 'A SKU that lay on the plate'),
    quantity: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Bad units of the SKU' }),
  }),
  {
    maxItems: 100,
    description: 'The same by SKU, for plates that yield several. `quantity_rejected` is about the SKU of the job',
  },
)

export const TaskStatusBody = request({
  status: oneOf(taskStatuses, { description: 'The status it is to have' }),
  quantity_rejected: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description:
        'Bad units, when a task to collect a print or to assemble is completed. They leave the stock again, and are reprinted when the account is set so',
    }),
  ),
  rejected: Type.Optional(rejectedOutputs),
  seen_over: Type.Optional(
    Type.Boolean({
      description:
        'The words "I looked: it is over" of a person who stood at a printer that reports an error, when a task to collect a print is completed; without them its plate is not cleared',
    }),
  ),
})

export const TaskAssigneeBody = request({
  assigned_to: nullable(
    idOf('user', 'User ID (`usr_…`) of the assignee, a member of this account; null removes the assignee'),
  ),
})

export const TasksQuery = request({
  status: Type.Optional(oneOf(taskStatuses, { description: 'Only tasks with this status' })),
  task_type: Type.Optional(oneOf(taskTypes, { description: 'Only tasks of this type' })),
  assigned_to: Type.Optional(idOf('user', 'Only tasks of the member with this user ID')),
  printer_id: Type.Optional(idOf('printer', 'Only tasks about this printer')),
  ...pageQuery,
})
export type TaskFilter = PageFilter<Static<typeof TasksQuery>>

export const WorklistTask = resource('WorklistTask', 'Something that a person is to do', {
  id: Type.String({ description: 'ID of the task' }),
  title: Type.String({ description: 'Title of the task' }),
  subtitle: Type.String({ description: 'A second line; empty for none' }),
  description: Type.String({ description: 'Instructions; empty for none' }),
  task_type: oneOf(taskTypes, { description: 'Kind of work' }),
  priority: oneOf(taskPriorities, { description: 'Priority' }),
  status: oneOf(taskStatuses, { description: 'Status of the task; completed is final' }),
  printer_id: nullable(Type.String({ description: 'The printer that it is about' })),
  estimated_time_minutes: nullable(Type.Number({ description: 'Expected duration, in minutes' })),
  actual_time_minutes: nullable(
    Type.Number({
      description: 'Minutes from started_at to completed_at, rounded up; null when it was not in progress before',
    }),
  ),
  started_at: nullable(timestamp('Time at which a person last started it; null while it is pending')),
  completed_at: nullable(timestamp('Time of completion')),
  due_date: nullable(timestamp('Due date')),
  created_at: timestamp('Time at which the task was created'),
  updated_at: timestamp('Time at which the task last changed'),
})

export const DeletedTask = resource('DeletedWorklistTask', 'The task that is gone', {
  id: Type.String({ description: 'ID of the task that was deleted' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

const count = (description: string) => Type.Integer({ description })

export const WorklistStats = resource('WorklistStats', 'Counts of worklist tasks', {
  open: count('Tasks that are pending or in progress'),
  unassigned: count('Open tasks that no one has'),
  overdue: count('Open tasks whose due date has passed'),
  by_status: answer(
    {
      pending: count('Tasks that wait'),
      in_progress: count('Tasks in progress'),
      completed: count('Tasks that were done'),
      cancelled: count('Tasks that were called off'),
    },
    { description: 'All tasks by status' },
  ),
  by_type: answer(
    {
      assembly: count('Open tasks of this type'),
      filament_change: count('Open tasks of this type'),
      collection: count('Open tasks of this type'),
      maintenance: count('Open tasks of this type'),
      quality_check: count('Open tasks of this type'),
    },
    { description: 'Open tasks by type' },
  ),
  by_priority: answer(
    {
      low: count('Open tasks of this priority'),
      medium: count('Open tasks of this priority'),
      high: count('Open tasks of this priority'),
    },
    { description: 'Open tasks by priority' },
  ),
})

const iso = (date: Date | null) => date?.toISOString() ?? null

/** Presents a task. Who has it is not part of it: the contract has no such field. */
export function presentTask(task: WorklistTaskRow): Static<typeof WorklistTask> {
  return {
    id: task.id,
    title: task.title,
    subtitle: task.subtitle,
    description: task.description,
    task_type: task.task_type,
    priority: task.priority,
    status: task.status,
    printer_id: task.printer_id,
    estimated_time_minutes: task.estimated_time_minutes,
    actual_time_minutes: task.actual_time_minutes,
    started_at: iso(task.started_at),
    completed_at: iso(task.completed_at),
    due_date: iso(task.due_date),
    created_at: task.created_at.toISOString(),
    updated_at: task.updated_at.toISOString(),
  }
}

export function presentStats(counts: TaskCounts): Static<typeof WorklistStats> {
  const { pending, in_progress, completed, cancelled } = counts
  const { assembly, filament_change, collection, maintenance, quality_check } = counts
  const { low, medium, high } = counts
  return {
    open: pending + in_progress,
    unassigned: counts.unassigned,
    overdue: counts.overdue,
    by_status: { pending, in_progress, completed, cancelled },
    by_type: { assembly, filament_change, collection, maintenance, quality_check },
    by_priority: { low, medium, high },
  }
}
