import type { Sql } from '../../../db/database.ts'
import type { AccountImportRow } from '../../../db/rows.generated.ts'
import type { AccountId } from '../../../kernel/ids.ts'

/** Answers which of these users there are, of any account. */
export async function listTakenUserIds(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`select id from users where id = any(${[...ids]})`
  return new Set(rows.map(({ id }) => id))
}

/** Answers which of these addresses of images are those of other accounts. */
export async function listTakenTokens(
  sql: Sql,
  accountId: AccountId,
  table: 'product_images' | 'wiki_images',
  tokens: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ token: string }[]>`
    /* every account: an address of an image is of one account of the whole service */
    select token from ${sql(table)} where token = any(${[...tokens]}) and account_id <> ${accountId}`
  return rows.map(({ token }) => token)
}

/** Lets imports into an account happen one after another until the transaction ends. */
export async function lockAccount(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for no key update`
}

/** Answers when an export of this content was imported; undefined when it never was. */
export async function findImport(sql: Sql, accountId: AccountId, contentId: string): Promise<Date | undefined> {
  const [row] = await sql<Pick<AccountImportRow, 'imported_at'>[]>`
    select imported_at from account_imports where account_id = ${accountId} and content_id = ${contentId}`
  return row?.imported_at
}

export async function insertImport(sql: Sql, row: AccountImportRow): Promise<void> {
  await sql`insert into account_imports ${sql(row)}`
}

/**
 * Lets jobs that are queued from now on come after those that were imported. The numbers are taken one by one: the role of the service may
 * not set a sequence.
 */
export async function passQueuePositions(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`
    with next as materialized (select nextval('jobs_queue_position') as position),
    missing as materialized (
      select ceil(max(j.queue_position))::bigint - (select position from next) as count from jobs j
      where j.account_id = ${accountId}
    )
    select count(nextval('jobs_queue_position')) from missing, generate_series(1, missing.count)`
}
