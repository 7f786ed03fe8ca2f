import { columnsOf, type RowOf } from '../../../../db/columns.ts'
import type { Sql } from '../../../../db/database.ts'
import type { SpoolmanConnectionRow, SpoolmanUsageRow } from '../../../../db/rows.generated.ts'
import { type AccountId, type MaterialId, newId, type SpoolmanUsageId } from '../../../../kernel/ids.ts'
import type { Work } from '../../../events/work.ts'

const columns = columnsOf<SpoolmanConnectionRow>('c')(
  'id',
  'url',
  'leader',
  'sends_usage',
  'paused_at',
  'last_read_at',
  'failures',
  'failing_since',
  'retry_at',
  'problem',
  'created_by',
  'created_at',
  'updated_at',
)
export type ConnectionRow = RowOf<typeof columns>

export async function findConnection(
  sql: Sql,
  accountId: AccountId,
  { isLocked = false } = {},
): Promise<ConnectionRow | undefined> {
  const [row] = await sql<ConnectionRow[]>`
    select ${columns(sql)} from spoolman_connections c
    where c.account_id = ${accountId} ${isLocked ? sql`for update` : sql``}`
  return row
}

/** Outcome of the spools of Spoolman. */
export interface SpoolCounts {
  linked: number
  unweighed: number
  gone: number
  waiting_usages: number
}

export async function countSpools(sql: Sql, accountId: AccountId): Promise<SpoolCounts> {
  const [counts] = await sql<SpoolCounts[]>`
    select
      count(*) filter (where s.state = 'linked' and s.material_id is not null)::int as linked,
      count(*) filter (where s.state = 'unweighed')::int as unweighed,
      count(*) filter (where s.state = 'gone' and s.material_id is not null)::int as gone,
      (select count(*) from spoolman_usages u
       where u.account_id = ${accountId} and u.state in ('pending', 'sending'))::int as waiting_usages
    from spoolman_spools s where s.account_id = ${accountId}`
  // A select of counts answers one row.
  return counts as SpoolCounts
}

/** Usage that a person has to decide on. */
export interface TroubledUsage {
  id: SpoolmanUsageId
  spool_id: number
  material_id: MaterialId | null
  milligrams: number
  state: SpoolmanUsageRow['state']
  problem: string | null
  created_at: Date
}

const mostTroubles = 50

export async function listTroubledUsages(sql: Sql, accountId: AccountId): Promise<TroubledUsage[]> {
  return sql<TroubledUsage[]>`
    select u.id, u.spool_id, s.material_id, u.milligrams, u.state, u.problem, u.created_at
    from spoolman_usages u
    join spoolman_spools s on s.account_id = u.account_id and s.spool_id = u.spool_id
    where u.account_id = ${accountId} and u.state in ('unclear', 'refused')
    order by u.created_at desc, u.id desc limit ${mostTroubles}`
}

export async function insertConnection(
  { sql, accountId, actor, now }: Work,
  row: Pick<SpoolmanConnectionRow, 'url' | 'leader' | 'sends_usage'>,
): Promise<ConnectionRow> {
  const all = {
    ...{ account_id: accountId, id: newId('spoolmanConnection', now.getTime()), ...row },
    ...{ due_at: now, created_by: actor, created_at: now, updated_at: now },
  }
  const [made] = await sql<[ConnectionRow]>`
    insert into spoolman_connections as c ${sql(all)} returning ${columns(sql)}`
  return made
}

/** Makes the follower look at it again: the lease ends, and it is due. */
export async function updateConnection(
  { sql, accountId, now }: Work,
  change: Partial<
    Pick<
      SpoolmanConnectionRow,
      'url' | 'leader' | 'sends_usage' | 'paused_at' | 'failures' | 'failing_since' | 'problem'
    >
  >,
): Promise<ConnectionRow> {
  const row = { ...change, lease_id: null, leased_until: null, retry_at: null, due_at: now, updated_at: now }
  const [changed] = await sql<[ConnectionRow]>`
    update spoolman_connections c set ${sql(row)} where c.account_id = ${accountId} returning ${columns(sql)}`
  return changed
}

export async function makeDue({ sql, accountId, now }: Work): Promise<void> {
  await sql`update spoolman_connections set due_at = ${now}, retry_at = null where account_id = ${accountId}`
}

export async function deleteConnection({ sql, accountId }: Work): Promise<void> {
  await sql`delete from spoolman_connections where account_id = ${accountId}`
}

/** The same Spoolman at another address. */
export async function moveSpools({ sql, accountId }: Work, url: string): Promise<void> {
  await sql`update spoolman_spools set url = ${url} where account_id = ${accountId}`
}

/** Forgets the spools of any other Spoolman. What came of them stays. */
export async function forgetOtherSpools({ sql, accountId }: Work, url: string): Promise<void> {
  await sql`delete from spoolman_spools where account_id = ${accountId} and url <> ${url}`
}

/** Nothing more is told of what was used so far. */
export async function forgetUsages({ sql, accountId }: Work): Promise<void> {
  await sql`delete from spoolman_usages where account_id = ${accountId}`
  await sql`
    update spoolman_spools set sending_from = null, sending_milligrams = null, sending_at = null
    where account_id = ${accountId} and sending_at is not null`
}

/** Ends the question about some usage: it is told again, or counts as told. False when there is no such question. */
export async function settleTroubled(
  { sql, accountId }: Work,
  usageId: SpoolmanUsageId,
  isToldAgain: boolean,
): Promise<boolean> {
  const isOf = sql`account_id = ${accountId} and id = ${usageId} and state in ('unclear', 'refused')`
  const rows = isToldAgain
    ? await sql`update spoolman_usages set state = 'pending', problem = null where ${isOf} returning id`
    : await sql`delete from spoolman_usages where ${isOf} returning id`
  return rows.length > 0
}
