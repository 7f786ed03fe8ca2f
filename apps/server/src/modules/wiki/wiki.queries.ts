import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageRow } from '../../db/page-bounds.ts'
import type { WikiArticleRow, WikiRevisionRow } from '../../db/rows.generated.ts'
import type { AccountId, SkuId, WikiArticleId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { ArticleFilter, WikiPage } from './wiki.schema.ts'
import type { Section } from './wiki-sections.ts'

const listedColumns = columnsOf<WikiArticleRow>()(
  'id',
  'title',
  'slug',
  'excerpt',
  'category',
  'tags',
  'product_id',
  'sku_id',
  'is_published',
  'published_at',
  'meta_title',
  'meta_description',
  'featured_image_url',
  'description',
  'estimated_time_minutes',
  'difficulty',
  'tools_required',
  'created_at',
  'updated_at',
)
const columns = (sql: Sql) => sql`${listedColumns(sql)}, content, sections`
const revisionColumns = columnsOf<WikiRevisionRow>()('number', 'fields', 'actor', 'created_at')

/** An article without its long parts. */
export type ListedArticleRow = RowOf<typeof listedColumns>
export type ArticleRow = ListedArticleRow & Pick<WikiArticleRow, 'content'> & { sections: Section[] }

/** What can be written of an article, and what each of its revisions keeps. */
export type ArticleText = Omit<ArticleRow, 'id' | 'is_published' | 'published_at' | 'created_at' | 'updated_at'>

export type CategoryRow = Pick<WikiArticleRow, 'category'> & { article_count: number }
export type RevisionRow = RowOf<typeof revisionColumns>
export type RevisionDetailRow = RevisionRow & { article: ArticleText }

/** As the table holds it. */
const stored = (sql: Sql, { sections, ...text }: ArticleText) => ({ ...text, sections: sql.json(sections) })

/** By ID or slug; no text is both. */
export async function findArticle(sql: Sql, accountId: AccountId, idOrSlug: string): Promise<ArticleRow | undefined> {
  const [article] = await sql<ArticleRow[]>`
    select ${columns(sql)} from wiki_articles
    where account_id = ${accountId} and (id = ${idOrSlug} or slug = ${idOrSlug})`
  return article
}

/** The published article about a SKU, else the one that its product names, else one about the product; the newest of several. */
export async function findArticleOfSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<ArticleRow | undefined> {
  const [article] = await sql<ArticleRow[]>`
    with product as (
      select p.id, p.wiki_id from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
      where s.account_id = ${accountId} and s.id = ${skuId}
    )
    select ${columns(sql)} from wiki_articles
    where account_id = ${accountId} and is_published
      and (sku_id = ${skuId}
        or id = (select wiki_id from product)
        or (sku_id is null and product_id = (select id from product)))
    order by (sku_id is not distinct from ${skuId}) desc, (id is not distinct from (select wiki_id from product)) desc,
             created_at desc
    limit 1`
  return article
}

/** The same, and no one else changes it until the transaction ends. */
export async function lockArticle(sql: Sql, accountId: AccountId, idOrSlug: string): Promise<ArticleRow | undefined> {
  const [article] = await sql<ArticleRow[]>`
    select ${columns(sql)} from wiki_articles
    where account_id = ${accountId} and (id = ${idOrSlug} or slug = ${idOrSlug})
    for update`
  return article
}

/** Newest first, without the long parts. */
export async function listArticles(
  sql: Sql,
  accountId: AccountId,
  filter: ArticleFilter,
): Promise<PageRow<ListedArticleRow>[]> {
  const { category, tag, product_id: productId, is_published: isPublished, search } = filter
  return sql<PageRow<ListedArticleRow>[]>`
    select ${listedColumns(sql)}, created_at::text as page_key from wiki_articles
    where account_id = ${accountId}
      ${category === undefined ? sql`` : sql`and category = ${category}`}
      ${tag === undefined ? sql`` : sql`and ${tag} = any(tags)`}
      ${productId === undefined ? sql`` : sql`and product_id = ${productId}`}
      ${isPublished === undefined ? sql`` : sql`and is_published = ${isPublished}`}
      ${
        search === undefined
          ? sql``
          : sql`and (strpos(lower(title), lower(${search})) > 0 or strpos(lower(excerpt), lower(${search})) > 0
                     or strpos(lower(description), lower(${search})) > 0)`
      }
      ${filter.after ? sql`and (created_at, id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by created_at desc, id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** By name. Articles without a category count nowhere. */
export async function listCategories(
  sql: Sql,
  accountId: AccountId,
  { limit, offset, after }: WikiPage,
): Promise<PageRow<CategoryRow>[]> {
  return sql<PageRow<CategoryRow>[]>`
    select category, category as page_key, count(*) as article_count from wiki_articles
    where account_id = ${accountId} and category <> ''
      ${after ? sql`and category > ${after.key}` : sql``}
    group by category order by category
    limit ${limit} offset ${offset}`
}

/** Lets one transaction at a time give a slug to an article of this account, until it ends. */
export async function lockSlugs(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wiki slugs of ${accountId}`}, 0))`
}

/** The slug itself where it is in use, and every longer one that begins with it and a hyphen. */
export async function listSlugsLike(sql: Sql, accountId: AccountId, slug: string): Promise<string[]> {
  const rows = await sql<{ slug: string }[]>`
    select slug from wiki_articles
    where account_id = ${accountId} and (slug = ${slug} or starts_with(slug, ${`${slug}-`}))`
  return rows.map((row) => row.slug)
}

/** Fails on `wiki_articles_slug_key`, `wiki_articles_product_fkey` or `wiki_articles_sku_fkey`. */
export async function insertArticle(
  { sql, accountId, now }: Work,
  articleId: WikiArticleId,
  text: ArticleText,
): Promise<void> {
  await sql`
    insert into wiki_articles
      ${sql({ account_id: accountId, id: articleId, ...stored(sql, text), created_at: now, updated_at: now })}`
}

/** Writes all of the text as the next revision, whose number it answers. Fails as `insertArticle` does. */
export async function updateArticle(
  { sql, accountId, now }: Work,
  articleId: WikiArticleId,
  text: ArticleText,
): Promise<number> {
  const [row] = await sql<Pick<WikiArticleRow, 'revision'>[]>`
    update wiki_articles set ${sql({ ...stored(sql, text), updated_at: now })}, revision = revision + 1
    where account_id = ${accountId} and id = ${articleId}
    returning revision`
  if (!row) throw new Error(`Article ${articleId} went away while it was locked`)
  return row.revision
}

/** Publishes the article or takes it back. Undefined when there is no such article, or it is so already. */
export async function setPublished(
  { sql, accountId, now }: Work,
  idOrSlug: string,
  isPublished: boolean,
): Promise<ArticleRow | undefined> {
  const [article] = await sql<ArticleRow[]>`
    update wiki_articles set
      is_published = ${isPublished}, published_at = case when ${isPublished} then ${now}::timestamptz end, updated_at = ${now}
    where account_id = ${accountId} and (id = ${idOrSlug} or slug = ${idOrSlug}) and is_published <> ${isPublished}
    returning ${columns(sql)}`
  return article
}

/** Deletes an article with its revisions. */
export async function deleteArticleRows({ sql, accountId }: Work, articleId: WikiArticleId): Promise<void> {
  await sql`delete from wiki_revisions where account_id = ${accountId} and article_id = ${articleId}`
  await sql`delete from wiki_articles where account_id = ${accountId} and id = ${articleId}`
}

export async function insertRevision(
  { sql, accountId, actor }: Work,
  articleId: WikiArticleId,
  revision: { number: number; fields: string[]; article: ArticleText },
): Promise<void> {
  const article = sql.json(revision.article)
  await sql`
    insert into wiki_revisions ${sql({ account_id: accountId, article_id: articleId, ...revision, article, actor })}`
}

/** Newest first, by the primary key. */
export async function listRevisions(
  sql: Sql,
  accountId: AccountId,
  articleId: WikiArticleId,
  { limit, offset, after }: WikiPage,
): Promise<PageRow<RevisionRow>[]> {
  return sql<PageRow<RevisionRow>[]>`
    select ${revisionColumns(sql)}, number::text as page_key from wiki_revisions
    where account_id = ${accountId} and article_id = ${articleId}
      ${after ? sql`and number < ${after.key}::text::integer` : sql``}
    order by number desc
    limit ${limit} offset ${offset}`
}

export async function findRevision(
  sql: Sql,
  accountId: AccountId,
  articleId: WikiArticleId,
  number: number,
): Promise<RevisionDetailRow | undefined> {
  const [revision] = await sql<RevisionDetailRow[]>`
    select ${revisionColumns(sql)}, article from wiki_revisions
    where account_id = ${accountId} and article_id = ${articleId} and number = ${number}`
  return revision
}
