import type { Sql } from '../../db/database.ts'
import { isForeignKeyViolation, isUniqueViolation } from '../../db/database-errors.ts'
import type { PageRow } from '../../db/page-bounds.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { recordEvent } from '../events/events.queries.ts'
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
import { findRepeatedIds } from './wiki-sections.ts'
import { freeSlug, isReservedSlug, isSlug, slugOfTitle } from './wiki-slug.ts'

const makeSectionId = () => newId('wikiSection')

export async function getArticle(sql: Sql, accountId: string, idOrSlug: string): Promise<ArticleRow> {
  const article = await findArticle(sql, accountId, idOrSlug)
  if (!article) throw notFound('article')
  return article
}

/** The revisions of an article, the newest first. */
export async function listRevisionsOf(
  sql: Sql,
  accountId: string,
  idOrSlug: string,
  wanted: WikiPage,
): Promise<PageRow<RevisionRow>[]> {
  const article = await getArticle(sql, accountId, idOrSlug)
  return listRevisions(sql, accountId, article.id, wanted)
}

/** What an article said after its change of this number. */
export async function getRevision(
  sql: Sql,
  accountId: string,
  idOrSlug: string,
  number: number,
): Promise<RevisionDetailRow> {
  const article = await getArticle(sql, accountId, idOrSlug)
  const revision = await findRevision(sql, accountId, article.id, number)
  if (!revision) throw notFound('revision')
  return revision
}

/** A new article, unpublished, with its first revision. Without a slug it gets one from its title. `sql` is a transaction. */
export async function createArticle(sql: Sql, actor: Actor, given: NewArticle): Promise<ArticleRow> {
  checkGiven(given)
  const articleId = newId('wikiArticle')
  await lockSlugs(sql, actor.accountId)
  const slug = given.slug ?? (await deriveSlug(sql, actor.accountId, given.title))
  const text = newText(given, slug, makeSectionId)
  await insertArticle(sql, actor.accountId, articleId, text).catch(refuseArticle)
  await insertRevision(sql, actor.accountId, articleId, {
    number: 1,
    fields: Object.keys({ ...given, slug }),
    article: text,
    actor: actor.label,
  })
  await recordEvent(sql, actor.accountId, {
    type: 'wiki_article.created',
    subjectId: articleId,
    data: { title: text.title, slug },
    actor: actor.label,
  })
  return getArticle(sql, actor.accountId, articleId)
}

async function deriveSlug(sql: Sql, accountId: string, title: string): Promise<string> {
  const slug = slugOfTitle(title)
  return freeSlug(slug, new Set(await listSlugsLike(sql, accountId, slug)))
}

/** Changes what is given and keeps a revision; what is as it was already leaves no trace. `sql` is a transaction. */
export async function changeArticle(
  sql: Sql,
  actor: Actor,
  idOrSlug: string,
  given: ArticleChanges,
): Promise<ArticleRow> {
  checkGiven(given)
  const article = await lockForChange(sql, actor.accountId, idOrSlug, given)
  const before = textOf(article)
  const text = changedText(before, given, makeSectionId)
  const fields = differingFields(before, text)
  if (fields.length === 0) return article
  await keepChange(sql, actor, article.id, text, fields)
  return getArticle(sql, actor.accountId, article.id)
}

/** The article, held for a change of it until the transaction ends. */
export async function lockForChange(
  sql: Sql,
  accountId: string,
  idOrSlug: string,
  given: ArticleChanges,
): Promise<ArticleRow> {
  // Taken before the article, as everywhere, so that two writers never wait for each other.
  if (given.slug !== undefined) await lockSlugs(sql, accountId)
  const article = await lockArticle(sql, accountId, idOrSlug)
  if (!article) throw notFound('article')
  return article
}

async function keepChange(
  sql: Sql,
  actor: Actor,
  articleId: string,
  text: ArticleText,
  fields: string[],
): Promise<void> {
  const number = await updateArticle(sql, actor.accountId, articleId, text).catch(refuseArticle)
  await insertRevision(sql, actor.accountId, articleId, { number, fields, article: text, actor: actor.label })
  await recordEvent(sql, actor.accountId, {
    type: 'wiki_article.updated',
    subjectId: articleId,
    data: { fields, revision: number },
    actor: actor.label,
  })
}

/** Of several at once one publishes; the others are told ALREADY_PUBLISHED. `sql` is a transaction. */
export async function publishArticle(sql: Sql, actor: Actor, idOrSlug: string): Promise<ArticleRow> {
  const article = await setPublished(sql, actor.accountId, idOrSlug, true)
  if (!article) {
    await getArticle(sql, actor.accountId, idOrSlug)
    throw new AppError('ALREADY_PUBLISHED')
  }
  await recordPublication(sql, actor, article, 'wiki_article.published')
  return article
}

/** Takes an article back: it keeps its text, and `published_at` is null again. `sql` is a transaction. */
export async function unpublishArticle(sql: Sql, actor: Actor, idOrSlug: string): Promise<ArticleRow> {
  const article = await setPublished(sql, actor.accountId, idOrSlug, false)
  if (!article) {
    await getArticle(sql, actor.accountId, idOrSlug)
    throw new AppError('ALREADY_UNPUBLISHED')
  }
  await recordPublication(sql, actor, article, 'wiki_article.unpublished')
  return article
}

async function recordPublication(
  sql: Sql,
  actor: Actor,
  article: ArticleRow,
  type: 'wiki_article.published' | 'wiki_article.unpublished',
): Promise<void> {
  await recordEvent(sql, actor.accountId, {
    type,
    subjectId: article.id,
    data: { title: article.title, slug: article.slug },
    actor: actor.label,
  })
}

/** Deletes an article and its revisions, and answers its ID. `sql` is a transaction. */
export async function deleteArticle(sql: Sql, actor: Actor, idOrSlug: string): Promise<string> {
  const article = await lockArticle(sql, actor.accountId, idOrSlug)
  if (!article) throw notFound('article')
  await deleteArticleRows(sql, actor.accountId, article.id)
  await recordEvent(sql, actor.accountId, {
    type: 'wiki_article.deleted',
    subjectId: article.id,
    data: { title: article.title, slug: article.slug },
    actor: actor.label,
  })
  return article.id
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
