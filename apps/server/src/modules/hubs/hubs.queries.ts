import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { HubJoinCodeRow, HubRow as HubTableRow } from '../../db/rows.generated.ts'
import type { AccountId, HubId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'

const columns = columnsOf<HubTableRow>()(
  'id',
  'name',
  'firmware_version',
  'hardware_version',
  'last_seen_at',
  'claimed_at',
  'health',
  'created_at',
  'updated_at',
)

/** A row of `hubs` without its token. */
export type HubRow = RowOf<typeof columns>

export async function findHub(sql: Sql, accountId: AccountId, hubId: HubId): Promise<HubRow | undefined> {
  const [hub] = await sql<HubRow[]>`
    select ${columns(sql)} from hubs where account_id = ${accountId} and id = ${hubId}`
  return hub
}

/** By name. */
export async function listHubs(sql: Sql, accountId: AccountId, page: PageBounds): Promise<PageRow<HubRow>[]> {
  return sql<PageRow<HubRow>[]>`
    select ${columns(sql)}, name as page_key from hubs where account_id = ${accountId}
      ${page.after ? sql`and name > ${page.after.key}` : sql``}
    order by name limit ${page.limit} offset ${page.offset}`
}

/** Violates `hubs_name_key` when the name is taken. */
export async function insertHub(
  { sql, accountId, now }: Work,
  hub: Pick<HubTableRow, 'id' | 'name' | 'token_hash' | 'claimed_at'>,
): Promise<HubRow> {
  const [row] = await sql<HubRow[]>`
    insert into hubs ${sql({ account_id: accountId, ...hub, created_at: now, updated_at: now })}
    returning ${columns(sql)}`
  return row as HubRow
}

/** Violates `hubs_name_key` when the name is taken. Undefined when there is no such hub. */
export async function renameHub(
  { sql, accountId, now }: Work,
  hubId: HubId,
  name: string,
): Promise<HubRow | undefined> {
  const [hub] = await sql<HubRow[]>`
    update hubs set name = ${name}, updated_at = ${now} where account_id = ${accountId} and id = ${hubId}
    returning ${columns(sql)}`
  return hub
}

/** Reads a hub and keeps others from changing it, or from giving it a code, until the transaction ends. */
export async function lockHub(sql: Sql, accountId: AccountId, hubId: HubId): Promise<HubRow | undefined> {
  const [hub] = await sql<HubRow[]>`
    select ${columns(sql)} from hubs where account_id = ${accountId} and id = ${hubId} for no key update`
  return hub
}

/** Violates a foreign key when a printer, an attempt or a command names the hub. Its join codes go with it. */
export async function deleteHubRow(sql: Sql, accountId: AccountId, hubId: HubId): Promise<void> {
  await sql`delete from hubs where account_id = ${accountId} and id = ${hubId}`
}

export async function hasPrinters(sql: Sql, accountId: AccountId, hubId: HubId): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from printers where account_id = ${accountId} and hub_id = ${hubId}) as has`
  return row?.has === true
}

interface HubOfToken extends Pick<HubTableRow, 'account_id' | 'id' | 'name'> {
  /** The token is the one that the hub is given next. */
  is_next: boolean
}

/** The hub that connects with a token, by the SHA-256 of that token: its own, or the one that it is given next. */
export async function findHubByTokenHash(sql: Sql, tokenHash: Buffer): Promise<HubOfToken | undefined> {
  const [hub] = await sql<HubOfToken[]>`
    /* every account: the token is what tells which hub of which account connects */
    select account_id, id, name, token_hash is distinct from ${tokenHash} as is_next
    from hubs where token_hash = ${tokenHash} or next_token_hash = ${tokenHash}`
  return hub
}

/** Records that a hub was there. An earlier time never replaces a later one. */
export async function recordHubSeen(sql: Sql, accountId: AccountId, hubId: HubId, at: Date): Promise<void> {
  await sql`
    update hubs set last_seen_at = greatest(last_seen_at, ${at}) where account_id = ${accountId} and id = ${hubId}`
}

/** A hub has one code at a time: a new one ends the one before. */
export async function replaceJoinCode(
  { sql, accountId, now }: Work,
  code: Pick<HubJoinCodeRow, 'id' | 'hub_id' | 'code_hash' | 'expires_at'>,
): Promise<void> {
  await sql`delete from hub_join_codes where account_id = ${accountId} and hub_id = ${code.hub_id}`
  await sql`insert into hub_join_codes ${sql({ account_id: accountId, ...code, created_at: now })}`
}

type HubOfCode = Pick<HubJoinCodeRow, 'account_id' | 'hub_id'>

/** Answers whose code this is; it may be used or expired. */
export async function findJoinCode(sql: Sql, codeHash: Buffer): Promise<HubOfCode | undefined> {
  const [code] = await sql<HubOfCode[]>`
    /* every account: anyone who has the code has no other identity yet */
    select account_id, hub_id from hub_join_codes where code_hash = ${codeHash}`
  return code
}

/** Uses up a code; false when it is used, expired or replaced. Of two at once only one gets it. */
export async function claimJoinCode({ sql, accountId, now }: Work, codeHash: Buffer): Promise<boolean> {
  const rows = await sql`
    update hub_join_codes set used_at = ${now}
    where account_id = ${accountId} and code_hash = ${codeHash} and used_at is null and expires_at > ${now}
    returning id`
  return rows.length > 0
}

/** Gives a hub a new token; the one before is void from here on. The hub is locked by the caller, so it exists. */
export async function replaceHubToken({ sql, accountId, now }: Work, hubId: HubId, tokenHash: Buffer): Promise<HubRow> {
  const [hub] = await sql<HubRow[]>`
    update hubs set token_hash = ${tokenHash}, next_token_hash = null, token_renewed_at = null,
      claimed_at = ${now}, updated_at = ${now}
    where account_id = ${accountId} and id = ${hubId} returning ${columns(sql)}`
  return hub as HubRow
}

/** The key of a hub whose token is older than `oldest`, and has not been replaced since; undefined for one that has told no key. */
export async function findDueKey(
  sql: Sql,
  accountId: AccountId,
  hubId: HubId,
  oldest: Date,
): Promise<string | undefined> {
  const [hub] = await sql<{ public_key: string }[]>`
    select public_key from hubs
    where account_id = ${accountId} and id = ${hubId} and token_hash is not null and public_key is not null
      and coalesce(token_renewed_at, claimed_at, created_at) <= ${oldest}`
  return hub?.public_key
}

/** Gives a hub a token that counts beside its own. One that it was given before, and never showed, is void. */
export async function offerNextToken(sql: Sql, accountId: AccountId, hubId: HubId, tokenHash: Buffer): Promise<void> {
  await sql`update hubs set next_token_hash = ${tokenHash} where account_id = ${accountId} and id = ${hubId}`
}

/** Makes the next token the only one; false when this is not the next one. */
export async function adoptNextToken({ sql, accountId, now }: Work, hubId: HubId, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql`
    update hubs set token_hash = next_token_hash, next_token_hash = null, token_renewed_at = ${now}
    where account_id = ${accountId} and id = ${hubId} and next_token_hash = ${tokenHash}
    returning id`
  return rows.length > 0
}

/** Number of reports that are remembered per hub: fewer than a hub remembers of those that were acknowledged. */
const rememberedReports = 20

/**
 * Remembers what a hub says of itself when it connects, which journal it keeps, and how long that is; true when it is another one than
 * before, or shorter, which a journal that only grows never is, or does not know the newest report that was stored. Agents of older
 * versions say neither which journal it is nor what it knows.
 */
export async function recordHello(
  sql: Sql,
  accountId: AccountId,
  hubId: HubId,
  seen: { at: Date; firmware_version: string; hardware_version: string },
  journal: {
    id: string | null
    position: number
    knownReports: readonly string[] | undefined
    /** The database is older than the journal, and so is the newest report that it knows. */
    isServiceBehind: boolean
  },
): Promise<boolean> {
  const knownReports = journal.knownReports ? [...journal.knownReports] : null
  const [row] = await sql<{ is_lost: boolean }[]>`
    with before as (
      select journal_id, journal_position, newest_reports[cardinality(newest_reports)] as newest_report
      from hubs where account_id = ${accountId} and id = ${hubId} for no key update
    ), judged as (
      select journal_position > ${journal.position}
        or (journal_id is not null and journal_id is distinct from ${journal.id}::text)
        or (not ${journal.isServiceBehind} and newest_report is not null
          and coalesce(newest_report <> all(${knownReports}::text[]), false)) as is_lost
      from before
    )
    update hubs set last_seen_at = greatest(last_seen_at, ${seen.at}), firmware_version = ${seen.firmware_version},
      hardware_version = ${seen.hardware_version},
      journal_position = ${journal.position}, journal_id = ${journal.id},
      newest_reports = case when is_lost or ${knownReports === null || journal.isServiceBehind} then '{}' else newest_reports end
    from judged
    where hubs.account_id = ${accountId} and hubs.id = ${hubId}
    returning is_lost`
  return row?.is_lost === true
}

/** Remembers that a report is stored, in the transaction that stores it. One that is stored again is no newer for it. */
export async function recordReport(sql: Sql, accountId: AccountId, hubId: HubId, messageId: string): Promise<void> {
  await sql`
    update hubs set newest_reports =
      (newest_reports || ${messageId}::text)[cardinality(newest_reports) + 2 - ${rememberedReports}::int:]
    where account_id = ${accountId} and id = ${hubId} and ${messageId} <> all(newest_reports)`
}
