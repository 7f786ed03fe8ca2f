import type { AssemblyTaskId, JobId } from '../../../kernel/ids.ts'
import type { Facts } from './facts.ts'
import { compareText } from './order-of-service.ts'
import type { Plan } from './plan.ts'

/** What may be offered for cancelling. A job that a person queued for the shelf is among it: no demand knows of it. */
interface Unwanted {
  jobIds: JobId[]
  /** Tasks of kits for order items; what is put together for the shelf stays. */
  assemblyTaskIds: AssemblyTaskId[]
}

/** Queued jobs and open tasks of which no demand wants a single unit. Jobs of which something was started are left to finish. */
export function findUnwanted(plan: Plan, facts: Facts): Unwanted {
  const pegged = new Set(plan.pegs.map(({ supply }) => `${supply.kind}\n${supply.id}`))
  const started = new Set(facts.outputs.filter(({ isQueued }) => !isQueued).map(({ jobId }) => jobId))
  const jobIds = facts.outputs.map(({ jobId }) => jobId).filter((id) => !started.has(id) && !pegged.has(`job\n${id}`))
  const taskIds = facts.assemblyTasks
    .filter(({ id, kind, orderItemId, unitsLeft }) => {
      const isOfOrder = kind === 'kit_assembly' && orderItemId !== null && unitsLeft > 0
      return isOfOrder && !pegged.has(`assembly_task\n${id}`)
    })
    .map(({ id }) => id)
  return { jobIds: [...new Set(jobIds)].sort(compareText), assemblyTaskIds: [...new Set(taskIds)].sort(compareText) }
}
