import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'

/** SKUs in use of which code or colour has this text. */
export const skuSearchQuery = (search: string) =>
  pagedQuery(['skus', 'search', search], 'GET /skus', {
    query: { is_active: true, limit: 50, ...(search !== '' && { search }) },
  })

export const skuQuery = (id: string) =>
  queryOptions({
    queryKey: ['skus', 'one', id],
    queryFn: ({ signal }) => api.call('GET /skus/{id}', { params: { id }, signal }),
  })
