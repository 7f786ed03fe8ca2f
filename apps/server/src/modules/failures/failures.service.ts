import type { Static } from 'typebox'
import type { Sql } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, PrintFailureId } from '../../kernel/ids.ts'
import { readDays } from '../analytics/report-days.ts'
import type { Work } from '../events/work.ts'
import {
  countByDay,
  countByPrinter,
  countByType,
  type FailureChange,
  type FailureRow,
  findFailure,
  listRecent,
  sumFailures,
  updateFailure,
} from './failures.queries.ts'
import { type FailureAnalytics, type FailureChanges, presentFailure } from './failures.schema.ts'

/** Answers what failed within some days of the account, counted and the latest of it. `sql` is for long reads. */
export async function readFailures(
  sql: Sql,
  accountId: AccountId,
  query: { from?: string; to?: string; resolved?: boolean },
  now: Date,
): Promise<Static<typeof FailureAnalytics>> {
  const days = await readDays(sql, accountId, query, now)
  const span = { ...days, resolved: query.resolved }
  const [sum, by_type, by_printer, daily_trend, recent] = await Promise.all([
    sumFailures(sql, accountId, span),
    countByType(sql, accountId, span),
    countByPrinter(sql, accountId, span),
    countByDay(sql, accountId, span),
    listRecent(sql, accountId, span),
  ])
  const summary = {
    total_failures: sum.total,
    resolved: sum.resolved,
    unresolved: sum.total - sum.resolved,
    resolution_rate: sum.total === 0 ? 0 : Math.round((sum.resolved / sum.total) * 1000) / 10,
  }
  return {
    date_range: { from: days.from, to: days.to },
    summary,
    ...summary,
    by_type: by_type.map(({ type, count }) => ({ type, failure_type: type, count })),
    by_printer,
    daily_trend,
    recent: recent.map(presentFailure),
  }
}

/** A person says what went wrong, or that it was dealt with. */
export async function changeFailure(
  work: Work,
  failureId: PrintFailureId,
  { type, notes, resolved }: FailureChanges,
): Promise<FailureRow> {
  const { sql, accountId, actor, now } = work
  await lockRow(sql, 'print_failures', accountId, failureId)
  const before = await getFailure(sql, accountId, failureId)
  const isResolved = before.resolved_at !== null
  const change: FailureChange = {
    ...(type !== undefined && type !== before.type && { type, typed_by_person: true }),
    ...(notes !== undefined && notes !== before.notes && { notes }),
    ...(resolved === true && !isResolved && { resolved_at: now, resolved_by: actor }),
    ...(resolved === false && isResolved && { resolved_at: null, resolved_by: null }),
  }
  if (Object.keys(change).length === 0) return before
  await updateFailure(work, failureId, change)
  await work.record({
    type: 'print_failure.updated',
    subjectId: failureId,
    data: { fields: Object.keys(change), job_id: before.job_id },
  })
  return getFailure(sql, accountId, failureId)
}

export async function getFailure(sql: Sql, accountId: AccountId, failureId: PrintFailureId): Promise<FailureRow> {
  const failure = await findFailure(sql, accountId, failureId)
  if (!failure) throw notFound('failure')
  return failure
}
