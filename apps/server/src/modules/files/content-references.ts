import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'

/**
 * Makes everyone wait who stores or removes this content until the transaction ends. Bytes are shared by all accounts:
 * without it, one account's removal could take away what another is just about to refer to.
 */
export async function lockContent(sql: Sql, sha256: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`content ${sha256}`}, 0))`
}

/** Answers which of these contents no upload that may still be used, version of a file that is not deleted or image needs. */
export async function listUnreferenced(sql: Sql, hashes: string[]): Promise<string[]> {
  const rows = await sql<{ sha256: string }[]>`
    /* every account: the same bytes are stored once for all of them */
    select content.sha256
    from unnest(${hashes}::text[]) as content (sha256)
    where not exists (select from uploads u where u.sha256 = content.sha256 and u.state = 'received')
      and not exists (
        select from print_file_versions v
        join print_files f on f.account_id = v.account_id and f.id = v.print_file_id
        where v.sha256 = content.sha256 and f.deleted_at is null
      )
      and not exists (
        select from print_file_versions v
        join print_files f on f.account_id = v.account_id and f.id = v.print_file_id
        where v.thumbnail_sha256 = content.sha256 and f.deleted_at is null
      )
      and not exists (select from product_images i where i.sha256 = content.sha256)
      and not exists (select from product_images i where i.thumb_sha256 = content.sha256)
      and not exists (select from wiki_images i where i.sha256 = content.sha256)
      and not exists (select from wiki_images i where i.thumb_sha256 = content.sha256)
      and not exists (select from failure_pictures i where i.sha256 = content.sha256)
      and not exists (select from failure_pictures i where i.thumb_sha256 = content.sha256)`
  return rows.map((row) => row.sha256)
}

/**
 * Removes content when no one refers to it any more. Called after the transaction that gave up a reference. It never
 * fails, for the caller's work is done: what it or a crash leaves behind, `removeStaleUploads` finds.
 */
export async function removeUnreferenced(context: Context, hashes: Iterable<string | null>): Promise<void> {
  for (const sha256 of new Set(hashes)) {
    if (sha256 === null) continue
    try {
      await context.db.begin(async (sql) => {
        await lockContent(sql, sha256)
        const unreferenced = await listUnreferenced(sql, [sha256])
        if (unreferenced.length > 0) await context.files.remove(sha256)
      })
    } catch (error) {
      context.log.warn({ err: error }, 'stored content that may not be needed any more was not removed')
    }
  }
}
