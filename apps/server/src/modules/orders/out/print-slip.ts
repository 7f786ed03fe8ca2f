import type { Sql } from '../../../db/database.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { AccountId, OrderId, ShipmentId } from '../../../kernel/ids.ts'
import { findAccount } from '../../people/accounts/accounts.queries.ts'
import type { OrderWithItems } from '../orders.queries.ts'
import { getOrder } from '../orders.service.ts'
import { isOpen } from '../state/order-status.ts'
import { packingSlip } from './packing-slip.ts'
import { listShipments, type Shipment } from './shipments.queries.ts'

/** The packing slip of one parcel of an order, or of all that the order has. */
export async function printSlip(
  sql: Sql,
  accountId: AccountId,
  orderId: OrderId,
  shipmentId: ShipmentId | undefined,
): Promise<string> {
  const order = await getOrder(sql, accountId, orderId)
  const shipments = await listShipments(sql, accountId, orderId)
  const shipment = shipments.find(({ id }) => id === shipmentId)
  if (shipmentId !== undefined && !shipment) throw notFound('shipment')
  const account = await findAccount(sql, accountId)
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: account?.time_zone ?? 'UTC', dateStyle: 'short' })
  return packingSlip({
    farm: account?.name ?? '',
    order_number: order.order_number,
    order_day: day.format(order.order_date),
    shipTo: addressOf(order),
    carrier: shipment?.carrier ?? '',
    tracking_number: shipment ? shipment.tracking_number : order.tracking_number,
    lines: linesOf(order, shipment),
    toFollow: shipment ? unitsToFollow(order, shipments, shipment) : 0,
  })
}

function addressOf(order: OrderWithItems): string[] {
  const { customer_name, shipping_street, shipping_zip, shipping_city, shipping_state, shipping_country } = order
  const town = [shipping_zip, shipping_city, shipping_state].filter((part) => part !== '').join(' ')
  return [customer_name, shipping_street, town, shipping_country].filter((line) => line !== '')
}

/** Lists what is in a parcel; without one every line that was not cancelled. */
function linesOf(order: OrderWithItems, shipment: Shipment | undefined) {
  return order.items.flatMap((item) => {
    const packed = shipment?.items.find(({ order_item_id }) => order_item_id === item.id)
    const quantity = shipment ? (packed?.quantity ?? 0) : item.quantity
    return quantity === 0 || (!shipment && item.fulfillment_status === 'cancelled') ? [] : [{ ...item, quantity }]
  })
}

/** Answers what is open, and what left in later parcels. */
function unitsToFollow(order: OrderWithItems, shipments: readonly Shipment[], shipment: Shipment): number {
  const open = order.items.filter(isOpen).map((item) => item.quantity - item.quantity_fulfilled)
  const later = shipments
    .slice(shipments.indexOf(shipment) + 1)
    .flatMap(({ items }) => items.map(({ quantity }) => quantity))
  return [...open, ...later].reduce((sum, quantity) => sum + quantity, 0)
}
