import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import type { InvitationRow as InvitationTableRow } from '../../../db/rows.generated.ts'
import type { AccountId, InvitationId, UserId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<InvitationTableRow>('i')(
  'id',
  'email',
  'role',
  'invited_by',
  'mailed_at',
  'expires_at',
  'created_at',
)

export type InvitationRow = RowOf<typeof columns>

export async function insertInvitation(
  { sql, accountId }: Work,
  invitation: InvitationRow & Pick<InvitationTableRow, 'token_hash'>,
): Promise<void> {
  await sql`insert into invitations ${sql({ account_id: accountId, ...invitation })}`
}

export async function recordInvitationMailed(
  sql: Sql,
  accountId: AccountId,
  id: InvitationId,
  now: Date,
): Promise<void> {
  await sql`update invitations set mailed_at = ${now} where account_id = ${accountId} and id = ${id}`
}

/** Those neither accepted nor withdrawn, the newest first, by the index `invitations_by_age`; also those too old now. */
export async function listInvitations(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<InvitationRow>[]> {
  return sql<PageRow<InvitationRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from invitations i
    where account_id = ${accountId} and accepted_at is null and withdrawn_at is null
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit} offset ${offset}`
}

/** An invitation that is neither accepted nor withdrawn, held until the transaction ends. */
export async function findOpenInvitationHeld(
  sql: Sql,
  accountId: AccountId,
  id: InvitationId,
): Promise<InvitationRow | undefined> {
  const [invitation] = await sql<InvitationRow[]>`
    select ${columns(sql)} from invitations i
    where account_id = ${accountId} and id = ${id} and accepted_at is null and withdrawn_at is null
    for no key update`
  return invitation
}

export async function withdrawInvitation({ sql, accountId, now }: Work, id: InvitationId): Promise<void> {
  await sql`update invitations set withdrawn_at = ${now} where account_id = ${accountId} and id = ${id}`
}

export type WithdrawnInvitation = Pick<InvitationRow, 'id' | 'role'>

/** Withdraws the open invitation of an address, in whatever case it is written. */
export async function withdrawInvitationTo(
  { sql, accountId, now }: Work,
  email: string,
): Promise<WithdrawnInvitation[]> {
  return sql<WithdrawnInvitation[]>`
    update invitations set withdrawn_at = ${now}
    where account_id = ${accountId} and lower(email) = lower(${email}) and accepted_at is null and withdrawn_at is null
    returning id, role`
}

/** Withdraws what a member had offered and could not offer any more: of these roles. */
export async function withdrawInvitationsBy(
  { sql, accountId, now }: Work,
  userId: UserId,
  roles: readonly Role[],
): Promise<WithdrawnInvitation[]> {
  return sql<WithdrawnInvitation[]>`
    update invitations set withdrawn_at = ${now}
    where account_id = ${accountId} and invited_by = ${userId} and role = any(${[...roles]})
      and accepted_at is null and withdrawn_at is null
    returning id, role`
}

export type GivenInvitation = InvitationRow & Pick<InvitationTableRow, 'account_id'> & { account_name: string }

const selectGiven = (sql: Sql) => sql`
  select i.account_id, a.name as account_name, ${columns(sql)} from invitations i join accounts a on a.id = i.account_id`

/** Answers what a link invites to, as long as it can be accepted. */
export async function findInvitationByToken(
  sql: Sql,
  tokenHash: Buffer,
  now: Date,
): Promise<GivenInvitation | undefined> {
  const [invitation] = await sql<GivenInvitation[]>`
    /* every account: the link is what tells which account invites */
    ${selectGiven(sql)}
    where i.token_hash = ${tokenHash} and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${now}`
  return invitation
}

/** More invitations than this are not offered to choose from. */
const mostOffered = 20

/** The newest invitations to an address, whichever accounts they come from, as long as they can be accepted. */
export async function listInvitationsTo(sql: Sql, email: string, now: Date): Promise<GivenInvitation[]> {
  return sql<GivenInvitation[]>`
    /* every account: a person who is not known yet belongs to none */
    ${selectGiven(sql)}
    where lower(i.email) = lower(${email}) and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${now}
    order by i.created_at desc, i.id desc limit ${mostOffered}`
}

/** True when it was this call that accepted it. */
export async function acceptInvitationRow(
  { sql, accountId, now }: Work,
  id: InvitationId,
  userId: UserId,
): Promise<boolean> {
  const rows = await sql`
    update invitations set accepted_at = ${now}, accepted_by = ${userId}
    where account_id = ${accountId} and id = ${id}
      and accepted_at is null and withdrawn_at is null and expires_at > ${now}
    returning id`
  return rows.length > 0
}

/** Invitations that no one could accept since this time, whether or not a person did before. */
export async function deleteInvitationsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: invitations of all accounts grow old alike */
    delete from invitations where (account_id, id) in (
      select account_id, id from invitations where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked)`
  return count
}
