import type { Sql } from '../../../db/database.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { AppError, type FieldErrors, notFound, validationError } from '../../../kernel/errors.ts'
import {
  type AccountId,
  newId,
  type PrintFileId,
  type ProductId,
  type RecipeId,
  type SkuId,
} from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import {
  deleteRecipeRow,
  type FileForRecipe,
  findRecipe,
  hasProduct,
  holdFileForRecipe,
  insertRecipe,
  listSkusForRecipe,
  type RecipeOutput,
  type RecipeRow,
  replaceOutputs,
  type SkuForRecipe,
  updateRecipe,
} from './recipes.queries.ts'
import { alsoMadeInOrder, mostUnitsPerPlate, type NewRecipe, type RecipeChanges } from './recipes.schema.ts'

export async function getRecipe(sql: Sql, accountId: AccountId, id: RecipeId): Promise<RecipeRow> {
  const recipe = await findRecipe(sql, accountId, id)
  if (!recipe) throw notFound('recipe')
  return recipe
}

/** Checked in this order: product, SKUs, file. */
export async function createRecipe(work: Work, input: NewRecipe): Promise<RecipeRow> {
  const { sql, accountId, now } = work
  const { product_id: givenProductId, product_sku_id: skuId = null, also_makes: alsoMakes = [] } = input
  if (givenProductId === undefined && skuId === null) {
    throw validationError({ product_id: ['is required, unless product_sku_id is given'] })
  }
  if (givenProductId !== undefined && !(await hasProduct(sql, accountId, givenProductId))) {
    throw new AppError('PRODUCT_NOT_FOUND')
  }
  const productId = await checkSkus(work, { productId: givenProductId, skuId, alsoMakes })
  const file = await holdSlicedFile(work, input.print_file_id)
  const id = newId('recipe', now.getTime())
  const recipe = {
    id,
    name: input.name ?? file.name,
    product_id: productId,
    product_sku_id: skuId,
    print_file_id: file.id,
    units_per_plate: input.units_per_plate ?? suggestUnits(file, alsoMakes),
    rank: input.rank ?? 0,
    is_active: input.is_active ?? true,
    notes: input.notes ?? '',
  }
  await insertRecipe(work, recipe).catch(refuseSecond)
  await replaceOutputs(work, id, alsoMakes)
  await work.record({
    type: 'recipe.created',
    subjectId: id,
    data: { product_id: productId, product_sku_id: skuId, print_file_id: file.id },
  })
  return getRecipe(sql, accountId, id)
}

/** Changes what is given. Jobs that were made by it stay as they are. */
export async function changeRecipe(work: Work, id: RecipeId, changes: RecipeChanges): Promise<RecipeRow> {
  const { sql, accountId } = work
  await lockRow(sql, 'recipes', accountId, id)
  const before = await getRecipe(sql, accountId, id)
  const madeBefore = alsoMadeInOrder(before)
  const { also_makes: alsoMakes = madeBefore, ...columns } = changes
  const fields = changedFields(before, columns)
  if (!isSameOutputs(alsoMakes, madeBefore)) fields.push('also_makes')
  if (fields.length === 0) return before
  if (fields.includes('also_makes') || fields.includes('product_sku_id')) {
    const skuId = changes.product_sku_id === undefined ? before.product_sku_id : changes.product_sku_id
    await checkSkus(work, { productId: before.product_id, skuId, alsoMakes }, madeBefore)
  }
  // What is to be used must be printable; a recipe whose file is gone can still be put right or out of use.
  const isUsed = changes.is_active === true || fields.includes('print_file_id')
  if (isUsed) await holdSlicedFile(work, changes.print_file_id ?? before.print_file_id)
  await updateRecipe(work, id, columns).catch(refuseSecond)
  if (fields.includes('also_makes')) await replaceOutputs(work, id, alsoMakes)
  await work.record({ type: 'recipe.updated', subjectId: id, data: { fields } })
  return getRecipe(sql, accountId, id)
}

function isSameOutputs(some: readonly RecipeOutput[], others: readonly RecipeOutput[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ product_sku_id, units }, index) => {
      const other = others[index]
      return other?.product_sku_id === product_sku_id && other.units === units
    })
  )
}

/** Jobs that were made by it stay as they are. */
export async function removeRecipe(work: Work, id: RecipeId): Promise<void> {
  const { sql, accountId } = work
  await lockRow(sql, 'recipes', accountId, id)
  const recipe = await getRecipe(sql, accountId, id)
  await deleteRecipeRow(work, id)
  await work.record({
    type: 'recipe.deleted',
    subjectId: id,
    data: { product_id: recipe.product_id, product_sku_id: recipe.product_sku_id, print_file_id: recipe.print_file_id },
  })
}

interface MadeSkus {
  productId: ProductId | undefined
  skuId: SkuId | null
  alsoMakes: readonly RecipeOutput[]
}

/**
 * The product of a recipe, after its SKUs were checked. `known` are outputs that it has already: a SKU of them may be out of sale
 * by now.
 *
 * @throws AppError `SKU_NOT_FOUND`, or `VALIDATION_ERROR` for SKUs of which a plate cannot be made up
 */
async function checkSkus(
  { sql, accountId }: Work,
  { productId, skuId, alsoMakes }: MadeSkus,
  known: readonly RecipeOutput[] = [],
): Promise<ProductId> {
  const skuIds = [...(skuId === null ? [] : [skuId]), ...alsoMakes.map((output) => output.product_sku_id)]
  const rows = skuIds.length === 0 ? [] : await listSkusForRecipe(sql, accountId, skuIds)
  const skus = new Map(rows.map((sku) => [sku.id, sku]))
  if (skuIds.some((id) => !skus.has(id))) throw new AppError('SKU_NOT_FOUND')
  const own = skuId === null ? undefined : skus.get(skuId)
  const recipeProductId = productId ?? own?.product_id
  if (recipeProductId === undefined) throw new Error('a recipe of neither product nor SKU')
  const errors: FieldErrors = {}
  if (own && own.product_id !== recipeProductId) errors.product_sku_id = ['is a SKU of another product']
  const isKnown = new Set(known.map((output) => output.product_sku_id))
  for (const [index, { product_sku_id }] of alsoMakes.entries()) {
    const sku = skus.get(product_sku_id)
    const why = sku && whyNotMade(sku, { productId: recipeProductId, skuId, alsoMakes }, index, isKnown)
    if (why !== undefined) errors[`also_makes.${index}.product_sku_id`] = [why]
  }
  if (Object.keys(errors).length > 0) throw validationError(errors)
  return recipeProductId
}

function whyNotMade(
  sku: SkuForRecipe,
  { productId, skuId, alsoMakes }: MadeSkus,
  index: number,
  isKnown: ReadonlySet<SkuId>,
): string | undefined {
  if (sku.id === skuId) return 'is the SKU that the recipe makes: raise units_per_plate instead'
  if (alsoMakes.findIndex((output) => output.product_sku_id === sku.id) < index) return 'is named before'
  if (skuId === null && sku.product_id === productId) {
    return 'is of the product that the recipe makes all SKUs of: name one as product_sku_id'
  }
  return sku.is_active || isKnown.has(sku.id) ? undefined : 'is a SKU that is not sold'
}

/** @throws AppError `FILE_NOT_FOUND`, `FILE_NOT_SLICED` */
async function holdSlicedFile({ sql, accountId }: Work, fileId: PrintFileId): Promise<FileForRecipe> {
  const file = await holdFileForRecipe(sql, accountId, fileId)
  if (!file) throw new AppError('FILE_NOT_FOUND')
  if (!file.is_sliced) throw new AppError('FILE_NOT_SLICED', { name: file.name })
  return file
}

/** What a person entered of the file counts more than the objects that its slicer named. */
export function suggestUnits(
  { object_count: objects, number_of_units: entered }: FileForRecipe,
  alsoMakes: readonly RecipeOutput[],
): number {
  const others = alsoMakes.reduce((sum, { units }) => sum + units, 0)
  const all = entered > 1 ? entered : (objects ?? 1)
  return Math.min(mostUnitsPerPlate, Math.max(1, all - others))
}

function refuseSecond(error: unknown): never {
  if (isUniqueViolation(error, 'recipes_way_key')) {
    throw new AppError('ALREADY_EXISTS', { resource: 'recipe of this product, SKU and file' }, { cause: error })
  }
  throw error
}
