import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf, QueryOf } from '../../../lib/api/api-routes.ts'
import { pagedQuery } from '../../../lib/api/paged-query.ts'
import type { LiveRule } from '../../../lib/live/live-rules.ts'

/** What was sent is no event: the log is looked at again while it is open. */
const logEveryMs = 5_000

export const webhookListQuery = () => pagedQuery(['webhooks', 'list'], 'GET /webhooks', { query: { limit: 50 } })

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => api.call('GET /webhooks/{id}', { params: { id }, signal }),
    refetchInterval: logEveryMs,
  })

type DeliveryFilters = Pick<QueryOf<'GET /webhooks/{id}/deliveries'>, 'status'>

export const deliveriesQuery = (id: string, filters: DeliveryFilters) => ({
  ...pagedQuery(['webhooks', id, 'deliveries', filters], 'GET /webhooks/{id}/deliveries', {
    params: { id },
    query: { ...filters, limit: 50 },
  }),
  refetchInterval: logEveryMs,
})

export const webhookLiveRules: readonly LiveRule[] = [{ on: ['webhook.*'], keys: () => [['webhooks']] }]

function useWebhookChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  })
}

export const useAddWebhook = () =>
  useWebhookChange((body: BodyOf<'POST /webhooks'>) => api.call('POST /webhooks', { body }))

export const useChangeWebhook = (id: string) =>
  useWebhookChange((body: BodyOf<'PATCH /webhooks/{id}'>) => api.call('PATCH /webhooks/{id}', { params: { id }, body }))

export const useRemoveWebhook = () =>
  useWebhookChange((id: string) => api.call('DELETE /webhooks/{id}', { params: { id } }))

export const useRotateSecret = (id: string) =>
  useWebhookChange((overlap_hours: number) =>
    api.call('POST /webhooks/{id}/rotate-secret', { params: { id }, body: { overlap_hours } }),
  )

export const useTestWebhook = (id: string) =>
  useWebhookChange(() => api.call('POST /webhooks/{id}/test', { params: { id } }))

export const useRedeliver = (id: string) =>
  useWebhookChange((deliveryId: string) =>
    api.call('POST /webhooks/{id}/deliveries/{deliveryId}/redeliver', { params: { id, deliveryId } }),
  )

export const useRedeliverRange = (id: string) =>
  useWebhookChange((body: BodyOf<'POST /webhooks/{id}/redeliver'>) =>
    api.call('POST /webhooks/{id}/redeliver', { params: { id }, body }),
  )
