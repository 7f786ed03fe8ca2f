import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { apiPrefix } from '../../lib/api/api-client.ts'
import type { QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

type FileFilters = Omit<QueryOf<'GET /files'>, 'limit' | 'offset' | 'cursor'>

export const fileListQuery = (filters: FileFilters = {}) =>
  pagedQuery(['files', 'list', filters], 'GET /files', { query: { ...filters, limit: 50 } })

/** The tags of all files. Under the key of the list, so that what changes files refreshes it. */
export const fileTagsQuery = () =>
  queryOptions({
    queryKey: ['files', 'list', 'tags'],
    queryFn: async ({ signal }) => (await api.call('GET /files/tags', { signal })).tags,
  })

/** The folders of the library. Under the key of the list as well. */
export const fileFoldersQuery = () =>
  queryOptions({
    queryKey: ['files', 'list', 'folders'],
    queryFn: async ({ signal }) => (await api.call('GET /files/folders', { signal })).folders,
  })

export const fileUsesQuery = (id: string) =>
  queryOptions({
    queryKey: ['files', 'one', id, 'uses'],
    queryFn: ({ signal }) => api.call('GET /files/{id}/uses', { params: { id }, signal }),
  })

export const contentAddress = (id: string) => `${apiPrefix}/files/${encodeURIComponent(id)}/content`

export const fileLiveRules: readonly LiveRule[] = [
  {
    on: ['file.*'],
    keys: (id) => [
      ['files', 'list'],
      ['files', 'one', id],
    ],
  },
]
