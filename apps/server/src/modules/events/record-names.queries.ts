import type { Sql } from '../../db/database.ts'
import type { AccountId, JobId, OrderId, ShipmentId } from '../../kernel/ids.ts'

/** What people call a thing that a record names by its ID, and the order that it is, or is a parcel of. */
export interface RecordName {
  name: string
  order_id: OrderId | null
}

/**
 * The names of jobs (of their product, else of their file), orders (their numbers) and parcels (the numbers of their orders) that records
 * of an account name. What is gone has no entry.
 */
export async function mapRecordNames(
  sql: Sql,
  accountId: AccountId,
  ids: readonly (JobId | OrderId | ShipmentId | null)[],
): Promise<ReadonlyMap<string, RecordName>> {
  const named = [...new Set(ids.filter((id) => id !== null))]
  if (named.length === 0) return new Map()
  const rows = await sql<(RecordName & { id: string })[]>`
    select j.id, coalesce(j.product_name, j.file_name) as name, null as order_id
    from jobs j where j.account_id = ${accountId} and j.id = any(${named})
    union all
    select o.id, o.order_number, o.id from orders o where o.account_id = ${accountId} and o.id = any(${named})
    union all
    select s.id, o.order_number, o.id
    from shipments s join orders o on o.account_id = s.account_id and o.id = s.order_id
    where s.account_id = ${accountId} and s.id = any(${named})`
  return new Map(rows.map(({ id, ...name }) => [id, name]))
}
