import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { runAccountWorker, runWhileListening } from '../background/account-worker.ts'
import { workIn } from '../events/work.ts'
import { forecastOrders } from './forecast-orders.ts'
import { beginForecast, listAccountsToForecast } from './state/ask-for-forecast.ts'

/** Looks for plans that were made. */
const sweepMs = 2_000

/** Forecasting may take at most this share of the time, however long the queue and however busy the farm. */
const forecastingShare = 1 / 20

/** What waits gets later by waiting: the forecast of a farm in which nothing happens is made again after this time. */
const freshMs = 5 * 60_000

/**
 * Answers how long an account rests after a forecast, given how long that lasted: so long is the forecast out of date at most, and
 * as long as it takes.
 */
export function restMs(lastedMs: number): number {
  return Math.min(freshMs, Math.max(sweepMs, lastedMs / forecastingShare))
}

/** What moves jobs of which no order knows, so that no plan tells of it. */
const movingEvents = ['job.', 'printer.created', 'printer.updated', 'printer.deleted', 'printer.maintenance_']

/**
 * Forecasts open orders and the queue after each plan and whatever moves a job, from the moment the application listens. Any number may run
 * on one database.
 */
export function followPlans(app: App, context: Context): void {
  runWhileListening(app, () =>
    runAccountWorker(context, {
      name: 'forecast orders',
      atOnce: 1,
      // A farm in which things happen all the time is forecast this often, and no more.
      gatherMs: sweepMs,
      pauseMs: restMs,
      wokenBy: movingEvents,
      sweepMs,
      // That a forecast was started is written before it.
      retryMs: sweepMs,
      findAccounts() {
        const olderThan = new Date(context.clock.now().getTime() - freshMs)
        return listAccountsToForecast(context.db.sql, olderThan)
      },
      async work(accountId) {
        await context.memory.hold(makeStartRounds, undefined).end(accountId)
        await forecastAccount(context, accountId)
      },
    }),
  )
}

/** One forecast of an account. */
export async function forecastAccount(context: Context, accountId: AccountId): Promise<void> {
  const now = context.clock.now()
  await beginForecast(context.db.sql, accountId, now)
  const workOn = (sql: Sql) => workIn(sql, { accountId, actor: 'system', now })
  await context.db.beginAround((sql) =>
    forecastOrders(workOn(sql), (part) => context.db.begin((apart) => part(workOn(apart)))),
  )
}
