import type { Static } from 'typebox'
import type { Context } from '../../../context/context.ts'
import type { Transaction } from '../../../db/database.ts'
import { makeValidatorCompiler } from '../../../http/request/validation.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { type BulkResult, EnqueueBody } from '../jobs.schema.ts'
import { enqueueJob } from '../jobs.service.ts'

const checkItem = makeValidatorCompiler()({ schema: EnqueueBody, httpPart: 'body' })

/**
 * Queues many jobs in one transaction. Each is judged alone: one that is refused leaves nothing behind and does not keep
 * the others from being queued. The results stand in the order of the items.
 */
export async function enqueueJobs(
  context: Context,
  sql: Transaction,
  actor: Actor,
  items: unknown[],
): Promise<BulkResult[]> {
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
      results.push({ job: await sql.savepoint((part) => enqueueJob(context, part, actor, input)) })
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal
      results.push({ error: refusal })
    }
  }
  return results
}
