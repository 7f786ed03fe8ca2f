import type { Context } from '../../context/context.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { runAccountWorker, runWhileListening } from '../background/account-worker.ts'
import { workIn } from '../events/work.ts'
import { forecastOrders } from './forecast-orders.ts'
import { beginForecast, listAccountsToForecast } from './state/ask-for-forecast.ts'

/** Looks for plans that were made. A farm whose plan changes all the time is forecast this often, and no more. */
const sweepMs = 2_000

/** What waits gets later by waiting: the forecast of a farm in which nothing happens is made again after this time. */
const freshMs = 5 * 60_000

/** Forecasts open orders after each plan, from the moment the application listens. Any number may run on one database. */
export function followPlans(app: App, context: Context): void {
  runWhileListening(app, () =>
    runAccountWorker(context, {
      name: 'forecast orders',
      atOnce: 1,
      gatherMs: 0,
      sweepMs,
      // That a forecast was started is written before it.
      retryMs: sweepMs,
      findAccounts() {
        const olderThan = new Date(context.clock.now().getTime() - freshMs)
        return listAccountsToForecast(context.db.sql, olderThan)
      },
      work: (accountId) => forecastAccount(context, accountId),
    }),
  )
}

/** One forecast of an account. */
export async function forecastAccount(context: Context, accountId: AccountId): Promise<void> {
  const now = context.clock.now()
  await beginForecast(context.db.sql, accountId, now)
  await context.db.begin((sql) => forecastOrders(workIn(sql, { accountId, actor: 'system', now })))
}
