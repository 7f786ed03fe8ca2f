import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf, QueryOf } from '../../../lib/api/api-routes.ts'
import { pagedQuery } from '../../../lib/api/paged-query.ts'

/** What was sent is no event: the log is looked at again while it is open. */
const logEveryMs = 5_000

export const channelListQuery = () =>
  pagedQuery(['notifications', 'channels'], 'GET /notification-channels', { query: { limit: 100 } })
export const ruleListQuery = () =>
  pagedQuery(['notifications', 'rules'], 'GET /notification-rules', { query: { limit: 100 } })
export const deviceListQuery = () =>
  pagedQuery(['notifications', 'devices'], 'GET /push-devices', { query: { limit: 50 } })

export const notificationLogQuery = (filters: Pick<QueryOf<'GET /notifications'>, 'status'>) => ({
  ...pagedQuery(['notifications', 'log', filters], 'GET /notifications', { query: { ...filters, limit: 50 } }),
  refetchInterval: logEveryMs,
})

/** What a link takes; asked for once. */
export const offeredTaskQuery = (token: string) =>
  queryOptions({
    queryKey: ['offered-task', token],
    queryFn: ({ signal }) => api.call('POST /task-links/look', { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useTakeTask = (token: string) =>
  useMutation({ mutationFn: () => api.call('POST /task-links/take', { body: { token } }) })

function useNotificationChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['notifications'] }),
  })
}

export const useAddChannel = () =>
  useNotificationChange((body: BodyOf<'POST /notification-channels'>) =>
    api.call('POST /notification-channels', { body }),
  )
export const useChangeChannel = (id: string) =>
  useNotificationChange((body: BodyOf<'PATCH /notification-channels/{id}'>) =>
    api.call('PATCH /notification-channels/{id}', { params: { id }, body }),
  )
export const useRemoveChannel = () =>
  useNotificationChange((id: string) => api.call('DELETE /notification-channels/{id}', { params: { id } }))
export const useTestChannel = () =>
  useNotificationChange((id: string) => api.call('POST /notification-channels/{id}/test', { params: { id } }))

/** @param id of the rule to change; without one a new one is added */
export const useSaveRule = (id?: string) =>
  useNotificationChange((body: BodyOf<'POST /notification-rules'>) =>
    id === undefined
      ? api.call('POST /notification-rules', { body })
      : api.call('PATCH /notification-rules/{id}', { params: { id }, body }),
  )
export const useSwitchRule = (id: string) =>
  useNotificationChange((is_active: boolean) =>
    api.call('PATCH /notification-rules/{id}', { params: { id }, body: { is_active } }),
  )
export const useRemoveRule = () =>
  useNotificationChange((id: string) => api.call('DELETE /notification-rules/{id}', { params: { id } }))

export const useAddDevice = () =>
  useNotificationChange((body: BodyOf<'POST /push-devices'>) => api.call('POST /push-devices', { body }))
export const useRemoveDevice = () =>
  useNotificationChange((id: string) => api.call('DELETE /push-devices/{id}', { params: { id } }))
export const useTestDevice = () =>
  useNotificationChange((id: string) => api.call('POST /push-devices/{id}/test', { params: { id } }))
