import type { Sql } from '../../../db/database.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId, InventoryItemId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { findItem, type InventoryItemRow } from './inventory.queries.ts'
import type { Adjustment } from './inventory.schema.ts'
import { changeThreshold, lockItem, moveStock, type StockLevels } from './stock-ledger.ts'
import { stockStatus } from './stock-status.ts'

export async function getItem(sql: Sql, accountId: AccountId, itemId: InventoryItemId): Promise<InventoryItemRow> {
  const item = await findItem(sql, accountId, itemId)
  if (!item) throw notFound('inventory item')
  return item
}

/** An inventory item after a correction, with what it held before. */
export interface AdjustedItem extends Pick<Adjustment, 'adjustment' | 'reason'> {
  item: InventoryItemRow
  before: StockLevels
}

/**
 * A person corrects the ready stock. What would leave less than nothing is refused with INSUFFICIENT_STOCK and changes
 * nothing.
 */
export async function adjustStock(
  work: Work,
  itemId: InventoryItemId,
  { adjustment, reason, notes = '' }: Adjustment,
): Promise<AdjustedItem> {
  const { sql, accountId } = work
  if (adjustment === 0) throw validationError({ adjustment: ['must not be 0'] })
  const item = await lockItem(sql, accountId, itemId)
  if (!item) throw notFound('inventory item')
  const available = item.ready_stock
  if (adjustment < 0 && available + adjustment < 0) {
    throw new AppError('INSUFFICIENT_STOCK', { available }, { details: { available } })
  }
  const levels = await moveStock(work, item, {
    stock: 'ready',
    reason,
    change: adjustment,
    jobId: null,
    notes,
  })
  await work.record({
    type: 'inventory.adjusted',
    subjectId: itemId,
    data: { change: adjustment, reason, ready_stock: levels.ready_stock, status: stockStatus(levels) },
  })
  return { item: await getItem(sql, accountId, itemId), before: item, adjustment, reason }
}

/** Sets from which stock on an item counts as low. */
export async function setThreshold(work: Work, itemId: InventoryItemId, threshold: number): Promise<InventoryItemRow> {
  const { sql, accountId } = work
  const item = await lockItem(sql, accountId, itemId)
  if (!item) throw notFound('inventory item')
  if (item.low_stock_threshold === threshold) return getItem(sql, accountId, itemId)
  await changeThreshold(work, item, threshold)
  return getItem(sql, accountId, itemId)
}
