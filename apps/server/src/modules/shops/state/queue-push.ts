import { newId, type OrderId, type ShipmentId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/**
 * A parcel of an order whose shop is told of parcels is to be told to it. In the transaction that makes the parcel, so that each is told
 * and none is that was not made.
 */
export async function queuePush(
  { sql, accountId, now }: Work,
  orderId: OrderId,
  shipmentId: ShipmentId,
): Promise<void> {
  await sql`
    insert into shop_pushes (account_id, id, shop_id, order_id, shipment_id, state, due_at, created_at)
    select o.account_id, ${newId('shopPush', now.getTime())}, o.shop_id, o.order_id, ${shipmentId}, 'pending', ${now}, ${now}
    from shop_orders o join shops s on s.account_id = o.account_id and s.id = o.shop_id
    where o.account_id = ${accountId} and o.order_id = ${orderId} and s.pushes_fulfilment
    on conflict do nothing`
}
