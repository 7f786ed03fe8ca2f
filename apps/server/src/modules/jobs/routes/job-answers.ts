import type { Context } from '../../../context/context.ts'
import type { PrinterId } from '../../../kernel/ids.ts'
import type { LivePrinter } from '../../../live/printers.ts'
import type { JobDetailRow } from '../jobs.queries.ts'
import { presentJobDetail } from '../jobs.schema.ts'

export const tags = ['Jobs']

/** Answers what the printer of a job does now, or did before it came out of reach. */
export function liveOf(
  { printers }: Pick<Context, 'printers'>,
  job: { printer_id: PrinterId | null },
): Pick<LivePrinter, 'state'> | undefined {
  return job.printer_id ? (printers.findPast(job.printer_id) ?? printers.find(job.printer_id)) : undefined
}

/** A job as it is answered at this moment. */
export const presentNow = (context: Pick<Context, 'printers'>, job: JobDetailRow) =>
  presentJobDetail(job, liveOf(context, job))
