import type { Sql } from '../../../db/database.ts'
import type { PinnedPegRow } from '../../../db/rows.generated.ts'
import { type AccountId, newId, type OrderItemId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

type Pin = Pick<PinnedPegRow, 'order_item_id' | 'product_sku_id' | 'supply_kind' | 'supply_id' | 'units'>

/** Holds units for one order item, beside those that are held for it already. */
export async function addPin(work: Work, pin: Pin): Promise<void> {
  const { sql } = work
  await sql`
    insert into pinned_pegs ${sql(rowOf(work, pin))}
    on conflict on constraint pinned_pegs_key
      do update set units = pinned_pegs.units + excluded.units, updated_at = excluded.updated_at`
}

/** Makes what is held for an order item of one supply just that; 0 units: nothing. False when it was so before. */
export async function setPin(work: Work, { units, ...pin }: Pin): Promise<boolean> {
  const { sql, accountId, now } = work
  const { order_item_id, product_sku_id, supply_kind, supply_id } = pin
  const rows =
    units === 0
      ? await sql`
          delete from pinned_pegs
          where account_id = ${accountId} and order_item_id = ${order_item_id} and product_sku_id = ${product_sku_id}
            and supply_kind = ${supply_kind} and supply_id = ${supply_id} returning id`
      : await sql`
          insert into pinned_pegs ${sql(rowOf(work, { ...pin, units }))}
          on conflict on constraint pinned_pegs_key
            do update set units = excluded.units, updated_at = ${now}, actor = excluded.actor
            where pinned_pegs.units <> excluded.units
          returning id`
  return rows.length > 0
}

const rowOf = ({ accountId, actor, now }: Work, pin: Pin) => ({
  account_id: accountId,
  id: newId('pinnedPeg', now.getTime()),
  ...pin,
  actor,
  created_at: now,
  updated_at: now,
})

/** Lines that want nothing any more hold nothing. */
export async function removeEndedPins(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`
    delete from pinned_pegs p using order_items i, orders o
    where p.account_id = ${accountId} and i.account_id = p.account_id and i.id = p.order_item_id
      and o.account_id = i.account_id and o.id = i.order_id
      and (i.fulfillment_status in ('fulfilled', 'cancelled') or o.status in ('shipped', 'fulfilled', 'cancelled', 'refunded'))`
}

/** True when something is made for an order item alone: it is personalised. */
export async function isDedicatedItem({ sql, accountId }: Work, itemId: OrderItemId): Promise<boolean> {
  const rows = await sql`
    select id from order_items where account_id = ${accountId} and id = ${itemId} and personalisation <> '[]'`
  return rows.length > 0
}

/** Units are where they were held for their items no longer: they left the shelf, or were put together. */
export async function takeFromPins(
  { sql, accountId, now }: Work,
  taken: readonly Omit<Pin, 'supply_id'>[],
): Promise<void> {
  if (taken.length === 0) return
  const rows = sql`jsonb_to_recordset(${sql.json(taken)}::jsonb) as t (
      order_item_id text, product_sku_id text, supply_kind text, units int8)
    where p.account_id = ${accountId} and p.order_item_id = t.order_item_id and p.product_sku_id = t.product_sku_id
      and p.supply_kind = t.supply_kind`
  await sql`delete from pinned_pegs p using ${rows} and p.units <= t.units`
  await sql`update pinned_pegs p set units = p.units - t.units, updated_at = ${now} from ${rows} and p.units > t.units`
}
