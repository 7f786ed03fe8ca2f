import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf } from '../../lib/api/api-routes.ts'

export const skuCostQuery = (id: string) =>
  queryOptions({
    queryKey: ['costs', 'sku', id],
    queryFn: ({ signal }) => api.call('GET /costs/skus/{id}', { params: { id }, signal }),
  })

export const jobCostQuery = (id: string) =>
  queryOptions({
    queryKey: ['costs', 'job', id],
    queryFn: ({ signal }) => api.call('GET /costs/jobs/{id}', { params: { id }, signal }),
  })

export const orderCostQuery = (id: string) =>
  queryOptions({
    queryKey: ['costs', 'order', id],
    queryFn: ({ signal }) => api.call('GET /costs/orders/{id}', { params: { id }, signal }),
  })

export const costSettingsQuery = () =>
  queryOptions({
    queryKey: ['costs', 'settings'],
    queryFn: ({ signal }) => api.call('GET /costs/settings', { signal }),
  })

export const materialPriceQuery = (id: string) =>
  queryOptions({
    queryKey: ['costs', 'material', id],
    queryFn: ({ signal }) => api.call('GET /costs/materials/{id}', { params: { id }, signal }),
  })

/** A price goes into every cost. */
function useCostChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () =>
      Promise.all([['costs'], ['reports', 'margin']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}

export const useChangeCostSettings = () =>
  useCostChange((body: BodyOf<'PATCH /costs/settings'>) => api.call('PATCH /costs/settings', { body }))

export const useSetMaterialPrice = (id: string) =>
  useCostChange((body: BodyOf<'PUT /costs/materials/{id}'>) =>
    api.call('PUT /costs/materials/{id}', { params: { id }, body }),
  )
