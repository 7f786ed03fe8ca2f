import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import type { JobId, OrderId, OrderItemId, SkuId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { findHeldSupply, findLineToHold } from './hold-units.queries.ts'
import { setPin } from './pegs/pins.queries.ts'
import { replan } from './replan/replan.ts'

/** What a person wants a line to have. */
interface Hold {
  units: number
  /** Default: the SKU of the line; else a part of it. */
  product_sku_id?: SkuId
  /** Job whose yield is held; default: what is on the shelf. */
  job_id?: JobId
}

/**
 * Holds units of the shelf or of a live job for a line of an order, before all that comes earlier in the order of service; with 0 units
 * they are let go. What is held stays until then, or until the line has taken it.
 *
 * @throws AppError `INSUFFICIENT_STOCK`, `ITEM_NOT_MAPPED`
 */
export async function holdUnits(work: Work, orderId: OrderId, itemId: OrderItemId, hold: Hold): Promise<void> {
  const { sql, accountId } = work
  await replan(work, orderId)
  const line = await findLineToHold(sql, accountId, orderId, itemId)
  if (!line) throw notFound('order item')
  const skuId = hold.product_sku_id ?? line.product_sku_id
  if (skuId === null) throw new AppError('ITEM_NOT_MAPPED', {}, { details: { lines: [{ order_item_id: itemId }] } })
  if (hold.product_sku_id === undefined && hold.units > line.open_units) {
    throw validationError({ units: [`must be at most ${line.open_units}: the line wants no more`] })
  }
  const supply =
    hold.job_id === undefined
      ? ({ kind: 'ready_stock', id: skuId } as const)
      : ({ kind: 'job', id: hold.job_id } as const)
  if (hold.units > 0) {
    const available = await findHeldSupply(sql, accountId, { skuId, jobId: hold.job_id ?? null, besides: itemId })
    if (available === undefined) throw hold.job_id === undefined ? new AppError('SKU_NOT_FOUND') : notFound('job')
    if (hold.units > available) throw new AppError('INSUFFICIENT_STOCK', { available }, { details: { available } })
  }
  const isChanged = await setPin(work, {
    order_item_id: itemId,
    product_sku_id: skuId,
    supply_kind: supply.kind,
    supply_id: supply.id,
    units: hold.units,
  })
  if (!isChanged) return
  await work.record({
    type: 'order.units_held',
    subjectId: orderId,
    data: { order_item_id: itemId, product_sku_id: skuId, job_id: hold.job_id ?? null, units: hold.units },
  })
  await replan(work, orderId)
}
