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
  type OrderId,
  type OrderItemId,
  type SkuId,
  type UserId,
} from '../../kernel/ids.ts'
import { type Bom, componentsOf, loadBom } from '../catalogue/bom/bom.service.ts'
import { moveStock, type StockLevels } from '../catalogue/inventory/stock-ledger.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Work } from '../events/work.ts'
import { addPin, isDedicatedItem, takeFromPins } from '../planning/pegs/pins.queries.ts'
import { listHeldFromAssembly } from '../planning/pegs/reserved.queries.ts'
import { replan } from '../planning/replan/replan.ts'
import { closeFarmTask, emptyTextsOfTasks, openFarmTask } from '../worklist/farm-tasks.ts'
import {
  type AssemblyChange,
  type AssemblyRow,
  countAssembledOfJob,
  countWaiting,
  deleteAssemblyRow,
  emptyNotes,
  findAssembly,
  findSkuOfItem,
  findSkuToAssemble,
  hasRecipe,
  insertAssembly,
  listAssembliesOfOrder,
  lockAssembly,
  lockAssemblyOfJob,
  updateAssembly,
} from './assembly.queries.ts'
import { needsOf } from './kit-needs.ts'
import { type LockedParts, lockParts, refuseEmptyBill, refuseUnbuildable, takeParts } from './take-parts.ts'

interface NewAssemblyInput {
  product_sku_id: SkuId
  quantity: number
  assigned_to?: UserId
  notes?: string
}

/** Title of the task on the worklist. */
const titleOf = ({ quantity, product_name }: Pick<AssemblyRow, 'quantity' | 'product_name'>) =>
  `Assemble ${quantity} × ${product_name}`

/** Forgets what people wrote about what is put together for an order alone. Answers how many texts there were. */
export async function emptyTextsOfAssemblies(work: Work, orderId: OrderId): Promise<number> {
  const tasks = await listAssembliesOfOrder(work.sql, work.accountId, orderId)
  const ids = tasks.map(({ id }) => id)
  let emptied = await emptyNotes(work, ids)
  for (const task of tasks) {
    emptied += await emptyTextsOfTasks(work, ['assembly'], { subjectId: task.id, title: titleOf(task) })
  }
  return emptied
}

export async function getAssembly(sql: Sql, accountId: AccountId, id: AssemblyTaskId): Promise<AssemblyRow> {
  const task = await findAssembly(sql, accountId, id)
  if (!task) throw notFound('assembly task')
  return task
}

/**
 * Units of a SKU, or of the SKU of an inventory item, to put together: printed ones, or kits as `askForKit` says.
 *
 * @throws AppError `FINISHED_GOOD_NOT_FOUND`, `SKU_NOT_FOUND`, `USER_NOT_FOUND`, `INSUFFICIENT_FOR_KIT`, `VALIDATION_ERROR`
 */
export async function askForAssembly(
  work: Work,
  input: Omit<NewAssemblyInput, 'product_sku_id'> & {
    product_sku_id?: SkuId
    finished_good_id?: InventoryItemId
    kind?: AssemblyRow['kind']
  },
): Promise<AssemblyRow> {
  const { finished_good_id: itemId, product_sku_id, kind, ...others } = input
  const given: { [Name in 'product_sku_id' | 'finished_good_id']?: SkuId | InventoryItemId } = input
  oneGiven(given, 'product_sku_id', 'finished_good_id')
  const skuId = itemId === undefined ? product_sku_id : await findSkuOfItem(work.sql, work.accountId, itemId)
  if (skuId === undefined) throw new AppError('FINISHED_GOOD_NOT_FOUND')
  const asked = kind ?? (await likelyKind(work, skuId, input.quantity))
  if (asked !== 'kit_assembly') return createAssembly(work, { ...others, product_sku_id: skuId })
  if (!(await findSkuToAssemble(work.sql, work.accountId, skuId))) throw new AppError('SKU_NOT_FOUND')
  return askForKit(work, skuId, others)
}

/** What is put together of other things is a kit, unless that many printed units of it wait to be finished. */
async function likelyKind({ sql, accountId }: Work, skuId: SkuId, units: number): Promise<AssemblyRow['kind']> {
  const bom = await loadBom(sql, accountId, skuId)
  if (!(await isPutTogether(sql, accountId, skuId, bom))) return 'print_assembly'
  return (await countWaiting(sql, accountId, skuId)) >= units ? 'print_assembly' : 'kit_assembly'
}

/** As the planner decides it: of other SKUs, recipes or not; of components alone where no recipe prints it. */
async function isPutTogether(sql: Sql, accountId: AccountId, skuId: SkuId, bom: Bom): Promise<boolean> {
  if (bom.children.length > 0) return true
  return componentsOf(bom.materials).length > 0 && !(await hasRecipe(sql, accountId, skuId))
}

/**
 * Kits to put together from what is there now and not held for orders that want none of them. Nothing is reserved for them: what they take
 * is taken when they are completed. INSUFFICIENT_FOR_KIT, with what is missing, when it is not enough for all of them.
 */
export async function askForKit(
  work: Work,
  skuId: SkuId,
  input: Omit<NewAssemblyInput, 'product_sku_id'>,
): Promise<AssemblyRow> {
  const { sql, accountId } = work
  if (!(await findSkuToAssemble(sql, accountId, skuId))) throw notFound('SKU')
  const bom = await loadBom(sql, accountId, skuId)
  if (!(await isPutTogether(sql, accountId, skuId, bom))) {
    throw validationError({
      _root: ['the SKU has no children in its bill of materials, or a recipe prints it: it is not put together'],
    })
  }
  const held = await listHeldFromAssembly(sql, accountId, {
    skuIds: bom.children.map((child) => child.child_sku_id),
    assembledSkuId: skuId,
    orderItemId: null,
  })
  refuseUnbuildable(bom, input.quantity, held)
  return createAssembly(work, { ...input, product_sku_id: skuId, kind: 'kit_assembly' })
}

/** Units to put together, with the task of the worklist that asks for it. */
export async function createAssembly(
  work: Work,
  input: NewAssemblyInput & { job_id?: JobId; kind?: AssemblyRow['kind']; order_item_id?: OrderItemId },
): Promise<AssemblyRow> {
  const { sql, accountId, actor, now } = work
  const { kind = 'print_assembly' } = input
  const sku = await findSkuToAssemble(sql, accountId, input.product_sku_id)
  if (!sku) throw new AppError('SKU_NOT_FOUND')
  const task = await insertAssembly(work, {
    id: newId('assemblyTask', now.getTime()),
    kind,
    product_sku_id: sku.id,
    product_name: sku.product_name,
    sku: sku.sku,
    quantity: input.quantity,
    job_id: input.job_id ?? null,
    order_item_id: input.order_item_id ?? null,
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
    title: titleOf(task),
    subtitle: task.sku,
    description:
      kind === 'kit_assembly'
        ? 'Completing this task takes their parts from stock and puts all of them into ready stock.'
        : 'Completing this task puts all of them into ready stock.',
  })
  await work.record({
    type: 'assembly_task.created',
    subjectId: task.id,
    data: { product_sku_id: task.product_sku_id, quantity: task.quantity, job_id: task.job_id },
  })
  return task
}

/**
 * Units were put together, or turned out bad: the first go into ready stock, the others are gone. What the bill of materials
 * says that they take is taken: all of it, or nothing moves, and nothing that the plan holds for orders that want none of them. Without
 * numbers all that is left was put together. What is left after it keeps the task open. The caller holds no lock of orders or stock.
 */
export async function completeAssembly(
  work: Work,
  id: AssemblyTaskId,
  done: { quantity_completed?: number; quantity_rejected?: number; notes?: string },
): Promise<AssemblyRow> {
  const { sql, accountId, now } = work
  await replan(work)
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
    ...(done.notes && { notes: task.notes === '' ? done.notes : `${task.notes}\n---\n${done.notes}` }),
  })
  if (isOver) await closeWork(work, id, 'completed')
  await work.record({
    type: isOver ? 'assembly_task.completed' : 'assembly_task.advanced',
    subjectId: task.id,
    data: { product_sku_id: task.product_sku_id, completed, rejected },
  })
  return after
}

/**
 * Printed units go from needs-assembly into ready stock, and take their components and children with them; a kit is credited
 * and takes its own. A rejected kit has used up its parts; a rejected printed piece took none yet.
 */
async function moveAssembled(
  work: Work,
  task: AssemblyRow,
  { completed, rejected }: { completed: number; rejected: number },
): Promise<void> {
  const parts = await lockParts(work, task.product_sku_id, task.order_item_id)
  const item = parts.items.get(task.product_sku_id)
  if (!item) throw new Error(`SKU ${task.product_sku_id} has no inventory item`)
  const common = { jobId: task.job_id, assemblyTaskId: task.id, notes: '' }
  await movePins(work, task, parts, { completed, rejected })
  if (task.kind === 'kit_assembly') {
    refuseEmptyBill(parts, completed + rejected)
    await takeParts(work, task.id, parts, completed + rejected)
    if (completed === 0) return
    await moveStock(work, item, { ...common, stock: 'ready', reason: 'assembled', change: completed })
    return
  }
  const available = item.quantity_needs_assembly
  if (completed + rejected > available)
    throw new AppError('INSUFFICIENT_STOCK', { available }, { details: { available } })
  let levels: StockLevels = item
  if (completed > 0) {
    await takeParts(work, task.id, parts, completed)
    levels = await moveStock(work, levels, {
      ...common,
      stock: 'needs_assembly',
      reason: 'assembled',
      change: -completed,
    })
    levels = await moveStock(work, levels, { ...common, stock: 'ready', reason: 'assembled', change: completed })
  }
  if (rejected > 0) {
    await moveStock(work, levels, {
      ...common,
      stock: 'needs_assembly',
      reason: 'units_rejected',
      change: -rejected,
    })
  }
}

/** What is put together for one order item alone was held for it in parts, and is held for it as it is now. */
async function movePins(
  work: Work,
  { order_item_id: itemId, product_sku_id: skuId, kind }: AssemblyRow,
  parts: LockedParts,
  { completed, rejected }: { completed: number; rejected: number },
): Promise<void> {
  if (itemId === null || !(await isDedicatedItem(work, itemId))) return
  const pin = { order_item_id: itemId, product_sku_id: skuId }
  const used = completed + rejected
  const printed = kind === 'print_assembly' ? [{ ...pin, supply_kind: 'needs_assembly' as const, units: used }] : []
  const children = needsOf(parts.bom, used).children.map(({ skuId: partId, quantity }) => ({
    ...pin,
    product_sku_id: partId,
    supply_kind: 'ready_stock' as const,
    units: quantity,
  }))
  await takeFromPins(work, [...printed, ...children])
  if (completed > 0) await addPin(work, { ...pin, supply_kind: 'ready_stock', supply_id: skuId, units: completed })
}

/** Changes what is given. What is cancelled moves no stock: the units still need assembly. What is completed does. */
export async function changeAssembly(
  work: Work,
  id: AssemblyTaskId,
  { status, ...others }: Pick<AssemblyChange, 'assigned_to' | 'notes' | 'quantity' | 'status'>,
): Promise<AssemblyRow> {
  if (status === 'completed') {
    if (Object.keys(others).length > 0) await changeAssembly(work, id, others)
    return completeAssembly(work, id, {})
  }
  const { sql, accountId } = work
  const change = { ...others, ...(status !== undefined && { status }) }
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

/** Deletes what was entered by mistake; its units still need assembly. */
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

/**
 * Units of a job were rejected at the plate: that many less are to be assembled. Answers how many of them were put together
 * already, and are no more among those that need assembly.
 */
export async function takeFromAssembly(work: Work, jobId: JobId, skuId: SkuId, units: number): Promise<number> {
  const { sql, accountId, now } = work
  const task = await lockAssemblyOfJob(sql, accountId, jobId, skuId)
  if (!task) return Math.min(units, await countAssembledOfJob(sql, accountId, jobId, skuId))
  const done = task.quantity_completed + task.quantity_rejected
  const quantity = Math.max(done, task.quantity - units)
  const isOver = quantity === done
  const status = done > 0 ? ('completed' as const) : ('cancelled' as const)
  const end = isOver && { status, completed_at: done > 0 ? now : null }
  await updateAssembly(work, task.id, { quantity, ...end })
  if (isOver) await closeWork(work, task.id, status)
  return units - (task.quantity - quantity)
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
