import { randomBytes } from 'node:crypto'
import type { Sql } from '../../db/database.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type AccountId, newId, type WikiArticleId, type WikiImageId } from '../../kernel/ids.ts'
import type { PreparedImage } from '../catalogue/images/prepare-image.ts'
import type { Work } from '../events/work.ts'
import { lockContent } from '../files/content-references.ts'
import { findArticle, lockArticle } from './wiki.queries.ts'
import { countImagesOfArticle, insertWikiImage } from './wiki-images.queries.ts'
import { maxArticleImages } from './wiki-images.schema.ts'

/** Refuses a picture that could not be added anyway, before what takes long. */
export async function requireRoomForPicture(sql: Sql, accountId: AccountId, idOrSlug: string): Promise<void> {
  const article = await findArticle(sql, accountId, idOrSlug)
  if (!article) throw notFound('article')
  await requirePlace(sql, accountId, article.id)
}

/** Keeps a picture for an article. It is shown where the text of the article names its address. */
export async function addPicture(
  work: Work,
  idOrSlug: string,
  { contentType, image, thumbnail }: PreparedImage,
): Promise<{ id: WikiImageId; token: string }> {
  const { sql, accountId, now } = work
  const article = await lockArticle(sql, accountId, idOrSlug)
  if (!article) throw notFound('article')
  await requirePlace(sql, accountId, article.id)
  // Always in the same order, so that two who store the same two contents do not wait for each other.
  for (const sha256 of [image.sha256, thumbnail.sha256].sort()) await lockContent(sql, sha256)
  const added = { id: newId('wikiImage', now.getTime()), token: randomBytes(16).toString('hex') }
  await insertWikiImage(work, {
    ...added,
    article_id: article.id,
    content_type: contentType,
    sha256: image.sha256,
    thumb_sha256: thumbnail.sha256,
    size_bytes: image.sizeBytes + thumbnail.sizeBytes,
  })
  await image.keep()
  await thumbnail.keep()
  return added
}

async function requirePlace(sql: Sql, accountId: AccountId, articleId: WikiArticleId): Promise<void> {
  const count = await countImagesOfArticle(sql, accountId, articleId)
  if (count >= maxArticleImages) throw new AppError('IMAGE_CAP_REACHED', { limit: maxArticleImages })
}
