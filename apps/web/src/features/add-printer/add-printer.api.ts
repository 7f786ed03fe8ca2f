import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { BodyOf } from '../../lib/api/api-routes.ts'

export function useAddPrinter() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<'POST /printers'>) => api.call('POST /printers', { body }),
    onSuccess: () =>
      Promise.all(
        [['hubs'], ['printers'], ['overview']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  })
}

type ConnectionToTest = BodyOf<'POST /hubs/{id}/test-connection'>

/** Has a hub try a connection; nothing moves at the printer. */
export function useTestConnection() {
  return useMutation({
    mutationFn: ({ hubId, ...body }: ConnectionToTest & { hubId: string }) =>
      api.call('POST /hubs/{id}/test-connection', { params: { id: hubId }, body }),
  })
}
