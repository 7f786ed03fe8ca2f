import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { ShopRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, OrderId, ShopId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<TableRow>()(
  'account_id',
  'id',
  'platform',
  'name',
  'shop',
  'url',
  'settings_sealed',
  'orders_since',
  'personalisation_names',
  'pushes_fulfilment',
  'pushes_stock',
  'stock_buffer',
  'paused_at',
  'last_read_at',
  'failures',
  'failing_since',
  'retry_at',
  'problem',
  'created_by',
  'created_at',
  'updated_at',
  'tokens_sealed',
)
export type ShopRow = RowOf<typeof columns>

/** The newest first. */
export async function listShops(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<ShopRow>[]> {
  return sql<PageRow<ShopRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from shops
    where account_id = ${accountId}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

export async function findShop(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  { isLocked = false } = {},
): Promise<ShopRow | undefined> {
  const [row] = await sql<ShopRow[]>`
    select ${columns(sql)} from shops
    where account_id = ${accountId} and id = ${shopId} ${isLocked ? sql`for update` : sql``}`
  return row
}

/** Outcome of the orders and parcels of a shop. */
export interface ShopCounts {
  orders: number
  refused_orders: number
  waiting_parcels: number
  failed_parcels: number
}

export async function countOfShops(
  sql: Sql,
  accountId: AccountId,
  shopIds: readonly ShopId[],
): Promise<Map<ShopId, ShopCounts>> {
  const rows = await sql<(ShopCounts & { id: ShopId })[]>`
    select s.id,
      (select count(*) from shop_orders o
       where o.account_id = s.account_id and o.shop_id = s.id and o.order_id is not null)::int as orders,
      (select count(*) from shop_orders o
       where o.account_id = s.account_id and o.shop_id = s.id and o.state = 'refused')::int as refused_orders,
      (select count(*) from shop_pushes p
       where p.account_id = s.account_id and p.shop_id = s.id and p.state = 'pending')::int as waiting_parcels,
      (select count(*) from shop_pushes p
       where p.account_id = s.account_id and p.shop_id = s.id and p.state = 'failed')::int as failed_parcels
    from shops s where s.account_id = ${accountId} and s.id = any(${[...shopIds]})`
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Something of a shop that a person should look at. */
export interface ShopTrouble {
  kind: 'order' | 'parcel' | 'stock'
  name: string
  order_id: OrderId | null
  problem: string
  at: Date
}

const mostTroubles = 50

/** Orders that could not be recorded, parcels and levels that the shop did not take: the latest first. */
export async function listTroubles(sql: Sql, accountId: AccountId, shopId: ShopId): Promise<ShopTrouble[]> {
  return sql<ShopTrouble[]>`
    (select 'order' as kind, external_id as name, order_id, reason as problem, updated_at as at from shop_orders
     where account_id = ${accountId} and shop_id = ${shopId} and state = 'refused'
     order by updated_at desc limit ${mostTroubles})
    union all
    (select 'parcel', o.order_number, p.order_id, p.problem, p.attempted_at from shop_pushes p
     join orders o on o.account_id = p.account_id and o.id = p.order_id
     where p.account_id = ${accountId} and p.shop_id = ${shopId} and p.state <> 'sent' and p.problem is not null
     order by p.attempted_at desc limit ${mostTroubles})
    order by at desc limit ${mostTroubles}`
}

export async function insertShop(
  { sql, accountId, actor, now }: Work,
  row: Pick<
    TableRow,
    | 'id'
    | 'platform'
    | 'name'
    | 'shop'
    | 'url'
    | 'settings_sealed'
    | 'orders_since'
    | 'personalisation_names'
    | 'pushes_fulfilment'
    | 'pushes_stock'
    | 'stock_buffer'
    | 'paused_at'
  >,
): Promise<ShopRow> {
  const times = { due_at: now, stock_due_at: now, created_at: now, updated_at: now }
  const all = { account_id: accountId, ...row, ...times, created_by: actor }
  const [made] = await sql<[ShopRow]>`insert into shops ${sql(all)} returning ${columns(sql)}`
  return made
}

/** Makes the reader of the shop look at it again: the lease ends, and it is due. */
export async function updateShop(
  { sql, accountId, now }: Work,
  shopId: ShopId,
  change: Partial<
    Pick<
      TableRow,
      | 'name'
      | 'settings_sealed'
      | 'personalisation_names'
      | 'pushes_fulfilment'
      | 'pushes_stock'
      | 'stock_buffer'
      | 'paused_at'
      | 'failures'
      | 'failing_since'
      | 'problem'
    >
  >,
): Promise<ShopRow> {
  const row = {
    ...change,
    lease_id: null,
    leased_until: null,
    retry_at: null,
    due_at: now,
    stock_due_at: now,
    updated_at: now,
  }
  const [changed] = await sql<[ShopRow]>`
    update shops set ${sql(row)} where account_id = ${accountId} and id = ${shopId} returning ${columns(sql)}`
  return changed
}

/** Orders stay; what was entered of the shop, and what was read of it, goes. */
export async function deleteShop({ sql, accountId }: Work, shopId: ShopId): Promise<void> {
  await sql`delete from shops where account_id = ${accountId} and id = ${shopId}`
}

/** The shop is read now, and what was given up is tried once more. */
export async function makeDue({ sql, accountId, now }: Work, shopId: ShopId): Promise<void> {
  await sql`update shops set due_at = ${now}, stock_due_at = ${now}, retry_at = null where account_id = ${accountId} and id = ${shopId}`
  await sql`
    update shop_orders set reread_at = ${now}
    where account_id = ${accountId} and shop_id = ${shopId} and state = 'refused'`
  await sql`
    update shop_pushes set state = 'pending', attempts = 0, due_at = ${now}
    where account_id = ${accountId} and shop_id = ${shopId} and state <> 'sent'`
}

/** A shop by its ID alone: the caller shows by a signature that it is the shop. */
export async function findShopOfHook(
  sql: Sql,
  shopId: ShopId,
): Promise<Pick<TableRow, 'account_id' | 'id' | 'platform' | 'settings_sealed'> | undefined> {
  const [row] = await sql<Pick<TableRow, 'account_id' | 'id' | 'platform' | 'settings_sealed'>[]>`
    /* every account: the ID is what the shop was given */
    select account_id, id, platform, settings_sealed from shops where id = ${shopId}`
  return row
}

/**
 * Something has changed at the shop: it is read soon, and this order by itself where it is known. One that is just being read is read once
 * more. One that waits keeps its place among those that are due.
 */
export async function wakeShop(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  { externalId, now }: { externalId: string | undefined; now: Date },
): Promise<void> {
  if (externalId !== undefined) {
    await sql`
      update shop_orders set reread_at = ${now}
      where account_id = ${accountId} and shop_id = ${shopId} and external_id = ${externalId}`
  }
  await sql`
    update shops set due_at = ${now}
    where account_id = ${accountId} and id = ${shopId} and (due_at > ${now} or lease_id is not null)`
}
