import type { Sql } from '../../db/database.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Quota } from '../../kernel/quotas.ts'

/** What is counted in the database; open streams are counted where they are held. */
export type StoredQuota = Exclude<Quota, 'event_streams'>

/** Each reads an index of the account alone. */
const counts: Record<StoredQuota, (sql: Sql, accountId: AccountId, now: Date) => PromiseLike<{ used: number }[]>> = {
  hubs: (sql, accountId) => sql`select count(*)::int as used from hubs where account_id = ${accountId}`,
  printers: (sql, accountId) => sql`select count(*)::int as used from printers where account_id = ${accountId}`,
  files: (sql, accountId) =>
    sql`select count(*)::int as used from print_files where account_id = ${accountId} and deleted_at is null`,
  uploads: (sql, accountId) =>
    sql`select count(*)::int as used from uploads where account_id = ${accountId} and state <> 'used'`,
  storage_mb: (sql, accountId) => sql`
    select ceil((files.bytes + waiting.bytes + images.bytes) / 1e6)::int8 as used
    from (
      select coalesce(sum(v.file_size_bytes), 0) as bytes
      from print_file_versions v join print_files f on f.account_id = v.account_id and f.id = v.print_file_id
      where v.account_id = ${accountId} and f.deleted_at is null
    ) files, (
      select coalesce(sum(size_bytes), 0) as bytes from uploads where account_id = ${accountId} and state = 'received'
    ) waiting, (
      select coalesce(sum(size_bytes), 0) as bytes from (
        select size_bytes from product_images where account_id = ${accountId}
        union all select size_bytes from wiki_images where account_id = ${accountId}
        union all select size_bytes from failure_pictures where account_id = ${accountId}
      ) kept
    ) images`,
  jobs: (sql, accountId) => sql`
    select count(*)::int as used from jobs
    where account_id = ${accountId} and status in ('queued', 'processing', 'printing', 'paused')`,
  orders: (sql, accountId) => sql`
    select count(*)::int as used from orders
    where account_id = ${accountId} and status in ('pending', 'processing', 'printed', 'assembled', 'shipped')`,
  listing_maps: (sql, accountId) => sql`select count(*)::int as used from listing_maps where account_id = ${accountId}`,
  products: (sql, accountId) => sql`select count(*)::int as used from products where account_id = ${accountId}`,
  skus: (sql, accountId) => sql`select count(*)::int as used from skus where account_id = ${accountId}`,
  recipes: (sql, accountId) => sql`select count(*)::int as used from recipes where account_id = ${accountId}`,
  colors: (sql, accountId) => sql`select count(*)::int as used from colors where account_id = ${accountId}`,
  materials: (sql, accountId) => sql`select count(*)::int as used from materials where account_id = ${accountId}`,
  tasks: (sql, accountId) => sql`
    select count(*)::int as used from worklist_tasks
    where account_id = ${accountId} and status in ('pending', 'in_progress')`,
  assembly_tasks: (sql, accountId) => sql`
    select count(*)::int as used from assembly_tasks
    where account_id = ${accountId} and status in ('pending', 'in_progress')`,
  wiki_articles: (sql, accountId) =>
    sql`select count(*)::int as used from wiki_articles where account_id = ${accountId}`,
  wiki_revisions: (sql, accountId) =>
    sql`select count(*)::int as used from wiki_revisions where account_id = ${accountId}`,
  members: (sql, accountId, now) => sql`
    select (
      (select count(*) from members where account_id = ${accountId})
      + (select count(*) from invitations
         where account_id = ${accountId} and accepted_at is null and withdrawn_at is null and expires_at > ${now})
    )::int as used`,
  api_keys: (sql, accountId, now) => sql`
    select count(*)::int as used from api_keys
    where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > ${now})`,
  notification_channels: (sql, accountId) =>
    sql`select count(*)::int as used from notification_channels where account_id = ${accountId}`,
  automation_rules: (sql, accountId) =>
    sql`select count(*)::int as used from automation_rules where account_id = ${accountId}`,
  notification_rules: (sql, accountId) =>
    sql`select count(*)::int as used from notification_rules where account_id = ${accountId}`,
  shops: (sql, accountId) => sql`select count(*)::int as used from shops where account_id = ${accountId}`,
  webhooks: (sql, accountId) => sql`select count(*)::int as used from webhooks where account_id = ${accountId}`,
}

/** Answers how much an account has of what a quota limits. */
export async function countUsed(sql: Sql, accountId: AccountId, quota: StoredQuota, now: Date): Promise<number> {
  const [row] = await counts[quota](sql, accountId, now)
  return row?.used ?? 0
}
