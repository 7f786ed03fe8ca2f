import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

export const hubListQuery = () => pagedQuery(['hubs', 'list'], 'GET /hubs', { query: { limit: 100 } })

export const hubQuery = (id: string) =>
  queryOptions({
    queryKey: ['hubs', 'one', id],
    queryFn: ({ signal }) => api.call('GET /hubs/{id}', { params: { id }, signal }),
  })

export const hubLiveRules: readonly LiveRule[] = [
  {
    on: ['hub.*', 'hub'],
    keys: (id) => [
      ['hubs', 'list'],
      ['hubs', 'one', id],
      ['hubs', 'discovered', id],
    ],
  },
  { on: ['printer.added', 'printer.deleted'], keys: () => [['hubs']] },
]
