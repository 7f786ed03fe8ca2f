import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import type { PrinterModel } from './api-schema.generated.ts'

// What more than one feature reads stands here, so that each key is spelled once.

/** The models that the service knows; they change with its releases only. */
export const printerModelsQuery = () =>
  queryOptions({
    queryKey: ['printer-models'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }): Promise<PrinterModel[]> =>
      api.rows('GET /printer-models', { query: { limit: 100 } }, signal),
  })

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', id],
    queryFn: ({ signal }) => api.call('GET /jobs/{id}', { params: { id }, signal }),
  })

export const fileQuery = (id: string) =>
  queryOptions({
    queryKey: ['files', 'one', id],
    queryFn: ({ signal }) => api.call('GET /files/{id}', { params: { id }, signal }),
  })

/** For the choice of a hub: a farm has few of them. */
export const hubChoicesQuery = () =>
  queryOptions({
    queryKey: ['hubs', 'choices'],
    queryFn: ({ signal }) => api.rows('GET /hubs', { query: { limit: 100 } }, signal),
  })
