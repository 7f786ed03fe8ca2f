import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { QueryOf } from '../../lib/api/api-routes.ts'
import type { LivePrinterStatus } from '../../lib/api/api-schema.generated.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { LivePatch, LiveRule } from '../../lib/live/live-rules.ts'

export type PrinterFilters = Omit<QueryOf<'GET /printers'>, 'limit' | 'offset' | 'cursor'>

export const printerListQuery = (filters: PrinterFilters = {}) =>
  pagedQuery(['printers', 'list', filters], 'GET /printers', { query: { ...filters, limit: 100 } })

export const printerQuery = (id: string) =>
  queryOptions({
    queryKey: ['printers', 'one', id],
    queryFn: ({ signal }) => api.call('GET /printers/{id}', { params: { id }, signal }),
  })

/** What the printer says now. Live events are written into it. */
export const printerStatusQuery = (id: string) =>
  queryOptions({
    queryKey: ['printers', 'status', id],
    queryFn: ({ signal }) => api.call('GET /printers/{id}/status', { params: { id }, signal }),
  })

export const printerLiveRules: readonly LiveRule[] = [
  {
    on: ['printer.*'],
    keys: (id) => [
      ['printers', 'list'],
      ['printers', 'one', id],
      ['printers', 'status', id],
    ],
  },
  { on: ['hub', 'hub.connected', 'hub.disconnected', 'hub.deleted'], keys: () => [['printers']] },
]

/** Live fields go into the status of their printer, and the state also into every list that shows it. */
export const printerLivePatch: LivePatch = (queryClient, changed) => {
  for (const [id, fields] of changed) {
    queryClient.setQueryData<LivePrinterStatus>(['printers', 'status', id], (known) => known && { ...known, ...fields })
  }
  const stateOf = (id: string) => changed.get(id)?.status
  queryClient.setQueriesData<{ pages: { rows: { id: string; status: string }[] }[] }>(
    { queryKey: ['printers', 'list'] },
    (known) => {
      const isTouched = known?.pages.some(({ rows }) =>
        rows.some(({ id, status }) => typeof stateOf(id) === 'string' && stateOf(id) !== status),
      )
      if (!known || !isTouched) return known
      const pages = known.pages.map((page) => ({
        ...page,
        rows: page.rows.map((row) => {
          const status = stateOf(row.id)
          return typeof status === 'string' ? { ...row, status } : row
        }),
      }))
      return { ...known, pages }
    },
  )
}
