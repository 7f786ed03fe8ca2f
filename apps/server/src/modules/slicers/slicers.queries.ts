import type { Sql } from '../../db/database.ts'

/**
 * Lets only one transaction at a time decide what a name stands for: of two first uploads of one name, the second is to
 * find the file of the first.
 */
export async function lockFileName(sql: Sql, accountId: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('account_id ' || ${accountId} || ' file ' || ${name}, 0))`
}

/** The print file of this name, the newest of several. */
export async function findFileNamed(sql: Sql, accountId: string, name: string): Promise<string | undefined> {
  const [file] = await sql<{ id: string }[]>`
    select id from print_files
    where account_id = ${accountId} and name = ${name} and deleted_at is null
    order by created_at desc, id desc limit 1`
  return file?.id
}
