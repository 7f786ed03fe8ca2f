import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LookOutcome } from '../../lib/live/live-message.ts'
import type { LiveNote, LiveRule } from '../../lib/live/live-rules.ts'

export const hubListQuery = () => pagedQuery(['hubs', 'list'], 'GET /hubs', { query: { limit: 100 } })

/** All of them, page after page: only the list tells what is wrong with hubs, and a farm may have more than one page. */
export const everyHubQuery = () =>
  queryOptions({
    queryKey: ['hubs', 'list', 'every'],
    queryFn: ({ signal }) => api.rows('GET /hubs', { query: { limit: 100 } }, signal),
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

const lookKey = (hubId: string) => ['hub-looks', hubId]

/** How the last look of this hub at an address ended, since a person asked for it here; null: not yet. */
export const lookOutcomeQuery = (hubId: string) =>
  queryOptions<LookOutcome | null>({
    queryKey: lookKey(hubId),
    queryFn: () => null,
    staleTime: 'static',
  })

/** Only the stream says how a look ended. */
export const hubLiveNote: LiveNote = (queryClient, message) => {
  if (message.kind !== 'candidates' || message.looked === null) return
  queryClient.setQueryData(lookOutcomeQuery(message.hub_id).queryKey, message.looked)
}

export const hubLiveRules: readonly LiveRule[] = [
  { on: ['candidates'], keys: (id) => [['hubs', 'discovered', id]] },
  {
    on: ['hub.*', 'hub'],
    keys: (id) => [
      ['hubs', 'list'],
      ['hubs', 'one', id],
      ['hubs', 'discovered', id],
    ],
  },
  {
    on: ['printer.created', 'printer.updated', 'printer.health_changed', 'printer.deleted', 'printer.moved'],
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

/** Has the hub look around, at one address more if it is given. What it finds is told by the stream, and how a look ended. */
export function useSearchForPrinters(hubId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (address: string | undefined) =>
      api.call('POST /hubs/{id}/discover', {
        params: { id: hubId },
        body: address === undefined ? null : { address },
      }),
    // What came of a look before says nothing of this one.
    onMutate: () => queryClient.removeQueries({ queryKey: lookKey(hubId) }),
  })
}
