import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'

export type ProductFilters = Omit<QueryOf<'GET /products'>, 'limit' | 'offset' | 'cursor'>

export const productListQuery = (filters: ProductFilters = {}) =>
  pagedQuery(['products', 'list', filters], 'GET /products', { query: { ...filters, limit: 50 } })

export const productQuery = (id: string) =>
  queryOptions({
    queryKey: ['products', 'one', id],
    queryFn: ({ signal }) => api.call('GET /products/{id}', { params: { id }, signal }),
  })

export const categoriesQuery = () =>
  queryOptions({
    queryKey: ['products', 'categories'],
    queryFn: ({ signal }) => api.call('GET /products/categories', { signal }),
  })

/** How the SKUs of a product are made, in use or not. */
export const recipesOfProductQuery = (productId: string) =>
  queryOptions({
    queryKey: ['recipes', 'of-product', productId],
    queryFn: ({ signal }) => api.rows('GET /recipes', { query: { product_id: productId, limit: 100 } }, signal),
  })

export const bomQuery = (skuId: string) =>
  queryOptions({
    queryKey: ['skus', 'bom', skuId],
    queryFn: ({ signal }) => api.call('GET /skus/{id}/bom', { params: { id: skuId }, signal }),
  })

/** The colours to choose from. */
export const colorChoicesQuery = () =>
  queryOptions({
    queryKey: ['colors', 'choices'],
    queryFn: ({ signal }) => api.rows('GET /colors', { query: { is_active: true, limit: 100 } }, signal),
  })

/** What a bill of materials may name. */
export const componentChoicesQuery = () =>
  queryOptions({
    queryKey: ['materials', 'choices', 'components'],
    queryFn: ({ signal }) => api.rows('GET /materials/components', { query: { limit: 100 } }, signal),
  })
export const packagingChoicesQuery = () =>
  queryOptions({
    queryKey: ['materials', 'choices', 'packaging'],
    queryFn: ({ signal }) => api.rows('GET /materials/packaging', { query: { limit: 100 } }, signal),
  })
