import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { AccountRow as AccountTableRow, MemberRow, UserRow as UserTableRow } from '../../../db/rows.generated.ts'
import type { AccountId, UserId } from '../../../kernel/ids.ts'
import { dropResets } from './password-resets.queries.ts'

const columns = columnsOf<AccountTableRow>()('id', 'name', 'time_zone', 'created_at')

type AccountRow = RowOf<typeof columns>

type UserRow = Pick<UserTableRow, 'id' | 'email'> & { has_password: boolean }

export async function insertAccount(
  sql: Sql,
  account: Pick<AccountTableRow, 'id' | 'name' | 'time_zone'>,
): Promise<void> {
  await sql`insert into accounts ${sql(account)}`
}

export async function findAccount(sql: Sql, accountId: AccountId): Promise<AccountRow | undefined> {
  const [account] = await sql<AccountRow[]>`
    select ${columns(sql)} from accounts where id = ${accountId}`
  return account
}

/** Every account of the installation, the oldest first: for its administrator, never for a member. */
export async function listAccounts(sql: Sql): Promise<AccountRow[]> {
  return sql<AccountRow[]>`select ${columns(sql)} from accounts order by created_at, id`
}

/** Adds a user unless a person has this e-mail address already, in whatever case. True when added. */
export async function insertUserUnlessKnown(
  sql: Sql,
  user: Pick<UserTableRow, 'id' | 'email' | 'password_hash'> & Partial<Pick<UserTableRow, 'name'>>,
): Promise<boolean> {
  const rows = await sql`
    insert into users (id, email, name, password_hash)
    values (${user.id}, ${user.email}, ${user.name ?? ''}, ${user.password_hash})
    on conflict (lower(email)) do nothing returning id`
  return rows.length > 0
}

export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | undefined> {
  const [user] = await sql<UserRow[]>`
    select id, email, password_hash is not null as has_password from users where lower(email) = lower(${email})`
  return user
}

/** Gives a password to a user who has none. True when given. */
export async function setFirstPassword(sql: Sql, userId: UserId, passwordHash: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update users set password_hash = ${passwordHash}, updated_at = ${now}
    where id = ${userId} and password_hash is null returning id`
  return rows.length > 0
}

/** Adds a member. Links to a new password that they have end: those were made for what it opened until now. */
export async function insertMember(
  sql: Sql,
  accountId: AccountId,
  member: Pick<MemberRow, 'id' | 'user_id' | 'role'>,
): Promise<void> {
  await dropResets(sql, member.user_id)
  await sql`insert into members ${sql({ account_id: accountId, ...member })}`
}

/** True when units that are found bad are printed again by a new job. */
export async function wantsRejectsAgain(sql: Sql, accountId: AccountId): Promise<boolean> {
  const [account] = await sql<Pick<AccountTableRow, 'requeue_rejected_units'>[]>`
    select requeue_rejected_units from accounts where id = ${accountId}`
  return account?.requeue_rejected_units === true
}
