import { AppError, notFound } from '../../../kernel/errors.ts'
import type { JobId, SkuId } from '../../../kernel/ids.ts'
import { lockJobOfAttempt } from '../../attempts/attempts.queries.ts'
import type { Work } from '../../events/work.ts'
import { closeFarmTask, openFarmTask } from '../../worklist/farm-tasks.ts'
import { findSkuForJob, type JobDetailRow } from '../jobs.queries.ts'
import { skuNameOf } from '../jobs.service.ts'
import { creditOutputs, creditPlatesDone } from '../life/credit-job.ts'
import { listWaysToMake } from '../outputs/ways-to-make.queries.ts'
import { findJobPlan } from '../queue/job-plan.queries.ts'
import { insertNamedOutputs, writeProductOfJob } from './product-of-job.queries.ts'

/** Asks on the worklist which product a job makes. Completing the task says that it makes none. */
export async function askForProduct(work: Work, job: Pick<JobDetailRow, 'id' | 'file_name'>): Promise<void> {
  await openFarmTask(work, {
    source: 'product',
    subjectId: job.id,
    printerId: null,
    task_type: 'quality_check',
    priority: 'medium',
    title: `Which product does ${job.file_name} make?`,
    subtitle: 'Sent by a slicer',
    description:
      'Name the product on the page of the job: until then its units do not go into stock. Completing this task says that it makes none.',
  })
}

/**
 * A person says which SKU a job makes that none was named for, or with null that it makes none. Of a job that is completed already
 * its units go into stock now, of one that failed or was cancelled those of its good plates. A recipe of the file for this SKU says what a plate yields.
 *
 * @throws AppError `ALREADY_EXISTS` when the job has a SKU
 */
export async function nameProduct(work: Work, jobId: JobId, skuId: SkuId | null): Promise<void> {
  const { sql, accountId } = work
  const job = await lockJobOfAttempt(sql, accountId, jobId)
  const plan = await findJobPlan(sql, accountId, jobId)
  if (!job || !plan) throw notFound('job')
  if (job.product_sku_id !== null) throw new AppError('ALREADY_EXISTS', { resource: 'SKU named for this job' })
  if (skuId !== null) {
    const sku = await findSkuForJob(sql, accountId, skuId)
    if (!sku) throw new AppError('SKU_NOT_FOUND')
    const ways = await listWaysToMake(sql, accountId, skuId, undefined)
    const way = ways.find(({ print_file_id }) => print_file_id === plan.print_file_id)
    await writeProductOfJob(work, jobId, {
      product_id: sku.product_id,
      product_sku_id: sku.id,
      product_name: sku.product_name,
      sku_name: skuNameOf(sku),
      requires_assembly: job.requires_assembly || sku.requires_assembly,
      ...(way && {
        recipe_id: way.recipe_id,
        quantity_per_print: way.units_per_plate,
        number_of_units: way.units_per_plate * job.plates_total,
      }),
    })
    await insertNamedOutputs(work, jobId, way?.also_makes ?? [])
    if (job.status === 'completed') await creditOutputs(work, jobId)
    if (job.status === 'cancelled' || job.status === 'failed') await creditPlatesDone(work, jobId, job.plates_done)
    await work.record({ type: 'job.updated', subjectId: jobId, data: { fields: ['product_sku_id'] } })
  }
  await closeFarmTask(work, { source: 'product', subjectId: jobId })
}
