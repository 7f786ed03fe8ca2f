import type { Sql } from '../../../db/database.ts'
import type { OrderSettings } from './order-settings.service.ts'
import { shipDay } from './ship-day.ts'

/**
 * Until when orders of these dates are to be shipped by the handling days of the account: the end of that day in its time zone.
 * Without handling days it knows none.
 */
export async function findShipTimes<At extends Date | string>(
  sql: Sql,
  settings: OrderSettings,
  orderDates: readonly At[],
): Promise<Map<At, Date>> {
  const { handling_days: handlingDays, working_days: workingDays, time_zone: timeZone } = settings
  if (handlingDays === null) return new Map()
  const dates = [...new Set(orderDates)]
  const ordered = await sql<{ day: string }[]>`
    select to_char(at::timestamptz at time zone ${timeZone}, 'YYYY-MM-DD') as day
    from unnest(${dates.map((date) => new Date(date).toISOString())}::text[]) with ordinality as dates (at, position)
    order by position`
  const days = ordered.map(({ day }) => shipDay(day, handlingDays, workingDays))
  const ends = await findEndsOfDays(sql, settings, days)
  return new Map(dates.map((date, index) => [date, ends.get(days[index] ?? '') as Date]))
}

/** Answers when days such as `2026-11-20` are over in the time zone of the account. */
export async function findEndsOfDays(
  sql: Sql,
  { time_zone: timeZone }: Pick<OrderSettings, 'time_zone'>,
  days: readonly string[],
): Promise<Map<string, Date>> {
  if (days.length === 0) return new Map()
  const ends = await sql<{ day: string; ends_at: Date }[]>`
    select distinct day, (day::date + 1)::timestamp at time zone ${timeZone} as ends_at
    from unnest(${[...days]}::text[]) as days (day)`
  return new Map(ends.map(({ day, ends_at }) => [day, ends_at]))
}
