import type { Sql } from '../../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/database-errors.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { type AccountId, newId, type SkuId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { insertItem, setItemActive } from '../inventory/inventory.queries.ts'
import { changeThreshold, lockItemOfSku } from '../inventory/stock-ledger.ts'
import { findSku, insertSku, type SkuRow, updateSku } from './skus.queries.ts'
import type { NewSku, SkuChanges } from './skus.schema.ts'

export async function getSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<SkuRow> {
  const sku = await findSku(sql, accountId, skuId)
  if (!sku) throw notFound('SKU')
  return sku
}

/** A new SKU and its inventory item, which is empty. */
export async function createSku(work: Work, sku: NewSku): Promise<SkuRow> {
  const { sql, accountId, now } = work
  const skuId = newId('sku', now.getTime())
  await insertSku(work, skuId, sku).catch(refuseSku)
  await insertItem(work, skuId, sku.low_stock_threshold ?? 0)
  await work.record({
    type: 'sku.created',
    subjectId: skuId,
    data: { product_id: sku.product_id, sku: sku.sku },
  })
  return getSku(sql, accountId, skuId)
}

/** Changes what is given of a SKU and, with it, of its inventory item. */
export async function changeSku(work: Work, skuId: SkuId, changes: SkuChanges): Promise<SkuRow> {
  const { sql, accountId } = work
  await lockRow(sql, 'skus', accountId, skuId)
  const before = await getSku(sql, accountId, skuId)
  const fields = changedFields(before, changes)
  if (fields.length === 0) return before
  const isFound = await updateSku(work, skuId, changes).catch(refuseSku)
  if (!isFound) throw notFound('SKU')
  const item = await lockItemOfSku(sql, accountId, skuId)
  if (!item) throw new Error(`SKU ${skuId} has no inventory item`)
  if (changes.low_stock_threshold !== undefined && fields.includes('low_stock_threshold')) {
    await changeThreshold(work, item, changes.low_stock_threshold)
  }
  if (changes.is_active !== undefined) await setItemActive(work, item.id, changes.is_active)
  await work.record({
    type: 'sku.updated',
    subjectId: skuId,
    data: { fields },
  })
  return getSku(sql, accountId, skuId)
}

function refuseSku(error: unknown): never {
  if (isForeignKeyViolation(error, 'skus_product_fkey')) throw new AppError('PRODUCT_NOT_FOUND', {}, { cause: error })
  if (isUniqueViolation(error, 'skus_sku_key')) throw new AppError('DUPLICATE_SKU', {}, { cause: error })
  throw error
}
