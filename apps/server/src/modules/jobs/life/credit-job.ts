import type { JobId } from '../../../kernel/ids.ts'
import { createAssembly } from '../../assembly/assembly.service.ts'
import type { JobOfAttempt } from '../../attempts/attempts.queries.ts'
import { creditJobUnits } from '../../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../../events/work.ts'
import { resolveFailuresOfJob } from '../../failures/failures.queries.ts'

/**
 * The units of a job that was completed go into stock, but for those that were rejected on the way; those that need assembly
 * ask for it. What failed of the job before is made up for. In the transaction in which its status becomes `completed`.
 */
export async function creditJob(
  work: Work,
  jobId: JobId,
  job: Pick<JobOfAttempt, 'product_sku_id' | 'number_of_units' | 'units_rejected' | 'requires_assembly'>,
): Promise<void> {
  const units = job.number_of_units - job.units_rejected
  if (job.product_sku_id && units > 0) {
    await creditJobUnits(work, {
      jobId,
      skuId: job.product_sku_id,
      units,
      requiresAssembly: job.requires_assembly,
    })
    if (job.requires_assembly) {
      const input = { product_sku_id: job.product_sku_id, quantity: units, job_id: jobId }
      await createAssembly(work, input)
    }
  }
  await resolveFailuresOfJob(work, jobId)
}
