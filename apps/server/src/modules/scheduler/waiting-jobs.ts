import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../context/context.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { loadFarm } from '../matching/load-farm.ts'
import { type JobForRules, listPrintersForRules } from '../matching/matching.queries.ts'
import { nearestVerdicts, type Remedy, type WaitingReason } from './explain-job.ts'

/** Reason why a job waits, as short as a list tells it. */
export interface Waiting {
  reason: WaitingReason
  sentence: string
  remedy: Remedy | null
  /** Null when a person must act first, or no one can tell. */
  earliestStart: Date | null
}

/**
 * Answers why each of these queued jobs waits, in the words of its explanation, from the same few statements as for one job. The
 * event loop is given back between jobs: a page of a large farm is many verdicts.
 */
export async function explainWaiting(
  context: Context,
  accountId: AccountId,
  jobs: readonly JobForRules[],
): Promise<Map<string, Waiting>> {
  if (jobs.length === 0) return new Map()
  const { sql } = context.db
  const [rows, { farm, printerFacts, jobFacts }] = await Promise.all([
    listPrintersForRules(sql, accountId),
    loadFarm(context, sql, accountId, 'scheduler', { withSpools: true }),
  ])
  const verdictOf = nearestVerdicts(rows.map(printerFacts), farm)
  const waiting = new Map<string, Waiting>()
  for (const job of jobs) {
    waiting.set(job.id, verdictOf(jobFacts(job)))
    await nextTurn()
  }
  return waiting
}
