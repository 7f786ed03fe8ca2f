import { lockRow } from '../../../db/lock-row.ts'
import { AppError, type FieldErrors, validationError } from '../../../kernel/errors.ts'
import { type KitPartId, type MaterialId, newId, type ProductId, readId, type SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { type BomLines, listMaterialsForBom, lockBoms, replaceBom } from '../bom/bom.queries.ts'
import { codeOf, type PlannedPartSku, partSkuKey, planPartSkus, sumLines, takeCode } from '../kits/kit-plan.ts'
import {
  type KitRows,
  listKnownFiles,
  listTakenCodes,
  loadKits,
  removeParts,
  replaceComponents,
  replaceExtras,
  writePart,
} from '../kits/kits.queries.ts'
import type { KitInput } from '../kits/kits.schema.ts'
import { setPartRecipe } from '../recipes/part-recipes.ts'
import { listSkuIdsOfProduct, listSkusOfProducts, type SkuRow } from '../skus/skus.queries.ts'
import { changeSku, createSku, lockSkus, removeSkus } from '../skus/skus.service.ts'
import type { ProductRow } from './products.queries.ts'
import { changeProduct, createProduct, getProduct } from './products.service.ts'

/** Most SKUs that a kit and its parts may have together. */
const mostSkus = 500

/** SKUs that a kit can need at most: variants, and parts in the colours of variants. */
export function mostSkusOf(kit: KitInput): number {
  return kit.variants.length + planPartSkus(kit).length
}

/** Recipes that it can need at most: one for each part that has a file, in each of its colours. */
export function mostRecipesOf(kit: KitInput): number {
  return planPartSkus(kit).filter(({ part }) => typeof kit.parts[part]?.print_file_id === 'string').length
}

/** A kit as it is before it is set: what may stay. */
interface KnownKit {
  variants: Map<string, SkuRow>
  rows: KitRows
}

const noKit: KitRows = { parts: [], components: [], extras: [], partSkus: [], uses: [] }

/** A new product that is put together from parts, with all SKUs and bills that it needs. */
export async function createKit(work: Work, kit: KitInput): Promise<ProductRow> {
  await lockBoms(work.sql, work.accountId)
  await checkKit(work, kit, { variants: new Map(), rows: noKit })
  const product = await createProduct(work, {
    ...productFields(kit),
    name: kit.name,
    requires_assembly: true,
  })
  await writeKit(work, product.id, kit, { variants: new Map(), rows: noKit })
  return getProduct(work.sql, work.accountId, product.id)
}

/** Sets what a kit consists of. What stays keeps its stock; what goes may be needed by nothing open. */
export async function changeKit(work: Work, productId: ProductId, kit: KitInput): Promise<ProductRow> {
  const { sql, accountId } = work
  await lockRow(sql, 'products', accountId, productId)
  await getProduct(sql, accountId, productId)
  await lockBoms(sql, accountId)
  await lockSkus(sql, accountId, await listSkuIdsOfProduct(sql, accountId, productId))
  const [skus, kits] = [
    await listSkusOfProducts(sql, accountId, [productId]),
    await loadKits(sql, accountId, [productId]),
  ]
  const known = { variants: new Map(skus.map((sku) => [sku.id, sku])), rows: kits.get(productId) ?? noKit }
  await checkKit(work, kit, known)
  await changeProduct(work, productId, { ...productFields(kit), name: kit.name })
  await writeKit(work, productId, kit, known)
  return getProduct(sql, accountId, productId)
}

function productFields({ description, category, requires_post_processing }: KitInput) {
  return {
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
    ...(requires_post_processing !== undefined && { requires_post_processing }),
  }
}

async function checkKit({ sql, accountId }: Work, kit: KitInput, known: KnownKit): Promise<void> {
  const knownParts = new Set<string>(known.rows.parts.map(({ id }) => id))
  const errors: FieldErrors = {
    ...repeated(kit.variants.map(variantKey), (index) => `variants.${index}.color`),
    ...repeated(
      kit.variants.map(({ sku_id }) => sku_id),
      (index) => `variants.${index}.sku_id`,
    ),
    ...repeated(
      kit.variants.map(({ sku }) => sku),
      (index) => `variants.${index}.sku`,
    ),
    ...repeated(
      kit.parts.map(({ name }) => name),
      (index) => `parts.${index}.name`,
    ),
    ...repeated(
      kit.parts.map(({ part_id }) => part_id),
      (index) => `parts.${index}.part_id`,
    ),
  }
  for (const [index, { part_id, components = [] }] of kit.parts.entries()) {
    if (part_id !== undefined && !knownParts.has(part_id)) {
      errors[`parts.${index}.part_id`] = ['names no part of this kit']
    }
    Object.assign(
      errors,
      repeated(
        components.map((line) => line.inventory_item_id),
        (line) => `parts.${index}.components.${line}.inventory_item_id`,
      ),
    )
  }
  if (mostSkusOf(kit) > mostSkus) errors.parts = [`make more than ${mostSkus} SKUs with these variants`]
  if (Object.keys(errors).length > 0) throw validationError(errors)

  const unknownSkus = kit.variants.flatMap(({ sku_id }) => (sku_id && !known.variants.has(sku_id) ? [sku_id] : []))
  if (unknownSkus.length > 0) throw new AppError('SKU_NOT_FOUND', {}, { details: { sku_ids: unknownSkus } })
  const fileIds = kit.parts.flatMap(({ print_file_id }) => print_file_id ?? [])
  const files = new Set(await listKnownFiles(sql, accountId, fileIds))
  const unknownFiles = fileIds.filter((id) => !files.has(id))
  if (unknownFiles.length > 0) {
    throw new AppError('PRINT_FILE_NOT_FOUND', {}, { details: { print_file_ids: unknownFiles } })
  }
  const materialIds = [
    ...(kit.bundle_extras ?? []),
    ...kit.variants.flatMap(({ bundle_extras = [] }) => bundle_extras),
    ...kit.parts.flatMap(({ components = [] }) => components),
  ].map((line) => line.inventory_item_id)
  const materials = new Set(await listMaterialsForBom(sql, accountId, materialIds))
  const unknown = materialIds.filter((id) => !materials.has(id))
  if (unknown.length > 0) throw new AppError('UNKNOWN_INVENTORY_ITEM', {}, { details: { inventory_item_ids: unknown } })
}

async function writeKit(work: Work, productId: ProductId, kit: KitInput, known: KnownKit): Promise<void> {
  const { sql, accountId } = work
  const partIds = await writeParts(work, productId, kit)
  const planned = planPartSkus(kit)
  const codes = [
    ...kit.variants.map(({ color }) => codeOf(kit.name, color)),
    ...planned.map(({ part, color }) => codeOf(kit.name, kit.parts[part]?.name ?? '', color)),
  ]
  const taken = new Set(await listTakenCodes(sql, accountId, codes))
  const kitSkus = await writeVariants(work, productId, kit, taken)
  const partSkus = await writePartSkus(work, productId, kit, { planned, partIds, known: known.rows, taken })

  const formerFiles = new Map(known.rows.parts.map((part) => [part.id, part.print_file_id]))
  for (const [index, skuId] of partSkus.entries()) {
    const { part: place = 0, filament_type: filamentType = '' } = planned[index] ?? {}
    const part = kit.parts[place]
    const formerFileId = formerFiles.get(partIds[place] as KitPartId) ?? null
    await setPartRecipe(work, { productId, skuId, filamentType, fileId: part?.print_file_id ?? null, formerFileId })
    const materials = part?.requires_assembly ? linesOf(part.components ?? []) : []
    await replaceBom(work, skuId, { children: [], materials })
  }
  for (const [place, skuId] of kitSkus.entries()) {
    await replaceBom(work, skuId, billOf(kit, place, planned, partSkus))
  }
  await replaceExtras(work, productId, [
    ...linesOf(kit.bundle_extras ?? []).map((line) => ({ ...line, sku_id: null })),
    ...kit.variants.flatMap(({ bundle_extras = [] }, place) =>
      linesOf(bundle_extras).map((line) => ({ ...line, sku_id: kitSkus[place] ?? null })),
    ),
  ])

  const staying = new Set<SkuId>([...kitSkus, ...partSkus])
  const gone = [...known.variants.values(), ...known.rows.partSkus]
    .filter((sku) => sku.is_active)
    .map(({ id }) => id)
    .filter((id) => !staying.has(id))
  const removed = await removeSkus(work, gone, productId)
  const stayingParts = new Set(partIds)
  await removeParts(
    work,
    known.rows.parts.map(({ id }) => id).filter((id) => !stayingParts.has(id)),
  )
  await work.record({
    type: 'product.kit_set',
    subjectId: productId,
    data: { variants: kitSkus, parts: partIds, removed: removed.map(({ id }) => id) },
  })
}

async function writeParts(work: Work, productId: ProductId, { parts }: KitInput): Promise<KitPartId[]> {
  const ids: KitPartId[] = []
  for (const [position, part] of parts.entries()) {
    const id = readId('kitPart', part.part_id ?? '') ?? newId('kitPart', work.now.getTime())
    await writePart(work, {
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
    await replaceComponents(work, id, components)
    ids.push(id)
  }
  return ids
}

async function writeVariants(work: Work, productId: ProductId, kit: KitInput, taken: Set<string>): Promise<SkuId[]> {
  const ids: SkuId[] = []
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
      ids.push((await changeSku(work, variant.sku_id, { ...fields, ...code, is_active: true })).id)
      continue
    }
    const sku = variant.sku ?? takeCode(codeOf(kit.name, color), taken)
    ids.push((await createSku(work, { ...fields, product_id: productId, sku })).id)
  }
  return ids
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
): Promise<SkuId[]> {
  const ids: SkuId[] = []
  for (const { part, color, filament_type, hex_code } of planned) {
    const partId = partIds[part]
    const present = known.partSkus.find(
      (sku) => sku.kit_part_id === partId && partSkuKey(sku) === partSkuKey({ color, filament_type }),
    )
    if (present) {
      ids.push((await changeSku(work, present.id, { hex_code, is_active: true })).id)
      continue
    }
    const sku = takeCode(codeOf(kit.name, kit.parts[part]?.name ?? '', color), taken)
    const made = await createSku(work, { product_id: productId, sku, color, filament_type, hex_code }, partId)
    ids.push(made.id)
  }
  return ids
}

/** What one unit of a variant takes: its parts, their components unless these go into the parts themselves, and its extras. */
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

function variantKey({ color, filament_type = '' }: KitInput['variants'][number]): string {
  return partSkuKey({ color, filament_type })
}

function repeated(values: readonly (string | undefined)[], path: (index: number) => string): FieldErrors {
  const again = values.flatMap((value, index) => (value !== undefined && values.indexOf(value) < index ? [index] : []))
  return Object.fromEntries(again.map((index) => [path(index), ['is named twice']]))
}
