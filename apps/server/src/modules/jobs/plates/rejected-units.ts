import type { Sql } from '../../../db/database.ts'
import type { AttemptRow } from '../../../db/rows.generated.ts'
import { type FieldErrors, validationError } from '../../../kernel/errors.ts'
import { type AccountId, type JobId, newId, type PrinterId, type SkuId } from '../../../kernel/ids.ts'
import { takeFromAssembly } from '../../assembly/assembly.service.ts'
import { type JobOfAttempt, lockJobOfAttempt } from '../../attempts/attempts.queries.ts'
import { takeRejectedUnits } from '../../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../../events/work.ts'
import type { FailureType } from '../../failures/failure-type.ts'
import { wantsRejectsAgain } from '../../people/accounts/accounts.queries.ts'
import { platesNeeded, unitsOnPlate } from '../job-state.ts'
import {
  addRejects,
  copyOutputs,
  type JobOutputRow,
  listOutputs,
  recordCredit,
} from '../outputs/job-outputs.queries.ts'

/** What a person found bad of a plate. */
export interface RejectedUnits {
  /** Units of what the job is for. */
  quantity: number
  /** By output, of whichever SKU of the plate. */
  outputs: readonly RejectedOutput[]
  /** Failure of them, where a person said so. */
  type: FailureType | null
}

export interface RejectedOutput {
  product_sku_id: SkuId
  quantity: number
}

export const noRejects: RejectedUnits = { quantity: 0, outputs: [], type: null }

export const hasRejects = ({ quantity, outputs }: Pick<RejectedUnits, 'quantity' | 'outputs'>) =>
  quantity > 0 || outputs.length > 0

/** Bad units of one output; null: of a job that makes no product. */
interface Reject {
  skuId: SkuId | null
  isMain: boolean
  quantity: number
  /** Name in the request. */
  field: string
}

/**
 * A person found units of a plate bad. What was credited for them leaves the stock again; of a job that is still at work
 * they are not credited in the end. When the account wants it, a new job makes them again.
 *
 * @throws AppError `VALIDATION_ERROR` when the plate held fewer good units than that, or none of such a SKU.
 */
export async function rejectUnits(
  work: Work,
  plate: { jobId: JobId; printerId: PrinterId },
  rejected: RejectedUnits,
): Promise<void> {
  const { sql, accountId, now } = work
  const { jobId } = plate
  const attempt = await findLastAttempt(sql, accountId, plate)
  const job = await lockJobOfAttempt(sql, accountId, jobId)
  const outputs = await listOutputs(sql, accountId, jobId)
  const rejects = readRejects(rejected, outputs)
  refuseTooMany(rejects, outputs, job, attempt)
  const main = rejects.find(({ isMain }) => isMain)?.quantity ?? 0
  await sql`
    update jobs set units_rejected = units_rejected + ${main}, updated_at = ${now}
    where account_id = ${accountId} and id = ${jobId}`
  if (rejected.type !== null) await recordRejects(work, jobId, rejected.type, rejects)
  for (const output of outputs) {
    const quantity = rejects.find(({ skuId }) => skuId === output.product_sku_id)?.quantity ?? 0
    if (quantity > 0) await takeRejects(work, jobId, output, quantity, attempt?.is_credited ?? false)
  }
  const reprintId = (await wantsRejectsAgain(sql, accountId)) ? newId('job', now.getTime()) : null
  if (job && reprintId) {
    const plates = Math.max(...rejects.map((reject) => platesNeeded(reject.quantity, perPlate(reject, outputs, job))))
    const units = main > 0 ? main : plates * job.quantity_per_print
    await insertReprint(work, jobId, { id: reprintId, units, plates })
    await copyOutputs(work, jobId, { id: reprintId, units, plates })
    await work.record({
      type: 'job.queued',
      subjectId: reprintId,
      data: { reprint_of: jobId, number_of_units: units },
    })
  }
  await work.record({
    type: 'job.units_rejected',
    subjectId: jobId,
    data: {
      printer_id: plate.printerId,
      quantity_rejected: main,
      reprint_job_id: reprintId,
      ...(rejected.type !== null && { failure_type: rejected.type }),
      ...(rejects.some(({ isMain }) => !isMain) && {
        rejected: rejects.flatMap(({ skuId, quantity }) => (skuId ? { product_sku_id: skuId, quantity } : [])),
      }),
    },
  })
}

/** Keeps what went wrong, for the report of yield. */
async function recordRejects(
  { sql, accountId }: Work,
  jobId: JobId,
  type: FailureType,
  rejects: readonly Reject[],
): Promise<void> {
  const units = rejects.reduce((sum, { quantity }) => sum + quantity, 0)
  await sql`
    insert into unit_rejects ${sql({ account_id: accountId, job_id: jobId, type, times: 1, units })}
    on conflict (account_id, job_id, type)
      do update set times = unit_rejects.times + 1, units = unit_rejects.units + excluded.units`
}

function readRejects({ quantity, outputs: named }: RejectedUnits, outputs: readonly JobOutputRow[]): Reject[] {
  const main = outputs.find(({ is_main }) => is_main)?.product_sku_id ?? null
  const rejects: Reject[] = quantity > 0 ? [{ skuId: main, isMain: true, quantity, field: 'quantity_rejected' }] : []
  for (const [index, output] of named.entries()) {
    const field = `rejected.${index}`
    const known = outputs.find(({ product_sku_id }) => product_sku_id === output.product_sku_id)
    if (!known) throw validationError({ [`${field}.product_sku_id`]: ['is no SKU that lay on this plate'] })
    if (rejects.some(({ skuId }) => skuId === output.product_sku_id)) {
      throw validationError({ [`${field}.product_sku_id`]: ['is given twice'] })
    }
    rejects.push({
      skuId: output.product_sku_id,
      isMain: known.is_main,
      quantity: output.quantity,
      field: `${field}.quantity`,
    })
  }
  return rejects
}

function refuseTooMany(
  rejects: readonly Reject[],
  outputs: readonly JobOutputRow[],
  job: JobOfAttempt | undefined,
  attempt: Pick<AttemptRow, 'plate_number' | 'outcome'> | undefined,
): void {
  const errors: FieldErrors = {}
  for (const { skuId, quantity, field } of rejects) {
    const output = outputs.find(({ product_sku_id }) => product_sku_id === skuId) ?? {
      units: job?.number_of_units ?? 0,
      units_per_plate: job?.quantity_per_print ?? 0,
      units_rejected: job?.units_rejected ?? 0,
    }
    const most =
      job && attempt?.outcome === 'done'
        ? Math.max(0, Math.min(unitsOnPlate(output, attempt.plate_number), output.units - output.units_rejected))
        : 0
    if (quantity > most) errors[field] = [`must be at most ${most}`]
  }
  if (Object.keys(errors).length > 0) throw validationError(errors)
}

async function takeRejects(
  work: Work,
  jobId: JobId,
  output: JobOutputRow,
  units: number,
  isCredited: boolean,
): Promise<void> {
  const { product_sku_id: skuId, requires_assembly: requiresAssembly } = output
  await addRejects(work, jobId, skuId, units)
  if (!isCredited) return
  // What is rejected is not credited any more: a later credit of the job counts it once.
  await recordCredit(work, jobId, skuId, Math.max(0, output.units_credited - units))
  const ready = requiresAssembly ? await takeFromAssembly(work, jobId, skuId, units) : units
  if (ready > 0) await takeRejectedUnits(work, { jobId, skuId, units: ready, requiresAssembly: false })
  if (units > ready) await takeRejectedUnits(work, { jobId, skuId, units: units - ready, requiresAssembly: true })
}

function perPlate({ skuId }: Reject, outputs: readonly JobOutputRow[], job: JobOfAttempt): number {
  return outputs.find(({ product_sku_id }) => product_sku_id === skuId)?.units_per_plate ?? job.quantity_per_print
}

type PlateAttempt = Pick<AttemptRow, 'plate_number' | 'outcome'> & {
  /** Its units were credited: the job has ended, or a later plate of it failed and it was tried again. */
  is_credited: boolean
}

async function findLastAttempt(
  sql: Sql,
  accountId: AccountId,
  plate: { jobId: JobId; printerId: PrinterId },
): Promise<PlateAttempt | undefined> {
  const [attempt] = await sql<PlateAttempt[]>`
    select a.plate_number, a.outcome,
           j.status in ('completed', 'failed', 'cancelled') or exists (
             select from attempts later
             where later.account_id = a.account_id and later.job_id = a.job_id and later.plate_number > a.plate_number
               and later.outcome = 'failed'
           ) as is_credited
    from attempts a join jobs j on j.account_id = a.account_id and j.id = a.job_id
    where a.account_id = ${accountId} and a.printer_id = ${plate.printerId} and a.job_id = ${plate.jobId}
      and a.phase = 'finished' and a.outcome <> 'not_started'
    order by a.fence desc limit 1`
  return attempt
}

/** A job like another one for some of its units; what it needs is reckoned by its plates. */
async function insertReprint(
  { sql, accountId, actor, now }: Work,
  jobId: JobId,
  { id, units, plates }: { id: JobId; units: number; plates: number },
): Promise<void> {
  await sql`
    insert into jobs
      (account_id, id, status, print_file_id, file_version_id, printer_id, product_id, product_sku_id, product_name,
       sku_name, file_name, color, filament_type, material_type, number_of_units, quantity_per_print,
       requires_assembly, plates_total, estimated_print_time_minutes, filament_needed_grams, created_by, reprint_of,
       priority, due_date, any_color, recipe_id, order_item_id, time_submitted, created_at, updated_at)
    select account_id, ${id}, 'queued', print_file_id, file_version_id,
           case when auto_assigned then null else printer_id end, product_id, product_sku_id,
           product_name, sku_name, file_name, color, filament_type, material_type, ${units}::integer,
           quantity_per_print, requires_assembly, ${plates}::integer,
           ceil(estimated_print_time_minutes::float8 * ${plates}::integer / plates_total)::integer,
           filament_needed_grams * ${plates}::integer / plates_total, ${actor}, id, priority, due_date,
           any_color, recipe_id, order_item_id, ${now}, ${now}, ${now}
    from jobs where account_id = ${accountId} and id = ${jobId}`
}
