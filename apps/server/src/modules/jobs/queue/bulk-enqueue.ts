import type { Static } from 'typebox'
import type { Context } from '../../../context/context.ts'
import { makeValidatorCompiler } from '../../../http/request/validation.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type Work, workIn } from '../../events/work.ts'
import { type BulkResult, EnqueueBody } from '../jobs.schema.ts'
import { enqueueJob } from '../jobs.service.ts'

const checkItem = makeValidatorCompiler()({ schema: EnqueueBody, httpPart: 'body' })

/**
 * Queues many jobs in one transaction. Each is judged alone: one that is refused leaves nothing behind and does not keep
 * the others from being queued. The results stand in the order of the items.
 */
export async function enqueueJobs(context: Context, work: Work, items: unknown[]): Promise<BulkResult[]> {
  const results: BulkResult[] = []
  for (const item of items) {
    const { error, value } = checkItem(item)
    if (error) {
      results.push({ error })
      continue
    }
    try {
      // The validator has just found this shape.
      const input = value as Static<typeof EnqueueBody>
      results.push({ job: await work.sql.savepoint((part) => enqueueJob(context, workIn(part, work), input)) })
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal
      results.push({ error: refusal })
    }
  }
  return results
}
