import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type {
  OrderReturnRow as OrderReturnTableRow,
  ShipmentItemRow as ShipmentItemTableRow,
  ShipmentRow as ShipmentTableRow,
} from '../../../db/rows.generated.ts'
import {
  type AccountId,
  newId,
  type OrderId,
  type OrderItemId,
  type ShipmentId,
  type UserId,
} from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<ShipmentTableRow>()(
  'id',
  'order_id',
  'carrier',
  'tracking_number',
  'tracking_url',
  'packed_by',
  'shipped_at',
)
const itemColumns = columnsOf<ShipmentItemTableRow>()('shipment_id', 'order_item_id', 'quantity', 'units')
const returnColumns = columnsOf<OrderReturnTableRow>()(
  'id',
  'order_item_id',
  'quantity',
  'units',
  'disposition',
  'notes',
  'actor',
  'created_at',
)

type ShipmentItem = RowOf<typeof itemColumns>
export type Shipment = RowOf<typeof columns> & { items: ShipmentItem[] }
export type OrderReturn = RowOf<typeof returnColumns>

/** The parcels of an order, the first one first. */
export async function listShipments(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<Shipment[]> {
  const shipments = await sql<RowOf<typeof columns>[]>`
    select ${columns(sql)} from shipments
    where account_id = ${accountId} and order_id = ${orderId} order by shipped_at, id`
  const items = await sql<ShipmentItem[]>`
    select ${itemColumns(sql)} from shipment_items
    where account_id = ${accountId} and order_id = ${orderId} order by order_item_id`
  const ofShipment = Map.groupBy(items, (item) => item.shipment_id)
  return shipments.map((shipment) => ({ ...shipment, items: ofShipment.get(shipment.id) ?? [] }))
}

export async function insertShipment(
  { sql, accountId, now }: Work,
  shipment: {
    order_id: OrderId
    carrier: string
    tracking_number: string
    tracking_url: string
    packed_by: UserId | null
    items: { order_item_id: OrderItemId; quantity: number; units: number }[]
  },
): Promise<ShipmentId> {
  const { items, ...fields } = shipment
  const id = newId('shipment', now.getTime())
  await sql`insert into shipments ${sql({ account_id: accountId, id, ...fields, shipped_at: now, created_at: now })}`
  const rows = items.map((item) => ({
    account_id: accountId,
    id: newId('shipmentItem', now.getTime()),
    shipment_id: id,
    order_id: shipment.order_id,
    ...item,
  }))
  await sql`insert into shipment_items ${sql(rows)}`
  return id
}

/**
 * Answers what left for each line of an order and what came back, in the quantities of the order. Lines of which nothing left are
 * missing.
 */
export async function readItemFlow(
  sql: Sql,
  accountId: AccountId,
  orderId: OrderId,
): Promise<Map<OrderItemId, { shipped: number; returned: number }>> {
  const rows = await sql<{ order_item_id: OrderItemId; shipped: number; returned: number }[]>`
    select left_of.order_item_id, left_of.shipped, coalesce(back.returned, 0)::int as returned
    from (
      select order_item_id, sum(quantity)::int as shipped from shipment_items
      where account_id = ${accountId} and order_id = ${orderId} group by order_item_id
    ) left_of
    left join (
      select order_item_id, sum(quantity) as returned from order_returns
      where account_id = ${accountId} and order_id = ${orderId} group by order_item_id
    ) back on back.order_item_id = left_of.order_item_id`
  return new Map(rows.map(({ order_item_id, shipped, returned }) => [order_item_id, { shipped, returned }]))
}

/** Answers what came back of an order, in the order in which it did. */
export async function listReturns(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OrderReturn[]> {
  return sql<OrderReturn[]>`
    select ${returnColumns(sql)} from order_returns
    where account_id = ${accountId} and order_id = ${orderId} order by created_at, id`
}

export async function insertReturns(
  { sql, accountId, actor, now }: Work,
  orderId: OrderId,
  returns: readonly Pick<OrderReturn, 'order_item_id' | 'quantity' | 'units' | 'disposition' | 'notes'>[],
): Promise<void> {
  const rows = returns.map((each) => ({
    account_id: accountId,
    id: newId('orderReturn', now.getTime()),
    order_id: orderId,
    ...each,
    actor,
    created_at: now,
  }))
  await sql`insert into order_returns ${sql(rows)}`
}
