import type { Context } from '../../context/context.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { loadFarm } from '../matching/load-farm.ts'
import { listFreePrinters } from '../matching/matching.queries.ts'
import { matchJobs } from './match-jobs.ts'

/**
 * Answers which of these printers, whose power is off, would be given a job of the queue if they were on and idle. Each job counts for one printer:
 * no more are named than have something to print.
 */
export async function listWantedPrinters(
  context: Context,
  accountId: AccountId,
  printerIds: readonly PrinterId[],
): Promise<Set<PrinterId>> {
  const { sql } = context.db
  const rows = (await listFreePrinters(sql, accountId)).filter(({ id }) => printerIds.includes(id))
  if (rows.length === 0) return new Set()
  const loaded = await loadFarm(context, sql, accountId)
  const asIfOn = rows.map(loaded.printerFacts).map((facts) => ({
    ...facts,
    status: 'idle' as const,
    blocking_problem: null,
    remaining_minutes: null,
  }))
  const wanted = new Set<PrinterId>()
  for await (const matches of matchJobs(sql, accountId, asIfOn, loaded)) {
    for (const { printer } of matches) wanted.add(printer.id)
  }
  return wanted
}
