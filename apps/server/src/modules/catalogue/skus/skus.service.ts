import type { Sql } from '../../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/database-errors.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, type KitPartId, newId, type ProductId, type SkuId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { listBomParents, lockBoms } from '../bom/bom.queries.ts'
import { countNeedsOfSkus, deleteItemOfSku, insertItem, setItemActive } from '../inventory/inventory.queries.ts'
import { changeThreshold, lockItemOfSku, lockItemsOfSkus, type StockLevels } from '../inventory/stock-ledger.ts'
import { removeRecipesOfSku } from '../recipes/part-recipes.ts'
import { deleteSkuRow, findSku, hasHistory, insertSku, type SkuRow, updateSku } from './skus.queries.ts'
import type { NewSku, SkuChanges } from './skus.schema.ts'

export async function getSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<SkuRow> {
  const sku = await findSku(sql, accountId, skuId)
  if (!sku) throw notFound('SKU')
  return sku
}

/** A new SKU and its inventory item, which is empty. A part of a kit says of which. */
export async function createSku(work: Work, sku: NewSku, kitPartId: KitPartId | null = null): Promise<SkuRow> {
  const { sql, accountId, now } = work
  const skuId = newId('sku', now.getTime())
  await insertSku(work, skuId, sku, kitPartId).catch(refuseSku)
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
  checkRestock({ ...before, ...changes })
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

/** @throws AppError `VALIDATION_ERROR` */
function checkRestock({
  restock_point: point,
  restock_to: to,
}: Pick<SkuChanges, 'restock_point' | 'restock_to'>): void {
  if ((point ?? null) === null && (to ?? null) === null) return
  if (point === null || point === undefined) throw validationError({ restock_point: ['is required with restock_to'] })
  if (to === null || to === undefined) throw validationError({ restock_to: ['is required with restock_point'] })
  if (to <= point) throw validationError({ restock_to: [`must be more than restock_point, which is ${point}`] })
}

/**
 * SKUs and then their inventory items, locked until the transaction ends, both in the order of their IDs: one that changes a SKU
 * locks it before its item, and one that moves stock locks items in this order.
 */
export async function lockSkus(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<Map<SkuId, StockLevels>> {
  for (const skuId of skuIds.toSorted()) await lockRow(sql, 'skus', accountId, skuId)
  const items = await lockItemsOfSkus(sql, accountId, skuIds)
  return new Map(items.map((item) => [item.product_sku_id, item]))
}

/** Outcome of a removal: whether a SKU is gone, or only out of use because records name it. */
interface RemovedSku {
  id: SkuId
  deleted: boolean
}

/**
 * Removes SKUs that nothing open needs. One that no record names is gone; any other stays out of use, so that orders, jobs and
 * ledgers can be read. SKU_IN_USE_BY_ORDER while an open order names one, PART_IN_EXTERNAL_BOM while another SKU in use is made of
 * one, RESOURCE_IN_USE while jobs or assemblies are open. Recipes of a SKU that is gone go with it. SKUs of `withProductId` go or
 * change with them.
 */
export async function removeSkus(
  work: Work,
  skuIds: SkuId[],
  withProductId: ProductId | null = null,
): Promise<RemovedSku[]> {
  const { sql, accountId } = work
  await lockBoms(sql, accountId)
  const items = await lockSkus(sql, accountId, skuIds)
  const skus = await Promise.all(skuIds.map((skuId) => getSku(sql, accountId, skuId)))
  // What is made of others goes first: its bill names them.
  skus.sort((a, b) => Number(b.is_composite) - Number(a.is_composite))
  const removed: RemovedSku[] = []
  for (const sku of skus) {
    const skuId = sku.id
    await refuseNeeded(work, sku, withProductId)
    const item = items.get(skuId)
    if (!item) throw new Error(`SKU ${skuId} has no inventory item`)
    const isKept = await hasHistory(sql, accountId, [skuId])
    if (isKept) {
      if (sku.is_active) await updateSku(work, skuId, { is_active: false })
      await setItemActive(work, item.id, false)
    } else {
      await deleteItemOfSku(work, skuId)
      await removeRecipesOfSku(work, skuId)
      await deleteSkuRow(work, skuId).catch(refuseNamed)
    }
    const { product_id, sku: code } = sku
    await work.record({ type: 'sku.removed', subjectId: skuId, data: { product_id, sku: code, deleted: !isKept } })
    removed.push({ id: skuId, deleted: !isKept })
  }
  return removed
}

async function refuseNeeded({ sql, accountId }: Work, sku: SkuRow, withProductId: ProductId | null): Promise<void> {
  const needs = await countNeedsOfSkus(sql, accountId, [sku.id])
  if (needs.open_orders > 0) {
    throw new AppError('SKU_IN_USE_BY_ORDER', { sku: sku.sku }, { details: { sku_id: sku.id, sku: sku.sku } })
  }
  const parents = await listBomParents(sql, accountId, [sku.id], withProductId)
  if (parents.length > 0) {
    const users = parents.map((parent) => parent.sku)
    const details = { sku_id: sku.id, sku: sku.sku, used_by: users }
    throw new AppError('PART_IN_EXTERNAL_BOM', { sku: sku.sku, users: users.join(', ') }, { details })
  }
  const inUse = (why: string) => new AppError('RESOURCE_IN_USE', { resource: `SKU ${sku.sku}`, why })
  if (needs.live_jobs > 0) throw inUse('jobs print it')
  if (needs.open_assemblies > 0) throw inUse('units of it are being assembled')
}

function refuseNamed(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error
  throw new AppError('RESOURCE_IN_USE', { resource: 'SKU', why: 'something else names it' }, { cause: error })
}

function refuseSku(error: unknown): never {
  if (isForeignKeyViolation(error, 'skus_product_fkey')) throw new AppError('PRODUCT_NOT_FOUND', {}, { cause: error })
  if (isUniqueViolation(error, 'skus_sku_key')) throw new AppError('DUPLICATE_SKU', {}, { cause: error })
  throw error
}
