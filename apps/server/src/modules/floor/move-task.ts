import type { Context } from '../../context/context.ts'
import { validationError } from '../../kernel/errors.ts'
import { type Id, type IdKind, readId, type TaskId } from '../../kernel/ids.ts'
import { lockAssembly } from '../assembly/assembly.queries.ts'
import { completeAssembly } from '../assembly/assembly.service.ts'
import type { Work } from '../events/work.ts'
import type { FailureType } from '../failures/failure-type.ts'
import { recordMaintained } from '../jobs/plates/maintenance-due.ts'
import { clearPlate, lockPlate } from '../jobs/plates/plate.ts'
import { hasRejects, type RejectedOutput } from '../jobs/plates/rejected-units.ts'
import { getOrderLocked } from '../orders/orders.service.ts'
import { packOrder } from '../orders/out/pack-order.ts'
import { pickWhole } from '../orders/pick/pick-units.ts'
import { replan } from '../planning/replan/replan.ts'
import type { Plate } from '../printers/plate/plate.queries.ts'
import type { TaskStatus } from '../worklist/task-status.ts'
import type { WorklistTaskRow } from '../worklist/worklist.queries.ts'
import { getTask, setTaskStatus } from '../worklist/worklist.service.ts'

/**
 * Moves a task to a status. Completing a task that the farm made does what the task asked for: the plate is clear, the
 * printer is maintained, the order is picked or packed. Answers the plate that was cleared: call `sendClearedPlate` with it after the commit.
 */
export async function moveTask(
  context: Context,
  work: Work,
  taskId: TaskId,
  {
    status,
    quantity_rejected: quantityRejected = 0,
    rejected = [],
    failure_type: type = null,
    seen_over: seenOver = false,
  }: {
    status: TaskStatus
    quantity_rejected?: number
    rejected?: RejectedOutput[]
    failure_type?: FailureType | null
    seen_over?: boolean
  },
): Promise<{ task: WorklistTaskRow; plate?: Plate }> {
  const { sql, accountId } = work
  const asked = await getTask(sql, accountId, taskId)
  const isAssembly = asked.source === 'assembly' && status === 'completed'
  const isPlate = asked.source === 'plate' && status === 'completed'
  if (quantityRejected > 0 && !isPlate && !isAssembly) {
    throw validationError({
      quantity_rejected: ['is possible only when a task to collect or to assemble is completed'],
    })
  }
  if (rejected.length > 0 && !isPlate) {
    throw validationError({ rejected: ['is possible only when a task to collect is completed'] })
  }
  if (type !== null && !(isPlate && hasRejects({ quantity: quantityRejected, outputs: rejected }))) {
    throw validationError({ failure_type: ['is possible only when a task to collect is completed with bad units'] })
  }
  if (isPlate) {
    // Everybody who changes both locks the plate before the task.
    const plate = await lockPlate(sql, accountId, subjectOf(asked, 'printer'))
    const task = await setTaskStatus(work, taskId, status)
    await clearPlate(context, work, plate, {
      how: 'task',
      rejected: { quantity: quantityRejected, outputs: rejected, type },
      seenOver,
    })
    return { task, plate }
  }
  if (isAssembly && asked.status !== 'completed') {
    // Callers that take stock wait for the plan first. The task of the worklist is closed with the assembly, also when it was set aside before.
    const assemblyId = subjectOf(asked, 'assemblyTask')
    await replan(work)
    await lockAssembly(sql, accountId, assemblyId)
    const task = await setTaskStatus(work, taskId, status)
    await completeAssembly(work, assemblyId, { quantity_rejected: quantityRejected })
    return { task }
  }
  if ((asked.source === 'pick' || asked.source === 'pack') && status === 'completed' && asked.status !== 'completed') {
    // Callers that take stock wait for the plan first, and those that change both lock the order before the task.
    const orderId = subjectOf(asked, 'order')
    await replan(work, orderId)
    await getOrderLocked(sql, accountId, orderId)
    const task = await setTaskStatus(work, taskId, status)
    if (asked.source === 'pick') await pickWhole(work, orderId)
    else await packOrder(work, orderId)
    return { task }
  }
  const task = await setTaskStatus(work, taskId, status)
  if (asked.source === 'print_hours' && status === 'completed') {
    await recordMaintained(work, subjectOf(asked, 'printer'))
  }
  return { task }
}

/** Answers what a task that a rule has made is about. */
function subjectOf<Kind extends IdKind>({ id, subject_id }: WorklistTaskRow, kind: Kind): Id<Kind> {
  const subject = readId(kind, subject_id ?? '')
  if (!subject) throw new Error(`The task ${id} is about no ${kind}`)
  return subject
}
