import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { MemberRow, UserRow } from '../../../db/rows.generated.ts'
import type { AccountId, MemberId, UserId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'

/**
 * Answers which of these users are members of the account. In a transaction their memberships are held until it ends, so that
 * none of them has left when what was decided on it is written.
 */
export async function holdMembersAmong(sql: Sql, accountId: AccountId, userIds: UserId[]): Promise<Set<UserId>> {
  const rows = await sql<{ user_id: UserId }[]>`
    select user_id from members where account_id = ${accountId} and user_id = any(${userIds})
    order by user_id for key share`
  return new Set(rows.map((row) => row.user_id))
}

/** The role of a user in the account, which they keep until the transaction ends; undefined when they are no member. */
export async function findRoleHeld(sql: Sql, accountId: AccountId, userId: UserId): Promise<Role | undefined> {
  const [member] = await sql<{ role: Role }[]>`
    select role from members where account_id = ${accountId} and user_id = ${userId} for share`
  return member?.role
}

const memberColumns = columnsOf<MemberRow>('m')('id', 'user_id', 'role', 'created_at')
const userColumns = columnsOf<UserRow>('u')('name', 'email')
const columns = (sql: Sql) => sql`${memberColumns(sql)}, ${userColumns(sql)}`

export type ListedMember = RowOf<typeof memberColumns> & RowOf<typeof userColumns>

/** Those who joined first first, by the index `members_by_age`. */
export async function listMembers(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<ListedMember>[]> {
  return sql<PageRow<ListedMember>[]>`
    select ${columns(sql)}, m.created_at::text as page_key from members m join users u on u.id = m.user_id
    where m.account_id = ${accountId}
      ${after ? sql`and (m.created_at, m.id) > (${after.key}::timestamptz, ${after.id})` : sql``}
    order by m.created_at, m.id limit ${limit} offset ${offset}`
}

export async function findListedMember(
  sql: Sql,
  accountId: AccountId,
  memberId: MemberId,
): Promise<ListedMember | undefined> {
  const [member] = await sql<ListedMember[]>`
    select ${columns(sql)} from members m join users u on u.id = m.user_id
    where m.account_id = ${accountId} and m.id = ${memberId}`
  return member
}

/** Addresses of those who run the account. */
export async function listManagerEmails(sql: Sql, accountId: AccountId): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select u.email from members m join users u on u.id = m.user_id
    where m.account_id = ${accountId} and m.role in ('owner', 'admin') order by m.created_at`
  return rows.map((row) => row.email)
}
