import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PageRow } from '../../../db/page-bounds.ts'
import type { ColorRow as Row } from '../../../db/rows.generated.ts'
import type { AccountId, ColorId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import type { ColorChanges, ColorFilter, NewColor } from './colors.schema.ts'

const columns = columnsOf<Row>()('id', 'color_name', 'hex_code', 'filament_type', 'is_active', 'created_at')

export type ColorRow = RowOf<typeof columns>

/** Newest first, by the index `colors_by_age`. */
export async function listColors(sql: Sql, accountId: AccountId, filter: ColorFilter): Promise<PageRow<ColorRow>[]> {
  const { filament_type: filamentType, is_active: isActive } = filter
  return sql<PageRow<ColorRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from colors
    where account_id = ${accountId}
      ${filamentType === undefined ? sql`` : sql`and filament_type = ${filamentType}`}
      ${isActive === undefined ? sql`` : sql`and is_active = ${isActive}`}
      ${filter.after ? sql`and (created_at, id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by created_at desc, id desc
    limit ${filter.limit} offset ${filter.offset}`
}

export async function findColor(sql: Sql, accountId: AccountId, colorId: ColorId): Promise<ColorRow | undefined> {
  const [color] = await sql<ColorRow[]>`
    select ${columns(sql)} from colors where account_id = ${accountId} and id = ${colorId}`
  return color
}

/** Fails on `colors_name_key`. */
export async function insertColor(
  { sql, accountId, now }: Work,
  colorId: ColorId,
  color: Required<NewColor>,
): Promise<ColorRow> {
  const [row] = await sql<[ColorRow]>`
    insert into colors (account_id, id, color_name, hex_code, filament_type, is_active, created_at, updated_at)
    values (${accountId}, ${colorId}, ${color.color_name}, ${color.hex_code}, ${color.filament_type}, ${color.is_active},
            ${now}, ${now})
    returning ${columns(sql)}`
  return row
}

/** Changes what is given. Undefined when there is no such colour; fails on `colors_name_key`. */
export async function updateColor(
  { sql, accountId, now }: Work,
  colorId: ColorId,
  changes: ColorChanges,
): Promise<ColorRow | undefined> {
  const [row] = await sql<ColorRow[]>`
    update colors set
      color_name = coalesce(${changes.color_name ?? null}, color_name),
      hex_code = coalesce(${changes.hex_code ?? null}, hex_code),
      filament_type = coalesce(${changes.filament_type ?? null}, filament_type),
      is_active = coalesce(${changes.is_active ?? null}, is_active),
      updated_at = ${now}
    where account_id = ${accountId} and id = ${colorId}
    returning ${columns(sql)}`
  return row
}

/** The name of the colour that was deleted; undefined when there is none. */
export async function deleteColor({ sql, accountId }: Work, colorId: ColorId): Promise<string | undefined> {
  const [row] = await sql<[{ color_name: string }?]>`
    delete from colors where account_id = ${accountId} and id = ${colorId} returning color_name`
  return row?.color_name
}
