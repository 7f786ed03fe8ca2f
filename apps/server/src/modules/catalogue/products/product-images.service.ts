import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { lockRow } from '../../../db/lock-row.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, newId, type ProductId, type ProductImageId } from '../../../kernel/ids.ts'
import { type Work, workOf } from '../../events/work.ts'
import { lockContent, removeUnreferenced } from '../../files/content-references.ts'
import type { PreparedImage } from '../images/prepare-image.ts'
import {
  countImages,
  deleteImage,
  type ImageRow,
  insertImage,
  listImagesOfProducts,
  setImageOrder,
} from '../images/product-images.queries.ts'
import { maxImages } from '../images/product-images.schema.ts'
import { findProduct, lockProductForImages } from './products.queries.ts'

export async function listProductImages(sql: Sql, accountId: AccountId, productId: ProductId): Promise<ImageRow[]> {
  await requireProduct(sql, accountId, productId)
  return listImagesOfProducts(sql, accountId, [productId])
}

/** Refuses an image that could not be added anyway, before what takes long. */
export async function requireRoomForImage(sql: Sql, accountId: AccountId, productId: ProductId): Promise<void> {
  await requireProduct(sql, accountId, productId)
  await requirePlace(sql, accountId, productId)
}

/** Adds the image after those that are there. */
export async function addImage(
  work: Work,
  productId: ProductId,
  { contentType, image, thumbnail }: PreparedImage,
): Promise<ImageRow> {
  const { sql, accountId, now } = work
  if (!(await lockProductForImages(work, productId))) throw notFound('product')
  const sortOrder = await requirePlace(sql, accountId, productId)
  // Always in the same order, so that two who store the same two contents do not wait for each other.
  for (const sha256 of [image.sha256, thumbnail.sha256].sort()) await lockContent(sql, sha256)
  const added = await insertImage(work, {
    id: newId('productImage', now.getTime()),
    product_id: productId,
    sort_order: sortOrder,
    token: randomBytes(16).toString('hex'),
    content_type: contentType,
    sha256: image.sha256,
    thumb_sha256: thumbnail.sha256,
    size_bytes: image.sizeBytes + thumbnail.sizeBytes,
  })
  await work.record({
    type: 'product.image_added',
    subjectId: productId,
    data: { image_id: added.id },
  })
  await image.keep()
  await thumbnail.keep()
  return added
}

export async function orderImages(work: Work, productId: ProductId, imageIds: ProductImageId[]): Promise<ImageRow[]> {
  const { sql, accountId } = work
  await lockRow(sql, 'products', accountId, productId)
  await requireProduct(sql, accountId, productId)
  const present = await listImagesOfProducts(sql, accountId, [productId])
  const wanted = new Set(imageIds)
  if (wanted.size !== present.length || !present.every((image) => wanted.has(image.id))) {
    throw validationError({ image_ids: ['must name each image of the product exactly once, and no other'] })
  }
  if (present.every((image, place) => image.id === imageIds[place])) return present
  await lockProductForImages(work, productId)
  await setImageOrder(work, productId, imageIds)
  await work.record({
    type: 'product.images_ordered',
    subjectId: productId,
    data: { image_ids: imageIds },
  })
  return listImagesOfProducts(sql, accountId, [productId])
}

export async function removeImage(
  context: Context,
  actor: Actor,
  productId: ProductId,
  imageId: ProductImageId,
): Promise<void> {
  const removed = await context.db.beginFor(actor.accountId, async (sql) => {
    const work = workOf(context, actor, sql)
    if (!(await lockProductForImages(work, productId))) throw notFound('product')
    const image = await deleteImage(work, productId, imageId)
    if (!image) throw notFound('image')
    await work.record({ type: 'product.image_removed', subjectId: productId, data: { image_id: imageId } })
    return image
  })
  await removeUnreferenced(context, [removed.sha256, removed.thumb_sha256])
}

async function requireProduct(sql: Sql, accountId: AccountId, productId: ProductId): Promise<void> {
  if (!(await findProduct(sql, accountId, productId))) throw notFound('product')
}

/** Answers how many images the product has. */
async function requirePlace(sql: Sql, accountId: AccountId, productId: ProductId): Promise<number> {
  const count = await countImages(sql, accountId, productId)
  if (count >= maxImages) throw new AppError('IMAGE_CAP_REACHED', { limit: maxImages })
  return count
}
