import type { Sql } from '../../db/database.ts'
import type { OrderSettings } from '../orders/settings/order-settings.service.ts'
import { shipDay } from '../orders/settings/ship-day.ts'

/** Day when an order that is ready can leave, and the end of that day. */
interface LeavingDay {
  leavesAt: Date
  endsAt: Date
}

/** What is ready on a working day leaves on it; else it leaves on the next one. By the calendar of the account, from two statements for all. */
export async function findLeavingDays(
  sql: Sql,
  { working_days: workingDays, time_zone: timeZone }: Pick<OrderSettings, 'working_days' | 'time_zone'>,
  readyTimes: readonly Date[],
): Promise<Map<number, LeavingDay>> {
  const times = [...new Set(readyTimes.map(Number))]
  if (times.length === 0) return new Map()
  const ready = await sql<{ day: string }[]>`
    select to_char(at at time zone ${timeZone}, 'YYYY-MM-DD') as day
    from unnest(${times.map((ms) => new Date(ms))}::timestamptz[]) with ordinality as times (at, position)
    order by position`
  const leaving = ready.map(({ day }) => shipDay(day, 0, workingDays))
  const bounds = await sql<{ day: string; starts_at: Date; ends_at: Date }[]>`
    select day, day::date::timestamp at time zone ${timeZone} as starts_at,
           (day::date + 1)::timestamp at time zone ${timeZone} as ends_at
    from unnest(${[...new Set(leaving)]}::text[]) as days (day)`
  const byDay = new Map(bounds.map((row) => [row.day, row]))
  return new Map(
    times.flatMap((ms, index): [number, LeavingDay][] => {
      const day = byDay.get(leaving[index] ?? '')
      if (!day) return []
      return [[ms, { leavesAt: new Date(Math.max(ms, Number(day.starts_at))), endsAt: day.ends_at }]]
    }),
  )
}
