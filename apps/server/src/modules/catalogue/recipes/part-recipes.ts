import type { PrintFileId, ProductId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { deleteRecipeRow, findRecipeByWay, holdFileForRecipe, listRecipesForSku } from './recipes.queries.ts'
import { changeRecipe, createRecipe, removeRecipe, suggestUnits } from './recipes.service.ts'

interface PartSku {
  productId: ProductId
  skuId: SkuId
  filamentType: string
  /** The file that prints the part, and the one that printed it until now. */
  fileId: PrintFileId | null
  formerFileId: PrintFileId | null
}

/**
 * The SKU of a part of a kit can be printed by the file of the part: a recipe is made where there is none, and the one by its former
 * file becomes the one by the new file. What people changed of a recipe whose file stays is left alone, and so are recipes by other
 * files. A file that is not sliced, or is sliced for other filament than the SKU's, prints nothing.
 */
export async function setPartRecipe(work: Work, part: PartSku): Promise<void> {
  const { sql, accountId } = work
  const { productId, skuId, fileId, formerFileId } = part
  const ofFile = (id: PrintFileId) => findRecipeByWay(sql, accountId, { productId, skuId, fileId: id })
  const former = formerFileId !== null && formerFileId !== fileId ? await ofFile(formerFileId) : undefined
  const file = fileId === null ? undefined : await holdFileForRecipe(sql, accountId, fileId)
  if (!file?.is_sliced || !printsType(file.filament_type, part.filamentType)) {
    if (former) await removeRecipe(work, former)
    return
  }
  const isPresent = (await ofFile(file.id)) !== undefined
  if (former && isPresent) await removeRecipe(work, former)
  else if (former) {
    // Other units of a mixed plate are those of the former file.
    const units = suggestUnits(file, [])
    await changeRecipe(work, former, {
      print_file_id: file.id,
      name: file.name,
      units_per_plate: units,
      also_makes: [],
    })
  } else if (!isPresent) {
    await createRecipe(work, { product_id: productId, product_sku_id: skuId, print_file_id: file.id })
  }
}

/** As `servesSku` decides it for recipes of whole products. */
function printsType(ofFile: string | null, ofSku: string): boolean {
  const wanted = ofSku.trim().toLowerCase()
  if (wanted === '' || ofFile === null) return true
  return ofFile.split(';').some((type) => type.trim().toLowerCase() === wanted)
}

/** Takes away the recipes of a SKU that is about to be deleted. */
export async function removeRecipesOfSku(work: Work, skuId: SkuId): Promise<void> {
  for (const { id, product_id, print_file_id } of await listRecipesForSku(work.sql, work.accountId, skuId)) {
    await deleteRecipeRow(work, id)
    await work.record({
      type: 'recipe.deleted',
      subjectId: id,
      data: { product_id, product_sku_id: skuId, print_file_id },
    })
  }
}
