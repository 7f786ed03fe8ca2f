import type { Sql } from '../../../db/database.ts'
import type { AccountId } from '../../../kernel/ids.ts'

/** A calendar day of an account: from `starts_at` to before `ends_at`. It may have 23 or 25 hours. */
export interface Day {
  /** As `2026-11-20`. */
  date: string
  starts_at: Date
  ends_at: Date
}

/**
 * Answers when a day begins in the time zone of account `a`. Where clocks are put forward at midnight, that is the moment of the
 * change, as PostgreSQL has it. Where they are put back to midnight it comes twice and PostgreSQL takes the second one,
 * so what is left of the day just before that one is taken off.
 */
const beginning = (sql: Sql, midnight: ReturnType<Sql>) => sql`
  (${midnight}) at time zone a.time_zone - greatest(
    ((${midnight}) at time zone a.time_zone - interval '1 microsecond') at time zone a.time_zone
      + interval '1 microsecond' - (${midnight}),
    interval '0')`

/** The day that a moment belongs to by the calendar of the account. */
export async function getDay(sql: Sql, accountId: AccountId, at: Date): Promise<Day> {
  return dayOf(sql, accountId, sql`date_trunc('day', ${at}::timestamptz at time zone a.time_zone)`)
}

/** The day of this name (`2026-11-20`) by the calendar of the account. */
export async function getCalendarDay(sql: Sql, accountId: AccountId, date: string): Promise<Day> {
  return dayOf(sql, accountId, sql`${date}::date::timestamp`)
}

async function dayOf(sql: Sql, accountId: AccountId, midnight: ReturnType<Sql>): Promise<Day> {
  const [day] = await sql<Day[]>`
    select local.midnight::date as date, ${beginning(sql, sql`local.midnight`)} as starts_at,
           ${beginning(sql, sql`local.midnight + interval '1 day'`)} as ends_at
    from accounts a
    cross join lateral (select ${midnight} as midnight) local
    where a.id = ${accountId}`
  if (!day) throw new Error(`There is no account ${accountId}`)
  return day
}
