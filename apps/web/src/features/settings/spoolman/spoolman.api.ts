import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'

/** What was read is no event of its own: the page is looked at again while it is open. */
const readEveryMs = 10_000

export const spoolmanQuery = () =>
  queryOptions({
    queryKey: ['spoolman'],
    queryFn: ({ signal }) => api.call('GET /spoolman', { signal }),
    refetchInterval: readEveryMs,
  })

export const usagesQuery = () =>
  queryOptions({
    queryKey: ['spoolman', 'usages'],
    queryFn: ({ signal }) => api.call('GET /spoolman/usages', { signal }),
    refetchInterval: readEveryMs,
  })

function useSpoolmanChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['spoolman'] }),
  })
}

export const useConnectSpoolman = () =>
  useSpoolmanChange((body: BodyOf<'POST /spoolman'>) => api.call('POST /spoolman', { body }))
export const useChangeSpoolman = () =>
  useSpoolmanChange((body: BodyOf<'PATCH /spoolman'>) => api.call('PATCH /spoolman', { body }))
export const useTestSpoolman = () =>
  useSpoolmanChange((body: BodyOf<'POST /spoolman/test'>) => api.call('POST /spoolman/test', { body }))
export const useReadSpoolman = () => useSpoolmanChange((_: undefined) => api.call('POST /spoolman/read'))
export const useDisconnectSpoolman = () => useSpoolmanChange((_: undefined) => api.call('DELETE /spoolman'))
export const useSettleUsage = () =>
  useSpoolmanChange(({ id, ...body }: { id: string } & BodyOf<'POST /spoolman/usages/{id}/settle'>) =>
    api.call('POST /spoolman/usages/{id}/settle', { params: { id }, body }),
  )
