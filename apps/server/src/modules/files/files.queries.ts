import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { PrintFileRow, PrintFileVersionRow } from '../../db/rows.generated.ts'
import type { AccountId, FileVersionId, HubId, PrintFileId, ProductId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { VersionFacts } from './version-facts.ts'

export type VersionRow = Pick<
  PrintFileVersionRow,
  'id' | 'version_number' | 'notes' | 'is_current_version' | 'created_at'
>

const ownColumns = columnsOf<PrintFileRow>('f')(
  'id',
  'name',
  'product_id',
  'tags',
  'folder',
  'created_at',
  'updated_at',
)
const factColumns = columnsOf<PrintFileVersionRow>('v')(
  'file_size_bytes',
  'number_of_units',
  'print_time_seconds',
  'filament_weight_grams',
  'filament_length_meters',
  'filament_type',
  'printer_model',
  'nozzle_diameter',
  'layer_count',
  'bed_type',
  'print_profile',
  'object_count',
  'is_sliced',
)
const fileColumns = (sql: Sql) =>
  sql`${ownColumns(sql)}, ${factColumns(sql)}, v.thumbnail_sha256 is not null as has_thumbnail,
    coalesce(v.metadata->'warnings', '[]'::jsonb) as warnings`

/** A file with the facts of its current version. */
export type FileRow = RowOf<typeof ownColumns> &
  RowOf<typeof factColumns> & {
    has_thumbnail: boolean
    /** What the reader found odd, in sentences. */
    warnings: string[]
  }

/** Different tags, and folders, of an account that are listed. */
const mostListed = 1_000

/** Files with their current versions. */
const filesNow = (sql: Sql) => sql`
  print_files f
  join print_file_versions v on v.account_id = f.account_id and v.print_file_id = f.id and v.is_current_version`

export async function findFile(sql: Sql, accountId: AccountId, fileId: PrintFileId): Promise<FileRow | undefined> {
  const [file] = await sql<FileRow[]>`
    select ${fileColumns(sql)}
    from ${filesNow(sql)}
    where f.account_id = ${accountId} and f.id = ${fileId} and f.deleted_at is null`
  return file
}

interface FileFilter extends PageBounds {
  product_id?: ProductId
  printer_model_id?: string
  model_id?: string
  filament_type?: string
  search?: string
  tag?: string
  /** Files in it, or in a folder below it. */
  folder?: string
  order_by?: FileSort
}

/** What a list of files is sorted by: when they were added or changed, the latest first, or their names. */
export const fileSorts = ['newest', 'changed', 'name'] as const
type FileSort = (typeof fileSorts)[number]

export async function listFiles(
  sql: Sql,
  accountId: AccountId,
  { order_by: sort = 'newest', ...filter }: FileFilter,
): Promise<PageRow<FileRow>[]> {
  const key = { newest: sql`f.created_at`, changed: sql`f.updated_at`, name: sql`lower(f.name)` }[sort]
  const beyond = filter.after && {
    newest: sql`and (f.created_at, f.id) < (${filter.after.key}::timestamptz, ${filter.after.id})`,
    changed: sql`and (f.updated_at, f.id) < (${filter.after.key}::timestamptz, ${filter.after.id})`,
    name: sql`and (lower(f.name), f.id) > (${filter.after.key}, ${filter.after.id})`,
  }
  return sql<PageRow<FileRow>[]>`
    select ${fileColumns(sql)}, (${key})::text as page_key
    from ${filesNow(sql)}
    where f.account_id = ${accountId} and f.deleted_at is null
      ${filter.product_id ? sql`and f.product_id = ${filter.product_id}` : sql``}
      ${filter.printer_model_id ? sql`and v.printer_model = ${filter.printer_model_id}` : sql``}
      ${filter.model_id ? sql`and v.printer_model = ${filter.model_id}` : sql``}
      ${filter.filament_type ? sql`and v.filament_type = ${filter.filament_type}` : sql``}
      ${filter.search ? sql`and strpos(lower(f.name), lower(${filter.search})) > 0` : sql``}
      ${filter.tag ? sql`and ${filter.tag} = any(f.tags)` : sql``}
      ${filter.folder ? sql`and (f.folder = ${filter.folder} or starts_with(f.folder, ${`${filter.folder}/`}))` : sql``}
      ${beyond ? beyond[sort] : sql``}
    order by ${sort === 'name' ? sql`lower(f.name), f.id` : sql`${key} desc, f.id desc`}
    limit ${filter.limit} offset ${filter.offset}`
}

/** The tags of all files with how many have them, by name. */
export async function listTags(sql: Sql, accountId: AccountId): Promise<{ tag: string; files: number }[]> {
  return sql<{ tag: string; files: number }[]>`
    select tag, count(*) as files
    from print_files f cross join unnest(f.tags) as tag
    where f.account_id = ${accountId} and f.deleted_at is null
    group by tag order by lower(tag), tag limit ${mostListed}`
}

/** The folders that files are in, with how many are right in each, by name. */
export async function listFolders(sql: Sql, accountId: AccountId): Promise<{ folder: string; files: number }[]> {
  return sql<{ folder: string; files: number }[]>`
    select folder, count(*) as files from print_files
    where account_id = ${accountId} and folder <> '' and deleted_at is null
    group by folder order by lower(folder), folder limit ${mostListed}`
}

/** Another file whose current version has the very same bytes, the oldest of several. */
export async function findTwin(
  sql: Sql,
  accountId: AccountId,
  fileId: PrintFileId,
): Promise<Pick<PrintFileRow, 'id' | 'name'> | undefined> {
  const [twin] = await sql<Pick<PrintFileRow, 'id' | 'name'>[]>`
    select f.id, f.name
    from print_file_versions own
    join print_file_versions v on v.account_id = own.account_id and v.sha256 = own.sha256 and v.is_current_version
    join print_files f on f.account_id = v.account_id and f.id = v.print_file_id and f.deleted_at is null
    where own.account_id = ${accountId} and own.print_file_id = ${fileId} and own.is_current_version and f.id <> ${fileId}
    order by f.created_at, f.id limit 1`
  return twin
}

/** At most 100, the newest first. */
export async function listVersions(sql: Sql, accountId: AccountId, fileId: PrintFileId): Promise<VersionRow[]> {
  return sql<VersionRow[]>`
    select id, version_number, notes, is_current_version, created_at
    from print_file_versions where account_id = ${accountId} and print_file_id = ${fileId}
    order by version_number desc`
}

/** Keeps others from changing, deleting or adding to a file until the transaction ends. False when there is none. */
export async function lockFile(sql: Sql, accountId: AccountId, fileId: PrintFileId): Promise<boolean> {
  const rows = await sql`
    select id from print_files where account_id = ${accountId} and id = ${fileId} and deleted_at is null for update`
  return rows.length > 0
}

/** True when the account has this product; it cannot be deleted before the transaction ends. */
export async function holdProduct(sql: Sql, accountId: AccountId, productId: ProductId): Promise<boolean> {
  const rows = await sql`
    select id from products where account_id = ${accountId} and id = ${productId} for key share`
  return rows.length > 0
}

type NewFile = Pick<PrintFileRow, 'id' | 'name' | 'product_id' | 'folder'>

export async function insertFile({ sql, accountId, now }: Work, file: NewFile): Promise<void> {
  await sql`
    insert into print_files ${sql({ account_id: accountId, ...file, created_at: now, updated_at: now })}`
}

type NewVersion = VersionFacts &
  Pick<
    PrintFileVersionRow,
    | 'id'
    | 'print_file_id'
    | 'version_number'
    | 'notes'
    | 'original_name'
    | 'sha256'
    | 'file_size_bytes'
    | 'number_of_units'
    | 'thumbnail_sha256'
    | 'thumbnail_mime'
  >

/** Adds a version as the current one; there must be no other. `metadataJson` is written by the reader. */
export async function insertVersion(
  { sql, accountId, now }: Work,
  version: NewVersion,
  metadataJson: string,
): Promise<void> {
  const row = {
    account_id: accountId,
    ...version,
    filaments: sql.json(version.filaments),
    // By way of text, because the driver would write JSON that is written already as a JSON string.
    metadata: sql`${metadataJson}::text::jsonb`,
    created_at: now,
  }
  // The driver's types know no fragments among the values of a row; the driver does.
  await sql`insert into print_file_versions ${sql(row as never)}`
}

/** Makes no version the current one, so that another can become it. */
export async function clearCurrentVersion({ sql, accountId }: Work, fileId: PrintFileId): Promise<void> {
  await sql`
    update print_file_versions set is_current_version = false
    where account_id = ${accountId} and print_file_id = ${fileId} and is_current_version`
}

/** False when the file has no such version. */
export async function setCurrentVersion(
  { sql, accountId }: Work,
  fileId: PrintFileId,
  versionNumber: number,
): Promise<boolean> {
  const rows = await sql`
    update print_file_versions set is_current_version = true
    where account_id = ${accountId} and print_file_id = ${fileId} and version_number = ${versionNumber}
    returning id`
  return rows.length > 0
}

/** Writes those that are given; `updated_at` always. */
export async function updateFile(
  { sql, accountId, now }: Work,
  fileId: PrintFileId,
  changes: { name?: string; product_id?: ProductId | null; tags?: string[]; folder?: string; deleted_at?: Date },
): Promise<void> {
  await sql`update print_files set ${sql({ ...changes, updated_at: now })} where account_id = ${accountId} and id = ${fileId}`
}

export async function setNumberOfUnits({ sql, accountId }: Work, fileId: PrintFileId, units: number): Promise<void> {
  await sql`
    update print_file_versions set number_of_units = ${units}
    where account_id = ${accountId} and print_file_id = ${fileId} and is_current_version`
}

export async function countUnfinishedJobs(sql: Sql, accountId: AccountId, fileId: PrintFileId): Promise<number> {
  const [row] = await sql<{ jobs: number }[]>`
    select count(*)::int as jobs from jobs
    where account_id = ${accountId} and status in ('queued', 'processing', 'printing', 'paused')
      and (
        print_file_id = ${fileId}
        or id in (select job_id from job_options where account_id = ${accountId} and print_file_id = ${fileId})
      )`
  return row?.jobs ?? 0
}

export async function countRecipesInUse(sql: Sql, accountId: AccountId, fileId: PrintFileId): Promise<number> {
  const [row] = await sql<{ recipes: number }[]>`
    select count(*)::int as recipes from recipes
    where account_id = ${accountId} and print_file_id = ${fileId} and is_active`
  return row?.recipes ?? 0
}

/** All content that the versions of a file refer to. */
export async function listContentOfFile(
  sql: Sql,
  accountId: AccountId,
  fileId: PrintFileId,
): Promise<(string | null)[]> {
  const rows = await sql<Pick<PrintFileVersionRow, 'sha256' | 'thumbnail_sha256'>[]>`
    select sha256, thumbnail_sha256 from print_file_versions
    where account_id = ${accountId} and print_file_id = ${fileId}`
  return rows.flatMap((row) => [row.sha256, row.thumbnail_sha256])
}

/** Place where the bytes of a version are, and what they are called. */
export type VersionContent = Pick<
  PrintFileVersionRow,
  'original_name' | 'sha256' | 'file_size_bytes' | 'thumbnail_sha256' | 'thumbnail_mime'
> & { version_id: PrintFileVersionRow['id'] }

const contentColumns = (sql: Sql) =>
  sql`v.id as version_id, v.original_name, v.sha256, v.file_size_bytes, v.thumbnail_sha256, v.thumbnail_mime`

export async function findCurrentContent(
  sql: Sql,
  accountId: AccountId,
  fileId: PrintFileId,
): Promise<VersionContent | undefined> {
  const [content] = await sql<VersionContent[]>`
    select ${contentColumns(sql)}
    from ${filesNow(sql)}
    where f.account_id = ${accountId} and f.id = ${fileId} and f.deleted_at is null`
  return content
}

/** The same for a version that a hub asks for, while the hub may still connect. */
export async function findContentForHub(
  sql: Sql,
  accountId: AccountId,
  versionId: FileVersionId,
  hubId: HubId,
): Promise<VersionContent | undefined> {
  const [content] = await sql<VersionContent[]>`
    select ${contentColumns(sql)}
    from print_file_versions v
    join hubs h on h.account_id = v.account_id and h.id = ${hubId} and h.token_hash is not null
    where v.account_id = ${accountId} and v.id = ${versionId}`
  return content
}

/** Files of a product that goes belong to none. */
export async function forgetProduct({ sql, accountId, now }: Work, productId: ProductId): Promise<void> {
  await sql`
    update print_files set product_id = null, updated_at = ${now}
    where account_id = ${accountId} and product_id = ${productId}`
}
