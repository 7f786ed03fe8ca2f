import { AppError } from '../../../kernel/errors.ts'
import type { JobId, PrinterId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { isSlicedFor, refuseOtherModel } from '../../matching/sliced-for.ts'
import { findPrinterForJob } from '../jobs.queries.ts'
import { applyOption, listOpenOptions } from '../outputs/job-options.queries.ts'

/**
 * Makes a queued job, which is locked, one that a printer can print: of its open ways it takes the preferred one for that model.
 *
 * @throws AppError `PRINTER_NOT_FOUND`, `PRINTER_MODEL_MISMATCH`
 */
export async function fitToPrinter(
  work: Work,
  jobId: JobId,
  printerId: PrinterId,
  fileModel: string | null,
): Promise<void> {
  const { sql, accountId } = work
  const printer = await findPrinterForJob(sql, accountId, printerId)
  if (!printer) throw new AppError('PRINTER_NOT_FOUND')
  const options = await listOpenOptions(sql, accountId, jobId)
  const fitting = options.find((option) => isSlicedFor(printer.model, option.printer_model))
  if (fitting) await applyOption(work, jobId, fitting.position)
  else refuseOtherModel(printer.model, fileModel)
}
