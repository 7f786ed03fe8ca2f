import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { MemberRow as MemberTableRow, UserRow as UserTableRow } from '../../../db/rows.generated.ts'
import type { AccountId, MemberId, UserId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import type { Work } from '../../events/work.ts'
import { namesInEmail } from './email.ts'
import { dropResets } from './password-resets.queries.ts'

const memberColumns = columnsOf<MemberTableRow>('m')('id', 'user_id', 'role')

export type MemberRow = RowOf<typeof memberColumns>

/** Lets changes of who belongs to an account, and as what, happen one after another until the transaction ends. */
export async function lockMembership(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for no key update`
}

export async function findMember(sql: Sql, accountId: AccountId, memberId: MemberId): Promise<MemberRow | undefined> {
  const [member] = await sql<MemberRow[]>`
    select ${memberColumns(sql)} from members m where account_id = ${accountId} and id = ${memberId}`
  return member
}

export async function findMemberByEmail(sql: Sql, accountId: AccountId, email: string): Promise<MemberRow | undefined> {
  const [member] = await sql<MemberRow[]>`
    select ${memberColumns(sql)} from users u join members m on m.user_id = u.id
    where m.account_id = ${accountId} and lower(u.email) = lower(${email})`
  return member
}

export async function countOwners(sql: Sql, accountId: AccountId): Promise<number> {
  const [row] = await sql<{ owners: number }[]>`
    select count(*) as owners from members where account_id = ${accountId} and role = 'owner'`
  return row?.owners ?? 0
}

/** Links to a new password that the member has end: those were made for what it opened until now. */
export async function setRole({ sql, accountId, now }: Work, member: MemberRow, role: Role): Promise<void> {
  await dropResets(sql, member.user_id)
  await sql`
    update members set role = ${role}, updated_at = ${now} where account_id = ${accountId} and id = ${member.id}`
}

/** From now on no session that started before lets them into the account. */
export async function barFormerSessions({ sql, accountId, now }: Work, member: MemberRow): Promise<void> {
  await sql`
    update members set sessions_ended_at = ${now} where account_id = ${accountId} and id = ${member.id}`
}

/** Their sessions in the account and links to a new password go with them; tasks of theirs are no one's then. */
export async function deleteMember({ sql, accountId }: Work, member: MemberRow): Promise<void> {
  await dropResets(sql, member.user_id)
  await sql`delete from members where account_id = ${accountId} and id = ${member.id}`
}

/** Adds a member, whose links to a new password end; a person who is one already keeps the role they have. */
export async function insertMemberUnlessThere(
  { sql, accountId }: Work,
  member: Pick<MemberTableRow, 'id' | 'user_id' | 'role'>,
): Promise<boolean> {
  await dropResets(sql, member.user_id)
  const rows = await sql`
    insert into members ${sql({ account_id: accountId, ...member })}
    on conflict (account_id, user_id) do nothing returning id`
  return rows.length > 0
}

const personColumns = columnsOf<UserTableRow>('u')('id', 'email', 'password_hash')

export type KnownPerson = RowOf<typeof personColumns> & {
  /** Number of accounts of which they are a member. */
  accounts: number
}

const selectPerson = (sql: Sql) => sql`
  /* every account: a person is the same one in all accounts of theirs */
  select ${personColumns(sql)}, (select count(*) from members m where m.user_id = u.id) as accounts from users u`

export async function findPersonByEmail(sql: Sql, email: string): Promise<KnownPerson | undefined> {
  const [person] = await sql<KnownPerson[]>`${selectPerson(sql)} where lower(u.email) = lower(${email})`
  return person
}

export async function findPerson(sql: Sql, userId: UserId): Promise<KnownPerson | undefined> {
  const [person] = await sql<KnownPerson[]>`${selectPerson(sql)} where u.id = ${userId}`
  return person
}

/** Lets nothing else change a person, or add a membership of theirs, until the transaction ends. */
export async function lockPerson(sql: Sql, userId: UserId): Promise<void> {
  await sql`select id from users where id = ${userId} for update`
}

/** @param isByShownLink whether others than the mailbox have seen the link by which it is set */
export async function setPassword(
  sql: Sql,
  userId: UserId,
  { passwordHash, isByShownLink }: { passwordHash: string; isByShownLink: boolean },
  now: Date,
): Promise<void> {
  await sql`
    update users set password_hash = ${passwordHash}, is_password_by_shown_link = ${isByShownLink}, updated_at = ${now}
    where id = ${userId}`
}

/** Records that others than the mailbox have seen the link by which a person set the first password. */
export async function recordPasswordByShownLink(sql: Sql, userId: UserId): Promise<void> {
  await sql`update users set is_password_by_shown_link = true where id = ${userId}`
}

/** Takes a password away that others may know. False when there is none such. */
export async function dropPasswordByShownLink(sql: Sql, userId: UserId, now: Date): Promise<boolean> {
  const rows = await sql`
    update users set password_hash = null, is_password_by_shown_link = false, updated_at = ${now}
    where id = ${userId} and is_password_by_shown_link returning id`
  return rows.length > 0
}

/** Answers what others know of a person: their name, address and what their accounts are called. */
export async function listNamesAround(sql: Sql, userId: UserId): Promise<string[]> {
  const rows = await sql<{ email: string; name: string; account_name: string | null }[]>`
    /* every account: a person is the same one in all accounts of theirs */
    select u.email, u.name, a.name as account_name
    from users u left join members m on m.user_id = u.id left join accounts a on a.id = m.account_id
    where u.id = ${userId} limit 200`
  return rows.flatMap(({ email, name, account_name }) => [name, account_name ?? '', ...namesInEmail(email)])
}

export async function setPasswordHash(sql: Sql, userId: UserId, passwordHash: string, now: Date): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, updated_at = ${now} where id = ${userId}`
}

/** Answers what a person is called, held until the transaction ends. */
export async function lockProfile(
  sql: Sql,
  userId: UserId,
): Promise<Pick<UserTableRow, 'id' | 'name' | 'email' | 'language'> | undefined> {
  const [user] = await sql<Pick<UserTableRow, 'id' | 'name' | 'email' | 'language'>[]>`
    select id, name, email, language from users where id = ${userId} for no key update`
  return user
}

export async function updateProfile(
  sql: Sql,
  userId: UserId,
  { name, language }: Pick<UserTableRow, 'name' | 'language'>,
  now: Date,
): Promise<void> {
  await sql`update users set name = ${name}, language = ${language}, updated_at = ${now} where id = ${userId}`
}
