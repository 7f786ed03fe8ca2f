import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import { readAllRows } from '../../lib/api/read-all-rows.ts'
import type { LiveRule } from '../../lib/live/live-rules.ts'

export type ConnectionType = BodyOf<'POST /printers'>['connection_type']

export const hubListQuery = () => pagedQuery(['hubs', 'list'], 'GET /hubs', { query: { limit: 100 } })

/** All of them, page after page: only the list tells what is wrong with hubs, and a farm may have more than one page. */
export const everyHubQuery = () =>
  queryOptions({
    queryKey: ['hubs', 'list', 'every'],
    queryFn: ({ signal }) => readAllRows('GET /hubs', { query: { limit: 100 } }, signal),
  })

export const hubQuery = (id: string) =>
  queryOptions({
    queryKey: ['hubs', 'one', id],
    queryFn: ({ signal }) => api.call('GET /hubs/{id}', { params: { id }, signal }),
  })

/** What the hub has found on its network; all of it, for it remembers a hundred at most. */
export const foundPrintersQuery = (hubId: string) =>
  pagedQuery(['hubs', 'discovered', hubId], 'GET /hubs/{id}/discovered', {
    params: { id: hubId },
    query: { limit: 100 },
  })

/** Models that the service knows something about; they change only with its release. */
export const printerModelsQuery = () =>
  queryOptions({
    queryKey: ['printer-models'],
    queryFn: ({ signal }) => readAllRows('GET /printer-models', { query: { limit: 100 } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const hubLiveRules: readonly LiveRule[] = [
  {
    on: ['hub.*', 'hub'],
    keys: (id) => [
      ['hubs', 'list'],
      ['hubs', 'one', id],
      ['hubs', 'discovered', id],
    ],
  },
  {
    on: ['printer.added', 'printer.changed', 'printer.health_changed', 'printer.deleted', 'printer.moved'],
    keys: () => [['hubs']],
  },
]

export function useAddHub() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => api.call('POST /hubs', { body: { name } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['hubs'] }),
  })
}

export function useRenameHub(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) => {
      const { etag } = await api.getTagged('GET /hubs/{id}', { params: { id } })
      return api.call('PATCH /hubs/{id}', { params: { id }, body: { name }, ifMatch: etag })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['hubs'] }),
  })
}

export function useRemoveHub(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.call('DELETE /hubs/{id}', { params: { id } }),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: ['hubs', 'one', id] })
      return queryClient.invalidateQueries({ queryKey: ['hubs', 'list'] })
    },
  })
}

/** A code by which another machine takes the hub over; then the token of the one before is void. */
export function useRenewJoinCode(id: string) {
  return useMutation({ mutationFn: () => api.call('POST /hubs/{id}/join-code', { params: { id } }) })
}

/** A search goes on at the hub for about this long; what it finds is read at these moments after its beginning. */
const lookAgainMs = [1500, 4000, 8000, 15_000]

/** Has the hub look around, at one address more if it is given, and reads what comes of it a few times. */
export function useSearchForPrinters(hubId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (address: string | undefined) =>
      api.call('POST /hubs/{id}/discover', {
        params: { id: hubId },
        body: address === undefined ? null : { address },
      }),
    onSuccess: () => {
      for (const ms of lookAgainMs) {
        setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['hubs', 'discovered', hubId] }), ms)
      }
    },
  })
}

export function useTestConnection(hubId: string) {
  return useMutation({
    mutationFn: (body: BodyOf<'POST /hubs/{id}/test-connection'>) =>
      api.call('POST /hubs/{id}/test-connection', { params: { id: hubId }, body }),
  })
}

export function useAdoptPrinter() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<'POST /printers'>) => api.call('POST /printers', { body }),
    onSuccess: () =>
      Promise.all(
        [['hubs'], ['printers'], ['overview']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  })
}
