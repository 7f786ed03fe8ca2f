import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'

/** That a broker is connected, and what plugs say, is no event of its own: it is looked at again while the page is open. */
const lookEveryMs = 10_000

export const brokerQuery = () =>
  queryOptions({
    queryKey: ['mqtt', 'broker'],
    queryFn: ({ signal }) => api.call('GET /mqtt/broker', { signal }),
    refetchInterval: lookEveryMs,
  })

export const plugsQuery = () =>
  queryOptions({
    queryKey: ['smart-plugs'],
    queryFn: ({ signal }) => api.call('GET /smart-plugs', { signal }),
    refetchInterval: lookEveryMs,
  })

function useChange<Input, Output>(key: string, change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [key] }),
  })
}

export const useChangeBroker = () =>
  useChange('mqtt', (body: BodyOf<'PATCH /mqtt/broker'>) => api.call('PATCH /mqtt/broker', { body }))
export const useTestBroker = () => useChange('mqtt', () => api.call('POST /mqtt/broker/test', {}))
export const useRemoveBroker = () => useChange('mqtt', () => api.call('DELETE /mqtt/broker', {}))

export const useAddPlug = () =>
  useChange('smart-plugs', (body: BodyOf<'POST /smart-plugs'>) => api.call('POST /smart-plugs', { body }))
export const useChangePlug = (id: string) =>
  useChange('smart-plugs', (body: BodyOf<'PATCH /smart-plugs/{id}'>) =>
    api.call('PATCH /smart-plugs/{id}', { params: { id }, body }),
  )
export const useSwitchPlug = (id: string) =>
  useChange('smart-plugs', (on: boolean) => api.call('POST /smart-plugs/{id}/switch', { params: { id }, body: { on } }))
export const useRemovePlug = (id: string) =>
  useChange('smart-plugs', () => api.call('DELETE /smart-plugs/{id}', { params: { id } }))
