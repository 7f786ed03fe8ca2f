import type { Sql } from '../../../db/database.ts'
import type { BomChildrenRow, BomMaterialRow, MaterialRow, SkuRow } from '../../../db/rows.generated.ts'
import { type AccountId, type MaterialId, newId, type ProductId, type SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/** A child of a SKU, with its stock. */
export type BomChild = Pick<BomChildrenRow, 'sku_id' | 'child_sku_id' | 'quantity_required'> & {
  child_sku: SkuRow['sku']
  child_color: SkuRow['color']
  child_product_name: string
  child_is_composite: boolean
  child_ready_stock: number
}

/** A component or packaging of a SKU, with what is left of it. */
export type BomMaterial = Pick<BomMaterialRow, 'id' | 'sku_id' | 'material_id' | 'quantity_required' | 'created_at'> &
  Pick<MaterialRow, 'type' | 'remaining'> & {
    kind: Extract<MaterialRow['kind'], 'components' | 'packaging'>
    item_name: string
  }

/** The children of some SKUs, those of each in their order. */
export async function listBomChildren(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<BomChild[]> {
  return sql<BomChild[]>`
    select b.sku_id, b.child_sku_id, b.quantity_required, s.sku as child_sku, s.color as child_color,
           p.name as child_product_name, i.ready_stock as child_ready_stock,
           coalesce((select true from bom_children below
                     where below.account_id = b.account_id and below.sku_id = b.child_sku_id limit 1), false)
             as child_is_composite
    from bom_children b
    join skus s on s.account_id = b.account_id and s.id = b.child_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    join inventory_items i on i.account_id = b.account_id and i.product_sku_id = b.child_sku_id
    where b.account_id = ${accountId} and b.sku_id = any(${skuIds})
    order by b.sku_id, b.position`
}

/** The components and packaging of some SKUs, those of each in their order. */
export async function listBomMaterials(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<BomMaterial[]> {
  return sql<BomMaterial[]>`
    select b.id, b.sku_id, b.material_id, b.quantity_required, b.created_at, m.kind, m.type, m.name as item_name,
           m.remaining
    from bom_materials b
    join materials m on m.account_id = b.account_id and m.id = b.material_id
    where b.account_id = ${accountId} and b.sku_id = any(${skuIds})
    order by b.sku_id, b.position`
}

/** Bills of an account change one after the other: a cycle may go through several of them. */
export async function lockBoms(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bills of ${accountId}`}, 0))`
}

export type SkuForBom = Pick<SkuRow, 'id' | 'sku' | 'is_active'>

export async function listSkusForBom(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<SkuForBom[]> {
  return sql<SkuForBom[]>`
    select id, sku, is_active from skus where account_id = ${accountId} and id = any(${skuIds})`
}

/** Answers which of these are components or packaging. */
export async function listMaterialsForBom(sql: Sql, accountId: AccountId, ids: MaterialId[]): Promise<MaterialId[]> {
  const rows = await sql<{ id: MaterialId }[]>`
    select id from materials
    where account_id = ${accountId} and id = any(${ids}) and kind in ('components', 'packaging')`
  return rows.map(({ id }) => id)
}

/** Step of a bill of materials: a SKU is a child of another. */
export interface BomStep {
  sku_id: SkuId
  child_sku_id: SkuId
  child_sku: string
}

/** Every step that leads down from these SKUs, each once; one statement, however deep the bills are. */
export async function listStepsBelow(sql: Sql, accountId: AccountId, from: SkuId[]): Promise<BomStep[]> {
  return sql<BomStep[]>`
    with recursive below as (
      select from_id as sku_id from unnest(${from}::text[]) from_id
      union
      select b.child_sku_id from below join bom_children b on b.account_id = ${accountId} and b.sku_id = below.sku_id
    )
    select b.sku_id, b.child_sku_id, s.sku as child_sku
    from below
    join bom_children b on b.account_id = ${accountId} and b.sku_id = below.sku_id
    join skus s on s.account_id = b.account_id and s.id = b.child_sku_id
    order by b.sku_id, b.position`
}

export interface BomLines {
  children: { child_sku_id: SkuId; quantity_required: number }[]
  materials: { material_id: MaterialId; quantity_required: number }[]
}

/** Puts these lines in the place of those that a SKU has. */
export async function replaceBom({ sql, accountId, now }: Work, skuId: SkuId, lines: BomLines): Promise<void> {
  await sql`delete from bom_children where account_id = ${accountId} and sku_id = ${skuId}`
  await sql`delete from bom_materials where account_id = ${accountId} and sku_id = ${skuId}`
  const common = (position: number) => ({
    account_id: accountId,
    id: newId('bomLine', now.getTime()),
    sku_id: skuId,
    position,
    created_at: now,
  })
  const children = lines.children.map((line, position) => ({ ...common(position), ...line }))
  const materials = lines.materials.map((line, position) => ({ ...common(position), ...line }))
  if (children.length > 0) await sql`insert into bom_children ${sql(children)}`
  if (materials.length > 0) await sql`insert into bom_materials ${sql(materials)}`
}

/** A SKU whose bill names another. */
type BomParent = Pick<SkuRow, 'id' | 'sku' | 'product_id'> & { child_sku_id: SkuId }

/** SKUs in use that are made of any of these, but for those of one product. */
export async function listBomParents(
  sql: Sql,
  accountId: AccountId,
  skuIds: SkuId[],
  exceptProductId: ProductId | null,
): Promise<BomParent[]> {
  return sql<BomParent[]>`
    select s.id, s.sku, s.product_id, b.child_sku_id
    from bom_children b
    join skus s on s.account_id = b.account_id and s.id = b.sku_id
    where b.account_id = ${accountId} and b.child_sku_id = any(${skuIds}) and s.is_active
      and s.product_id is distinct from ${exceptProductId}
    order by s.sku limit 100`
}
