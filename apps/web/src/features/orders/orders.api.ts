import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { apiPrefix } from '../../lib/api/api-client.ts'
import { asApiError } from '../../lib/api/api-error.ts'
import type { BodyOf, OptionalBodyOf, QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { Sent } from '../../lib/api/send-telling.ts'

export type OrderFilters = Omit<QueryOf<'GET /orders'>, 'limit' | 'offset' | 'cursor'>

/** The latest first. */
export const orderListQuery = (filters: OrderFilters = {}) =>
  pagedQuery(['orders', 'list', filters], 'GET /orders', { query: { ...filters, limit: 50 } })

/** A few of those that wait to be shipped, by a time before this moment. */
export const dueOrdersQuery = (shipBefore: string) =>
  queryOptions({
    queryKey: ['orders', 'list', 'due', shipBefore],
    queryFn: ({ signal }) => api.page('GET /orders', { query: { ship_before: shipBefore, limit: 5 }, signal }),
    // When the moment goes on, they do not vanish meanwhile.
    placeholderData: keepPreviousData,
  })

/** A few of those that will be ready too late to be shipped in time. */
export const riskyOrdersQuery = () =>
  queryOptions({
    queryKey: ['orders', 'list', 'risky'],
    queryFn: async ({ signal }) => (await api.page('GET /orders', { query: { at_risk: true, limit: 5 }, signal })).rows,
  })

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => api.call('GET /orders/{id}', { params: { id }, signal }),
  })

/** What the order itself does not show: its shop, currency and times, and what its lines stand for. */
export const orderDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'details', id],
    queryFn: ({ signal }) => api.call('GET /orders/{id}/details', { params: { id }, signal }),
  })

export const shipmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'shipments', id],
    queryFn: ({ signal }) => api.call('GET /orders/{id}/shipments', { params: { id }, signal }),
  })

export const returnsQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'returns', id],
    queryFn: ({ signal }) => api.call('GET /orders/{id}/returns', { params: { id }, signal }),
  })

/** Where the open units of an order are. */
export const orderPlanQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'plan', id],
    queryFn: ({ signal }) => api.call('GET /orders/{id}/plan', { params: { id }, signal }),
  })

/** What producing an order would queue now; each look works it out again. */
export const productionTrialQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'plan', 'trial', id],
    gcTime: 0,
    queryFn: ({ signal }) => api.call('POST /orders/{id}/plan', { params: { id }, signal }),
  })

/** A page to print: of one parcel, or of all that is ordered. */
export const packingSlipAddress = (orderId: string, shipmentId?: string) =>
  `${apiPrefix}/orders/${encodeURIComponent(orderId)}/packing-slip${
    shipmentId === undefined ? '' : `?shipment_id=${encodeURIComponent(shipmentId)}`
  }`

/** A page to print: what to take off the shelves, by bin. */
export const pickingListAddress = (orderId: string) => `${apiPrefix}/orders/${encodeURIComponent(orderId)}/picking-list`

/** How far an order is picked. */
export const picksQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'picks', id],
    queryFn: ({ signal }) => api.call('GET /orders/{id}/picks', { params: { id }, signal }),
  })

/** Live jobs that make a SKU, of which units can be held. */
export const jobsOfSkuQuery = (skuId: string) =>
  queryOptions({
    queryKey: ['orders', 'plan', 'jobs', skuId],
    queryFn: async ({ signal }) => {
      const jobs = await Promise.all(
        (['printing', 'paused', 'processing', 'queued'] as const).map((status) =>
          api.call('GET /jobs', { query: { status, product_sku_id: skuId, limit: 50 }, signal }),
        ),
      )
      return jobs.flat()
    },
  })

/** A change of orders; what is shown of any of them is read again. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['orders'] }),
  })
}

export const useShipOrder = (id: string) =>
  useChange((body: OptionalBodyOf<'POST /orders/{id}/fulfill'>) =>
    api.call('POST /orders/{id}/fulfill', { params: { id }, body }),
  )

export const useReturnItems = (id: string) =>
  useChange((body: BodyOf<'POST /orders/{id}/returns'>) =>
    api.call('POST /orders/{id}/returns', { params: { id }, body }),
  )

export const useChangeOrder = (id: string) =>
  useChange(async (body: BodyOf<'PATCH /orders/{id}'>) => {
    if (Object.keys(body).length > 0) await api.call('PATCH /orders/{id}', { params: { id }, body })
  })

export const useProduceOrder = (id: string) =>
  useChange(() => api.call('POST /orders/{id}/produce', { params: { id } }))

export const useHoldUnits = (id: string, itemId: string) =>
  useChange((body: BodyOf<'POST /orders/{id}/items/{itemId}/hold'>) =>
    api.call('POST /orders/{id}/items/{itemId}/hold', { params: { id, itemId }, body }),
  )

export const useMapLine = (id: string, itemId: string) =>
  useChange((body: BodyOf<'POST /orders/{id}/items/{itemId}/map'>) =>
    api.call('POST /orders/{id}/items/{itemId}/map', { params: { id, itemId }, body }),
  )

/** Orders with lines that stand for no SKU, a few at a time: what their lines are is read of each. */
export const unmappedOrdersQuery = () =>
  pagedQuery(['orders', 'list', 'unmapped'], 'GET /orders', { query: { unmapped: true, limit: 20 } })

/** The newest first. */
export const listingMapsQuery = () =>
  pagedQuery(['listing-maps', 'list'], 'GET /listing-maps', { query: { limit: 50 } })

export const forgetListing = (id: string) => api.call('DELETE /listing-maps/{id}', { params: { id } })

export const useAddOrder = () => useChange((body: BodyOf<'POST /orders'>) => api.call('POST /orders', { body }))

/** How a file of orders is to be read. */
export type ImportQuery = NonNullable<QueryOf<'POST /orders/import'>>

interface ImportToSend {
  file: Blob
  query: ImportQuery
  onSent: (sent: Sent) => void
}

export const useImportOrders = () =>
  useChange(({ file, query, onSent }: ImportToSend) =>
    // Whatever the device takes the file for, it is sent as what it is to be read as.
    api.call('POST /orders/import', { query, body: new Blob([file], { type: 'text/csv' }), onSent }),
  )

/** How often it is asked how far an import is. */
const importEveryMs = 500

/** How far the import with this ID is; null before its first rows and after its end. */
export const importProgressQuery = (id: string, isWanted: boolean) =>
  queryOptions({
    queryKey: ['order-imports', id],
    enabled: isWanted,
    refetchInterval: importEveryMs,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      try {
        return await api.call('GET /order-imports/{id}', { params: { id }, signal })
      } catch (error) {
        if (asApiError(error).code === 'NOT_FOUND') return null
        throw error
      }
    },
  })
