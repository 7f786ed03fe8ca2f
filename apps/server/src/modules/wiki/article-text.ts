import { isDeepStrictEqual } from 'node:util'
import type { ArticleText } from './wiki.queries.ts'
import type { ArticleChanges, NewArticle } from './wiki.schema.ts'
import { arrangeSections } from './wiki-sections.ts'

/** A new article whose slug, if it is given at all, is a text. */
type GivenArticle = Omit<NewArticle, 'slug'> | ArticleChanges

/** What an article without any text says, its title and slug aside. */
const blank: Omit<ArticleText, 'title' | 'slug'> = {
  excerpt: '',
  category: '',
  tags: [],
  product_id: null,
  sku_id: null,
  meta_title: '',
  meta_description: '',
  featured_image_url: '',
  description: '',
  estimated_time_minutes: null,
  difficulty: null,
  tools_required: [],
  content: '',
  sections: [],
}

/** The text of a new article. `makeId` names sections that have no ID. */
export function newText(given: Omit<NewArticle, 'slug'>, slug: string, makeId: () => string): ArticleText {
  return changedText({ ...blank, title: given.title, slug }, given, makeId)
}

/** The text with what is given put in place; whatever is left out stays. */
export function changedText(text: ArticleText, given: GivenArticle, makeId: () => string): ArticleText {
  const { sections, ...fields } = given
  return { ...text, ...fields, ...(sections && { sections: arrangeSections(sections, makeId) }) }
}

/** The fields in which two texts differ. Neither has any others. */
export function differingFields(before: ArticleText, after: ArticleText): (keyof ArticleText)[] {
  return (Object.keys(after) as (keyof ArticleText)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  )
}

/** The text of an article, without what is known of it besides. */
export function textOf(article: ArticleText): ArticleText {
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
    content: article.content,
    sections: article.sections,
  }
}
