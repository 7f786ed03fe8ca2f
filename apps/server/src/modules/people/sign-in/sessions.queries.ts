import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import { printerMarkOf } from '../../../db/printer-mark.ts'
import type { AccountRow, SessionRow, UserRow } from '../../../db/rows.generated.ts'
import type { AccountId, MemberId, SessionId, UserId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import type { Work } from '../../events/work.ts'

const columnsForRequest = columnsOf<SessionRow>('s')(
  'account_id',
  'id',
  'user_id',
  'last_seen_at',
  'expires_at',
  'ended_at',
  'proven_at',
)

/** What is needed to let a request in. */
export type SessionForRequest = RowOf<typeof columnsForRequest> & {
  member_id: MemberId
  role: Role
  /** The account asks for a second factor, and the person signs in by a password alone. */
  must_add_factor: boolean
  printer_mark: string
}

export async function insertSession(sql: Sql, session: Omit<SessionRow, 'ended_at'>): Promise<void> {
  await sql`insert into sessions ${sql(session)}`
}

/** The session with the role that the person has at this moment. */
export async function findSessionByHash(sql: Sql, tokenHash: Buffer): Promise<SessionForRequest | undefined> {
  const [session] = await sql<SessionForRequest[]>`
    /* every account: the session is what tells which account asks */
    select ${columnsForRequest(sql)}, m.id as member_id, m.role, ${mustAddFactor(sql)} as must_add_factor,
      ${printerMarkOf(sql, sql`s.account_id`)}
    from sessions s join members m on m.account_id = s.account_id and m.user_id = s.user_id
      join accounts a on a.id = s.account_id join users u on u.id = s.user_id
    where s.token_hash = ${tokenHash}`
  return session
}

/** Condition on the account `a` and the user `u`. */
function mustAddFactor(sql: Sql) {
  return sql`(a.require_second_factor and u.password_hash is not null
    and not exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
    and not exists (select from passkeys p where p.user_id = u.id))`
}

/** Records that the person of a session has just shown to be there. */
export async function updateProof(
  sql: Sql,
  { account_id, id }: Pick<SessionRow, 'account_id' | 'id'>,
  now: Date,
): Promise<void> {
  await sql`update sessions set proven_at = ${now} where account_id = ${account_id} and id = ${id}`
}

/** Records that a session is in use, unless that was recorded after `recordedBefore`. */
export async function recordSessionUse(
  sql: Sql,
  { account_id, id }: Pick<SessionRow, 'account_id' | 'id'>,
  seenAt: Date,
  recordedBefore: Date,
): Promise<void> {
  await sql`
    update sessions set last_seen_at = ${seenAt}
    where account_id = ${account_id} and id = ${id} and last_seen_at <= ${recordedBefore}`
}

const listedColumns = columnsOf<SessionRow>()('id', 'created_at', 'last_seen_at', 'ip', 'user_agent')

export type ListedSession = RowOf<typeof listedColumns>

/** The sessions of a person that could be used now, over all their accounts, the newest first. */
export async function listLiveSessions(
  sql: Sql,
  userId: UserId,
  alive: { now: Date; seenAfter: Date },
  { limit, offset, after }: PageBounds,
): Promise<PageRow<ListedSession>[]> {
  return sql<PageRow<ListedSession>[]>`
    /* every account: a session is a person's own, whichever account it looks at */
    select ${listedColumns(sql)}, created_at::text as page_key from sessions
    where user_id = ${userId} and ended_at is null
      and expires_at > ${alive.now} and last_seen_at > ${alive.seenAfter}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

/** Sessions of a person that are looked at for where they come from. */
const mostLookedAt = 200

/** The addresses from which the person with this address was signed in lately, whether or not those sessions still live. */
export async function listSessionAddresses(sql: Sql, email: string): Promise<string[]> {
  const rows = await sql<{ ip: string }[]>`
    /* every account: a session is a person's own, whichever account it looks at */
    select distinct ip from (
      select ip from sessions where user_id = (select id from users where lower(email) = lower(${email}))
      order by created_at desc, id desc limit ${mostLookedAt}
    ) latest`
  return rows.map((row) => row.ip)
}

export type EndedSession = Pick<SessionRow, 'account_id' | 'id'>

/** Ends sessions of a person: all that are not ended, or the one, or all but the one. */
export async function endSessionsOf(
  sql: Sql,
  userId: UserId,
  which: { only?: SessionId; except?: SessionId },
  now: Date,
): Promise<EndedSession[]> {
  return sql<EndedSession[]>`
    /* every account: a session is a person's own, whichever account it looks at */
    update sessions set ended_at = ${now}
    where user_id = ${userId} and ended_at is null
      ${which.only === undefined ? sql`` : sql`and id = ${which.only}`}
      ${which.except === undefined ? sql`` : sql`and id <> ${which.except}`}
    returning account_id, id`
}

/** Ends the sessions of a person that look at this account. */
export async function endSessionsIn({ sql, accountId, now }: Work, userId: UserId): Promise<EndedSession[]> {
  return sql<EndedSession[]>`
    update sessions set ended_at = ${now}
    where account_id = ${accountId} and user_id = ${userId} and ended_at is null
    returning account_id, id`
}

/** Lets a session look at another account of its person. */
export async function moveSession(
  sql: Sql,
  { account_id, id }: Pick<SessionRow, 'account_id' | 'id'>,
  toAccountId: AccountId,
): Promise<void> {
  await sql`
    update sessions set account_id = ${toAccountId} where account_id = ${account_id} and id = ${id}`
}

/** True when the session started before those who run that account last ended the sessions of its person. */
export async function isBarredFrom(
  sql: Sql,
  { accountId, sessionId, userId }: { accountId: AccountId; sessionId: SessionId; userId: UserId },
  toAccountId: AccountId,
): Promise<boolean> {
  const rows = await sql`
    /* every account: the session is in one, and the membership in another */
    select from members m join sessions s on s.user_id = m.user_id and s.created_at <= m.sessions_ended_at
    where m.account_id = ${toAccountId} and m.user_id = ${userId} and s.account_id = ${accountId} and s.id = ${sessionId}`
  return rows.length > 0
}

/** Forgets sessions that no one could use since this time, as many at most, and answers how many. */
export async function deleteSessionsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: sessions of all accounts grow old alike */
    delete from sessions where (account_id, id) in (
      select account_id, id from sessions where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked)`
  return count
}

export type SignedInUser = Pick<UserRow, 'id' | 'name' | 'email' | 'language'>

/** Undefined when no one has this ID. */
export async function findUser(sql: Sql, userId: UserId): Promise<SignedInUser | undefined> {
  const [user] = await sql<SignedInUser[]>`select id, name, email, language from users where id = ${userId}`
  return user
}

type Membership = Pick<AccountRow, 'id' | 'name' | 'time_zone'> & {
  member_id: MemberId
  role: Role
  must_add_factor: boolean
}

/** More accounts than this are not offered to choose from. */
const mostAccounts = 200

/** The accounts that a person works in, by name. */
export async function listMemberships(sql: Sql, userId: UserId): Promise<Membership[]> {
  return sql<Membership[]>`
    /* every account: these are the accounts of one person */
    select a.id, a.name, a.time_zone, m.id as member_id, m.role, ${mustAddFactor(sql)} as must_add_factor
    from members m join accounts a on a.id = m.account_id join users u on u.id = m.user_id
    where m.user_id = ${userId} order by a.name, a.id limit ${mostAccounts}`
}

/** The account that a person looked at last, or else joined first; undefined when they are a member of none. */
export async function findLastAccount(sql: Sql, userId: UserId): Promise<AccountId | undefined> {
  const [account] = await sql<{ account_id: AccountId }[]>`
    /* every account: it is what is looked for */
    select m.account_id
    from members m
    where m.user_id = ${userId}
    order by (select max(s.last_seen_at) from sessions s where s.user_id = m.user_id and s.account_id = m.account_id)
      desc nulls last, m.created_at, m.id
    limit 1`
  return account?.account_id
}

type UserForSignIn = Pick<UserRow, 'id' | 'password_hash'>

export async function findUserForSignIn(sql: Sql, email: string): Promise<UserForSignIn | undefined> {
  const [user] = await sql<UserForSignIn[]>`
    select id, password_hash from users where lower(email) = lower(${email})`
  return user
}

export async function findUserWithPassword(
  sql: Sql,
  userId: UserId,
): Promise<(UserForSignIn & Pick<UserRow, 'email'>) | undefined> {
  const [user] = await sql<(UserForSignIn & Pick<UserRow, 'email'>)[]>`
    select id, email, password_hash from users where id = ${userId}`
  return user
}

export async function hasUsers(sql: Sql): Promise<boolean> {
  const rows = await sql`select id from users limit 1`
  return rows.length > 0
}
