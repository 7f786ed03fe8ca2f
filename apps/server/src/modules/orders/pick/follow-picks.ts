import type { Context } from '../../../context/context.ts'
import type { App } from '../../../http/types.ts'
import { type AccountId, type OrderId, readId } from '../../../kernel/ids.ts'
import { runAccountWorker, runWhileListening } from '../../background/account-worker.ts'
import { workIn } from '../../events/work.ts'
import { planAccount } from '../../planning/planner.ts'
import { replan } from '../../planning/replan/replan.ts'
import { listOpenTasks } from '../../worklist/farm-tasks.ts'
import { listAccountsWithOrders, listReadyOrders } from './picks.queries.ts'
import { describePick, settlePicks } from './settle-picks.ts'

/** Time within which what comes is looked at once: a delivery is often booked in many steps. */
const gatherMs = 500

/** Finds what no event told, such as what another process wrote while this one was away. */
const sweepMs = 60_000

/** Whatever happens to these may have put an order together, or taken it apart. */
const watched = ['order.', 'inventory.', 'job.completed', 'assembly_task.', 'worklist_task.']

/** Makes and ends tasks to pick orders, from the moment the application listens. Any number may run on one database. */
export function followPicks(app: App, context: Context): void {
  runWhileListening(app, () =>
    runAccountWorker(context, {
      name: 'look for orders to pick',
      atOnce: 1,
      gatherMs,
      wokenBy: watched,
      sweepMs,
      findAccounts: () => listAccountsWithOrders(context.db.sql),
      work: (accountId) => followPicksOf(context, accountId),
    }),
  )
}

/**
 * Orders that became ready get a task to pick them, which says what is ready of them now; those that are ready no more, and of
 * which nothing was picked, lose it.
 */
export async function followPicksOf(context: Context, accountId: AccountId): Promise<void> {
  const { sql } = context.db
  // The plan says what is held for whom.
  await planAccount(context, accountId)
  const ready = new Map((await listReadyOrders(sql, accountId)).map((order) => [order.order_id, order]))
  const picking = await openOrders(context, accountId, 'pick')
  const packing = await openOrders(context, accountId, 'pack')
  // A parcel that is being made is finished first: what became ready meanwhile is picked after it.
  const changed = [...ready.values()].filter(
    (order) => !packing.has(order.order_id) && picking.get(order.order_id) !== describePick(order),
  )
  const gone = [...picking.keys(), ...packing.keys()].filter((id) => !ready.has(id))
  for (const orderId of [...changed.map((order) => order.order_id), ...gone]) {
    await context.db.begin(async (transaction) => {
      const work = workIn(transaction, { accountId, actor: 'system', now: context.clock.now() })
      // What is on the shelf for an order is judged by a plan that is of this moment.
      await replan(work, orderId)
      await settlePicks(work, orderId, ready.has(orderId))
    })
  }
}

/** The orders with an open task of this kind, and what it says of its size. */
async function openOrders(
  { db }: Context,
  accountId: AccountId,
  source: 'pick' | 'pack',
): Promise<Map<OrderId, string>> {
  const tasks = await listOpenTasks(db.sql, accountId, source)
  return new Map(
    tasks.flatMap(({ subject_id, subtitle }) => {
      const id = readId('order', subject_id)
      return id === undefined ? [] : [[id, subtitle] as const]
    }),
  )
}
