import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { MaterialMovementRow, MaterialRow as MaterialTableRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, MaterialId, PrinterId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { FilamentOfFile } from '../matching/matching.queries.ts'
import type { MaterialKind } from './material-kinds.ts'
import type { MaterialFilter } from './materials.schema.ts'

const columns = columnsOf<MaterialTableRow>()(
  'id',
  'kind',
  'type',
  'name',
  'color',
  'hex_code',
  'brand',
  'diameter',
  'size',
  'remaining',
  'low_threshold',
  'spool_weight',
  'status',
  'location',
  'printer_id',
  'slot',
  'created_at',
  'updated_at',
)

export type MaterialRow = RowOf<typeof columns>

/** Newest first, by the index `materials_by_age`. */
export async function listMaterials(
  sql: Sql,
  accountId: AccountId,
  kind: MaterialKind,
  filter: MaterialFilter,
): Promise<PageRow<MaterialRow>[]> {
  return sql<PageRow<MaterialRow>[]>`
    select ${columns(sql)}, created_at::text as page_key from materials
    where account_id = ${accountId} and kind = ${kind}
      ${filter.status === undefined ? sql`` : sql`and status = ${filter.status}`}
      ${filter.type === undefined ? sql`` : sql`and type = ${filter.type}`}
      ${filter.material_type === undefined ? sql`` : sql`and type = ${filter.material_type}`}
      ${filter.color === undefined ? sql`` : sql`and color = ${filter.color}`}
      ${filter.low_stock === undefined ? sql`` : sql`and (status <> 'in_stock') = ${filter.low_stock}`}
      ${filter.printer_id === undefined ? sql`` : sql`and printer_id = ${filter.printer_id}`}
      ${filter.after ? sql`and (created_at, id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by created_at desc, id desc
    limit ${filter.limit} offset ${filter.offset}`
}

export async function findMaterial(
  sql: Sql,
  accountId: AccountId,
  kind: MaterialKind,
  materialId: MaterialId,
): Promise<MaterialRow | undefined> {
  const [row] = await sql<MaterialRow[]>`
    select ${columns(sql)} from materials
    where account_id = ${accountId} and kind = ${kind} and id = ${materialId}`
  return row
}

/** Materials of one kind, locked until the transaction ends, in one fixed order. */
export async function lockMaterials(
  sql: Sql,
  accountId: AccountId,
  kind: MaterialKind,
  ids: MaterialId[],
): Promise<MaterialRow[]> {
  return sql<MaterialRow[]>`
    select ${columns(sql)} from materials
    where account_id = ${accountId} and kind = ${kind} and id = any(${ids}) order by id for update`
}

export async function listMaterialsById(
  sql: Sql,
  accountId: AccountId,
  kind: MaterialKind,
  ids: MaterialId[],
): Promise<MaterialRow[]> {
  return sql<MaterialRow[]>`
    select ${columns(sql)} from materials where account_id = ${accountId} and kind = ${kind} and id = any(${ids})`
}

interface ComponentsOfType {
  type: string
  remaining: number
  /** The component of which there are most. */
  most_of: string
}

export async function sumComponentsByType(
  sql: Sql,
  accountId: AccountId,
  types: string[],
): Promise<ComponentsOfType[]> {
  return sql<ComponentsOfType[]>`
    select type, sum(remaining)::int8 as remaining, (array_agg(id order by remaining desc, id))[1] as most_of
    from materials where account_id = ${accountId} and kind = 'components' and type = any(${types})
    group by type`
}

/** The spools on a printer, locked, the one that was loaded last first. */
export async function lockLoadedSpools(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<MaterialRow[]> {
  return sql<MaterialRow[]>`
    select ${columns(sql)} from materials
    where account_id = ${accountId} and printer_id = ${printerId} order by loaded_at desc, id for update`
}

export type MaterialChange = Partial<
  Omit<MaterialTableRow, 'account_id' | 'id' | 'kind' | 'remaining' | 'created_at' | 'updated_at'>
>

export async function insertMaterial(
  { sql, accountId, now }: Work,
  material: MaterialChange & Pick<MaterialTableRow, 'id' | 'kind'>,
): Promise<MaterialRow> {
  const [row] = await sql<MaterialRow[]>`
    insert into materials ${sql({ account_id: accountId, ...material, created_at: now, updated_at: now })}
    returning ${columns(sql)}`
  // An insert without a condition answers its row or fails.
  return row as MaterialRow
}

/** The material is locked by the caller, so it exists. */
export async function updateMaterial(
  { sql, accountId, now }: Work,
  materialId: MaterialId,
  change: MaterialChange & Partial<Pick<MaterialTableRow, 'remaining'>>,
): Promise<MaterialRow> {
  const [row] = await sql<MaterialRow[]>`
    update materials set ${sql({ ...change, updated_at: now })}
    where account_id = ${accountId} and id = ${materialId} returning ${columns(sql)}`
  return row as MaterialRow
}

/** Its movements go with it. */
export async function deleteMaterialRow({ sql, accountId }: Work, materialId: MaterialId): Promise<void> {
  await sql`delete from materials where account_id = ${accountId} and id = ${materialId}`
}

const movementColumns = columnsOf<MaterialMovementRow>()(
  'id',
  'reason',
  'change',
  'quantity_before',
  'quantity_after',
  'shortage',
  'job_id',
  'attempt_id',
  'assembly_task_id',
  'shipment_id',
  'notes',
  'actor',
  'happened_at',
  'created_at',
)

export type MovementRow = RowOf<typeof movementColumns>

export async function insertMovement(
  { sql, accountId, actor }: Work,
  movement: Omit<MaterialMovementRow, 'account_id' | 'actor' | 'created_at'>,
): Promise<void> {
  await sql`insert into material_movements ${sql({ account_id: accountId, ...movement, actor })}`
}

/** Newest first, by the index `material_movements_by_material`. */
export async function listMaterialMovements(
  sql: Sql,
  accountId: AccountId,
  materialId: MaterialId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<MovementRow>[]> {
  return sql<PageRow<MovementRow>[]>`
    select ${movementColumns(sql)}, created_at::text as page_key from material_movements
    where account_id = ${accountId} and material_id = ${materialId}
      ${after ? sql`and (created_at, id) < (${after.key}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${limit} offset ${offset}`
}

/** The same without a lock, of several printers. */
export async function listLoadedSpools(
  sql: Sql,
  accountId: AccountId,
  printerIds: readonly PrinterId[],
): Promise<MaterialRow[]> {
  return sql<MaterialRow[]>`
    select ${columns(sql)} from materials
    where account_id = ${accountId} and printer_id = any(${[...printerIds]}) order by loaded_at desc, id`
}

/**
 * What one plate of an attempt takes, and what its job asked for. Its weight is what the slicer said, else the share of what was entered for
 * the job.
 */
export interface PlateWish {
  attempt_id: AttemptId
  plate_grams: number | null
  plate_seconds: number | null
  filament_type: string
  color: string
  filaments: FilamentOfFile[]
}

export async function listPlateWishes(
  sql: Sql,
  accountId: AccountId,
  attemptIds: readonly AttemptId[],
): Promise<PlateWish[]> {
  return sql<PlateWish[]>`
    select a.id as attempt_id, coalesce(v.filament_weight_grams, j.filament_needed_grams / j.plates_total) as plate_grams,
           v.print_time_seconds as plate_seconds, j.filament_type, j.color, v.filaments
    from attempts a
    join jobs j on j.account_id = a.account_id and j.id = a.job_id
    join print_file_versions v on v.account_id = a.account_id and v.id = a.file_version_id
    where a.account_id = ${accountId} and a.id = any(${[...attemptIds]})`
}
