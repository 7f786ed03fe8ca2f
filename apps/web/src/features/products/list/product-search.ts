import type { ProductFilters } from '../products.api.ts'

/** The list of products as it stands in the address. */
export interface ProductSearch {
  search?: string
  category?: string
  /** Left out: products in use. */
  use?: 'out' | 'all'
}

export function readProductSearch(search: Record<string, unknown>): ProductSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const [words, category, use] = [text(search.search), text(search.category), text(search.use)]
  return {
    ...(words !== undefined && { search: words }),
    ...(category !== undefined && { category }),
    ...((use === 'out' || use === 'all') && { use }),
  }
}

/** What is asked of the service. */
export function productFiltersOf({ search, category, use }: ProductSearch): ProductFilters {
  return {
    ...(search !== undefined && { search }),
    ...(category !== undefined && { category }),
    ...(use !== 'all' && { is_active: use !== 'out' }),
  }
}
