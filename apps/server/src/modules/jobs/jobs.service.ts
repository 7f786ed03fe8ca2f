import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import {
  type AccountId,
  type JobId,
  newId,
  type PrinterId,
  type PrintFileId,
  type ProductId,
  type SkuId,
} from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { refuseOtherModel } from '../matching/sliced-for.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import type { JobPriority } from './job-priority.ts'
import { isActionPossible, type JobAction, platesNeeded } from './job-state.ts'
import {
  findFileForJob,
  findJob,
  findPrinterModel,
  findProductName,
  findSkuForJob,
  insertJob,
  type JobDetailRow,
} from './jobs.queries.ts'

interface EnqueueInput {
  print_file_id: PrintFileId
  printer_id?: PrinterId
  product_id?: ProductId
  product_sku_id?: SkuId
  color?: string
  filament_type?: string
  material_type?: string
  number_of_units: number
  quantity_per_print: number
  requires_assembly: boolean
  priority?: JobPriority
  due_date?: string
  any_color?: boolean
}

/** What an `integer` column takes. */
const mostMinutes = 2_147_483_647

/** Materials that a file without any says it is printed in. */
const defaultMaterial = 'PLA'

export async function getJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobDetailRow> {
  const job = await findJob(sql, accountId, jobId)
  if (!job) throw notFound('job')
  return job
}

/**
 * Queues a job. What the caller leaves out comes from the SKU, then from the file. Checked in this order: file, printer,
 * product, SKU, model.
 */
export async function enqueueJob(context: Context, work: Work, input: EnqueueInput): Promise<JobDetailRow> {
  const { sql, accountId } = work
  await requireRoom(context, sql, accountId, 'jobs')
  const file = await findFileForJob(sql, accountId, input.print_file_id)
  if (!file) throw new AppError('FILE_NOT_FOUND')
  const { printer_id: printerId, product_id: productId, product_sku_id: skuId } = input
  const printerModel = printerId === undefined ? undefined : await findPrinterModel(sql, accountId, printerId)
  if (printerId !== undefined && printerModel === undefined) throw new AppError('PRINTER_NOT_FOUND')
  const givenProductName = productId === undefined ? undefined : await findProductName(sql, accountId, productId)
  if (productId !== undefined && givenProductName === undefined) throw new AppError('PRODUCT_NOT_FOUND')
  const sku = skuId === undefined ? undefined : await findSkuForJob(sql, accountId, skuId)
  if (skuId !== undefined && !sku) throw new AppError('SKU_NOT_FOUND')
  if (!file.is_sliced) throw new AppError('FILE_NOT_SLICED', { name: file.name })
  if (printerModel !== undefined) refuseOtherModel(printerModel, file.printer_model)

  const plates = platesNeeded(input.number_of_units, input.quantity_per_print)
  const minutes = file.print_time_seconds === null ? null : Math.ceil((file.print_time_seconds * plates) / 60)
  if (minutes !== null && minutes > mostMinutes) {
    throw validationError({ number_of_units: [`would take ${minutes} minutes to print; at most ${mostMinutes}`] })
  }
  const jobId = newId('job')
  await insertJob(work, {
    id: jobId,
    print_file_id: file.print_file_id,
    file_version_id: file.file_version_id,
    printer_id: printerId ?? null,
    product_id: productId ?? sku?.product_id ?? null,
    product_sku_id: sku?.id ?? null,
    product_name: givenProductName ?? sku?.product_name ?? null,
    sku_name: sku ? [sku.color, sku.filament_type].filter(Boolean).join(' ') : null,
    file_name: file.name,
    color: input.color ?? (sku?.color || file.filament_color || ''),
    filament_type: input.filament_type ?? (sku?.filament_type || file.filament_type || ''),
    material_type: input.material_type ?? file.filament_type ?? defaultMaterial,
    number_of_units: input.number_of_units,
    quantity_per_print: input.quantity_per_print,
    requires_assembly: input.requires_assembly,
    priority: input.priority ?? 'normal',
    due_date: input.due_date ? new Date(input.due_date) : null,
    any_color: input.any_color ?? takesAnyColor(input.color, sku?.color, file.filament_color),
    plates_total: plates,
    estimated_print_time_minutes: minutes,
    filament_needed_grams:
      file.filament_weight_grams === null ? null : Math.round(file.filament_weight_grams * plates * 100) / 100,
    created_by: work.actor,
  })
  await work.record({
    type: 'job.queued',
    subjectId: jobId,
    data: { print_file_id: file.print_file_id, printer_id: printerId ?? null },
  })
  return getJob(sql, accountId, jobId)
}

/**
 * The colour of a file is only what the slicer showed while it was sliced: it was not asked for. Of a print in several colours they
 * are part of the print.
 */
function takesAnyColor(color: string | undefined, skuColor: string | undefined, fileColor: string | null): boolean {
  if (color !== undefined) return color === ''
  return !skuColor && !fileColor?.includes(';')
}

/** Refuses an action that the job's state does not allow; `details.status` gives the state. */
export function refuseUnlessPossible(action: JobAction, job: Pick<JobDetailRow, 'status'>): void {
  if (!isActionPossible(action, job.status)) throw jobStateChanged(action, job.status)
}

export function jobStateChanged(action: string, status: string): AppError {
  return new AppError('JOB_STATE_CHANGED', { status, action }, { details: { status } })
}
