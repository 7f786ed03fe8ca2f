import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../db/page-bounds.ts'
import {
  answer,
  anyIdText,
  idOf,
  nullable,
  oneOf,
  pageQuery,
  request,
  resource,
  text,
  timestamp,
} from '../../http/schema.ts'
import { actorName } from '../events/events.schema.ts'
import type { ArticleRow, CategoryRow, ListedArticleRow, RevisionDetailRow, RevisionRow } from './wiki.queries.ts'
import { type Section, sectionTypes } from './wiki-sections.ts'
import { longestSlug } from './wiki-slug.ts'

const difficulties = ['easy', 'medium', 'hard'] as const

const webAddress = (description: string) =>
  Type.String({ pattern: '^(https?://[^\\s]+)?$', maxLength: 2000, description })

const listOf = (mostItems: number, item: ReturnType<typeof text>, description: string) =>
  Type.Array(item, { maxItems: mostItems, uniqueItems: true, description })

const minutes = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  description: 'Duration, in min; null: unknown',
})
const place = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description })

const GivenSection = request({
  id: Type.Optional(text(1, 64, 'Any ID, once per article; one is made when left out')),
  type: oneOf(sectionTypes, { description: 'Kind of section' }),
  order: Type.Optional(place('Sections are shown in this order; default: the place in the list, from 0')),
  content: Type.Optional(text(0, 50_000, 'Text of the section')),
  title: Type.Optional(text(0, 200, 'Heading of the section')),
  description: Type.Optional(text(0, 5000, 'Topic of the section')),
  image_url: Type.Optional(webAddress('http or https address of an image; empty for none')),
  notes: Type.Optional(text(0, 5000, 'Hints')),
  warnings: Type.Optional(
    Type.Array(text(1, 1000, 'One warning'), { maxItems: 20, description: 'Warnings of this section' }),
  ),
  number: Type.Optional(nullable(place('Number of the step as readers see it; null for none'))),
})

const title = text(1, 200, 'Title')
const optionalFields = {
  slug: Type.Optional(
    text(
      1,
      longestSlug,
      'Readable name in addresses, unique in the account: lower-case words joined by single hyphens',
    ),
  ),
  excerpt: Type.Optional(text(0, 1000, 'One or two sentences for lists')),
  category: Type.Optional(text(0, 100, 'Category; empty for none')),
  tags: Type.Optional(listOf(50, text(1, 50, 'One tag'), 'Words to find it by')),
  product_id: Type.Optional(nullable(idOf('product', 'The product that it is about; null for none'))),
  sku_id: Type.Optional(nullable(idOf('sku', 'The SKU that it is about; null for none'))),
  meta_title: Type.Optional(text(0, 200, 'Title for search engines')),
  meta_description: Type.Optional(text(0, 1000, 'Description for search engines')),
  featured_image_url: Type.Optional(webAddress('http or https address of its image; empty for none')),
  description: Type.Optional(text(0, 5000, 'Description of the article')),
  estimated_time_minutes: Type.Optional(nullable(minutes)),
  difficulty: Type.Optional(nullable(oneOf(difficulties, { description: 'Difficulty; null: not given' }))),
  tools_required: Type.Optional(listOf(100, text(1, 200, 'One tool'), 'Tools to have at hand')),
  content: Type.Optional(text(0, 200_000, 'Text in Markdown; stored as it is given')),
  sections: Type.Optional(
    Type.Array(GivenSection, {
      maxItems: 200,
      description: 'All parts of the article; they replace the present ones',
    }),
  ),
}

export const NewArticleBody = request({
  title,
  ...optionalFields,
  is_published: Type.Optional(Type.Boolean({ description: 'Whether it is published at once; default: not yet' })),
  slug: Type.Optional(
    nullable(
      text(
        1,
        longestSlug,
        'Readable name in addresses, unique in the account: lower-case words joined by single hyphens; null or left out: made of the title',
      ),
    ),
  ),
})
export type NewArticle = Static<typeof NewArticleBody>

export const ArticleChangesBody = request({ title: Type.Optional(title), ...optionalFields }, { minProperties: 1 })
export type ArticleChanges = Static<typeof ArticleChangesBody>

export const ArticlesQuery = request({
  ...pageQuery,
  category: Type.Optional(text(1, 100, 'Only articles of exactly this category')),
  tag: Type.Optional(text(1, 50, 'Only articles with exactly this tag')),
  is_published: Type.Optional(
    Type.Boolean({ description: 'Only articles that are published, or only those that are not' }),
  ),
  product_id: Type.Optional(idOf('product', 'Only articles about this product')),
  search: Type.Optional(text(1, 120, 'Part of the title, the excerpt or the description, in any case')),
})
export type ArticleFilter = PageFilter<Static<typeof ArticlesQuery>>

export const WikiPageQuery = request(pageQuery)
export type WikiPage = PageFilter<Static<typeof WikiPageQuery>>

const idOrSlug = anyIdText('ID or slug of the article')
export const ArticleParams = Type.Object({ idOrSlug }, { additionalProperties: false })
export const ArticleActionParams = Type.Object({ id: idOrSlug }, { additionalProperties: false })

export const RevisionParams = Type.Object(
  {
    id: idOrSlug,
    number: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Number of the revision, counted from 1' }),
  },
  { additionalProperties: false },
)

const SectionAnswer = resource('WikiSection', 'One part of an article: a heading, a step, a note or a warning', {
  id: Type.String({ description: 'ID of the section, once per article' }),
  type: oneOf(sectionTypes, { description: 'Kind of section' }),
  order: Type.Integer({ description: 'Sections are answered in this order' }),
  content: Type.String({ description: 'Text of the section' }),
  title: Type.String({ description: 'Heading of the section; empty for none' }),
  description: Type.String({ description: 'Topic of the section; empty for none' }),
  image_url: Type.String({ description: 'Address of an image; empty for none' }),
  notes: Type.String({ description: 'Hints; empty for none' }),
  warnings: Type.Array(Type.String(), { description: 'Warnings of this section' }),
  number: nullable(Type.Integer({ description: 'Number of the step as readers see it; null for none' })),
})

/** What can be written of an article, without its long parts. */
const writtenProperties = {
  title: Type.String({ description: 'Title' }),
  slug: Type.String({ description: 'Readable name in addresses, unique in the account' }),
  excerpt: Type.String({ description: 'One or two sentences for lists; empty for none' }),
  category: Type.String({ description: 'Category; empty for none' }),
  tags: Type.Array(Type.String(), { description: 'Words to find it by' }),
  product_id: nullable(Type.String({ description: 'The product that it is about; null for none' })),
  sku_id: nullable(Type.String({ description: 'The SKU that it is about; null for none' })),
  meta_title: Type.String({ description: 'Title for search engines; empty for none' }),
  meta_description: Type.String({ description: 'Description for search engines; empty for none' }),
  featured_image_url: Type.String({ description: 'Address of its image; empty for none' }),
  description: Type.String({ description: 'Description of the article; empty for none' }),
  estimated_time_minutes: nullable(Type.Number({ description: 'Duration, in min; null: unknown' })),
  difficulty: nullable(oneOf(difficulties, { description: 'Difficulty; null: not given' })),
  tools_required: Type.Array(Type.String(), { description: 'Tools to have at hand' }),
}

const listedProperties = {
  id: Type.String({ description: 'ID of the article' }),
  ...writtenProperties,
  is_published: Type.Boolean({ description: 'Whether it is published' }),
  published_at: nullable(timestamp('Time of publication; null while it is not published')),
  created_at: timestamp('Time at which the article was created'),
  updated_at: timestamp('Time at which the article last changed, was published or unpublished'),
}

const longProperties = {
  content: Type.String({ description: 'Text in Markdown, as it was given' }),
  sections: Type.Array(SectionAnswer, { description: 'Parts of the article in their order' }),
}

export const ListedArticle = resource('WikiArticleSummary', 'An article without its text', listedProperties)
export const Article = resource('WikiArticle', 'An article: how something is done', {
  ...listedProperties,
  ...longProperties,
})

export const DeletedArticle = resource('DeletedWikiArticle', 'The article that is gone', {
  id: Type.String({ description: 'ID of the article' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export const Category = resource('WikiCategory', 'A category and how many articles it has', {
  category: Type.String({ description: 'The category, as the articles spell it' }),
  article_count: Type.Integer({ description: 'Articles in it, published or not' }),
})

const revisionProperties = {
  number: Type.Integer({ description: 'Counts the changes of the article from 1, which is its making' }),
  fields: Type.Array(Type.String(), { description: 'The fields that this change set or altered' }),
  actor: Type.String({ description: 'Actor that changed it: `user:` or `key:` and an ID, or `system`' }),
  actor_name: actorName,
  created_at: timestamp('Time of the change'),
}

export const Revision = resource('WikiRevision', 'One change of an article', revisionProperties)
export const RevisionDetail = resource('WikiRevisionDetail', 'One change of an article, with the text after it', {
  ...revisionProperties,
  article: answer({ ...writtenProperties, ...longProperties }, { description: 'The whole article after this change' }),
})

/** The fields of an article that can be written. They are what a revision keeps. */
type Written = Static<typeof RevisionDetail>['article']

export function presentListedArticle(article: ListedArticleRow): Static<typeof ListedArticle> {
  return {
    id: article.id,
    ...presentWritten(article),
    is_published: article.is_published,
    published_at: article.published_at?.toISOString() ?? null,
    created_at: article.created_at.toISOString(),
    updated_at: article.updated_at.toISOString(),
  }
}

export function presentArticle(article: ArticleRow): Static<typeof Article> {
  return { ...presentListedArticle(article), ...presentLong(article) }
}

export function presentCategory({ category, article_count }: CategoryRow): Static<typeof Category> {
  return { category, article_count }
}

/** @param names of those who made revisions, by `actor` */
export function presentRevision(revision: RevisionRow, names: ReadonlyMap<string, string>): Static<typeof Revision> {
  return {
    number: revision.number,
    fields: revision.fields,
    actor: revision.actor,
    actor_name: names.get(revision.actor) ?? null,
    created_at: revision.created_at.toISOString(),
  }
}

export function presentRevisionDetail(
  revision: RevisionDetailRow,
  names: ReadonlyMap<string, string>,
): Static<typeof RevisionDetail> {
  const { article } = revision
  return { ...presentRevision(revision, names), article: { ...presentWritten(article), ...presentLong(article) } }
}

function presentWritten(article: Omit<Written, 'content' | 'sections'>): Omit<Written, 'content' | 'sections'> {
  return {
    title: article.title,
    slug: article.slug,
    excerpt: article.excerpt,
    category: article.category,
    tags: article.tags,
    product_id: article.product_id,
    sku_id: article.sku_id,
    meta_title: article.meta_title,
    meta_description: article.meta_description,
    featured_image_url: article.featured_image_url,
    description: article.description,
    estimated_time_minutes: article.estimated_time_minutes,
    difficulty: article.difficulty,
    tools_required: article.tools_required,
  }
}

function presentLong({
  content,
  sections,
}: Pick<Written, 'content' | 'sections'>): Pick<Written, 'content' | 'sections'> {
  return { content, sections: sections.map(presentSection) }
}

/** In the order of the schema: the database keeps no order of the fields. */
function presentSection(section: Section): Static<typeof SectionAnswer> {
  return {
    id: section.id,
    type: section.type,
    order: section.order,
    content: section.content,
    title: section.title,
    description: section.description,
    image_url: section.image_url,
    notes: section.notes,
    warnings: section.warnings,
    number: section.number,
  }
}
