import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { EventRow as EventTableRow } from '../../db/rows.generated.ts'
import type { AccountId, EventId } from '../../kernel/ids.ts'
import { guardedTypes, seesEverything, type Viewer } from './event-audience.ts'

export const columnsOfEvents = columnsOf<EventTableRow>()(
  'id',
  'type',
  'subject_id',
  'data',
  'actor',
  'created_at',
  'txid',
)

export type EventRow = RowOf<typeof columnsOfEvents>

/** Up to where a reader has read; the ID is empty before the first event. */
export type EventPosition = Pick<EventRow, 'txid'> & { id: EventId | '' }

/** Before the first event. */
export const beginning: EventPosition = { id: '', txid: 0 }

export function isAfter(one: EventPosition, other: EventPosition): boolean {
  return one.txid === other.txid ? one.id > other.id : one.txid > other.txid
}

/**
 * The number of the oldest transaction that still runs in this database, or of the next one: what is below is final. Those
 * of other databases on the same server have numbers of the same kind, but nothing to do with our events. One that has
 * ended since this statement began is not seen to be another's, and waited for once more.
 */
export function oldestRunning(sql: Sql) {
  return sql`(
    select coalesce(
      (select min(running::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) running
       where not exists (
         select from pg_stat_activity other
         where other.backend_xid = running::xid and other.datname <> current_database())),
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint))`
}

/** Which events of the feed to read; all of them without. */
interface FeedFilter {
  /** A type, or the beginning of several with a star: `job.*`. */
  type?: string
  subject?: string
}

/**
 * The events after a position, in the order of the feed. Only what is final is given: a transaction that still runs could
 * come before what was committed after it began. `isWaiting` says that there is more which is not final yet.
 *
 * @param viewer who is given only what they may hear; everything without one
 * @param given up to where events were given already. They are final, also when a transaction of another database that began before them has
 * ended since this statement began, and is taken for one of ours.
 */
export async function listEventsAfter(
  sql: Sql,
  accountId: AccountId,
  after: EventPosition,
  limit: number,
  viewer?: Viewer,
  { type, subject, given = beginning }: FeedFilter & { given?: EventPosition } = {},
): Promise<{ events: EventRow[]; isWaiting: boolean }> {
  const rows = await sql<(EventRow & { is_final: boolean })[]>`
    select ${columnsOfEvents(sql)}, txid < ${oldestRunning(sql)} as is_final from events
    where account_id = ${accountId} and (txid, id) > (${after.txid}, ${after.id})
      ${viewer && !seesEverything(viewer) ? audible(sql, viewer) : sql``}
      ${type === undefined ? sql`` : type.endsWith('.*') ? sql`and starts_with(type, ${type.slice(0, -1)})` : sql`and type = ${type}`}
      ${subject === undefined ? sql`` : sql`and subject_id = ${subject}`}
    order by txid, id limit ${limit + 1}`
  const final = rows.filter((row) => row.is_final || !isAfter(row, given)).slice(0, limit)
  const events = final.map(({ is_final: _, ...event }) => event)
  return { events, isWaiting: final.length < limit && rows.length > final.length }
}

/** The same as `canSee`, for one who does not hear everything. */
function audible(sql: Sql, { userId }: Viewer) {
  if (userId === undefined) return sql`and type !~ ${guardedTypes}`
  return sql`and (type !~ ${guardedTypes} or subject_id = ${userId} or data->>'user_id' = ${userId})`
}

/** Answers where the feed ends now. */
export async function findEndOfFeed(sql: Sql, accountId: AccountId): Promise<EventPosition> {
  const [last] = await sql<EventPosition[]>`
    select id, txid from events
    where account_id = ${accountId} and txid < ${oldestRunning(sql)}
    order by txid desc, id desc limit 1`
  return last ?? beginning
}

/** Answers where an event stands in the feed; undefined when the account has none with this ID. */
export async function findPosition(sql: Sql, accountId: AccountId, after: string): Promise<EventPosition | undefined> {
  const [position] = await sql<EventPosition[]>`
    select id, txid from events where account_id = ${accountId} and id = ${after}`
  return position
}

/** True when more than this many events are after a position. */
export async function isFarBehind(
  sql: Sql,
  accountId: AccountId,
  after: EventPosition,
  most: number,
): Promise<boolean> {
  const rows = await sql`
    select id from events where account_id = ${accountId} and (txid, id) > (${after.txid}, ${after.id})
    order by txid, id offset ${most} limit 1`
  return rows.length > 0
}

/**
 * Puts events in order whose transactions belong to another database server: where a backup was restored, numbers of
 * transactions start over, and those of before would be thought of as still running. Among themselves they are in the
 * order of their IDs then.
 */
export async function acceptRestoredEvents(sql: Sql): Promise<void> {
  await sql`
    /* every account: a database is restored as a whole */
    update events set txid = 1
    where account_id in (
      select a.id from accounts a
      cross join lateral (
        select e.txid from events e where e.account_id = a.id order by e.txid desc limit 1
      ) last
      where last.txid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    )`
}

interface AuditFilter {
  actor?: string
  type?: string
  subject?: string
  from?: string
  to?: string
}

/** Answers what happened in the account, the newest first. */
export async function listEventsBack(
  sql: Sql,
  accountId: AccountId,
  { actor, type, subject, from, to }: AuditFilter,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<EventRow>[]> {
  return sql<PageRow<EventRow>[]>`
    select ${columnsOfEvents(sql)}, id as page_key from events
    where account_id = ${accountId}
      ${actor === undefined ? sql`` : sql`and actor = ${actor}`}
      ${type === undefined ? sql`` : sql`and type = ${type}`}
      ${subject === undefined ? sql`` : sql`and subject_id = ${subject}`}
      ${from === undefined ? sql`` : sql`and created_at >= ${from}::timestamptz`}
      ${to === undefined ? sql`` : sql`and created_at < ${to}::timestamptz`}
      ${after ? sql`and id < ${after.id}` : sql``}
    order by id desc limit ${limit} offset ${offset}`
}
