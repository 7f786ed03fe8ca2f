import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Json, Sql } from '../../../db/database.ts'
import type { ShopRow } from '../../../db/rows.generated.ts'
import type { ShopId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { latestOf } from '../../outbound/clock-watch.ts'
import type { Lease } from '../../outbound/leased-work.ts'
import { type NextTurn, whenNext } from '../../outbound/next-turn.ts'

export type Leased = Pick<ShopRow, 'account_id' | 'id'>

/** Takes shops that have something to be read or told now, and that no process speaks with. */
export async function takeLeases(sql: Sql, { id, now, until }: Lease, most: number): Promise<Leased[]> {
  return sql<Leased[]>`
    /* every account: shops of all of them are read */
    update shops s set lease_id = ${id}, leased_until = ${until}
    from (
      select o.account_id, o.id from shops o
      where o.paused_at is null and (o.leased_until is null or o.leased_until <= ${now})
        and (o.retry_at is null or o.retry_at <= ${now})
        and (o.due_at <= ${now} or exists (
          select from shop_pushes p
          where p.account_id = o.account_id and p.shop_id = o.id and p.state = 'pending' and p.due_at <= ${now}))
      order by o.due_at limit ${most} for update skip locked
    ) due
    where s.account_id = due.account_id and s.id = due.id
    returning s.account_id, s.id`
}

/** Makes due what was written by a clock that was ahead, and was set back since. */
export async function bringBack(sql: Sql, { now, until }: Lease, waits: LongestWaits): Promise<void> {
  const [latest, latestLease, latestRetry] = [latestOf(now), latestOf(until), latestOf(now, waits.retryMs)]
  const [latestRead, latestStock] = [latestOf(now, waits.pollMs), latestOf(now, waits.stockMs)]
  await sql`
    /* every account: the clock is that of all of them */
    update shops set
      leased_until = case when leased_until > ${latestLease} then ${until} else leased_until end,
      due_at = case when due_at > ${latestRead} then ${now} else due_at end,
      stock_due_at = case when stock_due_at > ${latestStock} then ${now} else stock_due_at end,
      retry_at = case when retry_at > ${latestRetry} then null else retry_at end,
      renewing_until = case when renewing_until > ${latestOf(now, waits.renewalMs)} then null else renewing_until end
    where leased_until > ${latestLease} or due_at > ${latestRead} or stock_due_at > ${latestStock} or retry_at > ${latestRetry}
      or renewing_until > ${latestOf(now, waits.renewalMs)}`
  await sql`
    /* every account: the clock is that of all of them */
    update shop_pushes set due_at = least(due_at, ${now}), attempted_at = least(attempted_at, ${now}), created_at = least(created_at, ${now})
    where state = 'pending' and greatest(created_at, attempted_at) > ${latest}`
  await sql`
    /* every account: the clock is that of all of them */
    update shop_orders set reread_at = ${now} where reread_at > ${latestOf(now, waits.rereadMs)}`
}

/** Time that each of what a shop waits for may take. */
export interface LongestWaits {
  pollMs: number
  stockMs: number
  retryMs: number
  renewalMs: number
  rereadMs: number
}

const heldColumns = columnsOf<ShopRow>('s')(
  'account_id',
  'id',
  'platform',
  'name',
  'shop',
  'url',
  'settings_sealed',
  'cursor',
  'orders_since',
  'last_read_at',
  'personalisation_names',
  'pushes_stock',
  'stock_buffer',
  'due_at',
  'stock_due_at',
  'failures',
  'failing_since',
)
export type HeldShop = RowOf<typeof heldColumns>

/** Holds the lease for longer, and answers the shop as it is now. Undefined when it was lost, paused or disconnected. */
export async function holdLease(
  sql: Sql,
  { id: leaseId, now, until }: Lease,
  { account_id, id }: Leased,
): Promise<HeldShop | undefined> {
  const [held] = await sql<HeldShop[]>`
    update shops s set leased_until = ${until}
    where s.account_id = ${account_id} and s.id = ${id} and s.lease_id = ${leaseId} and s.leased_until > ${now}
      and s.paused_at is null
    returning ${heldColumns(sql)}`
  return held
}

export async function releaseLease(sql: Sql, leaseId: string, { account_id, id }: Leased): Promise<void> {
  await sql`
    update shops set lease_id = null, leased_until = null
    where account_id = ${account_id} and id = ${id} and lease_id = ${leaseId}`
}

/** What is written of a shop by the process that holds its lease. False when it holds it no more: then nothing was. */
export async function changeHeld(
  { sql, accountId, now }: Work,
  leaseId: string,
  shopId: ShopId,
  change: Partial<
    Pick<ShopRow, 'last_read_at' | 'failures' | 'failing_since' | 'retry_at' | 'problem'> & { cursor: Json }
  >,
): Promise<boolean> {
  const { cursor, ...plain } = change
  const row = { ...plain, ...(cursor !== undefined && { cursor: sql.json(cursor as never) }) }
  const rows = await sql`
    update shops set ${sql(row)}
    where account_id = ${accountId} and id = ${shopId} and lease_id = ${leaseId} and leased_until > ${now}
    returning id`
  return rows.length > 0
}

/** Says when a shop is read next, or told of its stock, by the process that holds its lease. */
export async function scheduleHeld(
  { sql, accountId }: Work,
  leaseId: string,
  shopId: ShopId,
  what: 'due_at' | 'stock_due_at',
  turn: NextTurn,
): Promise<void> {
  await sql`
    update shops set ${sql(what)} = ${whenNext(sql, what, turn)}
    where account_id = ${accountId} and id = ${shopId} and lease_id = ${leaseId}`
}
