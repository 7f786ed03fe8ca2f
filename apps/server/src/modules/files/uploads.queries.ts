import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { UploadRow as UploadTableRow } from '../../db/rows.generated.ts'
import type { AccountId, UploadId } from '../../kernel/ids.ts'

type NewUpload = Pick<
  UploadTableRow,
  'id' | 'token_hash' | 'file_id' | 'file_name' | 'expected_bytes' | 'expires_at' | 'created_at'
>

export async function insertUpload(sql: Sql, accountId: AccountId, upload: NewUpload): Promise<void> {
  await sql`insert into uploads ${sql({ account_id: accountId, ...upload })}`
}

const columns = columnsOf<UploadTableRow>()(
  'account_id',
  'id',
  'file_id',
  'file_name',
  'expected_bytes',
  'state',
  'sha256',
  'size_bytes',
  'expires_at',
  'created_at',
)

export type UploadRow = RowOf<typeof columns>

/** For the PUT, which brings no API key: the token alone says whose upload it is. */
export async function findUploadByToken(sql: Sql, tokenHash: Buffer): Promise<UploadRow | undefined> {
  const [upload] = await sql<UploadRow[]>`
    /* every account: the hash of the token is what names the account */
    select ${columns(sql)} from uploads where token_hash = ${tokenHash}`
  return upload
}

export async function findUpload(sql: Sql, accountId: AccountId, tokenHash: Buffer): Promise<UploadRow | undefined> {
  const [upload] = await sql<UploadRow[]>`
    select ${columns(sql)} from uploads where account_id = ${accountId} and token_hash = ${tokenHash}`
  return upload
}

/**
 * Records that bytes came, in the place of those that came before. Answers what was there before, or undefined when the
 * upload was used or swept away meanwhile. The token lives at least until `usableUntil` then, so that it can be used.
 */
export async function recordReceived(
  sql: Sql,
  accountId: AccountId,
  uploadId: UploadId,
  received: { sha256: string; sizeBytes: number; usableUntil: Date },
): Promise<{ former_sha256: UploadTableRow['sha256'] } | undefined> {
  const [row] = await sql<{ former_sha256: UploadTableRow['sha256'] }[]>`
    with former as (
      select account_id, id, sha256 from uploads
      where account_id = ${accountId} and id = ${uploadId} and state <> 'used'
      for update
    )
    update uploads u set state = 'received', sha256 = ${received.sha256}, size_bytes = ${received.sizeBytes},
      expires_at = greatest(u.expires_at, ${received.usableUntil})
    from former
    where u.account_id = ${accountId} and u.id = former.id
    returning former.sha256 as former_sha256`
  return row
}

/** Takes the bytes for a file. False when they were replaced, used or swept away meanwhile. */
export async function useUpload(sql: Sql, accountId: AccountId, uploadId: UploadId, sha256: string): Promise<boolean> {
  const rows = await sql`
    update uploads set state = 'used'
    where account_id = ${accountId} and id = ${uploadId} and state = 'received' and sha256 = ${sha256}
    returning id`
  return rows.length > 0
}

/** Empties an upload whose bytes were refused; the token may be filled again. */
export async function emptyUpload(sql: Sql, accountId: AccountId, uploadId: UploadId, sha256: string): Promise<void> {
  await sql`
    update uploads set state = 'open', sha256 = null, size_bytes = null
    where account_id = ${accountId} and id = ${uploadId} and state = 'received' and sha256 = ${sha256}`
}

/** Forgets up to 1,000 uploads that expired before a time, and answers what they held. */
export async function deleteExpiredUploads(sql: Sql, expiredBefore: Date): Promise<Pick<UploadTableRow, 'sha256'>[]> {
  return sql<Pick<UploadTableRow, 'sha256'>[]>`
    /* every account: a sweep */
    delete from uploads u
    using (select account_id, id from uploads where expires_at < ${expiredBefore} order by expires_at limit 1000) stale
    where u.account_id = stale.account_id and u.id = stale.id
    returning u.sha256`
}
