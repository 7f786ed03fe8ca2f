import type { Context } from '../../context/context.ts'
import type { AccountId, JobId } from '../../kernel/ids.ts'
import { type Finish, foreseeFinish } from '../print-times/learnt-time.ts'
import { loadPrintTimes } from '../print-times/print-times.service.ts'
import type { ListedJob } from './waiting-jobs.queries.ts'

/** Answers when jobs of which a plate prints are done, from one statement for all of them. */
export async function foreseeFinishes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  accountId: AccountId,
  jobs: readonly ListedJob[],
): Promise<Map<JobId, Finish>> {
  const printing = jobs.flatMap((job) =>
    job.model === null || job.plate_started_at === null ? [] : [{ ...job, model: job.model }],
  )
  const timeOf = await loadPrintTimes(db.sql, accountId, printing)
  const now = clock.now()
  return new Map(
    printing.flatMap((job): [JobId, Finish][] => {
      const learnt = timeOf(job)
      const platesLeft = job.plates_total - job.plates_done
      const finish = learnt && foreseeFinish(learnt, { startedAt: job.plate_started_at, platesLeft, now })
      return finish ? [[job.id, finish]] : []
    }),
  )
}
