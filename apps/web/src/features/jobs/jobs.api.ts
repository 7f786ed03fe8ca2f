import type { QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

export type JobFilters = Omit<QueryOf<'GET /jobs'>, 'limit' | 'offset' | 'cursor'>
export type HistoryFilters = Omit<QueryOf<'GET /jobs/history'>, 'limit' | 'offset' | 'cursor'>

export const jobListQuery = (filters: JobFilters = {}) =>
  pagedQuery(['jobs', 'list', filters], 'GET /jobs', { query: { ...filters, limit: 50 } })

export const jobHistoryQuery = (filters: HistoryFilters = {}) =>
  pagedQuery(['jobs', 'history', filters], 'GET /jobs/history', { query: { ...filters, limit: 50 } })

export const jobLiveRules: readonly LiveRule[] = [
  {
    on: ['job.*', 'print_failure.*'],
    keys: (id) => [
      ['jobs', 'list'],
      ['jobs', 'history'],
      ['jobs', 'stats'],
      ['jobs', 'one', id],
    ],
  },
]
