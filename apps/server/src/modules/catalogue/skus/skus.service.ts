import type { Sql } from '../../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { recordEvent } from '../../events/events.queries.ts'
import { insertItem, setItemActive } from '../inventory/inventory.queries.ts'
import { changeThreshold, lockItemOfSku } from '../inventory/stock-ledger.ts'
import { findSku, insertSku, type SkuRow, updateSku } from './skus.queries.ts'
import type { NewSku, SkuChanges } from './skus.schema.ts'

export async function getSku(sql: Sql, accountId: string, skuId: string): Promise<SkuRow> {
  const sku = await findSku(sql, accountId, skuId)
  if (!sku) throw notFound('SKU')
  return sku
}

/** A new SKU and its inventory item, which is empty. `sql` is a transaction. */
export async function createSku(sql: Sql, actor: Actor, sku: NewSku): Promise<SkuRow> {
  const skuId = newId('sku')
  await insertSku(sql, actor.accountId, skuId, sku).catch(refuseSku)
  await insertItem(sql, actor.accountId, skuId, sku.low_stock_threshold ?? 0)
  await recordEvent(sql, actor.accountId, {
    type: 'sku.created',
    subjectId: skuId,
    data: { product_id: sku.product_id, sku: sku.sku },
    actor: actor.label,
  })
  return getSku(sql, actor.accountId, skuId)
}

/** Changes what is given of a SKU and, with it, of its inventory item. `sql` is a transaction. */
export async function changeSku(sql: Sql, actor: Actor, skuId: string, changes: SkuChanges): Promise<SkuRow> {
  const fields = Object.keys(changes)
  // Nothing but fields that this version does not know.
  if (fields.length === 0) return getSku(sql, actor.accountId, skuId)
  const isFound = await updateSku(sql, actor.accountId, skuId, changes).catch(refuseSku)
  if (!isFound) throw notFound('SKU')
  const item = await lockItemOfSku(sql, actor.accountId, skuId)
  if (!item) throw new Error(`SKU ${skuId} has no inventory item`)
  if (changes.low_stock_threshold !== undefined) {
    await changeThreshold(sql, actor.accountId, item, changes.low_stock_threshold, actor.label)
  }
  if (changes.is_active !== undefined) await setItemActive(sql, actor.accountId, item.id, changes.is_active)
  await recordEvent(sql, actor.accountId, {
    type: 'sku.updated',
    subjectId: skuId,
    data: { fields },
    actor: actor.label,
  })
  return getSku(sql, actor.accountId, skuId)
}

function refuseSku(error: unknown): never {
  if (isForeignKeyViolation(error, 'skus_product_fkey')) throw new AppError('PRODUCT_NOT_FOUND', {}, { cause: error })
  if (isUniqueViolation(error, 'skus_sku_key')) throw new AppError('DUPLICATE_SKU', {}, { cause: error })
  throw error
}
