import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf, OptionalBodyOf, QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'

type NeedFilters = Omit<QueryOf<'GET /production/needs'>, 'limit' | 'offset' | 'cursor'>

/** What is due first, first. */
export const needsQuery = (filters: NeedFilters) =>
  pagedQuery(['production', 'needs', filters], 'GET /production/needs', { query: { ...filters, limit: 100 } })

/** By the code of the SKU. */
export const shelfQuery = (search: string | undefined) =>
  pagedQuery(['production', 'shelf', search ?? ''], 'GET /production/shelf', {
    query: { limit: 50, ...(search !== undefined && { search: search.slice(0, 120) }) },
  })

export const unwantedQuery = () =>
  queryOptions({
    queryKey: ['production', 'unwanted'],
    queryFn: ({ signal }) => api.call('GET /production/unwanted', { signal }),
  })

/** Which needs are produced: all without any of these. */
export type ProduceScope = Omit<NonNullable<OptionalBodyOf<'POST /production/produce'>>, 'dry_run'>

/** What would be queued now; each look works it out again. */
export const productionTrialQuery = (scope: ProduceScope) =>
  queryOptions({
    queryKey: ['production', 'trial', scope],
    gcTime: 0,
    queryFn: ({ signal }) => api.call('POST /production/produce', { body: { ...scope, dry_run: true }, signal }),
  })

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const key of ['production', 'jobs', 'skus', 'orders']) {
        void queryClient.invalidateQueries({ queryKey: [key] })
      }
    },
  })
}

export const useProduce = () =>
  useChange((scope: ProduceScope) => api.call('POST /production/produce', { body: scope }))

export type ShelfBody = Pick<BodyOf<'PATCH /skus/{id}'>, 'restock_point' | 'restock_to' | 'auto_produce'>

export const useSetShelf = () =>
  useChange(({ id, body }: { id: string; body: ShelfBody }) => api.call('PATCH /skus/{id}', { params: { id }, body }))

export const cancelJob = (id: string) => api.call('POST /jobs/{id}/cancel', { params: { id } })

export const cancelAssembly = (id: string) =>
  api.call('PATCH /assembly/{id}', { params: { id }, body: { status: 'cancelled' } })
