import type { Context } from '../../../context/context.ts'
import { ShopProblem } from '../connectors/contract/shop-problem.ts'
import type { OpenedShop } from '../settings/open-shop.ts'
import type { HeldShop } from './due.queries.ts'
import { listDuePushes, settlePush } from './pushes.queries.ts'

const parcelsInTurn = 20

/** What the shop does not take is tried again so often: people may put it right there. */
const mostAttempts = 5
const retryMs = 30 * 60_000

/**
 * Tells the shop of parcels that left, one after another. What it took is written down at once; where that is not reached, the connector
 * finds at the shop that it was told.
 *
 * @throws ShopProblem for what is no matter of one parcel
 */
export async function pushParcels(
  { db, clock }: Context,
  held: HeldShop,
  { connector, client, shop }: OpenedShop,
): Promise<void> {
  const { account_id: accountId, id: shopId } = held
  for (const { id, attempts, parcel } of await listDuePushes(db.sql, accountId, shopId, clock.now(), parcelsInTurn)) {
    try {
      await connector.pushParcel(client, shop, parcel)
      const now = clock.now()
      await settlePush(db.sql, accountId, id, { state: 'sent', attempted_at: now, problem: null, due_at: now })
    } catch (error) {
      if (!(error instanceof ShopProblem) || !['missing', 'refused', 'credentials'].includes(error.kind)) throw error
      const now = clock.now()
      const isOver = attempts + 1 >= mostAttempts
      await settlePush(db.sql, accountId, id, {
        state: isOver ? 'failed' : 'pending',
        attempted_at: now,
        problem: error.message,
        due_at: new Date(now.getTime() + retryMs),
      })
    }
  }
}
