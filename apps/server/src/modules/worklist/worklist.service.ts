import type { Sql } from '../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/database-errors.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type AccountId, newId, type TaskId, type UserId } from '../../kernel/ids.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Work } from '../events/work.ts'
import { findAssignee } from './assignment-defaults.service.ts'
import { type TaskStatus, timesAfter } from './task-status.ts'
import {
  deleteTaskRow,
  findTask,
  insertTask,
  lockTask,
  type TaskChange,
  updateTask,
  type WorklistTaskRow,
} from './worklist.queries.ts'
import { defaultPriority, type NewTask, type TaskChanges } from './worklist.schema.ts'

export async function getTask(sql: Sql, accountId: AccountId, taskId: TaskId): Promise<WorklistTaskRow> {
  const task = await findTask(sql, accountId, taskId)
  if (!task) throw notFound('worklist task')
  return task
}

/** A new pending task; who gets it is decided by `resolveAssignee`. */
export async function createTask(work: Work, input: NewTask): Promise<WorklistTaskRow> {
  const { sql, accountId, actor, now } = work
  const task = await insertTask(work, {
    id: newId('worklistTask', now.getTime()),
    title: input.title,
    subtitle: input.subtitle ?? '',
    description: input.description ?? '',
    task_type: input.task_type,
    priority: input.priority ?? defaultPriority,
    printer_id: input.printer_id ?? null,
    assigned_to: await findAssignee(sql, accountId, input),
    estimated_time_minutes: input.estimated_time_minutes ?? null,
    due_date: input.due_date === undefined ? null : new Date(input.due_date),
    created_by: actor,
  }).catch(refuseTask)
  await work.record({
    type: 'worklist_task.created',
    subjectId: task.id,
    data: {
      task_type: task.task_type,
      printer_id: task.printer_id,
      assigned_to: task.assigned_to,
    },
  })
  return task
}

/** Changes what is given, whatever the status. */
export async function changeTask(work: Work, taskId: TaskId, changes: TaskChanges): Promise<WorklistTaskRow> {
  const before = await lockTask(work.sql, work.accountId, taskId)
  if (!before) throw notFound('worklist task')
  const fields = changedFields(before, changes)
  // Also when there are only fields that this version does not know, or that have an address of their own.
  if (fields.length === 0) return before
  const { due_date: dueDate, ...others } = changes
  const change: TaskChange = {
    ...others,
    ...(dueDate !== undefined && { due_date: dueDate === null ? null : new Date(dueDate) }),
  }
  const task = await updateLocked(work, taskId, change)
  await work.record({
    type: 'worklist_task.updated',
    subjectId: task.id,
    data: { fields },
  })
  return task
}

/**
 * Moves a task to a status. Completing stamps when, and how long it took. The status that it has already changes nothing,
 * but a completed task is refused with TASK_ALREADY_COMPLETED whatever is asked, so that of two people who complete it at
 * once one is told.
 */
export async function setTaskStatus(work: Work, taskId: TaskId, status: TaskStatus): Promise<WorklistTaskRow> {
  const before = await lockOpenTask(work.sql, work.accountId, taskId)
  if (before.status === status) return before
  const task = await updateLocked(work, taskId, { status, ...timesAfter(before, status, work.now) })
  await work.record({
    type: 'worklist_task.status_changed',
    subjectId: task.id,
    data: {
      status,
      previous_status: before.status,
      task_type: task.task_type,
      printer_id: task.printer_id,
      actual_time_minutes: task.actual_time_minutes,
    },
  })
  return task
}

/**
 * Gives a task to a member, by their user ID, or to no one. Who did a completed task is settled: TASK_ALREADY_COMPLETED.
 */
export async function assignTask(work: Work, taskId: TaskId, assignedTo: UserId | null): Promise<WorklistTaskRow> {
  const before = await lockOpenTask(work.sql, work.accountId, taskId)
  if (before.assigned_to === assignedTo) return before
  const task = await updateLocked(work, taskId, { assigned_to: assignedTo })
  await work.record({
    type: 'worklist_task.assigned',
    subjectId: task.id,
    data: {
      assigned_to: task.assigned_to,
      previously_assigned_to: before.assigned_to,
    },
  })
  return task
}

export async function deleteTask(work: Work, taskId: TaskId): Promise<void> {
  const task = await deleteTaskRow(work, taskId)
  if (!task) throw notFound('worklist task')
  await work.record({
    type: 'worklist_task.deleted',
    subjectId: taskId,
    data: task,
  })
}

async function lockOpenTask(sql: Sql, accountId: AccountId, taskId: TaskId): Promise<WorklistTaskRow> {
  const task = await lockTask(sql, accountId, taskId)
  if (!task) throw notFound('worklist task')
  if (task.status === 'completed') throw new AppError('TASK_ALREADY_COMPLETED')
  return task
}

async function updateLocked(work: Work, taskId: TaskId, change: TaskChange): Promise<WorklistTaskRow> {
  const task = await updateTask(work, taskId, change).catch(refuseTask)
  if (!task) throw new Error(`The task ${taskId} is gone although this transaction holds it.`)
  return task
}

function refuseTask(error: unknown): never {
  if (isForeignKeyViolation(error, 'worklist_tasks_printer_fkey')) {
    throw new AppError('PRINTER_NOT_FOUND', {}, { cause: error })
  }
  if (isForeignKeyViolation(error, 'worklist_tasks_assignee_fkey')) {
    throw new AppError('USER_NOT_FOUND', {}, { cause: error })
  }
  if (isUniqueViolation(error, 'worklist_tasks_open_key')) {
    throw new AppError('ALREADY_EXISTS', { resource: 'open task about this' }, { cause: error })
  }
  throw error
}
