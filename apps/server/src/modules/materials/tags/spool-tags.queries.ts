import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { SpoolTagRow as TableRow } from '../../../db/rows.generated.ts'
import { type AccountId, type MaterialId, newId, type SpoolTagId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { Tag } from './read-code.ts'

const columns = columnsOf<TableRow>()('id', 'material_id', 'kind', 'value', 'created_at')
export type SpoolTagRow = RowOf<typeof columns>

/** Tags of a spool, the oldest first. */
export async function listTags(sql: Sql, accountId: AccountId, materialId: MaterialId): Promise<SpoolTagRow[]> {
  return sql<SpoolTagRow[]>`
    select ${columns(sql)} from spool_tags where account_id = ${accountId} and material_id = ${materialId}
    order by created_at, id`
}

/** Those of the tags that are on a spool. */
export async function findTags(sql: Sql, accountId: AccountId, tags: readonly Tag[]): Promise<SpoolTagRow[]> {
  return sql<SpoolTagRow[]>`
    select ${columns(sql)} from spool_tags
    where account_id = ${accountId}
      and (kind, value) in (
        select * from unnest(${tags.map(({ kind }) => kind)}::text[], ${tags.map(({ value }) => value)}::text[]))
    order by created_at, id`
}

/** @returns whether it is there now; not when it is on another spool */
export async function insertTag(
  { sql, accountId, now }: Work,
  materialId: MaterialId,
  { kind, value }: Tag,
): Promise<boolean> {
  const id = newId('spoolTag', now.getTime())
  const rows = await sql`
    insert into spool_tags ${sql({ account_id: accountId, id, material_id: materialId, kind, value, created_at: now })}
    on conflict (account_id, kind, value) do nothing returning id`
  return rows.length > 0
}

export async function deleteTag({ sql, accountId }: Work, materialId: MaterialId, tagId: SpoolTagId): Promise<boolean> {
  const { count } = await sql`
    delete from spool_tags where account_id = ${accountId} and material_id = ${materialId} and id = ${tagId}`
  return count > 0
}
