import type { Context } from '../../context/context.ts'
import { LeasedMemory } from '../../db/coherence/leased-memory.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, JobId } from '../../kernel/ids.ts'
import { findJob, type JobDetailRow } from './jobs.queries.ts'

/** Jobs that are kept, some 2 KB each: what integrations and open pages of large farms ask for again and again. */
const mostJobs = 5_000

/** Single jobs in memory, never older than the question: docs/decisions/0079-jobs-in-memory.md says how. */
interface JobMemory {
  /**
   * A job as it is in the database at this moment; at once, without a promise, where that is known. The caller must not change it.
   *
   * @throws AppError `NOT_FOUND`
   */
  get(accountId: AccountId, jobId: JobId): JobDetailRow | Promise<JobDetailRow>
}

/** For `context.memory.hold`. */
export function rememberJobs({ db }: Pick<Context, 'db'>): JobMemory {
  const jobs = new LeasedMemory<JobDetailRow>(db.coherence, mostJobs)

  async function read(key: string, accountId: AccountId, jobId: JobId): Promise<JobDetailRow> {
    const found = await jobs.read(key, async () => {
      const job = await findJob(db.sql, accountId, jobId)
      return job && { value: job, ids: [jobId, ...(job.printer_id ? [job.printer_id] : [])] }
    })
    if (!found) throw notFound('job')
    return found
  }

  return {
    get(accountId, jobId) {
      const key = `${accountId} ${jobId}`
      return jobs.get(key) ?? read(key, accountId, jobId)
    },
  }
}
