import type { JobId, OrderItemId } from '../../../kernel/ids.ts'
import { createAssembly } from '../../assembly/assembly.service.ts'
import { creditJobUnits } from '../../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../../events/work.ts'
import { resolveFailuresOfJob } from '../../failures/failures.queries.ts'
import { addPin } from '../../planning/pegs/pins.queries.ts'
import { findOrderItemOfJob, type JobOutputRow, listOutputs, recordCredit } from '../outputs/job-outputs.queries.ts'

/**
 * What a job that was completed yields goes into stock, but for what was rejected on the way; what needs assembly asks for it. What
 * failed of the job before is made up for. In the transaction in which its status becomes `completed`, with the job locked.
 *
 * @param happenedAt when its last plate was done, where that was before it became known
 */
export async function creditJob(work: Work, jobId: JobId, happenedAt: Date | null = null): Promise<void> {
  await creditOutputs(work, jobId, { happenedAt })
  await resolveFailuresOfJob(work, jobId)
}

/**
 * The plates that a cancelled or failed job had printed well lie there: their units go into stock as those of a completed one do. In
 * the transaction in which it ends so. A failed job that is tried again is credited for the rest alone.
 */
export async function creditPlatesDone(
  work: Work,
  jobId: JobId,
  platesDone: number,
  happenedAt: Date | null = null,
): Promise<void> {
  if (platesDone > 0) await creditOutputs(work, jobId, { platesDone, happenedAt })
}

/** The same for the stock alone: of a completed job whose product a person names afterwards. */
export async function creditOutputs(
  work: Work,
  jobId: JobId,
  { platesDone = Number.POSITIVE_INFINITY, happenedAt = null }: { platesDone?: number; happenedAt?: Date | null } = {},
): Promise<void> {
  const { sql, accountId } = work
  const orderItemId = await findOrderItemOfJob(sql, accountId, jobId)
  for (const output of await listOutputs(sql, accountId, jobId)) {
    const units = Math.min(output.units, output.units_per_plate * platesDone)
    await creditOutput(work, jobId, { ...output, units, happenedAt }, orderItemId)
  }
}

/** What was made for one order item alone is held for it. */
async function creditOutput(
  work: Work,
  jobId: JobId,
  output: JobOutputRow & { happenedAt: Date | null },
  orderItemId: OrderItemId | null,
): Promise<void> {
  // A job that failed and was tried again, or that was cancelled and seen to print on, has got a part already.
  const units = output.units - output.units_rejected - output.units_credited
  if (units <= 0) return
  const { product_sku_id: skuId, requires_assembly: requiresAssembly, happenedAt } = output
  await creditJobUnits(work, { jobId, skuId, units, requiresAssembly, happenedAt })
  await recordCredit(work, jobId, skuId, output.units_credited + units)
  if (orderItemId !== null) {
    await addPin(work, {
      order_item_id: orderItemId,
      product_sku_id: skuId,
      supply_kind: requiresAssembly ? 'needs_assembly' : 'ready_stock',
      supply_id: skuId,
      units,
    })
  }
  if (!requiresAssembly) return
  await createAssembly(work, {
    product_sku_id: skuId,
    quantity: units,
    job_id: jobId,
    ...(orderItemId !== null && { order_item_id: orderItemId }),
  })
}
