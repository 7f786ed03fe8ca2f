import { type InfiniteData, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { Page } from '../../lib/api/api-client.ts'
import type { BodyOf, QueryOf } from '../../lib/api/api-routes.ts'
import type { QueuedJob } from '../../lib/api/api-schema.generated.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LivePatch, LiveRule } from '../../lib/live/live-rules.ts'

export type HistoryFilters = Omit<QueryOf<'GET /jobs/history'>, 'limit' | 'offset' | 'cursor'>

export const jobHistoryQuery = (filters: HistoryFilters = {}) =>
  pagedQuery(['jobs', 'history', filters], 'GET /jobs/history', { query: { ...filters, limit: 50 } })

/** Which jobs of the queue are meant; nothing: all. */
export type QueueFilters = QueryOf<'GET /jobs/queue/counts'>

/** Jobs that wait, in the order of the queue. */
export const waitingJobsQuery = (filters: QueueFilters = {}) =>
  pagedQuery(['jobs', 'queue', 'waiting', filters], 'GET /jobs/queue', { query: { ...filters, limit: 50 } })

/** Jobs that hold a printer. */
export const runningJobsQuery = (filters: QueueFilters = {}) =>
  pagedQuery(['jobs', 'queue', 'running', filters], 'GET /jobs/queue', {
    query: { ...filters, part: 'running', limit: 100 },
  })

/** What would become of a job if it were queued now. The farm moves on, so it is asked again and again. */
export const jobPreviewQuery = (body: BodyOf<'POST /jobs'>) =>
  queryOptions({
    queryKey: ['jobs', 'preview', body],
    queryFn: ({ signal }) => api.call('POST /jobs/preview', { body, signal }),
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: 30_000,
  })

/** How many jobs there are of both, read or not. */
export const queueCountsQuery = (filters: QueueFilters = {}) =>
  queryOptions({
    queryKey: ['jobs', 'queue', 'counts', filters],
    queryFn: ({ signal }) => api.call('GET /jobs/queue/counts', { query: filters, signal }),
    // While one types, the figures change and do not vanish.
    placeholderData: keepPreviousData,
  })

export const jobPlanQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'plan', id],
    queryFn: ({ signal }) => api.call('GET /jobs/{id}/plan', { params: { id }, signal }),
  })

/** The SKUs that are sold, to choose what a print makes. */
export const skuChoicesQuery = () =>
  queryOptions({
    queryKey: ['skus', 'choices'],
    queryFn: ({ signal }) => api.rows('GET /skus', { query: { is_active: true, limit: 100 } }, signal),
  })

/** The recipes in use that print a file, with `skuId` those of them that make this SKU. */
export const recipesOfFileQuery = (fileId: string, skuId?: string) =>
  queryOptions({
    queryKey: ['recipes', 'of-file', fileId, skuId ?? null],
    queryFn: ({ signal }) =>
      api.rows(
        'GET /recipes',
        {
          query: {
            print_file_id: fileId,
            is_active: true,
            limit: 100,
            ...(skuId !== undefined && { product_sku_id: skuId }),
          },
        },
        signal,
      ),
  })

export const jobExplanationQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'explain', id],
    queryFn: ({ signal }) => api.call('GET /jobs/{id}/explain', { params: { id }, query: { limit: 50 }, signal }),
  })

export const jobLiveRules: readonly LiveRule[] = [
  {
    on: ['job.*', 'print_failure.*'],
    keys: (id) => [
      ['jobs', 'list'],
      ['jobs', 'history'],
      ['jobs', 'stats'],
      ['jobs', 'queue'],
      ['jobs', 'explain'],
      ['jobs', 'one', id],
      ['jobs', 'plan', id],
    ],
  },
  // What a printer does, has loaded or has on its plate decides whether a job waits for it.
  {
    on: ['printer.*', 'hub', 'scheduler.*', 'attempt.*'],
    keys: () => [
      ['jobs', 'queue'],
      ['jobs', 'explain'],
      ['jobs', 'one'],
      ['jobs', 'plan'],
    ],
  },
]

type JobPages = InfiniteData<Page<QueuedJob>, string | undefined>

/** While its plate is printed, a job is as far as its printer says. */
export const jobLivePatch: LivePatch = (queryClient, changed) => {
  queryClient.setQueriesData<JobPages>({ queryKey: ['jobs', 'queue', 'running'] }, (known) => {
    if (!known) return known
    let isTouched = false
    const pages = known.pages.map((page) => ({
      ...page,
      rows: page.rows.map((job) => {
        const progress = changed.get(job.printer_id ?? '')?.progress
        if (job.status !== 'printing' || typeof progress !== 'number') return job
        isTouched = true
        return { ...job, progress_percentage: overAllPlates(job, progress) }
      }),
    }))
    return isTouched ? { ...known, pages } : known
  })
}

/** Progress of the whole job, 0–100, when its present plate is this far. */
function overAllPlates({ plates_done, plates_total }: QueuedJob, progress: number): number {
  return (plates_done * 100 + progress) / plates_total
}

/** Shows the waiting jobs, all of them, in another order before the service has said so; answers what takes it back. */
export function showOrder(queryClient: QueryClient, order: readonly string[]): () => void {
  const { queryKey } = waitingJobsQuery()
  const before = queryClient.getQueryData<JobPages>(queryKey)
  const byId = new Map(before?.pages.flatMap(({ rows }) => rows).map((job) => [job.id, job]))
  let next = 0
  queryClient.setQueryData<JobPages>(
    queryKey,
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({
          ...page,
          rows: page.rows.map((job) => byId.get(order[next++] ?? '') ?? job),
        })),
      },
  )
  return () => queryClient.setQueryData(queryKey, before)
}

/** What a person can do so that waiting jobs start on idle printers. */
export const waitingGroupsQuery = () =>
  queryOptions({
    queryKey: ['jobs', 'queue', 'remedies'],
    queryFn: ({ signal }) => api.call('GET /jobs/queue/remedies', { signal }),
  })

/** When jobs start and end on which printer, by the last forecast: made again some seconds after a job moved, and every few minutes. */
export const queueTimelineQuery = () =>
  queryOptions({
    queryKey: ['jobs', 'queue', 'timeline'],
    queryFn: ({ signal }) => api.call('GET /jobs/queue/timeline', { signal }),
    refetchInterval: 15_000,
  })
