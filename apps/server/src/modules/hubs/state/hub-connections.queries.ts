import type { Sql } from '../../../db/database.ts'
import type { HubConnectionRow } from '../../../db/rows.generated.ts'
import type { AccountId, HubId } from '../../../kernel/ids.ts'

type Place = Pick<HubConnectionRow, 'account_id' | 'hub_id' | 'epoch'>

/** Lets a connection in, after all that were before; waits for what is written on the word of those. Undefined without the hub. */
export async function takeEpoch(
  sql: Sql,
  accountId: AccountId,
  hubId: HubId,
  processId: string | null,
): Promise<number | undefined> {
  const [row] = await sql<Pick<Place, 'epoch'>[]>`
    insert into hub_connections as c (account_id, hub_id, epoch, process_id)
    select account_id, id, 1, ${processId} from hubs where account_id = ${accountId} and id = ${hubId}
    on conflict (account_id, hub_id) do update set epoch = c.epoch + 1, process_id = excluded.process_id
    returning epoch`
  return row?.epoch
}

/** Keeps newer connections out until the end of the transaction. False when one was let in already. */
export async function holdEpoch(sql: Sql, { account_id, hub_id, epoch }: Place): Promise<boolean> {
  const rows = await sql`
    select 1 from hub_connections
    where account_id = ${account_id} and hub_id = ${hub_id} and epoch = ${epoch} for share`
  return rows.length > 0
}

/** Those of these places that are the newest of their hubs. */
export async function listNewest(sql: Sql, places: readonly Place[]): Promise<Pick<Place, 'hub_id' | 'epoch'>[]> {
  return sql<Pick<Place, 'hub_id' | 'epoch'>[]>`
    select c.hub_id, c.epoch
    from unnest(
      ${places.map((place) => place.account_id)}::text[],
      ${places.map((place) => place.hub_id)}::text[],
      ${places.map((place) => place.epoch)}::bigint[]
    ) as held (account_id, hub_id, epoch)
    join hub_connections c on c.account_id = held.account_id and c.hub_id = held.hub_id and c.epoch = held.epoch`
}

export async function releaseEpoch(sql: Sql, { account_id, hub_id, epoch }: Place): Promise<void> {
  await sql`
    update hub_connections set process_id = null
    where account_id = ${account_id} and hub_id = ${hub_id} and epoch = ${epoch}`
}

/** The process that holds the newest connection of a hub; null when none does. It may have been killed since. */
export async function findHolder(sql: Sql, accountId: AccountId, hubId: HubId): Promise<string | null> {
  const [row] = await sql<Pick<HubConnectionRow, 'process_id'>[]>`
    select process_id from hub_connections where account_id = ${accountId} and hub_id = ${hubId}`
  return row?.process_id ?? null
}
