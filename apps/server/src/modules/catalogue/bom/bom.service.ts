import type { Sql } from '../../../db/database.ts'
import { AppError, type FieldErrors, notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { availableToBuild } from './available-to-build.ts'
import {
  type BomChild,
  type BomLines,
  type BomMaterial,
  listBomChildren,
  listBomMaterials,
  listMaterialsForBom,
  listSkusForBom,
  listStepsBelow,
  lockBoms,
  replaceBom,
  type SkuForBom,
} from './bom.queries.ts'
import type { BomInput } from './bom.schema.ts'
import { findWay } from './find-way.ts'

/** The bill of materials of a SKU, with what is there of each line. */
export interface Bom {
  sku_id: SkuId
  children: BomChild[]
  materials: BomMaterial[]
  available_to_build: number
}

/** The bills of some SKUs, by two statements however many they are. A SKU without one has an empty bill. */
export async function loadBoms(sql: Sql, accountId: AccountId, skuIds: SkuId[]): Promise<Map<SkuId, Bom>> {
  const [children, materials] =
    skuIds.length === 0
      ? [[], []]
      : await Promise.all([listBomChildren(sql, accountId, skuIds), listBomMaterials(sql, accountId, skuIds)])
  const childrenOf = Map.groupBy(children, (child) => child.sku_id)
  const materialsOf = Map.groupBy(materials, (material) => material.sku_id)
  return new Map(skuIds.map((id) => [id, bomOf(id, childrenOf.get(id) ?? [], materialsOf.get(id) ?? [])]))
}

function bomOf(skuId: SkuId, children: BomChild[], materials: BomMaterial[]): Bom {
  return {
    sku_id: skuId,
    children,
    materials,
    available_to_build: availableToBuild(
      children.map((child) => ({ quantity_required: child.quantity_required, on_hand: child.child_ready_stock })),
      componentsOf(materials).map((line) => ({ quantity_required: line.quantity_required, on_hand: line.remaining })),
    ),
  }
}

/** Answers what assembly takes: packaging is taken when units are shipped. */
export function componentsOf(materials: readonly BomMaterial[]): BomMaterial[] {
  return materials.filter(({ kind }) => kind === 'components')
}

export async function loadBom(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<Bom> {
  const boms = await loadBoms(sql, accountId, [skuId])
  return boms.get(skuId) ?? bomOf(skuId, [], [])
}

export async function getBom(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<Bom> {
  const [sku] = await listSkusForBom(sql, accountId, [skuId])
  if (!sku) throw notFound('SKU')
  return loadBom(sql, accountId, skuId)
}

/** Gives a SKU this bill in the place of the one that it has. No SKU may be made of itself, by any way. */
export async function setBom(work: Work, skuId: SkuId, input: BomInput): Promise<Bom> {
  const { sql, accountId } = work
  await lockBoms(sql, accountId)
  const before = await getBom(sql, accountId, skuId)
  const lines = linesOf(input)
  await checkLines(work, skuId, lines)
  if (isSameBom(before, lines)) return before
  await replaceBom(work, skuId, lines)
  await work.record({
    type: 'sku.bom_set',
    subjectId: skuId,
    data: {
      children: lines.children.map((line) => ({ product_sku_id: line.child_sku_id, quantity: line.quantity_required })),
      materials: lines.materials.map((line) => ({ material_id: line.material_id, quantity: line.quantity_required })),
    },
  })
  return loadBom(sql, accountId, skuId)
}

function linesOf({ children = [], inventory = [] }: BomInput): BomLines {
  return {
    children,
    materials: inventory.map(({ inventory_item_id, quantity_required }) => ({
      material_id: inventory_item_id,
      quantity_required,
    })),
  }
}

async function checkLines({ sql, accountId }: Work, skuId: SkuId, { children, materials }: BomLines): Promise<void> {
  const childIds = children.map((child) => child.child_sku_id)
  const materialIds = materials.map((line) => line.material_id)
  refuse({
    ...repeated(childIds, (index) => `children.${index}.child_sku_id`),
    ...repeated(materialIds, (index) => `inventory.${index}.inventory_item_id`),
    ...at(childIds.indexOf(skuId), 'must not be the SKU itself'),
  })
  const skus = new Map((await listSkusForBom(sql, accountId, [...childIds, skuId])).map((sku) => [sku.id, sku]))
  const unknownSkus = childIds.filter((id) => !skus.has(id))
  if (unknownSkus.length > 0) throw new AppError('SKU_NOT_FOUND', {}, { details: { child_sku_ids: unknownSkus } })
  const known = new Set(await listMaterialsForBom(sql, accountId, materialIds))
  const unknown = materialIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new AppError('UNKNOWN_INVENTORY_ITEM', {}, { details: { inventory_item_ids: unknown } })
  const inactive = childIds.flatMap((id, index) => (skus.get(id)?.is_active ? [] : [index]))
  refuse(Object.assign({}, ...inactive.map((index) => at(index, 'is not in use any more'))))
  await refuseCycles(sql, accountId, skus, skuId, childIds)
}

async function refuseCycles(
  sql: Sql,
  accountId: AccountId,
  skus: Map<SkuId, SkuForBom>,
  parentId: SkuId,
  childIds: SkuId[],
): Promise<void> {
  if (childIds.length === 0) return
  const steps = await listStepsBelow(sql, accountId, childIds)
  const errors = childIds.map((childId, index) => {
    const way = findWay(steps, childId, parentId)
    if (!way) return {}
    const codes = [skus.get(parentId)?.sku, skus.get(childId)?.sku, ...way.map((step) => step.child_sku)]
    return at(index, `would make a cycle: ${codes.join(' → ')}`)
  })
  refuse(Object.assign({}, ...errors))
}

function at(index: number, message: string): FieldErrors {
  return index < 0 ? {} : { [`children.${index}.child_sku_id`]: [message] }
}

function repeated(ids: readonly string[], path: (index: number) => string): FieldErrors {
  const again = ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []))
  return Object.fromEntries(again.map((index) => [path(index), ['is named twice']]))
}

function refuse(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw validationError(errors)
}

/** True when a bill has these lines, in this order. */
export function isSameBom(before: Pick<Bom, 'children' | 'materials'> | undefined, after: BomLines): boolean {
  const text = (lines: { id: string; quantity_required: number }[]) =>
    JSON.stringify(lines.map(({ id, quantity_required }) => [id, quantity_required]))
  return (
    before !== undefined &&
    text(before.children.map((line) => ({ ...line, id: line.child_sku_id }))) ===
      text(after.children.map((line) => ({ ...line, id: line.child_sku_id }))) &&
    text(before.materials.map((line) => ({ ...line, id: line.material_id }))) ===
      text(after.materials.map((line) => ({ ...line, id: line.material_id })))
  )
}
