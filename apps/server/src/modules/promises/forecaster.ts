import type { Context } from '../../context/context.ts'
import { isConnectionError } from '../../db/database-errors.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { KeyedWorker } from '../../kernel/keyed-worker.ts'
import { every } from '../../kernel/timers.ts'
import { workIn } from '../events/work.ts'
import { forecastOrders } from './forecast-orders.ts'
import { beginForecast, listAccountsToForecast } from './state/ask-for-forecast.ts'

/** Looks for plans that were made. A farm whose plan changes all the time is forecast this often, and no more. */
const sweepMs = 2_000

/** What waits gets later by waiting: the forecast of a farm in which nothing happens is made again after this time. */
const freshMs = 5 * 60_000

/** What moves jobs of which no order knows, so that no plan tells of it. */
const movingEvents = ['job.', 'printer.created', 'printer.updated', 'printer.deleted', 'printer.maintenance_']

/** Forecasts open orders and the queue after each plan and whatever moves a job, from the moment the application listens. Any number may run on one database. */
export function followPlans(app: App, context: Context): void {
  let stop: (() => Promise<void>) | undefined
  app.addHook('onListen', async () => {
    stop ??= runForecaster(context)
  })
  app.addHook('onClose', async () => {
    await stop?.()
  })
}

/** One forecast of an account. */
export async function forecastAccount(context: Context, accountId: AccountId): Promise<void> {
  const now = context.clock.now()
  await beginForecast(context.db.sql, accountId, now)
  await context.db.begin((sql) => forecastOrders(workIn(sql, { accountId, actor: 'system', now })))
}

function runForecaster(context: Context): () => Promise<void> {
  const rounds = new KeyedWorker<AccountId>(
    async (accountId) => {
      if (!context.isDraining()) await forecastAccount(context, accountId)
    },
    {
      atOnce: 1,
      gatherMs: 0,
      onError(error, accountId) {
        if (context.isDraining()) return undefined
        if (isConnectionError(error))
          context.log.warn({ err: error }, 'orders wait for a forecast: the database is away')
        else context.log.error({ err: error, account_id: accountId }, 'the orders of an account could not be forecast')
        return sweepMs
      },
    },
  )
  const moved = new Set<AccountId>()
  const stopSweep = every(sweepMs, 'look for orders to forecast', context.log, async () => {
    if (context.isDraining()) return
    const olderThan = new Date(context.clock.now().getTime() - freshMs)
    const noted = [...moved]
    moved.clear()
    const asked = await listAccountsToForecast(context.db.sql, olderThan)
    for (const accountId of new Set([...asked, ...noted])) await rounds.request(accountId)
  })
  const stopListening = context.db.onChange(({ accountId, what }) => {
    if (movingEvents.some((prefix) => what.startsWith(prefix))) moved.add(accountId)
  })
  return async () => {
    stopSweep()
    stopListening()
    await rounds.stop()
  }
}
