import type { Sql } from '../../../db/database.ts'
import type { ShopPushRow } from '../../../db/rows.generated.ts'
import type { AccountId, ShopId, ShopPushId } from '../../../kernel/ids.ts'
import type { Parcel } from '../connectors/contract/connector.ts'

/** Parcels whose shop is to be told of them now, the oldest first. */
export async function listDuePushes(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  now: Date,
  most: number,
): Promise<{ id: ShopPushId; attempts: number; parcel: Parcel }[]> {
  type Row = Pick<ShopPushRow, 'id' | 'attempts'> & Parcel
  const rows = await sql<Row[]>`
    select p.id, p.attempts, p.shipment_id as "shipmentId", r.external_id as "orderInShop", s.carrier,
      coalesce(nullif(s.tracking_number, ''), o.tracking_number) as "trackingNumber",
      coalesce(nullif(s.tracking_url, ''), o.tracking_url) as "trackingUrl",
      o.status = 'fulfilled' and not exists (
        select from shop_pushes later
        where later.account_id = p.account_id and later.order_id = p.order_id and later.shop_id = p.shop_id
          and later.state = 'pending' and later.id > p.id) as "isLast",
      coalesce((
        select json_agg(json_build_object('external_id', i.external_id, 'quantity', l.quantity, 'before', coalesce((
          select sum(earlier.quantity) from shipment_items earlier
          join shop_pushes told on told.account_id = earlier.account_id and told.shipment_id = earlier.shipment_id
            and told.shop_id = p.shop_id and told.state = 'sent'
          where earlier.account_id = l.account_id and earlier.order_item_id = l.order_item_id), 0)) order by i.id)
        from shipment_items l join order_items i on i.account_id = l.account_id and i.id = l.order_item_id
        where l.account_id = p.account_id and l.shipment_id = p.shipment_id and i.external_id <> ''), '[]') as lines
    from shop_pushes p
    join shipments s on s.account_id = p.account_id and s.id = p.shipment_id
    join orders o on o.account_id = p.account_id and o.id = p.order_id
    join shop_orders r on r.account_id = p.account_id and r.shop_id = p.shop_id and r.order_id = p.order_id
    where p.account_id = ${accountId} and p.shop_id = ${shopId} and p.state = 'pending' and p.due_at <= ${now}
    order by p.id limit ${most}`
  return rows.map(({ id, attempts, ...parcel }) => ({ id, attempts, parcel }))
}

export async function settlePush(
  sql: Sql,
  accountId: AccountId,
  pushId: ShopPushId,
  attempt: Pick<ShopPushRow, 'state' | 'attempted_at' | 'problem' | 'due_at'>,
): Promise<void> {
  await sql`
    update shop_pushes set ${sql(attempt)}, attempts = attempts + 1
    where account_id = ${accountId} and id = ${pushId} and state = 'pending'`
}
