import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { answer, envelope, failures, nullable, ok, oneOf, resource, timestamp } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { getDay } from '../people/accounts/account-days.queries.ts'
import { busyPercent } from './busy-percent.ts'
import { listFarmPeriods } from './farm-day.queries.ts'
import { periodCauses } from './period-cause.ts'
import { sumFarmTime } from './timeline.queries.ts'

const FarmDay = resource('FarmDay', 'Activity of all printers today', {
  from: timestamp('Midnight in the time zone of the account'),
  to: timestamp('The next midnight'),
  now: timestamp('The moment of this answer; no period ends later'),
  printers: Type.Array(
    answer(
      {
        printer_id: Type.String({ description: 'ID of the printer' }),
        periods: Type.Array(
          answer(
            {
              cause: oneOf(periodCauses, { description: 'Activity of the printer, or the reason why it waited' }),
              started_at: timestamp('Start, or midnight when that is later'),
              ended_at: timestamp('End; now for the current one'),
              job_id: nullable(Type.String({ description: 'The job whose print it belongs to' })),
              job_name: nullable(
                Type.String({ description: 'Product or file that was printed', examples: ['Shelf bracket'] }),
              ),
            },
            { description: 'A stretch of time with one cause' },
          ),
          { description: 'In the order of time' },
        ),
      },
      { description: 'A printer with anything on record today' },
    ),
    { description: 'Printers, by ID' },
  ),
  week: Type.Array(
    answer(
      {
        date: Type.String({ format: 'date', description: 'The day, by the time zone of the account' }),
        busy_percent: nullable(
          Type.Number({
            minimum: 0,
            maximum: 100,
            description:
              'Share of the time on record of all printers that they printed; null where nothing is on record',
          }),
        ),
      },
      { description: 'One day' },
    ),
    { description: 'Seven days, the last of them today until now' },
  ),
})

/** The day of the farm, printer by printer. */
export function farmDayRoutes(app: App, context: Context): void {
  app.get(
    '/printers/day',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Get the activity of all printers today, by the time zone of the account',
        response: { 200: envelope(FarmDay), ...failures() },
      },
    },
    async ({ actor: { accountId } }) => {
      const now = context.clock.now()
      const day = await getDay(context.db.reportsFor(accountId), accountId, now)
      const from = day.starts_at
      const rows = await listFarmPeriods(context.db.reportsFor(accountId), accountId, { from, to: now })
      const byPrinter = Map.groupBy(rows, ({ printer_id }) => printer_id)
      return ok({
        from: from.toISOString(),
        to: day.ends_at.toISOString(),
        now: now.toISOString(),
        week: await readWeek(context, accountId, now),
        printers: [...byPrinter].map(([printer_id, periods]) => ({
          printer_id,
          periods: periods.map(({ cause, started_at, ended_at, job_id, job_name }) => ({
            ...{ cause, job_id, job_name },
            started_at: started_at.toISOString(),
            ended_at: ended_at.toISOString(),
          })),
        })),
      })
    },
  )
}

const weekDays = 7

/** Reads how busy the farm was on each day of the week that ends today. */
async function readWeek({ db }: Context, accountId: AccountId, now: Date) {
  const days: { date: string; busy_percent: number | null }[] = []
  let at = now
  for (let back = 0; back < weekDays; back += 1) {
    const { date, starts_at, ends_at } = await getDay(db.reportsFor(accountId), accountId, at)
    const times = await sumFarmTime(db.reportsFor(accountId), accountId, {
      from: starts_at,
      to: ends_at < now ? ends_at : now,
    })
    days.unshift({ date, busy_percent: busyPercent(times) ?? null })
    at = new Date(starts_at.getTime() - 1)
  }
  return days
}
