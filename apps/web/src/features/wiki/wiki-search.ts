/** The list of articles as it stands in the address. */
export interface WikiSearch {
  search?: string
  category?: string
  state?: 'published' | 'draft'
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

export function readWikiSearch({ search, category, state }: Record<string, unknown>): WikiSearch {
  const [words, name] = [text(search), text(category)]
  return {
    ...(words !== undefined && { search: words }),
    ...(name !== undefined && { category: name }),
    ...((state === 'published' || state === 'draft') && { state }),
  }
}

/** What is asked of the service. */
export function wikiFiltersOf({ search, category, state }: WikiSearch) {
  return {
    ...(search !== undefined && { search: search.slice(0, 120) }),
    ...(category !== undefined && { category: category.slice(0, 100) }),
    ...(state !== undefined && { is_published: state === 'published' }),
  }
}

/** The page of an article as it stands in the address. */
interface ArticleSearch {
  tab?: 'revisions'
  /** Number of the revision that is shown. */
  revision?: string
}

export function readArticleSearch({ tab, revision }: Record<string, unknown>): ArticleSearch {
  if (tab !== 'revisions') return {}
  const isNumber = typeof revision === 'string' && /^[1-9]\d{0,8}$/.test(revision)
  return { tab, ...(isNumber && { revision }) }
}
