import { columnsOf, type RowOf } from '../../../../db/columns.ts'
import type { Sql } from '../../../../db/database.ts'
import type { SpoolmanConnectionRow, SpoolmanSpoolRow } from '../../../../db/rows.generated.ts'
import type { AccountId, MaterialId } from '../../../../kernel/ids.ts'
import type { Work } from '../../../events/work.ts'
import { latestOf } from '../../../outbound/clock-watch.ts'
import type { Lease } from '../../../outbound/leased-work.ts'
import { type NextTurn, whenNext } from '../../../outbound/next-turn.ts'

export type Leased = Pick<SpoolmanConnectionRow, 'account_id' | 'id'>

/** Takes connections that are due, or have usage to tell, and that no process works on. */
export async function takeLeases(sql: Sql, { id, now, until }: Lease, most: number): Promise<Leased[]> {
  return sql<Leased[]>`
    /* every account: connections of all of them are followed */
    update spoolman_connections s set lease_id = ${id}, leased_until = ${until}
    from (
      select c.account_id, c.id from spoolman_connections c
      where c.paused_at is null and (c.leased_until is null or c.leased_until <= ${now})
        and (c.retry_at is null or c.retry_at <= ${now})
        and (c.due_at <= ${now} or c.leader = 'spoolman' and exists (
          select from spoolman_usages u where u.account_id = c.account_id and u.state = 'pending'))
      order by c.due_at limit ${most} for update skip locked
    ) due
    where s.account_id = due.account_id and s.id = due.id
    returning s.account_id, s.id`
}

/** Makes due what was written by a clock that was ahead, and was set back since. */
export async function bringBack(
  sql: Sql,
  { now, until }: Lease,
  { pollMs, longestWaitMs }: { pollMs: number; longestWaitMs: number },
): Promise<void> {
  const [latestLease, latestDue, latestRetry] = [latestOf(until), latestOf(now, pollMs), latestOf(now, longestWaitMs)]
  await sql`
    /* every account: the clock is that of all of them */
    update spoolman_connections set
      leased_until = case when leased_until > ${latestLease} then ${until} else leased_until end,
      due_at = case when due_at > ${latestDue} then ${now} else due_at end,
      retry_at = case when retry_at > ${latestRetry} then null else retry_at end
    where leased_until > ${latestLease} or due_at > ${latestDue} or retry_at > ${latestRetry}`
  await sql`
    /* every account: the clock is that of all of them */
    update spoolman_spools set sending_at = ${now} where sending_at > ${latestOf(now)}`
}

const heldColumns = columnsOf<SpoolmanConnectionRow>('c')(
  'account_id',
  'id',
  'url',
  'leader',
  'due_at',
  'failures',
  'failing_since',
)
export type HeldConnection = RowOf<typeof heldColumns>

/** Holds the lease for longer, and answers the connection as it is now. Undefined when it was lost, paused or removed. */
export async function holdLease(
  sql: Sql,
  { id: leaseId, now, until }: Lease,
  { account_id, id }: Leased,
): Promise<HeldConnection | undefined> {
  const [held] = await sql<HeldConnection[]>`
    update spoolman_connections c set leased_until = ${until}
    where c.account_id = ${account_id} and c.id = ${id} and c.lease_id = ${leaseId} and c.leased_until > ${now}
      and c.paused_at is null
    returning ${heldColumns(sql)}`
  return held
}

export async function releaseLease(sql: Sql, leaseId: string, { account_id, id }: Leased): Promise<void> {
  await sql`
    update spoolman_connections set lease_id = null, leased_until = null
    where account_id = ${account_id} and id = ${id} and lease_id = ${leaseId}`
}

/** What is written by the process that holds the lease. False when it holds it no more: then nothing was. */
export async function changeHeld(
  { sql, accountId, now }: Work,
  leaseId: string,
  id: SpoolmanConnectionRow['id'],
  change: Partial<Pick<SpoolmanConnectionRow, 'last_read_at' | 'failures' | 'failing_since' | 'retry_at' | 'problem'>>,
): Promise<boolean> {
  const rows = await sql`
    update spoolman_connections set ${sql(change)}
    where account_id = ${accountId} and id = ${id} and lease_id = ${leaseId} and leased_until > ${now}
    returning id`
  return rows.length > 0
}

/** Says when it is read next, by the process that holds the lease. */
export async function scheduleHeld(
  { sql, accountId }: Work,
  leaseId: string,
  id: SpoolmanConnectionRow['id'],
  turn: NextTurn,
): Promise<void> {
  await sql`
    update spoolman_connections set due_at = ${whenNext(sql, 'due_at', turn)}
    where account_id = ${accountId} and id = ${id} and lease_id = ${leaseId}`
}

const spoolColumns = columnsOf<SpoolmanSpoolRow>('s')(
  'spool_id',
  'material_id',
  'state',
  'sending_from',
  'sending_milligrams',
  'sending_at',
)
export type LinkedSpool = RowOf<typeof spoolColumns>

export async function listLinks(
  sql: Sql,
  accountId: AccountId,
  spoolIds: readonly number[],
): Promise<Map<number, LinkedSpool>> {
  const rows = await sql<LinkedSpool[]>`
    select ${spoolColumns(sql)} from spoolman_spools s
    where s.account_id = ${accountId} and s.spool_id = any(${[...spoolIds]})`
  return new Map(rows.map((row) => [row.spool_id, row]))
}

export async function saveLink(
  { sql, accountId, now }: Work,
  link: { spool_id: number; url: string; material_id: MaterialId | null; state: SpoolmanSpoolRow['state'] },
): Promise<void> {
  const { spool_id, ...change } = link
  await sql`
    insert into spoolman_spools ${sql({ account_id: accountId, ...link, created_at: now })}
    on conflict (account_id, spool_id) do update set ${sql(change)}`
}

/** Spools that Spoolman has no more. They stay here, and nothing is told of them. */
export async function markGone({ sql, accountId }: Work, seen: readonly number[]): Promise<void> {
  await sql`
    update spoolman_spools set state = 'gone'
    where account_id = ${accountId} and state <> 'gone' and not (spool_id = any(${[...seen]}))`
}

export async function hasOpenUsage(sql: Sql, accountId: AccountId, spoolId: number): Promise<boolean> {
  const rows = await sql`
    select 1 as one from spoolman_usages where account_id = ${accountId} and spool_id = ${spoolId} limit 1`
  return rows.length > 0
}

/** Spools with usage that is to be told, or of which it is not known whether it was. */
export async function listSpoolsToTell(sql: Sql, accountId: AccountId, most: number): Promise<LinkedSpool[]> {
  return sql<LinkedSpool[]>`
    select ${spoolColumns(sql)} from spoolman_spools s
    where s.account_id = ${accountId} and (s.sending_at is not null or exists (
      select from spoolman_usages u
      where u.account_id = s.account_id and u.spool_id = s.spool_id and u.state = 'pending'))
    order by s.spool_id limit ${most}`
}

/** Records what is about to be told, as started now: all that is pending of the spool. Undefined when nothing is. */
export async function beginSending(
  { sql, accountId, now }: Work,
  spoolId: number,
  usedNow: number,
): Promise<number | undefined> {
  const [sum] = await sql<{ milligrams: number | null }[]>`
    with taken as (
      update spoolman_usages set state = 'sending'
      where account_id = ${accountId} and spool_id = ${spoolId} and state in ('pending', 'sending')
      returning milligrams
    )
    select sum(milligrams)::int8 as milligrams from taken`
  const milligrams = sum?.milligrams ?? null
  if (milligrams === null) return undefined
  await sql`
    update spoolman_spools set sending_from = ${usedNow}, sending_milligrams = ${milligrams}, sending_at = ${now}
    where account_id = ${accountId} and spool_id = ${spoolId}`
  return milligrams
}

/** Records what became of what was told. `took`: it is done. `again`: it is told once more. Else a person has to look at it. */
export async function endSending(
  { sql, accountId }: Work,
  spoolId: number,
  outcome: { state: 'took' } | { state: 'again' } | { state: 'unclear' | 'refused'; problem: string },
): Promise<void> {
  const isOf = sql`account_id = ${accountId} and spool_id = ${spoolId} and state = 'sending'`
  if (outcome.state === 'took') await sql`delete from spoolman_usages where ${isOf}`
  else if (outcome.state === 'again') await sql`update spoolman_usages set state = 'pending' where ${isOf}`
  else await sql`update spoolman_usages set state = ${outcome.state}, problem = ${outcome.problem} where ${isOf}`
  await sql`
    update spoolman_spools set sending_from = null, sending_milligrams = null, sending_at = null
    where account_id = ${accountId} and spool_id = ${spoolId}`
}
