import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageBounds, PageRow } from '../../../db/page-bounds.ts'
import { printerMarkOf } from '../../../db/printer-mark.ts'
import type { ApiKeyRow as ApiKeyTableRow } from '../../../db/rows.generated.ts'
import type { Scope } from '../../../kernel/actor.ts'
import type { AccountId, ApiKeyId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

type TableRow = Omit<ApiKeyTableRow, 'scopes'> & { scopes: Scope[] }

const columns = columnsOf<TableRow>('k')(
  'account_id',
  'id',
  'name',
  'key_prefix',
  'last_four',
  'scopes',
  'created_by',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'created_at',
)

export type ApiKeyRow = RowOf<typeof columns>

const columnsForRequest = columnsOf<TableRow>('k')('account_id', 'id', 'scopes', 'expires_at', 'revoked_at')

/** What is needed to let a request in. */
export type KeyForRequest = RowOf<typeof columnsForRequest> & { printer_mark: string }

export async function findKeyByHash(sql: Sql, keyHash: Buffer): Promise<KeyForRequest | undefined> {
  const [key] = await sql<KeyForRequest[]>`
    /* every account: the key is what tells which account asks */
    select ${columnsForRequest(sql)}, ${printerMarkOf(sql, sql`k.account_id`)} from api_keys k where k.key_hash = ${keyHash}`
  return key
}

/** The key of this ID, for a caller who proves to know the password that belongs to it. */
export async function findKeyById(sql: Sql, keyId: ApiKeyId): Promise<KeyForRequest | undefined> {
  const [key] = await sql<KeyForRequest[]>`
    /* every account: the ID is what tells which account asks */
    select ${columnsForRequest(sql)}, ${printerMarkOf(sql, sql`k.account_id`)} from api_keys k where k.id = ${keyId}`
  return key
}

export async function recordKeyUse(sql: Sql, accountId: AccountId, keyId: ApiKeyId, usedAt: Date): Promise<void> {
  await sql`
    update api_keys set last_used_at = greatest(last_used_at, ${usedAt})
    where account_id = ${accountId} and id = ${keyId}`
}

export async function insertKey(
  { sql, accountId, actor, now }: Work,
  key: Pick<TableRow, 'id' | 'name' | 'key_hash' | 'key_prefix' | 'last_four' | 'scopes' | 'expires_at'>,
): Promise<void> {
  await sql`insert into api_keys ${sql({ account_id: accountId, ...key, created_by: actor, created_at: now })}`
}

export async function listKeys(sql: Sql, accountId: AccountId): Promise<ApiKeyRow[]> {
  return sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys k where account_id = ${accountId} order by created_at desc, id desc limit 1000`
}

export type ListedKey = ApiKeyRow & {
  /** Name of the person who made it, who may have left since; their e-mail address when they gave none. Null: no person did. */
  created_by_name: string | null
}

function listed(sql: Sql) {
  return sql`
    select ${columns(sql)}, k.created_at::text as page_key, coalesce(nullif(u.name, ''), u.email) as created_by_name
    from api_keys k left join users u on k.created_by like 'user:%' and u.id = substr(k.created_by, 6)`
}

/** The newest first, by the index `api_keys_by_age`; also those revoked or over. */
export async function listKeyPage(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after, created_by }: PageBounds & { created_by?: string },
): Promise<PageRow<ListedKey>[]> {
  return sql<PageRow<ListedKey>[]>`
    ${listed(sql)}
    where k.account_id = ${accountId}
      ${created_by === undefined ? sql`` : sql`and k.created_by = ${created_by}`}
      ${after ? sql`and (k.created_at, k.id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by k.created_at desc, k.id desc limit ${limit} offset ${offset}`
}

export async function findKey(sql: Sql, accountId: AccountId, keyId: ApiKeyId): Promise<ListedKey | undefined> {
  const [key] = await sql<ListedKey[]>`${listed(sql)} where k.account_id = ${accountId} and k.id = ${keyId}`
  return key
}

type RevokedKey = Pick<ApiKeyTableRow, 'name'> & {
  revoked_at: NonNullable<ApiKeyTableRow['revoked_at']>
  /** True when it was this call that revoked it. */
  is_new: boolean
}

/** Revokes a key; one that is revoked already keeps its time. Undefined when there is no such key. */
export async function revokeKeyById({ sql, accountId, now }: Work, keyId: ApiKeyId): Promise<RevokedKey | undefined> {
  const [key] = await sql<RevokedKey[]>`
    update api_keys set revoked_at = coalesce(old_key.revoked_at, ${now})
    from (select id, revoked_at from api_keys where account_id = ${accountId} and id = ${keyId} for update) old_key
    where api_keys.account_id = ${accountId} and api_keys.id = old_key.id
    returning api_keys.name, api_keys.revoked_at, old_key.revoked_at is null as is_new`
  return key
}

/** The account of a key, for the command line, which is given the ID alone. */
export async function findAccountOfKey(sql: Sql, keyId: ApiKeyId): Promise<AccountId | undefined> {
  const [row] = await sql<Pick<ApiKeyTableRow, 'account_id'>[]>`
    /* every account: the command line is given the ID alone */
    select account_id from api_keys where id = ${keyId}`
  return row?.account_id
}
