import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { apiPrefix } from '../../lib/api/api-client.ts'
import type { QueryOf } from '../../lib/api/api-routes.ts'
import { pagedQuery } from '../../lib/api/paged-query.ts'
import type { Material, MaterialKind } from './material-kinds.ts'

export type MaterialFilters = Pick<QueryOf<'GET /materials/filament'>, 'status' | 'low_stock'>

/** The routes of each kind: they differ in their address only. */
const routes = {
  filament: {
    list: 'GET /materials/filament',
    one: 'GET /materials/filament/{id}',
    movements: 'GET /materials/filament/{id}/movements',
    add: 'POST /materials/filament',
    change: 'PATCH /materials/filament/{id}',
    remove: 'DELETE /materials/filament/{id}',
    consume: 'POST /materials/filament/{id}/consume',
    restock: 'POST /materials/filament/{id}/restock',
  },
  components: {
    list: 'GET /materials/components',
    one: 'GET /materials/components/{id}',
    movements: 'GET /materials/components/{id}/movements',
    add: 'POST /materials/components',
    change: 'PATCH /materials/components/{id}',
    remove: 'DELETE /materials/components/{id}',
    consume: 'POST /materials/components/{id}/consume',
    restock: 'POST /materials/components/{id}/restock',
  },
  packaging: {
    list: 'GET /materials/packaging',
    one: 'GET /materials/packaging/{id}',
    movements: 'GET /materials/packaging/{id}/movements',
    add: 'POST /materials/packaging',
    change: 'PATCH /materials/packaging/{id}',
    remove: 'DELETE /materials/packaging/{id}',
    consume: 'POST /materials/packaging/{id}/consume',
    restock: 'POST /materials/packaging/{id}/restock',
  },
  parts: {
    list: 'GET /materials/parts',
    one: 'GET /materials/parts/{id}',
    movements: 'GET /materials/parts/{id}/movements',
    add: 'POST /materials/parts',
    change: 'PATCH /materials/parts/{id}',
    remove: 'DELETE /materials/parts/{id}',
    consume: 'POST /materials/parts/{id}/consume',
    restock: 'POST /materials/parts/{id}/restock',
  },
} as const

/** All that may be said of a material of any kind; each kind takes its own of it. */
export interface MaterialBody {
  type?: string
  name?: string
  color?: string
  hex_code?: string
  brand?: string
  diameter?: number | null
  size?: string
  location?: string
  low_threshold?: number | null
  spool_weight_grams?: number | null
  remaining_grams?: number
  remaining_units?: number
  printer_id?: string | null
  slot?: number
}

interface QuantityBody {
  quantity: number
  notes?: string
  reason?: 'manual_adjustment' | 'damaged' | 'other'
}

export const materialListQuery = (kind: MaterialKind, filters: MaterialFilters = {}) =>
  pagedQuery(['materials', 'list', kind, filters], routes[kind].list, { query: { ...filters, limit: 50 } })

export const materialQuery = (kind: MaterialKind, id: string) =>
  queryOptions({
    queryKey: ['materials', 'one', kind, id],
    queryFn: ({ signal }): Promise<Material> => api.call(routes[kind].one, { params: { id }, signal }),
  })

/** What will run out, and what must be bought. */
export const forecastQuery = () =>
  queryOptions({
    queryKey: ['materials', 'forecast'],
    queryFn: ({ signal }) => api.call('GET /materials/forecast', { signal }),
  })

/** The rows of the forecast for a spreadsheet. */
export const forecastAddress = (by: 'purchase' | 'filament' | 'printer') =>
  `${apiPrefix}/materials/forecast?by=${by}&format=csv`

/** What changed the quantity of a material, the latest first. */
export const materialMovementsQuery = (kind: MaterialKind, id: string) =>
  pagedQuery(['materials', 'movements', kind, id], routes[kind].movements, { params: { id }, query: { limit: 50 } })

/** The chips by which a scan finds a spool, the oldest first. */
export const spoolTagsQuery = (id: string) =>
  queryOptions({
    queryKey: ['materials', 'tags', id],
    queryFn: ({ signal }) => api.call('GET /materials/filament/{id}/tags', { params: { id }, signal }),
  })

export const putTagOnSpool = (id: string, code: string) =>
  api.call('POST /materials/filament/{id}/tags', { params: { id }, body: { code } })

export const takeTagOff = (id: string, tagId: string) =>
  api.call('DELETE /materials/filament/{id}/tags/{tag_id}', { params: { id, tag_id: tagId } })

export const addMaterial = (kind: MaterialKind, { type = '', ...body }: MaterialBody): Promise<Material> =>
  api.call(routes[kind].add, { body: { type, ...body } })

export const changeMaterial = (kind: MaterialKind, id: string, body: MaterialBody): Promise<Material> =>
  api.call(routes[kind].change, { params: { id }, body })

export const removeMaterial = (kind: MaterialKind, id: string) => api.call(routes[kind].remove, { params: { id } })

export const consumeMaterial = (kind: MaterialKind, id: string, body: QuantityBody) =>
  api.call(routes[kind].consume, { params: { id }, body })

export const restockMaterial = (kind: MaterialKind, id: string, { quantity, notes }: QuantityBody) =>
  api.call(routes[kind].restock, { params: { id }, body: { quantity, ...(notes !== undefined && { notes }) } })
