import type { Context } from '../../../context/context.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { readDays } from '../report-days.ts'
import { paretoOf, percentOf } from './pareto.ts'
import {
  listLateOrders,
  listPromisesByPlatform,
  listPromisesByWeek,
  type PromiseFigures,
  sumPromises,
} from './promises.queries.ts'
import type { lossReasons, Promises, Yield } from './quality.schema.ts'
import {
  countRejects,
  listLossesByType,
  listYieldByFile,
  listYieldByMaterial,
  listYieldByPrinter,
  sumYield,
  type YieldFigures,
} from './yield.queries.ts'

interface Days {
  from?: string
  to?: string
}

type Known = Pick<Context, 'db' | 'clock'>

const shareOf = (part: number, all: number) => (all === 0 ? null : percentOf(part, all))

function withYield<Row extends YieldFigures>(row: Row) {
  return {
    ...row,
    plate_yield: shareOf(row.plates_done, row.plates_done + row.plates_failed),
    unit_yield: shareOf(Math.max(0, row.units_good), row.units_good + row.units_rejected),
  }
}

/** Answers what came of plates, by what they were, where they were printed and of what; and what it cost that some were lost. */
export async function readYield({ db, clock }: Known, accountId: AccountId, query: Days): Promise<Yield> {
  const { reports: sql } = db
  const days = await readDays(sql, accountId, query, clock.now())
  const [sum, byFile, byPrinter, byMaterial, losses, rejects] = await Promise.all([
    sumYield(sql, accountId, days),
    listYieldByFile(sql, accountId, days),
    listYieldByPrinter(sql, accountId, days),
    listYieldByMaterial(sql, accountId, days),
    listLossesByType(sql, accountId, days),
    countRejects(sql, accountId, days),
  ])
  const reasons = paretoOf([
    ...losses.map(({ type, ...loss }) => ({ reason: type, ...loss })),
    { reason: 'rejected_on_plate', count: rejects.plates, units_lost: rejects.units_of_plates },
    { reason: 'rejected_in_assembly', count: rejects.assemblies, units_lost: rejects.units_of_assemblies },
  ])
  return {
    date_range: { from: days.from, to: days.to },
    summary: withYield(sum),
    by_file: byFile.map(withYield),
    by_printer: byPrinter.map(withYield),
    by_material: byMaterial.map(withYield),
    // The reasons are those that were put in.
    reasons: reasons.map((row) => ({ ...row, reason: row.reason as (typeof lossReasons)[number] })),
  }
}

const withShare = <Row extends PromiseFigures>(row: Row) => ({
  ...row,
  within_percent: shareOf(row.within, row.orders),
})

/** Answers how many orders left by when they were promised first. */
export async function readPromises({ db, clock }: Known, accountId: AccountId, query: Days): Promise<Promises> {
  const { reports: sql } = db
  const now = clock.now()
  const days = await readDays(sql, accountId, query, now)
  const [sum, byWeek, byPlatform, late] = await Promise.all([
    sumPromises(sql, accountId, days, now),
    listPromisesByWeek(sql, accountId, days, now),
    listPromisesByPlatform(sql, accountId, days, now),
    listLateOrders(sql, accountId, days, now),
  ])
  return {
    date_range: { from: days.from, to: days.to },
    summary: withShare(sum),
    by_week: byWeek.map(withShare),
    by_platform: byPlatform.map(withShare),
    late_orders: late.map(({ promised_at, shipped_at, ...order }) => ({
      ...order,
      promised_at: promised_at.toISOString(),
      shipped_at: shipped_at?.toISOString() ?? null,
    })),
  }
}
