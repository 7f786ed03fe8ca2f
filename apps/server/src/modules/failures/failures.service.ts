import type { Static } from 'typebox'
import type { Sql } from '../../db/database.ts'
import { lockRow } from '../../db/lock-row.ts'
import { notFound, validationError } from '../../kernel/errors.ts'
import type { AccountId, PrintFailureId } from '../../kernel/ids.ts'
import { getCalendarDay, getDay } from '../analytics/analytics.queries.ts'
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

const dayMs = 86_400_000

/** Days that are looked at when no one says how many, and at most. */
const defaultDays = 30
const mostDays = 366

/** Nothing was recorded before; and some days before it have no name that the database knows. */
const firstYear = '2000'

/** What failed within some days of the account, counted and the latest of it. `sql` is for long reads. */
export async function readFailures(
  sql: Sql,
  accountId: AccountId,
  query: { from?: string; to?: string },
  now: Date,
): Promise<Static<typeof FailureAnalytics>> {
  const today = (await getDay(sql, accountId, now)).date
  const { from, to } = daysOf(query, today)
  // Nothing is on record after today; and the last day of all ends in a year that the database does not know.
  const [first, last] = await Promise.all([
    getCalendarDay(sql, accountId, from),
    getCalendarDay(sql, accountId, to < today ? to : today),
  ])
  const span = { starts_at: first.starts_at, ends_at: last.ends_at }
  const [sum, by_type, by_printer, daily_trend, recent] = await Promise.all([
    sumFailures(sql, accountId, span),
    countByType(sql, accountId, span),
    countByPrinter(sql, accountId, span),
    countByDay(sql, accountId, span),
    listRecent(sql, accountId, span),
  ])
  return {
    total_failures: sum.total,
    resolved: sum.resolved,
    unresolved: sum.total - sum.resolved,
    resolution_rate: sum.total === 0 ? 0 : Math.round((sum.resolved / sum.total) * 1000) / 10,
    by_type,
    by_printer,
    daily_trend,
    recent: recent.map(presentFailure),
  }
}

function daysOf(query: { from?: string; to?: string }, today: string) {
  for (const field of ['from', 'to'] as const) {
    if ((query[field] ?? firstYear) < firstYear)
      throw validationError({ [field]: [`must not lie before ${firstYear}`] })
  }
  const to = query.to ?? today
  const from = query.from ?? new Date(Date.parse(to) - (defaultDays - 1) * dayMs).toISOString().slice(0, 10)
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw validationError({ from: ['must not be after to'] })
  if (days > mostDays) throw validationError({ from: [`must be at most ${mostDays} days before to`] })
  return { from, to }
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
