import type { Context } from '../../context/context.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { runAccountWorker, runWhileListening } from '../background/account-worker.ts'
import { workIn } from '../events/work.ts'
import { produceByItself } from './produce.service.ts'
import { replan } from './replan/replan.ts'
import { isAsked, listAccountsToPlan } from './stored/requests.queries.ts'

/** Time within which what comes is one plan: a delivery is often booked in many steps. */
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
  const { sql } = context.db
  runWhileListening(app, () =>
    runAccountWorker(context, {
      name: 'plan orders',
      atOnce: mostPlans,
      gatherMs: coalesceMs,
      wokenBy: planningEvents,
      sweepMs,
      findAccounts: () => listAccountsToPlan(sql),
      async work(accountId) {
        if (await isAsked(sql, accountId)) await planAccount(context, accountId)
      },
    }),
  )
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
