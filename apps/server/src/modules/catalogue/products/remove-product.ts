import { isForeignKeyViolation } from '../../../db/database-errors.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { ProductId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { forgetProduct } from '../../files/files.queries.ts'
import { deleteImagesOfProduct } from '../images/product-images.queries.ts'
import { listSkuIdsOfProduct } from '../skus/skus.queries.ts'
import { removeSkus } from '../skus/skus.service.ts'
import { countLiveJobsOfProduct, deleteProductRow, productHasHistory, updateProduct } from './products.queries.ts'
import { getProduct } from './products.service.ts'

/**
 * Removes a product with all its SKUs, which nothing open may need. A product is gone when no record names it or any of its SKUs;
 * otherwise it stays, out of use. Answers contents of images that may be needed no more, for after the commit.
 */
export async function removeProduct(
  work: Work,
  productId: ProductId,
): Promise<{ deleted: boolean; contents: string[] }> {
  const { sql, accountId } = work
  await lockRow(sql, 'products', accountId, productId)
  const { name } = await getProduct(sql, accountId, productId)
  if ((await countLiveJobsOfProduct(sql, accountId, productId)) > 0) {
    throw new AppError('RESOURCE_IN_USE', { resource: 'product', why: 'jobs print it' })
  }
  // Composite SKUs go before the parts that they are made of.
  const skuIds = await listSkuIdsOfProduct(sql, accountId, productId)
  const removed = await removeSkus(work, skuIds, productId)
  const isKept = removed.some((sku) => !sku.deleted) || (await productHasHistory(sql, accountId, productId))
  let contents: string[] = []
  if (isKept) await updateProduct(work, productId, { is_active: false })
  else {
    await forgetProduct(work, productId)
    contents = await deleteImagesOfProduct(work, productId)
    await deleteProductRow(work, productId).catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error
      const why = 'something else names it'
      throw new AppError('RESOURCE_IN_USE', { resource: 'product', why }, { cause: error })
    })
  }
  await work.record({ type: 'product.removed', subjectId: productId, data: { name, deleted: !isKept } })
  return { deleted: !isKept, contents }
}
