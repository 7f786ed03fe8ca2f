import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'

/** No event tells of the end of a backup. */
const runningEveryMs = 2_000
const idleEveryMs = 30_000

export const backupsQuery = () =>
  queryOptions({
    queryKey: ['backups'],
    queryFn: ({ signal }) => api.call('GET /backups', { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.backups.some(({ status }) => status === 'running') ? runningEveryMs : idleEveryMs,
  })

export function useChangeSchedule() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<'PATCH /backups/schedule'>) => api.call('PATCH /backups/schedule', { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['backups'] }),
  })
}

export function useBackUpNow() {
  return useMutation({ mutationFn: () => api.call('POST /backups') })
}
