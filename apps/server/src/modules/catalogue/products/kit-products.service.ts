import { lockRow } from '../../../db/lock-row.ts'
import { AppError, type FieldErrors, validationError } from '../../../kernel/errors.ts'
import type { ProductId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { listMaterialsForBom, lockBoms } from '../bom/bom.queries.ts'
import { partSkuKey, planPartSkus } from '../kits/kit-plan.ts'
import { type KitRows, listKnownFiles, loadKits } from '../kits/kits.queries.ts'
import type { KitInput } from '../kits/kits.schema.ts'
import { listSkuIdsOfProduct, listSkusOfProducts } from '../skus/skus.queries.ts'
import { lockSkus } from '../skus/skus.service.ts'
import type { ProductRow } from './products.queries.ts'
import { changeProduct, createProduct, getProduct } from './products.service.ts'
import { type KnownKit, writeKit } from './write-kit.ts'

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

function productFields({ description, category, requires_post_processing, wiki_id }: KitInput) {
  return {
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
    ...(requires_post_processing !== undefined && { requires_post_processing }),
    ...(wiki_id !== undefined && { wiki_id }),
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

function variantKey({ color, filament_type = '' }: KitInput['variants'][number]): string {
  return partSkuKey({ color, filament_type })
}

function repeated(values: readonly (string | undefined)[], path: (index: number) => string): FieldErrors {
  const again = values.flatMap((value, index) => (value !== undefined && values.indexOf(value) < index ? [index] : []))
  return Object.fromEntries(again.map((index) => [path(index), ['is named twice']]))
}
