import { apiPrefix } from '../../lib/api/api-client.ts'
import type { QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

type FileFilters = Omit<QueryOf<'GET /files'>, 'limit' | 'offset' | 'cursor'>

export const fileListQuery = (filters: FileFilters = {}) =>
  pagedQuery(['files', 'list', filters], 'GET /files', { query: { ...filters, limit: 50 } })

/** The picture that the slicer put in; another one after every change of the file. */
export const thumbnailAddress = ({ id, updated_at }: { id: string; updated_at: string }) =>
  `${apiPrefix}/files/${encodeURIComponent(id)}/thumbnail?at=${Date.parse(updated_at)}`

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
