import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf, QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

type CardFilters = Pick<QueryOf<'GET /work-cards'>, 'assignee' | 'task_type' | 'location' | 'printer_id'>

/** What is to be done, what comes first first. */
export const openCardsQuery = (filters: CardFilters = {}) =>
  pagedQuery(['worklist', 'cards', 'open', filters], 'GET /work-cards', {
    query: { ...filters, state: 'open', limit: 100 },
  })

/** What was completed today by the account's clock, the latest first. */
export const doneCardsQuery = (filters: CardFilters = {}) =>
  pagedQuery(['worklist', 'cards', 'done', filters], 'GET /work-cards', {
    query: { ...filters, state: 'done_today', limit: 20 },
  })

export const cardQuery = (id: string) =>
  queryOptions({
    queryKey: ['worklist', 'card', id],
    queryFn: ({ signal }) => api.call('GET /work-cards/{id}', { params: { id }, signal }),
  })

/** Everybody who can be given a task; the first hundred. */
export const assigneesQuery = () =>
  queryOptions({
    queryKey: ['worklist', 'assignees'],
    queryFn: ({ signal }) => api.call('GET /members', { query: { limit: 100 }, signal }),
  })

/** Units to put together, with the article that says how. */
export const assemblyQuery = (id: string) =>
  queryOptions({
    queryKey: ['worklist', 'assembly', id],
    queryFn: ({ signal }) => api.call('GET /assembly/{id}', { params: { id }, signal }),
  })

export const moveTask = (id: string, body: BodyOf<'PUT /worklist/{id}/status'>) =>
  api.call('PUT /worklist/{id}/status', { params: { id }, body })

export const assignTask = (id: string, assignedTo: string | null) =>
  api.call('PUT /worklist/{id}/assign', { params: { id }, body: { assigned_to: assignedTo } })

export const addTask = (body: BodyOf<'POST /worklist'>) => api.call('POST /worklist', { body })

export const resolveFate = (jobId: string, body: BodyOf<'POST /jobs/{id}/resolve'>) =>
  api.call('POST /jobs/{id}/resolve', { params: { id: jobId }, body })

export const assignmentDefaultsQuery = () =>
  queryOptions({
    queryKey: ['worklist', 'assignment-defaults'],
    queryFn: ({ signal }) => api.call('GET /worklist/assignment-defaults', { signal }),
  })

export const worklistLiveRules: readonly LiveRule[] = [
  {
    on: ['worklist_task.*'],
    keys: (id) => [
      ['worklist', 'cards'],
      ['worklist', 'card', id],
    ],
  },
  {
    on: ['printer.*', 'job.*', 'assembly_task.*'],
    keys: () => [
      ['worklist', 'card'],
      ['worklist', 'assembly'],
    ],
  },
  // What a customer wants on the units of a card.
  { on: ['order.*'], keys: () => [['worklist', 'cards']] },
  { on: ['member.*'], keys: () => [['worklist', 'assignees']] },
  { on: ['task_assignment_default.*'], keys: () => [['worklist', 'assignment-defaults']] },
]
