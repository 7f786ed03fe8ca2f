import type { Sql } from '../../db/database.ts'
import type { PrintFileVersionRow } from '../../db/rows.generated.ts'
import type { AccountId, PrintFileId } from '../../kernel/ids.ts'

/**
 * Lets only one transaction at a time decide what a name stands for: of two first uploads of one name, the second is to
 * find the file of the first.
 */
export async function lockFileName(sql: Sql, accountId: AccountId, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('account_id ' || ${accountId} || ' file ' || ${name}, 0))`
}

/** A print file, with what tells whether something that is sent is its current version. */
type NamedFile = { id: PrintFileId } & Pick<PrintFileVersionRow, 'sha256' | 'archive_plate'>

/** The print file of this name, the newest of several. */
export async function findFileNamed(sql: Sql, accountId: AccountId, name: string): Promise<NamedFile | undefined> {
  const [file] = await sql<NamedFile[]>`
    select f.id, v.sha256, v.archive_plate
    from print_files f
    join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version
    where f.account_id = ${accountId} and f.name = ${name} and f.deleted_at is null
    order by f.created_at desc, f.id desc limit 1`
  return file
}
