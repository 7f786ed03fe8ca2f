import { type KitPartId, type MaterialId, newId, type ProductId, readId, type SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { type BomLines, replaceBom } from '../bom/bom.queries.ts'
import { isSameBom, loadBoms } from '../bom/bom.service.ts'
import { codeOf, type PlannedPartSku, partSkuKey, planPartSkus, sumLines, takeCode } from '../kits/kit-plan.ts'
import {
  type KitRows,
  listTakenCodes,
  removeParts,
  replaceComponents,
  replaceExtras,
  writePart,
} from '../kits/kits.queries.ts'
import type { KitInput } from '../kits/kits.schema.ts'
import { setPartRecipe } from '../recipes/part-recipes.ts'
import type { SkuRow } from '../skus/skus.queries.ts'
import { changeSku, createSku, removeSkus } from '../skus/skus.service.ts'

/** A kit as it is before it is set: what may stay. */
export interface KnownKit {
  variants: Map<string, SkuRow>
  rows: KitRows
}

/** Writes what a kit consists of. What is as it was is left alone, and a kit of which nothing changed records nothing. */
export async function writeKit(work: Work, productId: ProductId, kit: KitInput, known: KnownKit): Promise<void> {
  const { sql, accountId } = work
  const { partIds, ...parts } = await writeParts(work, productId, kit, known.rows)
  const planned = planPartSkus(kit)
  const codes = [
    ...kit.variants.map(({ color }) => codeOf(kit.name, color)),
    ...planned.map(({ part, color }) => codeOf(kit.name, kit.parts[part]?.name ?? '', color)),
  ]
  const taken = new Set(await listTakenCodes(sql, accountId, codes))
  const variants = await writeVariants(work, productId, kit, taken)
  const pieces = await writePartSkus(work, productId, kit, { planned, partIds, known: known.rows, taken })
  const kitSkus = variants.map(({ id }) => id)
  const partSkus = pieces.map(({ id }) => id)

  const formerFiles = new Map(known.rows.parts.map((part) => [part.id, part.print_file_id]))
  for (const [index, skuId] of partSkus.entries()) {
    const { part: place = 0, filament_type: filamentType = '' } = planned[index] ?? {}
    const part = kit.parts[place]
    const partId = partIds[place]
    const formerFileId = partId === undefined ? null : (formerFiles.get(partId) ?? null)
    await setPartRecipe(work, { productId, skuId, filamentType, fileId: part?.print_file_id ?? null, formerFileId })
  }
  const bills = new Map<SkuId, BomLines>([
    ...partSkus.map((skuId, index): [SkuId, BomLines] => {
      const part = kit.parts[planned[index]?.part ?? 0]
      return [skuId, { children: [], materials: part?.requires_assembly ? linesOf(part.components ?? []) : [] }]
    }),
    ...kitSkus.map((skuId, place): [SkuId, BomLines] => [skuId, billOf(kit, place, planned, partSkus)]),
  ])
  const isBilled = await writeBills(work, bills)
  const isExtended = await writeExtras(work, productId, kit, kitSkus, known.rows)

  const staying = new Set<SkuId>([...kitSkus, ...partSkus])
  const gone = [...known.variants.values(), ...known.rows.partSkus]
    .filter((sku) => sku.is_active)
    .map(({ id }) => id)
    .filter((id) => !staying.has(id))
  const removed = await removeSkus(work, gone, productId)
  const stayingParts = new Set(partIds)
  const goneParts = known.rows.parts.map(({ id }) => id).filter((id) => !stayingParts.has(id))
  await removeParts(work, goneParts)
  const isTouched = [...variants, ...pieces].some(({ updated_at }) => updated_at.getTime() === work.now.getTime())
  const isLess = removed.length > 0 || goneParts.length > 0
  if (!(parts.isChanged || isTouched || isBilled || isExtended || isLess)) return
  await work.record({
    type: 'product.kit_set',
    subjectId: productId,
    data: { variants: kitSkus, parts: partIds, removed: removed.map(({ id }) => id) },
  })
}

/** Writes the bills that are others than before; whether there is one. */
async function writeBills(work: Work, bills: ReadonlyMap<SkuId, BomLines>): Promise<boolean> {
  const before = await loadBoms(work.sql, work.accountId, [...bills.keys()])
  const changed = [...bills].filter(([skuId, lines]) => !isSameBom(before.get(skuId), lines))
  for (const [skuId, lines] of changed) await replaceBom(work, skuId, lines)
  return changed.length > 0
}

async function writeExtras(
  work: Work,
  productId: ProductId,
  kit: KitInput,
  kitSkus: SkuId[],
  known: KitRows,
): Promise<boolean> {
  const lines = [
    ...linesOf(kit.bundle_extras ?? []).map((line) => ({ ...line, sku_id: null })),
    ...kit.variants.flatMap(({ bundle_extras = [] }, place) =>
      linesOf(bundle_extras).map((line) => ({ ...line, sku_id: kitSkus[place] ?? null })),
    ),
  ]
  const text = (rows: { sku_id: SkuId | null; material_id: MaterialId; quantity_required: number }[]) =>
    JSON.stringify(rows.map((row) => [row.sku_id, row.material_id, row.quantity_required]))
  if (text(lines) === text(known.extras)) return false
  await replaceExtras(work, productId, lines)
  return true
}

async function writeParts(
  work: Work,
  productId: ProductId,
  { parts }: KitInput,
  known: KitRows,
): Promise<{ partIds: KitPartId[]; isChanged: boolean }> {
  const partIds: KitPartId[] = []
  let isChanged = false
  for (const [position, part] of parts.entries()) {
    const id = readId('kitPart', part.part_id ?? '') ?? newId('kitPart', work.now.getTime())
    const isWritten = await writePart(work, {
      id,
      product_id: productId,
      name: part.name,
      print_file_id: part.print_file_id ?? null,
      quantity_per_kit: part.quantity_per_kit,
      fixed_color: part.fixed_color ?? '',
      fixed_hex_code: part.fixed_hex_code ?? '',
      requires_assembly: part.requires_assembly ?? false,
      position,
    })
    const components = (part.components ?? []).map(({ inventory_item_id, quantity_required, notes = '' }) => ({
      material_id: inventory_item_id,
      quantity_required,
      notes,
    }))
    const before = known.components.filter((line) => line.kit_part_id === id)
    const isSame = textOf(before) === textOf(components)
    if (!isSame) await replaceComponents(work, id, components)
    isChanged ||= isWritten || !isSame
    partIds.push(id)
  }
  return { partIds, isChanged }
}

function textOf(lines: { material_id: MaterialId; quantity_required: number; notes: string }[]): string {
  return JSON.stringify(lines.map((line) => [line.material_id, line.quantity_required, line.notes]))
}

async function writeVariants(work: Work, productId: ProductId, kit: KitInput, taken: Set<string>): Promise<SkuRow[]> {
  const skus: SkuRow[] = []
  for (const variant of kit.variants) {
    const { color, filament_type = '', hex_code = '', low_stock_threshold: threshold } = variant
    const fields = {
      color,
      filament_type,
      hex_code,
      ...(threshold !== undefined && { low_stock_threshold: threshold }),
    }
    if (variant.sku_id !== undefined) {
      const code = variant.sku !== undefined && { sku: variant.sku }
      skus.push(await changeSku(work, variant.sku_id, { ...fields, ...code, is_active: true }))
      continue
    }
    const sku = variant.sku ?? takeCode(codeOf(kit.name, color), taken)
    skus.push(await createSku(work, { ...fields, product_id: productId, sku }))
  }
  return skus
}

async function writePartSkus(
  work: Work,
  productId: ProductId,
  kit: KitInput,
  {
    planned,
    partIds,
    known,
    taken,
  }: { planned: PlannedPartSku[]; partIds: KitPartId[]; known: KitRows; taken: Set<string> },
): Promise<SkuRow[]> {
  const skus: SkuRow[] = []
  for (const { part, color, filament_type, hex_code } of planned) {
    const partId = partIds[part]
    const present = known.partSkus.find(
      (sku) => sku.kit_part_id === partId && partSkuKey(sku) === partSkuKey({ color, filament_type }),
    )
    if (present) {
      skus.push(await changeSku(work, present.id, { hex_code, is_active: true }))
      continue
    }
    const sku = takeCode(codeOf(kit.name, kit.parts[part]?.name ?? '', color), taken)
    skus.push(await createSku(work, { product_id: productId, sku, color, filament_type, hex_code }, partId))
  }
  return skus
}

/** Answers what one unit of a variant takes: its parts, their components unless these go into the parts themselves, and its extras. */
function billOf(kit: KitInput, place: number, planned: PlannedPartSku[], partSkus: SkuId[]): BomLines {
  const children = planned.flatMap(({ part, variants }, index) => {
    const skuId = partSkus[index]
    const quantity = kit.parts[part]?.quantity_per_kit
    return variants.includes(place) && skuId && quantity ? [{ child_sku_id: skuId, quantity_required: quantity }] : []
  })
  const ofParts = kit.parts.flatMap(({ requires_assembly, components = [], quantity_per_kit }) =>
    requires_assembly
      ? []
      : linesOf(components).map((line) => ({ ...line, quantity_required: line.quantity_required * quantity_per_kit })),
  )
  const extras = linesOf([...(kit.bundle_extras ?? []), ...(kit.variants[place]?.bundle_extras ?? [])])
  return { children, materials: sumLines([...ofParts, ...extras]) }
}

function linesOf(lines: { inventory_item_id: MaterialId; quantity_required: number }[]) {
  return lines.map(({ inventory_item_id, quantity_required }) => ({
    material_id: inventory_item_id,
    quantity_required,
  }))
}
