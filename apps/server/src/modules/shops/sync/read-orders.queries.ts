import type { Sql } from '../../../db/database.ts'
import type { ShopOrderRow } from '../../../db/rows.generated.ts'
import type { AccountId, OrderId, ShopId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

type ReadOrder = Pick<ShopOrderRow, 'external_id' | 'order_id' | 'content_hash' | 'state'>

/** Answers what was read before of these orders. */
export async function listRead(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  externalIds: readonly string[],
): Promise<Map<string, ReadOrder>> {
  const rows = await sql<ReadOrder[]>`
    select external_id, order_id, content_hash, state from shop_orders
    where account_id = ${accountId} and shop_id = ${shopId} and external_id = any(${[...externalIds]})`
  return new Map(rows.map((row) => [row.external_id, row]))
}

export async function saveRead(
  { sql, accountId, now }: Work,
  shopId: ShopId,
  row: ReadOrder & { reason: string; reread_at: Date | null },
): Promise<void> {
  const all = { account_id: accountId, shop_id: shopId, ...row, created_at: now, updated_at: now }
  const { external_id: _id, ...changed } = row
  await sql`
    insert into shop_orders ${sql(all)}
    on conflict (account_id, shop_id, external_id) do update set ${sql({ ...changed, updated_at: now })}`
}

/** Orders that are to be asked for by themselves. */
export async function listToReread(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  now: Date,
  most: number,
): Promise<{ external_id: string; order_id: OrderId | null }[]> {
  return sql`
    select external_id, order_id from shop_orders
    where account_id = ${accountId} and shop_id = ${shopId} and reread_at <= ${now} order by reread_at limit ${most}`
}

/** The shop has the order no more. */
export async function recordGone({ sql, accountId, now }: Work, shopId: ShopId, externalId: string): Promise<void> {
  await sql`
    update shop_orders set reread_at = null, content_hash = ${Buffer.alloc(0)}, reason = 'the shop has it no more', updated_at = ${now}
    where account_id = ${accountId} and shop_id = ${shopId} and external_id = ${externalId}`
}

/** It was asked for. One that still cannot be recorded has a later time already. */
export async function recordReread({ sql, accountId, now }: Work, shopId: ShopId, externalId: string): Promise<void> {
  await sql`
    update shop_orders set reread_at = null
    where account_id = ${accountId} and shop_id = ${shopId} and external_id = ${externalId} and reread_at <= ${now}`
}
