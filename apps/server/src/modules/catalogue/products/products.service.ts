import type { Sql } from '../../../db/database.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { recordEvent } from '../../events/events.queries.ts'
import { findProduct, insertProduct, type ProductRow, updateProduct } from './products.queries.ts'
import type { NewProduct, ProductChanges } from './products.schema.ts'

export async function getProduct(sql: Sql, accountId: string, productId: string): Promise<ProductRow> {
  const product = await findProduct(sql, accountId, productId)
  if (!product) throw notFound('product')
  return product
}

/** `sql` is a transaction. */
export async function createProduct(sql: Sql, actor: Actor, product: NewProduct): Promise<ProductRow> {
  const productId = newId('product')
  await insertProduct(sql, actor.accountId, productId, product).catch(refuseProduct)
  await recordEvent(sql, actor.accountId, {
    type: 'product.created',
    subjectId: productId,
    data: { name: product.name },
    actor: actor.label,
  })
  return getProduct(sql, actor.accountId, productId)
}

/** Changes what is given. `sql` is a transaction. */
export async function changeProduct(
  sql: Sql,
  actor: Actor,
  productId: string,
  changes: ProductChanges,
): Promise<ProductRow> {
  const fields = Object.keys(changes)
  // Nothing but fields that this version does not know.
  if (fields.length === 0) return getProduct(sql, actor.accountId, productId)
  const product = await updateProduct(sql, actor.accountId, productId, changes).catch(refuseProduct)
  if (!product) throw notFound('product')
  await recordEvent(sql, actor.accountId, {
    type: 'product.updated',
    subjectId: productId,
    data: { fields },
    actor: actor.label,
  })
  return product
}

function refuseProduct(error: unknown): never {
  if (isUniqueViolation(error, 'products_name_key')) {
    throw new AppError('DUPLICATE_NAME', { resource: 'product' }, { cause: error })
  }
  throw error
}
