import type { Sql } from '../../../db/database.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId, InventoryItemId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { type Bom, loadBom } from '../bom/bom.service.ts'
import {
  type AroundItem,
  countNeedsOfSkus,
  findAroundItem,
  findItem,
  type InventoryItemRow,
  updateItem,
} from './inventory.queries.ts'
import type { Adjustment, ItemChanges, NewItem } from './inventory.schema.ts'
import { changeThreshold, lockItem, lockItemOfSku, moveStock, type StockLevels } from './stock-ledger.ts'
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

/** An item with its product and the bill of its SKU. */
export async function getItemDetail(
  sql: Sql,
  accountId: AccountId,
  itemId: InventoryItemId,
): Promise<{ item: InventoryItemRow; around: AroundItem; bom: Bom }> {
  const item = await getItem(sql, accountId, itemId)
  const [around, bom] = await Promise.all([
    findAroundItem(sql, accountId, item.product_sku_id),
    loadBom(sql, accountId, item.product_sku_id),
  ])
  if (!around) throw notFound('inventory item')
  return { item, around, bom }
}

/**
 * Brings the item of a SKU back into use. Each SKU has one from the beginning, so that one in use is refused with
 * ALREADY_EXISTS. What is there now is booked as a count.
 */
export async function restoreItem(work: Work, input: NewItem): Promise<InventoryItemRow> {
  const { sql, accountId } = work
  let levels = await lockItemOfSku(sql, accountId, input.product_sku_id)
  if (!levels) throw new AppError('SKU_NOT_FOUND')
  if ((await getItem(sql, accountId, levels.id)).is_active) {
    throw new AppError('ALREADY_EXISTS', { resource: 'inventory item of this SKU' }, { details: { id: levels.id } })
  }
  await updateItem(work, levels.id, { is_active: true, image_url: input.image_url ?? '' })
  const change = input.ready_stock - levels.ready_stock
  if (change !== 0) {
    levels = await moveStock(work, levels, {
      stock: 'ready',
      reason: 'inventory_count',
      change,
      jobId: null,
      notes: '',
    })
  }
  if (levels.low_stock_threshold !== input.low_stock_threshold) {
    await changeThreshold(work, levels, input.low_stock_threshold)
  }
  const fields = ['is_active', ...(change === 0 ? [] : ['ready_stock'])]
  await work.record({ type: 'inventory.updated', subjectId: levels.id, data: { fields } })
  return getItem(sql, accountId, levels.id)
}

/** Changes what is given. */
export async function changeItem(work: Work, itemId: InventoryItemId, input: ItemChanges): Promise<void> {
  const { sql, accountId } = work
  const levels = await lockItem(sql, accountId, itemId)
  if (!levels) throw notFound('inventory item')
  const { low_stock_threshold: threshold, image_url: image, bin, is_active } = input
  const changes = {
    ...(image !== undefined && { image_url: image }),
    ...(bin !== undefined && { bin: bin.trim() }),
    ...(is_active !== undefined && { is_active }),
  }
  const fields = changedFields(await getItem(sql, accountId, itemId), changes)
  if (fields.length > 0) {
    await updateItem(work, itemId, changes)
    await work.record({ type: 'inventory.updated', subjectId: itemId, data: { fields } })
  }
  if (threshold !== undefined && threshold !== levels.low_stock_threshold)
    await changeThreshold(work, levels, threshold)
}

/**
 * Takes an item out of use: it raises no alerts and is not counted. Its row and ledger stay. Refused with RESOURCE_IN_USE
 * while it holds units, or orders, jobs or assemblies need it.
 */
export async function retireItem(work: Work, itemId: InventoryItemId): Promise<void> {
  const { sql, accountId } = work
  const levels = await lockItem(sql, accountId, itemId)
  if (!levels) throw notFound('inventory item')
  const item = await getItem(sql, accountId, itemId)
  const inUse = (why: string) => new AppError('RESOURCE_IN_USE', { resource: 'inventory item', why })
  if (levels.ready_stock !== 0 || levels.quantity_needs_assembly !== 0) throw inUse('it holds units')
  const needs = await countNeedsOfSkus(sql, accountId, [item.product_sku_id])
  if (needs.open_orders > 0) throw inUse('open orders name its SKU')
  if (needs.live_jobs > 0) throw inUse('jobs print its SKU')
  if (needs.open_assemblies > 0) throw inUse('units of its SKU are being assembled')
  if (!item.is_active) return
  await updateItem(work, itemId, { is_active: false })
  await work.record({ type: 'inventory.updated', subjectId: itemId, data: { fields: ['is_active'] } })
}
