import type { Sql } from '../../../db/database.ts'
import type { InventoryItemRow } from '../../../db/rows.generated.ts'
import {
  type AccountId,
  type AssemblyTaskId,
  type InventoryItemId,
  type JobId,
  newId,
  type OrderId,
  type SkuId,
} from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { stockStatus } from './stock-status.ts'

/** Reason why a person may change the stock of an item. */
export const adjustmentReasons = ['manual', 'inventory_count', 'correction', 'damaged', 'returned'] as const
export const movementReasons = [
  'job_completed',
  'units_rejected',
  'assembled',
  'used_in_assembly',
  'order_fulfilled',
  ...adjustmentReasons,
] as const

/** The two quantities of an item. */
export const stocks = ['ready', 'needs_assembly'] as const

interface Movement {
  /** Which of the two quantities of the item moves. */
  stock: (typeof stocks)[number]
  reason: (typeof movementReasons)[number]
  change: number
  jobId: JobId | null
  /** The order for which the units leave. */
  orderId?: OrderId
  /** The assembly that made or took the units. */
  assemblyTaskId?: AssemblyTaskId
  /** Time when it happened, where that was before it became known. */
  happenedAt?: Date | null
  notes: string
}

export type StockLevels = Pick<
  InventoryItemRow,
  'id' | 'ready_stock' | 'quantity_needs_assembly' | 'low_stock_threshold'
>

/** The inventory row of a SKU, locked until the transaction ends. */
export async function lockItemOfSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<StockLevels | undefined> {
  const [item] = await sql<StockLevels[]>`
    select id, ready_stock, quantity_needs_assembly, low_stock_threshold
    from inventory_items where account_id = ${accountId} and product_sku_id = ${skuId} for update`
  return item
}

/**
 * The inventory rows of these SKUs, locked until the transaction ends. They are locked in one fixed order, so that two
 * transactions that need the same rows wait for each other instead of holding each other up.
 */
export async function lockItemsOfSkus(
  sql: Sql,
  accountId: AccountId,
  skuIds: SkuId[],
): Promise<(StockLevels & { product_sku_id: SkuId })[]> {
  return sql<(StockLevels & { product_sku_id: SkuId })[]>`
    select id, product_sku_id, ready_stock, quantity_needs_assembly, low_stock_threshold
    from inventory_items where account_id = ${accountId} and product_sku_id = any(${skuIds})
    order by product_sku_id for update`
}

/** An inventory row, locked until the transaction ends. */
export async function lockItem(
  sql: Sql,
  accountId: AccountId,
  itemId: InventoryItemId,
): Promise<StockLevels | undefined> {
  const [item] = await sql<StockLevels[]>`
    select id, ready_stock, quantity_needs_assembly, low_stock_threshold
    from inventory_items where account_id = ${accountId} and id = ${itemId} for update`
  return item
}

/** The same as `moveStocks`, for one movement. */
export async function moveStock(work: Work, item: StockLevels, movement: Movement): Promise<StockLevels> {
  const [moved] = await moveStocks(work, [{ item, movements: [movement] }])
  if (!moved) throw new Error('a movement of stock left no levels')
  return moved
}

/**
 * The only way in which stock changes: a row for each movement and the items' quantities and status, together. The items must be
 * locked in this transaction, each given once. The sum of an item's movements always equals its stock. Answers the items as they are then.
 */
export async function moveStocks(
  work: Work,
  moves: readonly { item: StockLevels; movements: readonly Movement[] }[],
): Promise<StockLevels[]> {
  const { sql, accountId, actor } = work
  const rows: object[] = []
  const changes = moves.map(({ item: before, movements }) => {
    let after = before
    for (const movement of movements) {
      const field = movement.stock === 'ready' ? 'ready_stock' : 'quantity_needs_assembly'
      const quantity_before = after[field]
      after = { ...after, [field]: quantity_before + movement.change }
      rows.push({
        account_id: accountId,
        id: newId('stockMovement'),
        inventory_item_id: before.id,
        stock: movement.stock,
        reason: movement.reason,
        change: movement.change,
        quantity_before,
        quantity_after: after[field],
        job_id: movement.jobId,
        order_id: movement.orderId ?? null,
        assembly_task_id: movement.assemblyTaskId ?? null,
        happened_at: movement.happenedAt ?? null,
        notes: movement.notes,
        actor,
      })
    }
    return { before, after }
  })
  // Their time is that of the database under the locks, not that of the work: the ledger reads in the order of the locks.
  if (rows.length > 0) await sql`insert into stock_movements ${sql(rows)}`
  await writeLevels(work, changes)
  return changes.map(({ after }) => after)
}

/** From which stock on an item counts as low. `item` must be locked in this transaction. */
export async function changeThreshold(work: Work, item: StockLevels, threshold: number): Promise<StockLevels> {
  const levels = { ...item, low_stock_threshold: threshold }
  await writeLevels(work, [{ before: item, after: levels }])
  await work.record({
    type: 'inventory.threshold_set',
    subjectId: item.id,
    data: { low_stock_threshold: threshold, status: stockStatus(levels) },
  })
  return levels
}

/** Units of a completed job go into stock: ready, or waiting for assembly. `happenedAt` is null where it became known at once. */
export async function creditJobUnits(
  work: Work,
  job: { jobId: JobId; skuId: SkuId; units: number; requiresAssembly: boolean; happenedAt?: Date | null },
): Promise<void> {
  const item = await lockItemOfSku(work.sql, work.accountId, job.skuId)
  if (!item) throw new Error(`SKU ${job.skuId} has no inventory item`)
  await moveStock(work, item, {
    stock: job.requiresAssembly ? 'needs_assembly' : 'ready',
    reason: 'job_completed',
    change: job.units,
    jobId: job.jobId,
    happenedAt: job.happenedAt ?? null,
    notes: '',
  })
}

/**
 * Units that turned out bad leave the stock into which they were credited, even when some of them are sold already. Of those that
 * waited for assembly, what is not there any more was put together, by whichever task, and is ready.
 */
export async function takeRejectedUnits(
  work: Work,
  job: { jobId: JobId; skuId: SkuId; units: number; requiresAssembly: boolean },
): Promise<void> {
  const item = await lockItemOfSku(work.sql, work.accountId, job.skuId)
  if (!item) throw new Error(`SKU ${job.skuId} has no inventory item`)
  const waiting = job.requiresAssembly ? Math.min(job.units, Math.max(0, item.quantity_needs_assembly)) : 0
  const changes = [
    { stock: 'needs_assembly', change: -waiting },
    { stock: 'ready', change: waiting - job.units },
  ] as const
  const movements = changes
    .filter(({ change }) => change !== 0)
    .map((change) => ({ ...change, reason: 'units_rejected' as const, jobId: job.jobId, notes: '' }))
  await moveStocks(work, [{ item, movements }])
}

async function writeLevels(
  { sql, accountId, now, record }: Work,
  changes: readonly { before: StockLevels; after: StockLevels }[],
): Promise<void> {
  const items = changes.map(({ after }) => ({ ...after, status: stockStatus(after) }))
  await sql`
    update inventory_items i set ready_stock = c.ready_stock, quantity_needs_assembly = c.quantity_needs_assembly,
      low_stock_threshold = c.low_stock_threshold, status = c.status, updated_at = ${now}
    from jsonb_to_recordset(${sql.json(items)}::jsonb) as c (
      id text, ready_stock int8, quantity_needs_assembly int8, low_stock_threshold int8, status text)
    where i.account_id = ${accountId} and i.id = c.id`
  for (const { before, after } of changes) {
    const status = stockStatus(after)
    // Said once, when it becomes so: an item that stays low would otherwise alert with every piece sold.
    if (status === stockStatus(before) || (status !== 'low_stock' && status !== 'out_of_stock')) continue
    await record({
      type: 'inventory.low',
      subjectId: after.id,
      data: { status, ready_stock: after.ready_stock, low_stock_threshold: after.low_stock_threshold },
    })
  }
}
