import type { Sql } from '../../db/database.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { AccountId, JobId, OrderId, ShipmentId } from '../../kernel/ids.ts'
import { mapActorNames } from './actor-names.queries.ts'

/** What people call a thing that a record names by its ID, and the order that it is, or is a parcel of. */
export interface RecordName {
  name: string
  order_id: OrderId | null
}

type NamedId = JobId | OrderId | ShipmentId | null

/** Answers who made the movements of a page, by the label of the actor, and what jobs, orders and parcels they name are called. */
export async function namesOfMovements<Row extends { actor: string }>(
  sql: Sql,
  reader: Pick<Actor, 'accountId' | 'userId'>,
  rows: readonly Row[],
  idsOf: (row: Row) => readonly NamedId[],
): Promise<{ actors: ReadonlyMap<string, string>; records: ReadonlyMap<string, RecordName> }> {
  const labels = rows.map((row) => row.actor)
  const [actors, records] = await Promise.all([
    mapActorNames(sql, reader, labels),
    mapRecordNames(sql, reader.accountId, rows.flatMap(idsOf)),
  ])
  return { actors, records }
}

/**
 * The names of jobs (of their product, else of their file), orders (their numbers) and parcels (the numbers of their orders) that records
 * of an account name. What is gone has no entry.
 */
async function mapRecordNames(
  sql: Sql,
  accountId: AccountId,
  ids: readonly NamedId[],
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
