import type { Static } from 'typebox'
import type { Context } from '../../context/context.ts'
import type { JobId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { workIn } from '../events/work.ts'
import type { JobDetailRow } from '../jobs/jobs.queries.ts'
import type { EnqueueBody } from '../jobs/jobs.schema.ts'
import { enqueueJob } from '../jobs/jobs.service.ts'
import { kindFitOf } from '../matching/judge.ts'
import { foreseeFinish } from '../print-times/learnt-time.ts'
import { loadPrintTimes } from '../print-times/print-times.service.ts'
import { forecastJobs } from '../promises/forecast-jobs.ts'
import { explainJob, type JobExplanation, type PrinterVerdict } from './explain-job.ts'
import { platesOf } from './printer-queue.ts'

export interface JobPreview {
  job: JobDetailRow
  explanation: JobExplanation
  /** Printers that could print it as they are equipped, and those that only lack the filament, whatever they do now. */
  fits: { asEquipped: number; withOtherFilament: number }
  /** The printer that would take it at once. */
  free: PrinterVerdict['printer'] | null
  finish: { p50_at: Date | null; p90_at: Date | null }
}

/** Carries the answer out of what is rolled back. */
class TakenBack extends Error {
  readonly preview: JobPreview

  constructor(preview: JobPreview) {
    super('a preview queues nothing')
    this.preview = preview
  }
}

/**
 * Answers what would become of a job if it were queued now. It is queued, explained and forecast as any job is, and all of it is rolled back: so
 * what is told before is what will hold after.
 *
 * @throws AppError what `enqueueJob` throws
 */
export async function previewJob(context: Context, work: Work, input: Static<typeof EnqueueBody>): Promise<JobPreview> {
  try {
    return await work.sql.savepoint(async (sql) => {
      const tried = workIn(sql, work)
      throw new TakenBack(await foresee(context, tried, await enqueueJob(context, tried, input)))
    })
  } catch (end) {
    if (end instanceof TakenBack) return end.preview
    throw end
  }
}

async function foresee(context: Context, work: Work, job: JobDetailRow): Promise<JobPreview> {
  const explanation = await explainJob(context, work.accountId, job.id, work.sql)
  const fits = explanation.verdicts.map(({ rules }) => kindFitOf(rules))
  const [nearest] = explanation.verdicts
  const free = nearest?.failures.length === 0 ? nearest : undefined
  return {
    job,
    explanation,
    fits: {
      asEquipped: fits.filter((fit) => fit === 'fits').length,
      withOtherFilament: fits.filter((fit) => fit === 'filament').length,
    },
    free: free?.printer ?? null,
    finish: free ? await finishOn(work, explanation, free) : await finishInTurn(work, job.id, explanation),
  }
}

/** Answers when it is done on a printer that starts it now. */
async function finishOn(
  { sql, accountId, now }: Work,
  { job }: JobExplanation,
  { printer, job: way }: PrinterVerdict,
): Promise<JobPreview['finish']> {
  const wanted = { file_version_id: way.file_version_id, model: printer.model }
  const learnt = (await loadPrintTimes(sql, accountId, [wanted]))(wanted)
  const finish = learnt && foreseeFinish(learnt, { startedAt: now, platesLeft: platesOf(job, way), now })
  return finish ?? { p50_at: null, p90_at: null }
}

/** Answers when it is done after what prints and what comes before it in the queue; unknown where it cannot be printed at all. */
async function finishInTurn(
  work: Work,
  jobId: JobId,
  { reason, remedy }: JobExplanation,
): Promise<JobPreview['finish']> {
  const isHopeless = remedy === null && reason !== 'starts_now'
  const outlook = isHopeless ? undefined : (await forecastJobs(work, [])).jobs.get(jobId)
  const at = (ms: number | null | undefined) => (ms == null ? null : new Date(ms))
  return { p50_at: at(outlook?.p50Ms), p90_at: at(outlook?.p90Ms) }
}
