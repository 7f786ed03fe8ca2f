import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { ProductImageRow } from '../../../db/rows.generated.ts'
import type { AccountId, ProductId, ProductImageId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<ProductImageRow>()('id', 'product_id', 'sort_order', 'token')
const contentColumns = columnsOf<ProductImageRow>()('content_type', 'sha256', 'thumb_sha256')

export type ImageRow = RowOf<typeof columns>

/** The images of some products, those of each in their order; by the index `product_images_order_key`. */
export async function listImagesOfProducts(
  sql: Sql,
  accountId: AccountId,
  productIds: ProductId[],
): Promise<ImageRow[]> {
  return sql<ImageRow[]>`
    select ${columns(sql)} from product_images
    where account_id = ${accountId} and product_id = any(${productIds})
    order by product_id, sort_order`
}

/** Answers where the bytes of an image lie, by the token in its address. */
export async function findStoredImage(sql: Sql, token: string): Promise<RowOf<typeof contentColumns> | undefined> {
  const [image] = await sql<RowOf<typeof contentColumns>[]>`
    /* every account: the token is all that is needed to see the image */
    select ${contentColumns(sql)} from product_images where token = ${token}
    union all select ${contentColumns(sql)} from wiki_images where token = ${token}`
  return image
}

export async function countImages(sql: Sql, accountId: AccountId, productId: ProductId): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from product_images where account_id = ${accountId} and product_id = ${productId}`
  return row.count
}

export async function insertImage(
  { sql, accountId, now }: Work,
  image: Omit<ProductImageRow, 'account_id' | 'created_at' | 'updated_at'>,
): Promise<ImageRow> {
  const [row] = await sql<[ImageRow]>`
    insert into product_images ${sql({ account_id: accountId, ...image, created_at: now, updated_at: now })}
    returning ${columns(sql)}`
  return row
}

/** Gives the images of a product the order of these IDs, which must be all of them. */
export async function setImageOrder(
  { sql, accountId, now }: Work,
  productId: ProductId,
  imageIds: ProductImageId[],
): Promise<void> {
  await sql`
    update product_images set sort_order = wanted.place - 1, updated_at = ${now}
    from unnest(${imageIds}::text[]) with ordinality as wanted (id, place)
    where product_images.account_id = ${accountId} and product_images.product_id = ${productId}
      and product_images.id = wanted.id and product_images.sort_order <> wanted.place - 1`
}

/** Takes the image away and lets those after it move up. Undefined when the product has no such image. */
export async function deleteImage(
  { sql, accountId, now }: Work,
  productId: ProductId,
  imageId: ProductImageId,
): Promise<Pick<ProductImageRow, 'sha256' | 'thumb_sha256'> | undefined> {
  const [image] = await sql<Pick<ProductImageRow, 'sort_order' | 'sha256' | 'thumb_sha256'>[]>`
    delete from product_images
    where account_id = ${accountId} and product_id = ${productId} and id = ${imageId}
    returning sort_order, sha256, thumb_sha256`
  if (!image) return undefined
  await sql`
    update product_images set sort_order = sort_order - 1, updated_at = ${now}
    where account_id = ${accountId} and product_id = ${productId} and sort_order > ${image.sort_order}`
  return image
}

/** All images of a product; answers the contents that they had. */
export async function deleteImagesOfProduct({ sql, accountId }: Work, productId: ProductId): Promise<string[]> {
  const images = await sql<Pick<ProductImageRow, 'sha256' | 'thumb_sha256'>[]>`
    delete from product_images where account_id = ${accountId} and product_id = ${productId}
    returning sha256, thumb_sha256`
  return images.flatMap((image) => [image.sha256, image.thumb_sha256])
}
