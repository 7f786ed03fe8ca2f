import type { Sql } from '../../db/database.ts'
import { validationError } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { getCalendarDay, getDay } from '../people/accounts/account-days.queries.ts'

const dayMs = 86_400_000

/** Days that are looked at when no one says how many, and at most. */
const defaultDays = 30
const mostDays = 366

/** Nothing was recorded before; and some days before it have no name that the database knows. */
const firstYear = '2000'

/** Whole days of an account's calendar, from `starts_at` to before `ends_at`. */
export interface ReportDays {
  /** First and last day, as `2026-11-20`. */
  from: string
  to: string
  starts_at: Date
  ends_at: Date
}

/** The days that a report is for: those that are asked for, or the last 30. Nothing is on record after today. */
export async function readDays(
  sql: Sql,
  accountId: AccountId,
  query: { from?: string; to?: string },
  now: Date,
): Promise<ReportDays> {
  const today = (await getDay(sql, accountId, now)).date
  const { from, to } = daysOf(query, today)
  // The last day of all ends in a year that the database does not know.
  const [first, last] = await Promise.all([
    getCalendarDay(sql, accountId, from),
    getCalendarDay(sql, accountId, to < today ? to : today),
  ])
  return { from, to, starts_at: first.starts_at, ends_at: last.ends_at }
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

/** The names of all days, in order. */
export function listDays({ from, to }: Pick<ReportDays, 'from' | 'to'>): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return Array.from({ length: count }, (_, n) => new Date(Date.parse(from) + n * dayMs).toISOString().slice(0, 10))
}
