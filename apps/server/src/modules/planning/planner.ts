import type { Context } from '../../context/context.ts'
import { isConnectionError } from '../../db/database-errors.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { KeyedWorker } from '../../kernel/keyed-worker.ts'
import { every } from '../../kernel/timers.ts'
import { workIn } from '../events/work.ts'
import { produceByItself } from './produce.service.ts'
import { isAsked, listAccountsToPlan } from './replan.queries.ts'
import { replan } from './replan.ts'

/** What comes within this time is one plan: a delivery is often booked in many steps. */
const coalesceMs = 50

/** Finds what no event told, such as what another process wrote. */
const sweepMs = 5_000

/** Accounts that are planned at once. Each holds one connection for transactions. */
const mostPlans = 1

/** Whatever happens to these may have changed demand or supply; the requests in the database say whether it did. */
const planningEvents = [
  'order.',
  'job.',
  'inventory.',
  'assembly_task.',
  'recipe.',
  'sku.',
  'product.',
  'bom.',
  'kit.',
  'material.',
  'printer.',
  'file.',
]

/** Plans again what changed, from the moment the application listens. Any number may run on one database. */
export function followDemand(app: App, context: Context): void {
  let stop: (() => Promise<void>) | undefined
  app.addHook('onListen', async () => {
    stop ??= runPlanner(context)
  })
  app.addHook('onClose', async () => {
    await stop?.()
  })
}

/** Plans what was asked for of an account, part after part, and queues what the plan wants to be queued by itself. */
export async function planAccount(context: Context, accountId: AccountId): Promise<void> {
  for (;;) {
    const isMore = await context.db.begin(async (sql) => {
      const work = workIn(sql, { accountId, actor: 'system', now: context.clock.now() })
      const planned = await replan(work)
      if (planned === undefined) return false
      await produceByItself(context, work, planned)
      // What was queued is supply: it is pegged in a plan of its own.
      return isAsked(sql, accountId)
    })
    if (!isMore || context.isDraining()) return
  }
}

function runPlanner(context: Context): () => Promise<void> {
  const rounds = new KeyedWorker<AccountId>(
    async (accountId) => {
      if (!context.isDraining() && (await isAsked(context.db.sql, accountId))) await planAccount(context, accountId)
    },
    {
      atOnce: mostPlans,
      gatherMs: coalesceMs,
      onError(error, accountId) {
        // The requests are still there: the sweep comes by again.
        if (context.isDraining()) return undefined
        if (isConnectionError(error))
          context.log.warn({ err: error }, 'orders could not be planned: the database is away')
        else context.log.error({ err: error, account_id: accountId }, 'the orders of an account could not be planned')
        return undefined
      },
    },
  )
  const stopSweep = every(sweepMs, 'look for orders to plan', context.log, async () => {
    if (context.isDraining()) return
    for (const accountId of await listAccountsToPlan(context.db.sql)) void rounds.request(accountId)
  })
  const stopListening = context.db.onChange(({ accountId, what }) => {
    if (planningEvents.some((prefix) => what.startsWith(prefix))) void rounds.request(accountId)
  })
  return async () => {
    stopSweep()
    stopListening()
    await rounds.stop()
  }
}
