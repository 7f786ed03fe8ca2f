import type { Sql } from '../../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../../db/database-errors.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, newId, type ProductId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { findProduct, insertProduct, type ProductRow, updateProduct } from './products.queries.ts'
import type { NewProduct, ProductChanges } from './products.schema.ts'

export async function getProduct(sql: Sql, accountId: AccountId, productId: ProductId): Promise<ProductRow> {
  const product = await findProduct(sql, accountId, productId)
  if (!product) throw notFound('product')
  return product
}

export async function createProduct(work: Work, product: NewProduct): Promise<ProductRow> {
  const { sql, accountId, now } = work
  const productId = newId('product', now.getTime())
  await insertProduct(work, productId, product).catch(refuseProduct)
  await work.record({
    type: 'product.created',
    subjectId: productId,
    data: { name: product.name },
  })
  return getProduct(sql, accountId, productId)
}

/** Changes what is given. */
export async function changeProduct(work: Work, productId: ProductId, changes: ProductChanges): Promise<ProductRow> {
  const { sql, accountId } = work
  await lockRow(sql, 'products', accountId, productId)
  const before = await getProduct(sql, accountId, productId)
  const fields = changedFields(before, changes)
  if (fields.length === 0) return before
  const product = await updateProduct(work, productId, changes).catch(refuseProduct)
  if (!product) throw notFound('product')
  await work.record({
    type: 'product.updated',
    subjectId: productId,
    data: { fields },
  })
  return product
}

function refuseProduct(error: unknown): never {
  if (isUniqueViolation(error, 'products_name_key')) {
    throw new AppError('DUPLICATE_NAME', { resource: 'product' }, { cause: error })
  }
  if (isForeignKeyViolation(error, 'products_wiki_fkey')) throw validationError({ wiki_id: ['names no article'] })
  throw error
}
