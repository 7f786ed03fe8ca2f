import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

/** An overview names a few of each; the pages it leads to have the rest. */
const mostNamed = 5

export const overviewQuery = () =>
  queryOptions({
    queryKey: ['overview', 'counts'],
    queryFn: ({ signal }) => api.call('GET /analytics/overview', { signal }),
  })

/** Jobs that are not over though their due date has passed. */
export const lateJobsQuery = () =>
  queryOptions({
    queryKey: ['overview', 'late-jobs'],
    queryFn: ({ signal }) => api.page('GET /jobs', { query: { is_late: true, limit: mostNamed }, signal }),
  })

/** Failures that no one has looked into yet. */
export const failuresQuery = () =>
  queryOptions({
    queryKey: ['overview', 'failures'],
    queryFn: ({ signal }) => api.call('GET /analytics/failures', { signal }),
  })

/** Jobs that ended on each day from this one to today. */
export const weekQuery = (from: string) =>
  queryOptions({
    queryKey: ['overview', 'week', from],
    queryFn: ({ signal }) => api.call('GET /analytics/production', { query: { from }, signal }),
  })

/** Whether the farm has ever completed a job. */
export const firstPrintQuery = () =>
  queryOptions({
    queryKey: ['overview', 'first-print'],
    queryFn: async ({ signal }) =>
      (await api.page('GET /jobs/history', { query: { ended_as: 'completed', limit: 1 }, signal })).rows.length > 0,
  })

export const hasFileQuery = () =>
  queryOptions({
    queryKey: ['overview', 'has-file'],
    queryFn: async ({ signal }) => (await api.page('GET /files', { query: { limit: 1 }, signal })).rows.length > 0,
  })

/** Spools of which little or nothing is left. */
export const lowSpoolsQuery = () =>
  queryOptions({
    queryKey: ['overview', 'low-spools'],
    queryFn: async ({ signal }) => {
      const [out, low] = await Promise.all([
        api.page('GET /materials/filament', { query: { status: 'out_of_stock', limit: mostNamed }, signal }),
        api.page('GET /materials/filament', { query: { status: 'low', limit: mostNamed }, signal }),
      ])
      return [...out.rows, ...low.rows].slice(0, mostNamed)
    },
  })

/** Packaging that is used up: parcels leave without it, and what is short is only in its movements. */
export const missingPackagingQuery = () =>
  queryOptions({
    queryKey: ['overview', 'missing-packaging'],
    queryFn: async ({ signal }) => {
      const query = { status: 'out_of_stock', limit: mostNamed } as const
      return (await api.page('GET /materials/packaging', { query, signal })).rows
    },
  })

/** All hubs with whether they are connected, and what is wrong with them. */
export const hubStatesQuery = () =>
  queryOptions({
    queryKey: ['overview', 'hubs'],
    queryFn: ({ signal }) => api.rows('GET /hubs', { query: { limit: 100 } }, signal),
  })

export const overviewLiveRules: readonly LiveRule[] = [
  {
    on: ['job.*', 'printer.*', 'hub.*', 'hub', 'worklist_task.*', 'inventory.low'],
    keys: () => [['overview', 'counts']],
  },
  { on: ['job.*'], keys: () => [['overview', 'late-jobs']] },
  {
    on: ['job.completed', 'job.failed'],
    keys: () => [
      ['overview', 'week'],
      ['overview', 'first-print'],
    ],
  },
  { on: ['file.*'], keys: () => [['overview', 'has-file']] },
  { on: ['print_failure.*', 'job.failed'], keys: () => [['overview', 'failures']] },
  { on: ['material.*', 'filament.*'], keys: () => [['overview', 'low-spools']] },
  { on: ['material.*'], keys: () => [['overview', 'missing-packaging']] },
  { on: ['hub.*', 'hub'], keys: () => [['overview', 'hubs']] },
]
