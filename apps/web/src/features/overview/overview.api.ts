import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

export const overviewQuery = () =>
  queryOptions({
    queryKey: ['overview'],
    queryFn: ({ signal }) => api.call('GET /analytics/overview', { signal }),
  })

export const overviewLiveRules: readonly LiveRule[] = [
  {
    on: ['job.*', 'printer.*', 'hub.*', 'hub', 'worklist_task.*', 'material.low', 'inventory.low'],
    keys: () => [['overview']],
  },
]
