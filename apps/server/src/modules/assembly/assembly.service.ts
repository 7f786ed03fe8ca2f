import type { Sql } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/database-errors.ts'
import { oneGiven } from '../../http/request/one-given.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import {
  type AccountId,
  type AssemblyTaskId,
  type InventoryItemId,
  type JobId,
  newId,
  type SkuId,
  type UserId,
} from '../../kernel/ids.ts'
import { lockItemOfSku, moveStock } from '../catalogue/inventory/stock-ledger.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Work } from '../events/work.ts'
import { closeFarmTask, openFarmTask } from '../worklist/farm-tasks.ts'
import {
  type AssemblyChange,
  type AssemblyRow,
  deleteAssemblyRow,
  findAssembly,
  findSkuOfItem,
  findSkuToAssemble,
  insertAssembly,
  lockAssembly,
  lockAssemblyOfJob,
  updateAssembly,
} from './assembly.queries.ts'

interface NewAssemblyInput {
  product_sku_id: SkuId
  quantity: number
  assigned_to?: UserId
  notes?: string
}

export async function getAssembly(sql: Sql, accountId: AccountId, id: AssemblyTaskId): Promise<AssemblyRow> {
  const task = await findAssembly(sql, accountId, id)
  if (!task) throw notFound('assembly task')
  return task
}

/** The same by the SKU, or by the inventory item of the SKU. */
export async function askForAssembly(
  work: Work,
  input: Omit<NewAssemblyInput, 'product_sku_id'> & { product_sku_id?: SkuId; finished_good_id?: InventoryItemId },
): Promise<AssemblyRow> {
  const { finished_good_id: itemId, product_sku_id, ...others } = input
  const given: { [Name in 'product_sku_id' | 'finished_good_id']?: SkuId | InventoryItemId } = input
  oneGiven(given, 'product_sku_id', 'finished_good_id')
  const skuId = itemId === undefined ? product_sku_id : await findSkuOfItem(work.sql, work.accountId, itemId)
  if (skuId === undefined) throw new AppError('FINISHED_GOOD_NOT_FOUND')
  return createAssembly(work, { ...others, product_sku_id: skuId })
}

/** Units to put together, with the task of the worklist that asks for it. */
export async function createAssembly(work: Work, input: NewAssemblyInput & { job_id?: JobId }): Promise<AssemblyRow> {
  const { sql, accountId, actor, now } = work
  const sku = await findSkuToAssemble(sql, accountId, input.product_sku_id)
  if (!sku) throw new AppError('SKU_NOT_FOUND')
  const task = await insertAssembly(work, {
    id: newId('assemblyTask', now.getTime()),
    kind: 'print_assembly',
    product_sku_id: sku.id,
    product_name: sku.product_name,
    sku: sku.sku,
    quantity: input.quantity,
    job_id: input.job_id ?? null,
    assigned_to: input.assigned_to ?? null,
    notes: input.notes ?? '',
    created_by: actor,
  }).catch(refuseAssignee)
  await openFarmTask(work, {
    source: 'assembly',
    subjectId: task.id,
    printerId: null,
    task_type: 'assembly',
    priority: 'medium',
    title: `Assemble ${task.quantity} × ${task.product_name}`,
    subtitle: task.sku,
    description: 'Completing this task puts all of them into ready stock.',
  })
  await work.record({
    type: 'assembly_task.created',
    subjectId: task.id,
    data: { product_sku_id: task.product_sku_id, quantity: task.quantity, job_id: task.job_id },
  })
  return task
}

/**
 * Units were put together, or turned out bad: the first go from needs-assembly into ready stock, the others are gone.
 * Without numbers all that is left was put together. What is left after it keeps the task open.
 */
export async function completeAssembly(
  work: Work,
  id: AssemblyTaskId,
  done: { quantity_completed?: number; quantity_rejected?: number; notes?: string },
): Promise<AssemblyRow> {
  const { sql, accountId, now } = work
  const task = await lockOpen(sql, accountId, id)
  const left = task.quantity - task.quantity_completed - task.quantity_rejected
  const rejected = done.quantity_rejected ?? 0
  const completed = done.quantity_completed ?? Math.max(0, left - rejected)
  if (completed + rejected > left) throw validationError({ _root: [`must be at most ${left} units together`] })
  if (completed + rejected === 0 && left > 0) throw validationError({ _root: ['must be at least one unit together'] })
  await moveAssembled(work, task, { completed, rejected })
  const isOver = completed + rejected === left
  const after = await updateAssembly(work, id, {
    status: isOver ? 'completed' : 'in_progress',
    quantity_completed: task.quantity_completed + completed,
    quantity_rejected: task.quantity_rejected + rejected,
    completed_at: isOver ? now : null,
    ...(done.notes !== undefined && { notes: done.notes }),
  })
  if (isOver) await closeWork(work, id, 'completed')
  await work.record({
    type: isOver ? 'assembly_task.completed' : 'assembly_task.advanced',
    subjectId: task.id,
    data: { product_sku_id: task.product_sku_id, completed, rejected },
  })
  return after
}

async function moveAssembled(
  work: Work,
  task: AssemblyRow,
  { completed, rejected }: { completed: number; rejected: number },
): Promise<void> {
  const { sql, accountId } = work
  let item = await lockItemOfSku(sql, accountId, task.product_sku_id)
  if (!item) throw new Error(`SKU ${task.product_sku_id} has no inventory item`)
  const available = item.quantity_needs_assembly
  if (completed + rejected > available)
    throw new AppError('INSUFFICIENT_STOCK', { available }, { details: { available } })
  const common = { jobId: task.job_id, notes: '' }
  if (completed > 0) {
    item = await moveStock(work, item, {
      ...common,
      stock: 'needs_assembly',
      reason: 'assembled',
      change: -completed,
    })
    item = await moveStock(work, item, { ...common, stock: 'ready', reason: 'assembled', change: completed })
  }
  if (rejected > 0) {
    await moveStock(work, item, {
      ...common,
      stock: 'needs_assembly',
      reason: 'units_rejected',
      change: -rejected,
    })
  }
}

/** Changes what is given. What is cancelled moves no stock: the units still need assembly. */
export async function changeAssembly(
  work: Work,
  id: AssemblyTaskId,
  change: Pick<AssemblyChange, 'assigned_to' | 'notes' | 'quantity'> & {
    status?: 'pending' | 'in_progress' | 'cancelled'
  },
): Promise<AssemblyRow> {
  const { sql, accountId } = work
  const task = await lockOpen(sql, accountId, id)
  const fields = changedFields(task, change)
  if (fields.length === 0) return task
  const done = task.quantity_completed + task.quantity_rejected
  if (change.quantity !== undefined && change.quantity <= done) {
    throw validationError({ quantity: [`must be more than the ${done} units that are done already`] })
  }
  const after = await updateAssembly(work, id, change).catch(refuseAssignee)
  if (change.status === 'cancelled') await closeWork(work, id, 'cancelled')
  await work.record({
    type: 'assembly_task.updated',
    subjectId: task.id,
    data: { product_sku_id: task.product_sku_id, fields },
  })
  return after
}

/** Of what was entered by mistake; its units still need assembly. */
export async function deleteAssembly(work: Work, id: AssemblyTaskId): Promise<void> {
  const { sql, accountId } = work
  const task = await lockAssembly(sql, accountId, id)
  if (!task) throw notFound('assembly task')
  await closeWork(work, id, 'cancelled')
  await deleteAssemblyRow(work, id)
  await work.record({
    type: 'assembly_task.deleted',
    subjectId: task.id,
    data: { product_sku_id: task.product_sku_id, status: task.status, quantity: task.quantity },
  })
}

/** Units of a job were rejected before anybody put them together: that many less are to be assembled. */
export async function takeFromAssembly(work: Work, jobId: JobId, skuId: SkuId, units: number): Promise<void> {
  const { sql, accountId, now } = work
  const task = await lockAssemblyOfJob(sql, accountId, jobId, skuId)
  if (!task) return
  const done = task.quantity_completed + task.quantity_rejected
  const quantity = Math.max(done, task.quantity - units)
  const isOver = quantity === done
  const status = done > 0 ? ('completed' as const) : ('cancelled' as const)
  const end = isOver && { status, completed_at: done > 0 ? now : null }
  await updateAssembly(work, task.id, { quantity, ...end })
  if (isOver) await closeWork(work, task.id, status)
}

function closeWork(work: Work, id: AssemblyTaskId, status: 'completed' | 'cancelled'): Promise<boolean> {
  return closeFarmTask(work, { source: 'assembly', subjectId: id }, status)
}

async function lockOpen(sql: Sql, accountId: AccountId, id: AssemblyTaskId): Promise<AssemblyRow> {
  const task = await lockAssembly(sql, accountId, id)
  if (!task) throw notFound('assembly task')
  if (task.status === 'completed' || task.status === 'cancelled') throw new AppError('TASK_ALREADY_COMPLETED')
  return task
}

function refuseAssignee(error: unknown): never {
  if (isForeignKeyViolation(error, 'assembly_tasks_assignee_fkey')) {
    throw new AppError('USER_NOT_FOUND', {}, { cause: error })
  }
  throw error
}
