import { AppError, notFound } from '../../../kernel/errors.ts'
import type { OrderId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { type ListingKey, mapLine, touchOrders } from '../listings/listing-maps.queries.ts'
import { getMappableSku, rememberListing } from '../listings/listing-maps.service.ts'
import type { OrderItemRow, OrderWithItems } from '../orders.queries.ts'
import { getOrder, getOrderLocked, indexOrder } from '../orders.service.ts'
import { readItemFlow } from '../out/shipments.queries.ts'
import { putBackPicked, settlePicks } from '../pick/settle-picks.ts'

interface Mapping {
  product_sku_id: SkuId
  pack_size: number
  remember: boolean
}

/**
 * Says which SKU, and how many of it, a line stands for. Remembered, it holds for all lines like it. A line of which units left,
 * also if they are made again since, or that was cancelled, stays what it is; what was picked of another SKU goes back to its bin.
 *
 * @throws AppError `SKU_NOT_FOUND`, `RESOURCE_IN_USE`
 */
export async function mapItem(
  work: Work,
  orderId: OrderId,
  itemId: OrderItemId,
  { product_sku_id, pack_size, remember }: Mapping,
): Promise<OrderWithItems> {
  const { sql, accountId } = work
  const seen = await getOrder(sql, accountId, orderId)
  const key = keyOf(findItem(seen, itemId))
  requireUntouched(findItem(seen, itemId))
  const sku = await getMappableSku(sql, accountId, product_sku_id)
  // The mapping is changed before the order is locked, as every change of one does.
  const map =
    remember && key
      ? (await rememberListing(work, orderId, { ...seen, ...key }, { product_sku_id, pack_size })).map
      : undefined

  const order = await getOrderLocked(sql, accountId, orderId)
  const item = findItem(order, itemId)
  requireUntouched(item)
  if ((await readItemFlow(sql, accountId, orderId)).has(itemId)) throw unitsLeft()
  const mappedBy = map?.id ?? null
  if (item.product_sku_id === product_sku_id && item.pack_size === pack_size && item.mapped_by === mappedBy)
    return order
  const isOther = item.product_sku_id !== null && item.product_sku_id !== product_sku_id
  if (isOther) await putBackPicked(work, order, itemId)
  await mapLine(work, itemId, { ...sku, pack_size, mapped_by: mappedBy })
  await touchOrders(work, [orderId])
  await work.record({
    type: 'order.items_mapped',
    subjectId: orderId,
    data: { product_sku_id, items: 1, listing_map_id: mappedBy },
  })
  // Fewer units of the same SKU may be wanted now than were picked.
  await settlePicks(work, orderId)
  const mapped = await getOrder(sql, accountId, orderId)
  await indexOrder(work, mapped)
  return mapped
}

/** Answers what the line is known by in its shop; undefined for one that came with a SKU of ours and nothing else. */
function keyOf({ seller_sku, listing_id, variation }: OrderItemRow): ListingKey | undefined {
  if (seller_sku !== '') return { seller_sku, listing_id: '', variation: '' }
  return listing_id === '' ? undefined : { seller_sku: '', listing_id, variation }
}

function findItem(order: OrderWithItems, itemId: OrderItemId): OrderItemRow {
  const item = order.items.find(({ id }) => id === itemId)
  if (!item) throw notFound('order item')
  return item
}

function requireUntouched(item: OrderItemRow): void {
  if (item.quantity_fulfilled > 0) throw unitsLeft()
  if (item.fulfillment_status !== 'pending') {
    throw new AppError('RESOURCE_IN_USE', { resource: 'line', why: `it is ${item.fulfillment_status}` })
  }
}

const unitsLeft = () => new AppError('RESOURCE_IN_USE', { resource: 'line', why: 'units were taken for it already' })
