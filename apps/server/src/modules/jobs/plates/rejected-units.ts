import type { Sql } from '../../../db/database.ts'
import type { AttemptRow } from '../../../db/rows.generated.ts'
import { validationError } from '../../../kernel/errors.ts'
import { type AccountId, type JobId, newId, type PrinterId } from '../../../kernel/ids.ts'
import { takeFromAssembly } from '../../assembly/assembly.service.ts'
import { lockJobOfAttempt } from '../../attempts/attempts.queries.ts'
import { takeRejectedUnits } from '../../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../../events/work.ts'
import { wantsRejectsAgain } from '../../people/accounts/accounts.queries.ts'
import { platesNeeded, unitsOnPlate } from '../job-state.ts'

/**
 * A person found units of a plate bad. What was credited for them leaves the stock again; of a job that is still at work
 * they are not credited in the end. When the account wants it, a new job makes them again.
 *
 * @throws AppError `VALIDATION_ERROR` when the plate held fewer good units than that.
 */
export async function rejectUnits(
  work: Work,
  plate: { jobId: JobId; printerId: PrinterId },
  quantity: number,
): Promise<void> {
  const { sql, accountId, now } = work
  const { jobId } = plate
  const attempt = await findLastAttempt(sql, accountId, plate)
  const job = await lockJobOfAttempt(sql, accountId, jobId)
  const most =
    job && attempt?.outcome === 'done'
      ? Math.min(unitsOnPlate(job, attempt.plate_number), job.number_of_units - job.units_rejected)
      : 0
  if (!job || quantity > most) throw validationError({ quantity_rejected: [`must be at most ${most}`] })
  await sql`
    update jobs set units_rejected = units_rejected + ${quantity}, updated_at = ${now}
    where account_id = ${accountId} and id = ${jobId}`
  if (job.status === 'completed' && job.product_sku_id) {
    if (job.requires_assembly) await takeFromAssembly(work, jobId, quantity)
    await takeRejectedUnits(work, {
      jobId,
      skuId: job.product_sku_id,
      units: quantity,
      requiresAssembly: job.requires_assembly,
    })
  }
  const reprintId = (await wantsRejectsAgain(sql, accountId)) ? newId('job', now.getTime()) : null
  if (reprintId) {
    await insertReprint(work, jobId, {
      id: reprintId,
      units: quantity,
      plates: platesNeeded(quantity, job.quantity_per_print),
    })
    await work.record({
      type: 'job.queued',
      subjectId: reprintId,
      data: { reprint_of: jobId, number_of_units: quantity },
    })
  }
  await work.record({
    type: 'job.units_rejected',
    subjectId: jobId,
    data: { printer_id: plate.printerId, quantity_rejected: quantity, reprint_job_id: reprintId },
  })
}

async function findLastAttempt(
  sql: Sql,
  accountId: AccountId,
  plate: { jobId: JobId; printerId: PrinterId },
): Promise<Pick<AttemptRow, 'plate_number' | 'outcome'> | undefined> {
  const [attempt] = await sql<Pick<AttemptRow, 'plate_number' | 'outcome'>[]>`
    select plate_number, outcome from attempts
    where account_id = ${accountId} and printer_id = ${plate.printerId} and job_id = ${plate.jobId}
      and phase = 'finished' and outcome <> 'not_started'
    order by fence desc limit 1`
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
       priority, due_date, any_color, time_submitted, created_at, updated_at)
    select account_id, ${id}, 'queued', print_file_id, file_version_id,
           case when auto_assigned then null else printer_id end, product_id, product_sku_id,
           product_name, sku_name, file_name, color, filament_type, material_type, ${units}::integer,
           quantity_per_print, requires_assembly, ${plates}::integer,
           ceil(estimated_print_time_minutes::float8 * ${plates}::integer / plates_total)::integer,
           filament_needed_grams * ${plates}::integer / plates_total, ${actor}, id, priority, due_date,
           any_color, ${now}, ${now}, ${now}
    from jobs where account_id = ${accountId} and id = ${jobId}`
}
