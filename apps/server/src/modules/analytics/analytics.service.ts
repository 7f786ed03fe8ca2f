import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { Static } from 'typebox'
import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { findOwnHub } from '../../live/own-printer.ts'
import { getDay } from '../people/accounts/account-days.queries.ts'
import { statusNow } from '../printers/live-printer.ts'
import { listPlaces } from '../printers/printers.queries.ts'
import { countJobs, countLowStock, countTasks, listHubIds } from './analytics.queries.ts'
import type { Overview } from './analytics.schema.ts'

/** Answers what goes on in a farm now. It costs the same however many jobs have ended before today. */
export async function readOverview(
  context: Pick<Context, 'db' | 'hubs' | 'printers' | 'clock'>,
  accountId: AccountId,
): Promise<Static<typeof Overview>> {
  const { hubs, clock } = context
  const { sql } = context.db
  const [{ date, jobs }, printers, tasks, hubIds, lowStock] = await Promise.all([
    countJobsOfDay(sql, accountId, clock.now()),
    listPlaces(sql, accountId, { is_active: true }),
    countTasks(sql, accountId),
    listHubIds(sql, accountId),
    countLowStock(sql, accountId),
  ])
  return {
    date,
    printers: countByStatus(printers.map((printer) => statusNow(context, accountId, printer))),
    jobs,
    tasks,
    hubs: { total: hubIds.length, online: hubIds.filter((id) => findOwnHub(hubs, accountId, id)).length },
    alerts: { low_stock: lowStock },
  }
}

async function countJobsOfDay(sql: Sql, accountId: AccountId, now: Date) {
  const day = await getDay(sql, accountId, now)
  return { date: day.date, jobs: await countJobs(sql, accountId, day) }
}

function countByStatus(statuses: PrinterStatus[]): Record<PrinterStatus | 'total', number> {
  const counts = { total: statuses.length, idle: 0, printing: 0, paused: 0, maintenance: 0, error: 0, offline: 0 }
  for (const status of statuses) counts[status] += 1
  return counts
}
