import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { AssemblySearch } from './assembly-search.ts'

/** In progress, pending, completed, cancelled; within each the newest first. */
export const assemblyListQuery = (filters: AssemblySearch) =>
  pagedQuery(['assembly', 'list', filters], 'GET /assembly', { query: { ...filters, limit: 50 } })

export const assemblyTaskQuery = (id: string) =>
  queryOptions({
    queryKey: ['assembly', 'one', id],
    queryFn: ({ signal }) => api.call('GET /assembly/{id}', { params: { id }, signal }),
  })

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const key of ['assembly', 'stock', 'worklist']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
}

export const useCompleteAssembly = (id: string) =>
  useChange((body: { quantity_completed: number; quantity_rejected: number; notes?: string }) =>
    api.call('POST /assembly/{id}/complete', { params: { id }, body }),
  )

export const useChangeAssembly = (id: string) =>
  useChange((body: BodyOf<'PATCH /assembly/{id}'>) => api.call('PATCH /assembly/{id}', { params: { id }, body }))
