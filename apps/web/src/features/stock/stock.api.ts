import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'

export type StockFilters = Pick<QueryOf<'GET /inventory'>, 'search' | 'status' | 'low_stock' | 'is_active' | 'bin'>

export const stockListQuery = (filters: StockFilters = {}) =>
  pagedQuery(['stock', 'list', filters], 'GET /inventory', { query: { ...filters, limit: 100 } })

/** Active items by their status, with their units. */
export const stockCountsQuery = () =>
  queryOptions({
    queryKey: ['stock', 'counts'],
    queryFn: ({ signal }) => api.call('GET /inventory/stats', { signal }),
  })

export const stockItemQuery = (id: string) =>
  queryOptions({
    queryKey: ['stock', 'one', id],
    queryFn: ({ signal }) => api.call('GET /inventory/{id}', { params: { id }, signal }),
  })

/** The item of a SKU: each has one from the beginning. */
export const stockOfSkuQuery = (skuId: string) =>
  queryOptions({
    queryKey: ['stock', 'of-sku', skuId],
    queryFn: async ({ signal }) => {
      const [item] = await api.call('GET /inventory', { query: { product_sku_id: skuId, limit: 1 }, signal })
      return item ?? null
    },
  })

/** What changed the stock of an item, the latest first. */
export const movementsQuery = (id: string) =>
  pagedQuery(['stock', 'movements', id], 'GET /inventory/{id}/movements', { params: { id }, query: { limit: 50 } })

/** Printed units that wait for assembly, by the IDs of their SKUs. */
export const awaitingAssemblyQuery = () =>
  queryOptions({
    queryKey: ['stock', 'awaiting'],
    queryFn: async ({ signal }) => {
      const units = new Map<string, number>()
      for (const status of ['pending', 'in_progress'] as const) {
        const query = { status, kind: 'print_assembly' as const, limit: 100 }
        for (const task of await api.rows('GET /assembly', { query }, signal)) {
          const open = task.quantity - task.quantity_completed - task.quantity_rejected
          units.set(task.product_sku_id, (units.get(task.product_sku_id) ?? 0) + open)
        }
      }
      return units
    },
  })
