import type { Sql } from '../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/database-errors.ts'
import type { PageRow } from '../../db/page-bounds.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import { type AccountId, newId, type WikiArticleId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { changedText, differingFields, newText, textOf } from './article-text.ts'
import {
  type ArticleRow,
  type ArticleText,
  deleteArticleRows,
  findArticle,
  findRevision,
  insertArticle,
  insertRevision,
  listRevisions,
  listSlugsLike,
  lockArticle,
  lockSlugs,
  type RevisionDetailRow,
  type RevisionRow,
  setPublished,
  updateArticle,
} from './wiki.queries.ts'
import type { ArticleChanges, NewArticle, WikiPage } from './wiki.schema.ts'
import { deleteImagesOfArticle } from './wiki-images.queries.ts'
import { findRepeatedIds } from './wiki-sections.ts'
import { freeSlug, isReservedSlug, isSlug, slugOfTitle } from './wiki-slug.ts'

const makeSectionId = () => newId('wikiSection')

export async function getArticle(sql: Sql, accountId: AccountId, idOrSlug: string): Promise<ArticleRow> {
  const article = await findArticle(sql, accountId, idOrSlug)
  if (!article) throw notFound('article')
  return article
}

/** The revisions of an article, the newest first. */
export async function listRevisionsOf(
  sql: Sql,
  accountId: AccountId,
  idOrSlug: string,
  wanted: WikiPage,
): Promise<PageRow<RevisionRow>[]> {
  const article = await getArticle(sql, accountId, idOrSlug)
  return listRevisions(sql, accountId, article.id, wanted)
}

/** Answers what an article said after its change of this number. */
export async function getRevision(
  sql: Sql,
  accountId: AccountId,
  idOrSlug: string,
  number: number,
): Promise<RevisionDetailRow> {
  const article = await getArticle(sql, accountId, idOrSlug)
  const revision = await findRevision(sql, accountId, article.id, number)
  if (!revision) throw notFound('revision')
  return revision
}

/** A new article with its first revision, published when it is to be. Without a slug it gets one from its title. */
export async function createArticle(work: Work, input: NewArticle): Promise<ArticleRow> {
  const { sql, accountId, now } = work
  const { slug: wanted, is_published, ...others } = input
  const given = { ...others, ...(typeof wanted === 'string' && { slug: wanted }) }
  checkGiven(given)
  const articleId = newId('wikiArticle', now.getTime())
  await lockSlugs(sql, accountId)
  const slug = given.slug ?? (await deriveSlug(sql, accountId, given.title))
  const text = newText(given, slug, makeSectionId)
  await insertArticle(work, articleId, text).catch(refuseArticle)
  await insertRevision(work, articleId, {
    number: 1,
    fields: Object.keys({ ...given, slug }),
    article: text,
  })
  await work.record({
    type: 'wiki_article.created',
    subjectId: articleId,
    data: { title: text.title, slug },
  })
  if (is_published) return publishArticle(work, articleId)
  return getArticle(sql, accountId, articleId)
}

async function deriveSlug(sql: Sql, accountId: AccountId, title: string): Promise<string> {
  const slug = slugOfTitle(title)
  return freeSlug(slug, new Set(await listSlugsLike(sql, accountId, slug)))
}

/** Changes what is given and keeps a revision; what is as it was already leaves no trace. */
export async function changeArticle(work: Work, idOrSlug: string, given: ArticleChanges): Promise<ArticleRow> {
  const { sql, accountId } = work
  checkGiven(given)
  const article = await lockForChange(sql, accountId, idOrSlug, given)
  const before = textOf(article)
  const text = changedText(before, given, makeSectionId)
  const fields = differingFields(before, text)
  if (fields.length === 0) return article
  await updateWithRevision(work, article.id, text, fields)
  return getArticle(sql, accountId, article.id)
}

/** The article, held for a change of it until the transaction ends. */
export async function lockForChange(
  sql: Sql,
  accountId: AccountId,
  idOrSlug: string,
  given: ArticleChanges,
): Promise<ArticleRow> {
  // Taken before the article, as everywhere, so that two writers never wait for each other.
  if (given.slug !== undefined) await lockSlugs(sql, accountId)
  const article = await lockArticle(sql, accountId, idOrSlug)
  if (!article) throw notFound('article')
  return article
}

async function updateWithRevision(
  work: Work,
  articleId: WikiArticleId,
  text: ArticleText,
  fields: string[],
): Promise<void> {
  const number = await updateArticle(work, articleId, text).catch(refuseArticle)
  await insertRevision(work, articleId, { number, fields, article: text })
  await work.record({
    type: 'wiki_article.updated',
    subjectId: articleId,
    data: { fields, revision: number },
  })
}

/** Publishes an article. Of several at once one publishes; the others are told ALREADY_PUBLISHED. */
export async function publishArticle(work: Work, idOrSlug: string): Promise<ArticleRow> {
  const { sql, accountId } = work
  const article = await setPublished(work, idOrSlug, true)
  if (!article) {
    await getArticle(sql, accountId, idOrSlug)
    throw new AppError('ALREADY_PUBLISHED')
  }
  await recordPublication(work, article, 'wiki_article.published')
  return article
}

/** Takes an article back: it keeps its text, and `published_at` is null again. */
export async function unpublishArticle(work: Work, idOrSlug: string): Promise<ArticleRow> {
  const { sql, accountId } = work
  const article = await setPublished(work, idOrSlug, false)
  if (!article) {
    await getArticle(sql, accountId, idOrSlug)
    throw new AppError('ALREADY_UNPUBLISHED')
  }
  await recordPublication(work, article, 'wiki_article.unpublished')
  return article
}

async function recordPublication(
  work: Work,
  article: ArticleRow,
  type: 'wiki_article.published' | 'wiki_article.unpublished',
): Promise<void> {
  await work.record({
    type,
    subjectId: article.id,
    data: { title: article.title, slug: article.slug },
  })
}

/** Deletes an article with its revisions and pictures; answers its ID, and the contents that the pictures had. */
export async function deleteArticle(work: Work, idOrSlug: string): Promise<{ id: string; contents: string[] }> {
  const { sql, accountId } = work
  const article = await lockArticle(sql, accountId, idOrSlug)
  if (!article) throw notFound('article')
  const contents = await deleteImagesOfArticle(work, article.id)
  await deleteArticleRows(work, article.id)
  await work.record({
    type: 'wiki_article.deleted',
    subjectId: article.id,
    data: { title: article.title, slug: article.slug },
  })
  return { id: article.id, contents }
}

function checkGiven({ slug, sections = [] }: ArticleChanges): void {
  const wrong: Record<string, string[]> = {}
  if (slug !== undefined && !isSlug(slug)) wrong.slug = ['must be lower-case words joined by single hyphens']
  else if (slug !== undefined && isReservedSlug(slug)) wrong.slug = ['is reserved']
  for (const index of findRepeatedIds(sections))
    wrong[`sections.${index}.id`] = ['must not repeat that of another section']
  if (Object.keys(wrong).length > 0) throw validationError(wrong)
}

function refuseArticle(error: unknown): never {
  if (isUniqueViolation(error, 'wiki_articles_slug_key')) throw new AppError('DUPLICATE_SLUG', {}, { cause: error })
  if (isForeignKeyViolation(error, 'wiki_articles_product_fkey')) {
    throw new AppError('PRODUCT_NOT_FOUND', {}, { cause: error })
  }
  if (isForeignKeyViolation(error, 'wiki_articles_sku_fkey')) throw new AppError('SKU_NOT_FOUND', {}, { cause: error })
  throw error
}
