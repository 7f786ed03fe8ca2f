import type { Sql } from '../../../db/database.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { recordEvent } from '../../events/events.queries.ts'
import { findItem, type InventoryItemRow } from './inventory.queries.ts'
import type { Adjustment } from './inventory.schema.ts'
import { changeThreshold, lockItem, moveStock } from './stock-ledger.ts'
import { stockStatus } from './stock-status.ts'

export async function getItem(sql: Sql, accountId: string, itemId: string): Promise<InventoryItemRow> {
  const item = await findItem(sql, accountId, itemId)
  if (!item) throw notFound('inventory item')
  return item
}

/**
 * A person corrects the ready stock. What would leave less than nothing is refused with INSUFFICIENT_STOCK and changes
 * nothing. `sql` is a transaction.
 */
export async function adjustStock(
  sql: Sql,
  actor: Actor,
  itemId: string,
  { adjustment, reason, notes = '' }: Adjustment,
): Promise<InventoryItemRow> {
  if (adjustment === 0) throw validationError({ adjustment: ['must not be 0'] })
  const item = await lockItem(sql, actor.accountId, itemId)
  if (!item) throw notFound('inventory item')
  const available = item.ready_stock
  if (adjustment < 0 && available + adjustment < 0) {
    throw new AppError('INSUFFICIENT_STOCK', { available }, { details: { available } })
  }
  const levels = await moveStock(sql, actor.accountId, item, {
    stock: 'ready',
    reason,
    change: adjustment,
    jobId: null,
    notes,
    actor: actor.label,
  })
  await recordEvent(sql, actor.accountId, {
    type: 'inventory.adjusted',
    subjectId: itemId,
    data: { change: adjustment, reason, ready_stock: levels.ready_stock, status: stockStatus(levels) },
    actor: actor.label,
  })
  return getItem(sql, actor.accountId, itemId)
}

/** Sets from which stock on an item counts as low. `sql` is a transaction. */
export async function setThreshold(
  sql: Sql,
  actor: Actor,
  itemId: string,
  threshold: number,
): Promise<InventoryItemRow> {
  const item = await lockItem(sql, actor.accountId, itemId)
  if (!item) throw notFound('inventory item')
  await changeThreshold(sql, actor.accountId, item, threshold, actor.label)
  return getItem(sql, actor.accountId, itemId)
}
