import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import { pagedQuery } from '../../../lib/api/paged-query.ts'

/** What was read is no event of its own: the list is looked at again while it is open. */
const listEveryMs = 10_000

export const shopListQuery = () => ({
  ...pagedQuery(['shops', 'list'], 'GET /shops', { query: { limit: 50 } }),
  refetchInterval: listEveryMs,
})

export const shopTroublesQuery = (id: string) =>
  queryOptions({
    queryKey: ['shops', id, 'troubles'],
    queryFn: ({ signal }) => api.call('GET /shops/{id}/troubles', { params: { id }, signal }),
  })

function useShopChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['shops'] }),
  })
}

export const useConnectShop = () => useShopChange((body: BodyOf<'POST /shops'>) => api.call('POST /shops', { body }))
export const useChangeShop = (id: string) =>
  useShopChange((body: BodyOf<'PATCH /shops/{id}'>) => api.call('PATCH /shops/{id}', { params: { id }, body }))
export const useTestShop = () => useShopChange((id: string) => api.call('POST /shops/{id}/test', { params: { id } }))
export const useReadShop = () => useShopChange((id: string) => api.call('POST /shops/{id}/read', { params: { id } }))
export const useDisconnectShop = () => useShopChange((id: string) => api.call('DELETE /shops/{id}', { params: { id } }))

/** Leaves the dashboard for the page of the shop, which sends the browser back to the shops. */
export const useAuthoriseShop = () =>
  useMutation({
    mutationFn: (id: string) => api.call('POST /shops/{id}/authorise', { params: { id } }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
export const useEndAuthorisation = () =>
  useShopChange((body: BodyOf<'POST /shops/authorised'>) => api.call('POST /shops/authorised', { body }))
