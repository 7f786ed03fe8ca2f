import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { FarmFacts, PlateNeed, PrinterFacts } from './farm-facts.ts'
import { loadFarm, type MatchingContext } from './load-farm.ts'
import { listDemand, listPrintersForRules } from './matching.queries.ts'
import { plateNeedOf } from './plate-need.ts'

/** Queued jobs whose next plates need the same. */
export interface Demand extends PlateNeed {
  jobs: number
  /** Time of all plates that are still to be printed, one after another. */
  print_seconds: number
}

/** All printers of a farm, and what its queue asks of them, the oldest wish first. */
export async function loadDemand(
  context: MatchingContext,
  sql: Sql,
  accountId: AccountId,
): Promise<{ printers: PrinterFacts[]; demand: Demand[]; farm: FarmFacts }> {
  const [rows, demand, { farm, printerFacts }] = await Promise.all([
    listPrintersForRules(sql, accountId),
    listDemand(sql, accountId),
    loadFarm(context, sql, accountId, 'anybody'),
  ])
  return {
    printers: rows.map(printerFacts),
    demand: demand.map((row) => ({ ...plateNeedOf(row), jobs: row.jobs, print_seconds: row.print_seconds })),
    farm,
  }
}
