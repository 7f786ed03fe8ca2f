import type { Sql } from '../../../db/database.ts'
import type { AccountId, OrderId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { Shop } from '../listings/listing-maps.queries.ts'
import type { ChangedLine } from './compare-lines.ts'

export async function changeLines({ sql, accountId, now }: Work, lines: readonly ChangedLine[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    update order_items i set external_id = c.external_id, quantity = c.quantity, unit_price = c.unit_price,
      fulfillment_status = c.fulfillment_status, personalisation = c.personalisation, notes = c.notes, updated_at = ${now}
    from jsonb_to_recordset(${sql.json(lines as never)}::jsonb)
      as c (id text, external_id text, quantity int4, unit_price int8, fulfillment_status text, personalisation jsonb, notes text)
    where i.account_id = ${accountId} and i.id = c.id`
}

/** Answers what its lines that were not cancelled come to. */
export async function sumLines(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(total_price), 0)::int8 as total from order_items
    where account_id = ${accountId} and order_id = ${orderId} and fulfillment_status <> 'cancelled'`
  return row?.total ?? 0
}

/** Orders of a shop under these IDs or, where they have none, these numbers; locked in the order of their IDs. */
export async function lockOrdersOfShop(
  { sql, accountId }: Work,
  { platform, shop }: Shop,
  { externalIds, numbers }: { externalIds: string[]; numbers: string[] },
): Promise<{ id: OrderId; external_id: string; order_number: string }[]> {
  return sql`
    select id, external_id, order_number from orders
    where account_id = ${accountId} and platform = ${platform} and shop = ${shop}
      and ((external_id = any(${externalIds}) and external_id <> '' and not external_id_repeated)
        or (external_id = '' and order_number = any(${numbers})))
    order by id for update`
}
