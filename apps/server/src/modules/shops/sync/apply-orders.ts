import { createHash } from 'node:crypto'
import type { Context } from '../../../context/context.ts'
import type { ShopRow } from '../../../db/rows.generated.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { OrderId } from '../../../kernel/ids.ts'
import { type Work, workIn } from '../../events/work.ts'
import { describeRefusal, followOrder } from '../../orders/from-shop/follow-order.ts'
import { lockOrdersOfShop } from '../../orders/from-shop/shop-lines.queries.ts'
import type { ShopOrder } from '../../orders/from-shop/shop-order.ts'
import { holdListingMaps, type Shop } from '../../orders/listings/listing-maps.queries.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import type { UnreadableOrder } from '../connectors/contract/connector.ts'
import { listRead, saveRead } from './read-orders.queries.ts'

/** Time after an order could not be recorded before it is asked for again: what it lacked may be there then. */
export const rereadMs = 60 * 60_000

type Known = Pick<Context, 'config' | 'clock' | 'memory' | 'log'>

/**
 * Brings orders up to what their shop tells of them, in the transaction of the caller, who holds the row of the shop. What the shop has not
 * changed since it was read last is left alone, and so is what people have changed of it here. One that cannot be recorded is noted with the
 * reason, and holds up no other.
 *
 * @param isAskedAgain whether those are tried again that could not be recorded as they are
 */
export async function applyOrders(
  context: Known,
  work: Work,
  { id: shopId, platform, shop }: Pick<ShopRow, 'id' | 'platform' | 'shop'>,
  told: readonly (ShopOrder | UnreadableOrder)[],
  { isAskedAgain = false } = {},
): Promise<void> {
  const { sql, accountId } = work
  // Of an order that moved while it was read the later state counts.
  const latest = new Map(told.map((order) => [order.external_id, order]))
  const read = await listRead(sql, accountId, shopId, [...latest.keys()])
  const changed = [...latest.values()].flatMap((order) => {
    const hash = createHash('sha256').update(JSON.stringify(order)).digest()
    const before = read.get(order.external_id)
    const isSame = before?.content_hash.equals(hash) && !(isAskedAgain && before.state === 'refused')
    return isSame ? [] : [{ order, hash }]
  })
  const place: Shop = { platform, shop }
  if (changed.length > 0) await holdListingMaps(sql, accountId)
  const locked = await lockOrdersOfShop(work, place, {
    externalIds: changed.map(({ order }) => order.external_id),
    numbers: changed.flatMap(({ order }) => ('problem' in order ? [] : (order.fields.order_number ?? []))),
  })
  const byId = new Map(locked.filter((row) => row.external_id !== '').map((row) => [row.external_id, row.id]))
  const byNumber = new Map(locked.filter((row) => row.external_id === '').map((row) => [row.order_number, row.id]))
  for (const { order, hash } of changed) {
    const number = 'problem' in order ? '' : (order.fields.order_number ?? '')
    const known = byId.get(order.external_id) ?? byNumber.get(number)
    const outcome = await applyOne(context, work, place, order, known)
    await saveRead(work, shopId, { external_id: order.external_id, content_hash: hash, ...outcome })
  }
}

interface Outcome {
  state: 'followed' | 'skipped' | 'refused'
  order_id: OrderId | null
  reason: string
  reread_at: Date | null
}

async function applyOne(
  context: Known,
  work: Work,
  place: Shop,
  order: ShopOrder | UnreadableOrder,
  known: OrderId | undefined,
): Promise<Outcome> {
  const refused = (reason: string): Outcome => ({
    state: 'refused',
    order_id: known ?? null,
    reason,
    reread_at: new Date(work.now.getTime() + rereadMs),
  })
  if ('problem' in order) return refused(order.problem)
  try {
    const followed = await work.sql.savepoint(async (sql) => {
      const part = workIn(sql, work)
      if (known === undefined && order.state === 'open') await requireRoom(context, sql, work.accountId, 'orders')
      return followOrder(part, place, order, known)
    })
    if ('skipped' in followed) return { state: 'skipped', order_id: null, reason: followed.skipped, reread_at: null }
    return { state: 'followed', order_id: followed.orderId, reason: '', reread_at: null }
  } catch (error) {
    // Anything else is no matter of this order: the page is read again.
    if (!(error instanceof AppError)) throw error
    return refused(describeRefusal(error))
  }
}
