import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

export type TaskFilters = Omit<QueryOf<'GET /worklist'>, 'limit' | 'offset' | 'cursor'>

export const taskListQuery = (filters: TaskFilters = {}) =>
  pagedQuery(['worklist', 'list', filters], 'GET /worklist', { query: { ...filters, limit: 50 } })

export const assignmentDefaultsQuery = () =>
  queryOptions({
    queryKey: ['worklist', 'assignment-defaults'],
    queryFn: ({ signal }) => api.call('GET /worklist/assignment-defaults', { signal }),
  })

export const worklistLiveRules: readonly LiveRule[] = [
  {
    on: ['worklist_task.*'],
    keys: (id) => [
      ['worklist', 'list'],
      ['worklist', 'stats'],
      ['worklist', 'one', id],
    ],
  },
  { on: ['task_assignment_default.*'], keys: () => [['worklist', 'assignment-defaults']] },
]
