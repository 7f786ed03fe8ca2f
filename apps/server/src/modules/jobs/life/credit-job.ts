import type { Sql } from '../../../db/database.ts'
import type { AccountId, JobId } from '../../../kernel/ids.ts'
import { createAssembly } from '../../assembly/assembly.service.ts'
import type { JobOfAttempt } from '../../attempts/attempts.queries.ts'
import { creditJobUnits } from '../../catalogue/inventory/stock-ledger.ts'
import { workIn } from '../../events/work.ts'
import { resolveFailuresOfJob } from '../../failures/failures.queries.ts'

/**
 * The units of a job that was completed go into stock, but for those that were rejected on the way; those that need assembly
 * ask for it. What failed of the job before is made up for. In the transaction in which its status becomes `completed`.
 */
export async function creditJob(
  sql: Sql,
  accountId: AccountId,
  jobId: JobId,
  job: Pick<JobOfAttempt, 'product_sku_id' | 'number_of_units' | 'units_rejected' | 'requires_assembly'>,
  done: { by: string; at: Date },
): Promise<void> {
  const work = workIn(sql, { accountId, actor: done.by, now: done.at })
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
  await resolveFailuresOfJob(sql, accountId, jobId, done)
}
