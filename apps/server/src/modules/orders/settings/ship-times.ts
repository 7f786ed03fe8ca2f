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
  const ends = await sql<{ ends_at: Date }[]>`
    select (day::date + 1)::timestamp at time zone ${timeZone} as ends_at
    from unnest(${days}::text[]) with ordinality as days (day, position)
    order by position`
  return new Map(dates.map((date, index) => [date, ends[index]?.ends_at as Date]))
}
